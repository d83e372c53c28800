import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB

/// The application's numbers and entities, which seeds and stores have to fit.
struct StoreRequirements: Sendable {
  let entities: [EntityDescription]
  /// The `PRAGMA application_id`; nil for any.
  let applicationID: Int32?
  /// The highest `PRAGMA user_version`; nil for any.
  let version: Int32?

  /// Checks that a file is this application's, and no later than it.
  func check(applicationID: Int32, version: Int32, path: String) throws {
    if let expected = self.applicationID, applicationID != expected {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .wrongApplication, path: path,
          "the file has the application id \(Self.hex(applicationID)), this application has \(Self.hex(expected))"))
    }
    if let expected = self.version, version > expected {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .newerVersion, path: path, "the file is of version \(version), this application knows \(expected) and before"))
    }
  }

  /// Checks all that a database says of itself.
  func check(_ state: StoreState, path: String) throws {
    guard state.encoding == SeedHeader.utf8 else { throw DAOError.bootstrap(.wrongEncoding(state.encoding, path: path)) }
    try check(applicationID: state.applicationID, version: state.version, path: path)
  }

  /// The differences between a database and the entities.
  func differences(in db: Database) throws -> [SchemaDifference] {
    try StoreSchema(reading: db, for: entities).differences(from: entities)
  }

  /// Checks that the entities fit.
  func checkSchema(of db: Database, path: String) throws {
    let differences = try differences(in: db)
    guard differences.isEmpty else { throw DAOError.schemaMismatch(store: path, differences: differences) }
  }

  private static func hex(_ number: Int32) -> String { "0x" + String(UInt32(bitPattern: number), radix: 16, uppercase: true) }
}

extension DAOError.BootstrapProblem {
  /// A database whose text is not UTF-8.
  static func wrongEncoding(_ encoding: String, path: String) -> DAOError.BootstrapProblem {
    DAOError.BootstrapProblem(
      .wrongEncoding, path: path, "the text is stored as \(encoding), a store's is UTF-8; ship a database made in UTF-8")
  }
}
