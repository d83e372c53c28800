// swift-tools-version: 6.0
import PackageDescription

// A package of its own, built by Scripts/fuzz-json, Scripts/fuzz-token and Scripts/fuzz-feed alone: it needs the sanitizer's flags, and its
// runtime is not part of every toolchain.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swift-dao", path: "..")],
  targets: [
    .executableTarget(name: "fuzz-json", dependencies: ["CFuzzer", .product(name: "DAOKit", package: "swift-dao")]),
    .executableTarget(name: "fuzz-token", dependencies: ["CFuzzer", .product(name: "DAOKit", package: "swift-dao")]),
    .executableTarget(
      name: "fuzz-feed",
      dependencies: ["CFuzzer", .product(name: "DAOImport", package: "swift-dao"), .product(name: "DAOKit", package: "swift-dao")]),
    .target(name: "CFuzzer"),
  ],
  swiftLanguageModes: [.v6]
)
