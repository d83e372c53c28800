import DAOCriteria
import GRDB

extension SQLiteFile {
  /// Opens an existing store without changing it: a connection that can write would fold the WAL in when it closes, and one that can't
  /// would leave an empty WAL where there is none.
  static func examining(_ store: String, timeout: Duration, maximumLength: Int) throws -> SQLiteFile {
    let hasWAL = try Files.status(store + "-wal").map { $0.size > 0 } ?? false
    // Somebody who can only read would make an index of the WAL, and not remove it.
    if hasWAL { try Files.checkIsWritable(store) }
    let file: SQLiteFile
    do {
      file = try SQLiteFile(
        store, hasWAL ? .read : .write, timeout: timeout,
        SQLiteConfiguration(statements: nil, maximumLength: maximumLength).make(isReadOnly: hasWAL))
    } catch DAOError.bootstrap(let problem) where problem.kind == .diskFull {
      removeWAL(of: store)
      throw DAOError.bootstrap(problem)
    }
    if !hasWAL { try file.checkIsWhole() }
    return file
  }

  /// Checks that the last page is all there; SQLite itself takes a part of a page for a page.
  private func checkIsWhole() throws {
    try run { db in
      let pageSize = try db.bareRows("PRAGMA page_size") { $0.integer(0) }.first ?? 1
      func oddSize() throws -> Int64? {
        // Data missing in the file may be in the WAL.
        guard try Files.status(path + "-wal").map({ $0.size == 0 }) ?? true else { return nil }
        return try Files.status(path).flatMap { $0.size.isMultiple(of: pageSize) ? nil : $0.size }
      }
      guard try oddSize() != nil else { return }
      // Somebody may be writing to the file now; while it is read without a WAL, nobody is.
      try db.inTransaction(.deferred) {
        try db.run("SELECT 1 FROM sqlite_schema LIMIT 1")
        guard let size = try oddSize() else { return .commit }
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(.truncated, path: path, "\(size) bytes are no whole number of pages of \(pageSize) bytes"))
      }
    }
  }
}
