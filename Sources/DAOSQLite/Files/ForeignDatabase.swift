import DAOCriteria
import DAOSQL
import Foundation

/// Reads a SQLite file that another program made, and changes no byte of it or of its WAL.
package enum ForeignDatabase {
  /// Opens a file, runs a body over one snapshot of it, with the commits in its WAL, and closes it.
  ///
  /// A file that SQLite could only read by writing beside it is read as a copy in the system's folder for temporary files.
  /// - Throws: ``DAOError/bootstrap(_:)`` where there is no such file, or it is no whole database;
  ///   ``DAOError/BootstrapProblem/Kind/locked`` where it was written to while it was read without a lock.
  package static func reading<Value>(_ url: URL, _ body: (any Connection) throws -> Value) throws -> Value {
    let paths = StorePaths(store: Files.resolve(try Files.path(url, "database")))
    func problem(_ kind: DAOError.BootstrapProblem.Kind, _ message: String) -> DAOError {
      .bootstrap(DAOError.BootstrapProblem(kind, path: paths.store, message))
    }
    guard let status = try Files.status(paths.store) else { throw problem(.missingSeed, "there is no such file") }
    guard status.isRegular else { throw problem(.notAFile, "the database is no file") }
    guard status.size > 0 else { throw problem(.notADatabase, "the file has no bytes") }
    let files = try StoreFiles(paths)
    if let missing = files.missing { throw problem(.truncated, missing) }
    let result = Result {
      try files.open { db in
        // It ends with the connection.
        try db.run("BEGIN")
        return try body(SQLiteConnection(db, outside: nil))
      }
    }
    if try files.needsQuiet && StoreFiles(paths) != files { throw problem(.locked, "the file was written to while it was read") }
    return try result.get()
  }
}

extension StoreFiles {
  /// The part of the main file that is not there; nil where it is whole, or the WAL may have the part.
  fileprivate var missing: String? {
    if let cut { return cut }
    guard !hasWAL, let header, let count = header.pageCount, size < count * header.pageSize else { return nil }
    return "the file has \(size / header.pageSize) of its \(count) pages"
  }
}
