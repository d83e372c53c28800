import DAOCriteria
import DAOSQL
import Foundation

extension SQLiteEngine {
  /// Copies one snapshot of the store into a file, while others read and write.
  /// - Parameters:
  ///   - limit: how long to wait for others that have the target open, or are creating a store there.
  ///   - progress: receives the bytes copied so far and the bytes to copy, every megabyte, and may end the backup by an error.
  package func backUp(
    to url: URL, within limit: Duration, progress: (_ copied: Int64, _ total: Int64) throws -> Void
  ) throws {
    try refuseNesting(.misuse("a store was backed up inside one of its closures", use: "the same call after it"))
    try suspension.run { try copy(to: url, within: limit, progress: progress) }
  }

  private func copy(
    to url: URL, within limit: Duration, progress: (_ copied: Int64, _ total: Int64) throws -> Void
  ) throws {
    var paths: StorePaths?
    var permissions: mode_t?
    switch mode {
    case .readWrite, .readOnly:
      paths = try StorePaths(of: URL(fileURLWithPath: name))
      // A backup is as private as its store.
      permissions = try Files.status(name)?.permissions
    case .single: break
    }
    try BackupTarget(url, of: paths, timeout: limit).make(permissions: permissions) { file in
      let pageSize = try pageSize()
      func tell(_ state: (total: Int64, left: Int64)) throws { try progress((state.total - state.left) * pageSize, state.total * pageSize) }
      let pages = Int32(clamping: Self.pieceSize / pageSize)
      if let lease = try lease() {
        var state = (total: Int64(0), left: Int64(1))
        while state.left > 0 {
          // Piece by piece: where the store is closed meanwhile, the next piece is refused.
          state = try lease.run { connection in
            let backup = try lease.held as? OnlineBackup ?? OnlineBackup(of: connection, to: file)
            lease.held = backup
            return try backup.step(pages)
          }
          try tell(state)
        }
      } else {
        // The one connection of a store in memory: all at once, and others wait.
        try read(snapshot: false) { connection in
          let backup = try OnlineBackup(of: connection, to: file)
          var state = (total: Int64(0), left: Int64(1))
          while state.left > 0 {
            state = try backup.step(pages)
            try tell(state)
          }
        }
      }
    }
  }

  /// How much is copied between two checks of whether to go on, in bytes.
  private static let pieceSize: Int64 = 1 << 20

  private func pageSize() throws -> Int64 {
    try read(snapshot: false) { connection in
      guard case .integer(let size)? = try connection.rows(SQLStatement("PRAGMA page_size")).first?.first else { return 4096 }
      return size
    }
  }
}
