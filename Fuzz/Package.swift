// swift-tools-version: 6.0
import PackageDescription

// A package of its own, built by Scripts/fuzz-json alone: the fuzzer's runtime is not part of every toolchain.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swift-dao", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz-json", dependencies: [.product(name: "DAOKit", package: "swift-dao")],
      // The fuzzer brings the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
