import DAOCriteria
import DAOSQL
import GRDB

extension StoreBootstrapper {
  /// Whether a file is this application's, and no later than it.
  func check(applicationID: Int32, version: Int32, path: String) throws {
    if let expected = self.applicationID, applicationID != expected {
      throw DAOError.bootstrap(
        BootstrapProblem(
          .wrongApplication, path: path,
          "the file has the application id \(Self.hex(applicationID)), this application has \(Self.hex(expected))"))
    }
    if let expected = self.version, version > expected {
      throw DAOError.bootstrap(
        BootstrapProblem(.newerVersion, path: path, "the file is of version \(version), this application knows \(expected) and before"))
    }
  }

  func check(_ state: StoreState, path: String) throws {
    guard state.encoding == SeedHeader.utf8 else { throw DAOError.bootstrap(.wrongEncoding(state.encoding, path: path)) }
    try check(applicationID: state.applicationID, version: state.version, path: path)
  }

  /// Whether the last page is all there; SQLite itself takes what is left of one for a page.
  func checkIsWhole(_ file: SQLiteFile) throws {
    try file.run { db in
      let pageSize = try db.bareRows("PRAGMA page_size") { $0.integer(0) }.first ?? 1
      func oddSize() throws -> Int64? {
        // What is missing in the file may be in the WAL.
        guard try Files.status(file.path + "-wal").map({ $0.size == 0 }) ?? true else { return nil }
        return try Files.status(file.path).flatMap { $0.size.isMultiple(of: pageSize) ? nil : $0.size }
      }
      guard try oddSize() != nil else { return }
      // Somebody may be writing to the file now; while it is read without a WAL, nobody is.
      try db.inTransaction(.deferred) {
        try db.run("SELECT 1 FROM sqlite_schema LIMIT 1")
        guard let size = try oddSize() else { return .commit }
        throw DAOError.bootstrap(
          BootstrapProblem(.truncated, path: file.path, "\(size) bytes are no whole number of pages of \(pageSize) bytes"))
      }
    }
  }

  /// Whether the entities fit.
  func checkSchema(of db: Database, path: String) throws {
    let differences = try StoreSchema(reading: db, for: entities).differences(from: entities)
    guard differences.isEmpty else { throw DAOError.schemaMismatch(store: path, differences: differences) }
  }

  private static func hex(_ number: Int32) -> String { "0x" + String(UInt32(bitPattern: number), radix: 16, uppercase: true) }
}

extension BootstrapProblem {
  /// A database whose text is not UTF-8.
  static func wrongEncoding(_ encoding: String, path: String) -> BootstrapProblem {
    BootstrapProblem(.wrongEncoding, path: path, "the text is stored as \(encoding), a store's is UTF-8; ship a database made in UTF-8")
  }
}
