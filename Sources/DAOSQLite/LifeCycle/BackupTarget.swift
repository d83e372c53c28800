import DAOCriteria
import Foundation
import GRDB

/// The file that a store is backed up to: it gets its name when it is complete, checked and lasting, and before that does not exist, or is
/// the earlier file.
///
/// Beside it the names of ``StorePaths`` are used, under the lock that a start there would take: it may be the path of a store.
struct BackupTarget {
  private let paths: StorePaths
  private let timeout: Duration

  /// - Parameters:
  ///   - store: the paths of the store that is backed up, whose files are no targets; nil in memory.
  ///   - timeout: how long to wait for others that make a store of this name ready, or have it open.
  init(_ url: URL, of store: StorePaths?, timeout: Duration) throws {
    paths = try StorePaths(of: url)
    self.timeout = timeout
    let path = paths.store
    let found = try Files.status(path)
    if let found, !found.isRegular {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.notAFile, path: path, "the backup's place is taken by something that is no file"))
    }
    // Asked before anything is opened: closing a file drops the locks that this process has on it.
    if let store, try store.isOwn(path) {
      throw DAOError.misuse("\(path) is the store itself or kept for a file that belongs to it", use: "another file for the backup")
    }
    guard let found, found.size > 0 else { return }
    // Now, and not when all is copied. What else may be wrong with it shows when it is to be replaced.
    do { try SQLiteFile(path, .readUnchanging).close() } catch DAOError.bootstrap(let problem) where problem.kind == .notADatabase {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.notADatabase, path: path, "the file that is to be overwritten by a backup is no database"))
    } catch is DAOError {}
  }

  /// Makes the file.
  /// - Parameters:
  ///   - permissions: who may read and write it; nil for the usual ones.
  ///   - fill: fills an empty database.
  func make(permissions: mode_t?, _ fill: (SQLiteFile) throws -> Void) throws {
    let folders = try Files.makeFolders(Files.folder(of: paths.store))
    do {
      let lock = try StoreLock(paths, timeout: timeout)
      defer { withExtendedLifetime(lock) {} }
      try paths.clearLeftovers()
      try paths.making { try makeAlone(permissions, fill) }
    } catch {
      Files.removeFolders(folders)
      throw error
    }
  }

  private func makeAlone(_ permissions: mode_t?, _ fill: (SQLiteFile) throws -> Void) throws {
    let incoming = paths.incoming
    // A file that is read-only could not be filled.
    try OpenFile(incoming, O_WRONLY | O_CREAT | O_EXCL).allow(permissions.map { $0 | 0o600 })
    let file = try SQLiteFile(incoming)
    do {
      // Nothing is synced on the way but the finished file: until it gets its name, nobody reads it.
      try file.run { try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY") }
      try fill(file)
      try file.run { try check($0, incoming) }
      try file.close()
    } catch {
      try? file.close()
      throw error
    }
    try Files.sync(incoming)
    try putInPlace()
  }

  /// The copy has the mode of its source, and SQLite has read no page of it yet.
  private func check(_ db: Database, _ path: String) throws {
    guard try SQLiteFile.foldWAL(db) else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.system, path: path, "the copy can't leave WAL mode"))
    }
    if let finding = try db.firstDamage() {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.corrupt, path: path, "the store's copy is damaged, as the store must be: \(finding)"))
    }
  }

  private func putInPlace() throws {
    guard let status = try Files.status(paths.store), status.size > 0 else { return try paths.putInPlace() }
    // An older backup, whole and at rest; never a store that somebody has open, nor a file of another kind.
    try StoreReplacement(paths: paths, timeout: timeout).replace(keeping: nil)
  }
}
