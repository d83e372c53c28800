// swift-tools-version: 6.1
import PackageDescription

// A package of its own, built by Scripts/test-observation alone: it switches on the traits Metrics and Tracing of the package, which nobody
// else pays for.
let package = Package(
  name: "Observation",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "swift-dao", path: "../..", traits: ["Metrics", "Tracing"]),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
  ],
  targets: [
    .testTarget(
      name: "ObservationTests",
      dependencies: [
        .product(name: "DAOKit", package: "swift-dao"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
