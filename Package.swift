// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// Each floor of the house is a module; arrows point down only. `DAOMacros` stands beside it, so that swift-syntax is
// built only for those who use the macro.
let package = Package(
  name: "swift-dao",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .macCatalyst(.v16), .visionOS(.v1)],
  products: [
    .library(name: "DAOKit", targets: ["DAOKit"]),
    .library(name: "DAOMacros", targets: ["DAOMacros"]),
    .library(name: "DAOImport", targets: ["DAOImport"]),
    .library(name: "DAOActiveRecord", targets: ["DAOActiveRecord"]),
    .library(name: "DAOActiveRecordTestSupport", targets: ["DAOActiveRecordTestSupport"]),
    .library(name: "DAOPacking", targets: ["DAOPacking"]),
    .library(name: "DAOTestSupport", targets: ["DAOTestSupport"]),
    .executable(name: "worldclock", targets: ["worldclock"]),
  ],
  traits: [
    .trait(name: "Metrics", description: "Records statements, transactions and connections through swift-metrics."),
    .trait(name: "Tracing", description: "Makes a span of each statement through swift-distributed-tracing."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    // The floors.
    .target(name: "CDAOSystem"),
    .target(name: "CDAOSQLite"),
    .target(name: "DAOCriteria"),
    .target(name: "DAOSchema", dependencies: ["DAOCriteria"]),
    .target(name: "DAOSQL", dependencies: ["DAOSchema"]),
    // Beside them: how calls wait for a store, and the store without SQLite.
    .target(name: "DAOWaiting", dependencies: ["CDAOSystem", "DAOCriteria"]),
    .target(name: "DAOEvaluator", dependencies: ["DAOSchema", "DAOWaiting"]),
    .target(
      name: "DAOSQLite",
      dependencies: [
        "CDAOSQLite", "CDAOSystem", "DAOSQL", "DAOWaiting",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "DAOKit",
      dependencies: [
        "DAOEvaluator", "DAOSQLite", .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ]),

    // Seeds from files, for the program that makes them.
    .target(name: "DAOPacking", dependencies: ["DAOKit", "DAORecords"]),
    // Records of feeds, as rows.
    .target(name: "DAOImport", dependencies: ["DAOKit", "DAORecords"]),
    // One-liners over a default factory.
    .target(name: "DAOActiveRecord", dependencies: ["DAOImport", "DAOKit"]),
    // Apart from `DAOTestSupport`, which would show one-liners to tests that don't want them.
    .target(name: "DAOActiveRecordTestSupport", dependencies: ["DAOActiveRecord", "DAOKit"]),
    // Records of files, in JSON and CSV.
    .target(name: "DAORecords", dependencies: ["DAOCriteria"]),

    // What tests of DAOs are written with.
    .target(name: "DAOTestSupport", dependencies: ["DAOKit"]),

    // The macro, beside the house.
    .target(name: "DAOMacros", dependencies: ["DAOKit", "DAOMacrosPlugin"]),
    .macro(
      name: "DAOMacrosPlugin",
      dependencies: [
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]),

    // The example, and the database that it ships.
    .executableTarget(
      name: "worldclock",
      dependencies: ["DAOImport", "DAOMacros", "WorldclockSeed", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .target(
      name: "WorldclockSeed", path: "Fixtures", exclude: ["README.md", "notes.json"],
      resources: [.copy("worldclock.sqlite"), .copy("worldclock-2026f.sqlite")]),

    // Writes Fixtures/worldclock….sqlite from the machine's time zone data.
    .executableTarget(name: "generate-worldclock", dependencies: ["WorldclockFixture"]),
    .target(
      name: "WorldclockFixture",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Which cases of a test over many run: some in the suite, all of them in Scripts/properties.
    .target(name: "TestCases", path: "Tests/TestCases"),
    // For tests: the entities of the JSON form, readers of criteria in JSON, the problems of a query, a small stack.
    .target(name: "CriteriaTesting", dependencies: ["DAOCriteria"], path: "Tests/CriteriaTesting"),
    .testTarget(name: "DAOCriteriaTests", dependencies: ["CriteriaTesting", "DAOCriteria", "TestCases"]),
    .testTarget(name: "DAOSchemaTests", dependencies: ["DAOSchema"]),
    .testTarget(name: "DAOSQLTests", dependencies: ["CriteriaTesting", "DAOSQL", "TestCases"]),
    .testTarget(name: "DAOWaitingTests", dependencies: ["DAOWaiting", "TestCases"]),
    .testTarget(
      name: "DAOSQLiteTests", dependencies: ["DAOSQLite", "TestCases", "bootstrap-probe", .product(name: "GRDB", package: "GRDB.swift")]),
    // What the kill test ends in the middle.
    .executableTarget(name: "bootstrap-probe", dependencies: ["DAOKit"], path: "Tests/BootstrapProbe"),
    .testTarget(
      name: "DAOKitTests",
      dependencies: [
        "CriteriaTesting", "DAODifferential", "DAORandomSessions", "DAOTestSupport", "TestCases",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(name: "DAORecordsTests", dependencies: ["DAORecords", "TestCases"]),
    .testTarget(
      name: "DAOImportTests",
      dependencies: ["DAOEvaluator", "DAOImport", "TestCases", "import-probe", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(name: "DAOActiveRecordTests", dependencies: ["DAOActiveRecord", "DAOActiveRecordTestSupport", "DAOMacros", "TestCases"]),
    // An import that is killed, or finds the disk full.
    .executableTarget(name: "import-probe", dependencies: ["DAOImport"], path: "Tests/ImportProbe"),
    .testTarget(name: "DAOPackingTests", dependencies: ["DAOPacking", "TestCases", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(name: "WorldclockTests", dependencies: ["DAOMacros", "WorldclockSeed", "worldclock"]),
    .testTarget(name: "DAODifferentialTests", dependencies: ["CriteriaTesting", "DAODifferential", "DAOKit", "TestCases"]),
    // What compares the evaluator and SQLite over random criteria: for the test, and for Scripts/fuzz.
    .target(name: "DAODifferential", dependencies: ["DAOKit", "TestCases"], path: "Tests/DAODifferential"),
    .executableTarget(name: "dao-fuzz", dependencies: ["DAODifferential", "TestCases"], path: "Tests/DAOFuzz"),
    // Databases made elsewhere, for Scripts/foreign.
    .executableTarget(name: "dao-foreign", dependencies: ["DAOKit"], path: "Tests/DAOForeign"),
    // Writers, lists and copies beside each other: for the test, and for Scripts/fuzz-sessions and Scripts/endurance.
    .target(name: "DAORandomSessions", dependencies: ["CriteriaTesting", "DAOKit", "TestCases"], path: "Tests/DAORandomSessions"),
    .executableTarget(name: "dao-sessions", dependencies: ["DAORandomSessions", "TestCases"], path: "Tests/DAOSessions"),
    .executableTarget(name: "dao-endurance", dependencies: ["DAORandomSessions", "TestCases"], path: "Tests/DAOEndurance"),
    // Measures waits and cancellation, for Scripts/waits.
    .executableTarget(name: "dao-waits", dependencies: ["DAOKit"], path: "Tests/DAOWaits"),
    // Databases as other tools make them, and questions to them: for the test, and for Scripts/fixtures and Scripts/answers.
    .target(
      name: "DAOFixtures", dependencies: ["DAODifferential", "DAOKit", "TestCases", .product(name: "GRDB", package: "GRDB.swift")],
      path: "Tests/DAOFixtures"),
    .executableTarget(name: "dao-fixtures", dependencies: ["DAOFixtures"], path: "Tests/DAOFixtureTool"),
    .testTarget(name: "DAOFixtureTests", dependencies: ["DAOFixtures", "DAOMacros"]),
    .testTarget(
      name: "WorldclockFixtureTests",
      dependencies: ["WorldclockFixture", "TestCases", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "DAOMacrosTests",
      dependencies: [
        "DAOMacros", "DAOMacrosPlugin", "DAOMacrosTestEntities", "TestCases",
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ]),
    // A module whose entities are called like types of the library.
    .testTarget(name: "EntityNameTests", dependencies: ["DAOMacros"]),
    // The code of README.md and of the articles in Documentation: it has to compile, to run and to send the SQL that they show.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "DAOActiveRecordTestSupport", "DAOImport", "DAOMacros", "DAOPacking", "DAOTestSupport",
        .product(name: "InMemoryLogging", package: "swift-log"), .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("clock.sqlite"), .copy("clock.sqlite.manifest")]),
    // The code of the tables for people who come from another library, and what became of each of their old libraries' behaviours.
    .testTarget(
      name: "MoversTests",
      dependencies: [
        "DAOActiveRecordTestSupport", "DAOImport", "DAOMacros", "TestCases", .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("people.sqlite"), .copy("people.sqlite.manifest")]),
    // Entities of another module, as a person's own package has them.
    .target(name: "DAOMacrosTestEntities", dependencies: ["DAOMacros"], path: "Tests/DAOMacrosTestEntities"),
  ],
  swiftLanguageModes: [.v6]
)
