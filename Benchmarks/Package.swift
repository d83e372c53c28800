// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that those who use DAOKit fetch none of this. It depends on DAOKit and not on DAOMacros, so that swift-syntax is
// never built here: a cold release build of it takes many minutes.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "swift-dao", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/ordo-one/TextTable", from: "0.0.2"),
  ],
  targets: [
    .executableTarget(
      name: "daobench",
      dependencies: [
        "CBenchSystem",
        .product(name: "DAOImport", package: "swift-dao"),
        .product(name: "DAOKit", package: "swift-dao"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "TextTable", package: "TextTable"),
      ]),
    .target(name: "CBenchSystem"),
  ],
  swiftLanguageModes: [.v6]
)
