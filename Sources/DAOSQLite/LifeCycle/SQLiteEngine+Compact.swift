import DAOCriteria
import DAOSQL

extension SQLiteEngine {
  /// `VACUUM`, and then the WAL into the file.
  package func compact() throws -> Compaction {
    if case .readOnly = mode {
      throw DAOError.readOnly(entity: nil, reason: "the store is a seed used where it lies, which is never written")
    }
    try refuseNesting(.misuse("a store was compacted inside one of its closures", use: "the same call after it"))
    return try writing(.statement) { connection in
      func number(_ pragma: String) throws -> Int64 {
        guard case .integer(let number)? = try connection.rows(SQLStatement("PRAGMA \(pragma)")).first?.first else { return 0 }
        return number
      }
      let pageSize = try number("page_size")
      let before = try number("page_count")
      _ = try connection.rows(SQLStatement("VACUUM"))
      // The rewritten store is now in the WAL; a store in memory has none. The call does not wait for readers of older rows: writers would
      // wait too.
      let isBusy = try connection.limits.withoutBusyTimeout { try number("wal_checkpoint(TRUNCATE)") } != 0
      return Compaction(sizeBefore: before * pageSize, size: try number("page_count") * pageSize, hasShrunk: !isBusy)
    }
  }
}
