import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The store as it was before a migration.
struct MigrationBackup {
  let paths: StorePaths
  let timeout: Duration
  private(set) var isSaved = false

  init(of paths: StorePaths, timeout: Duration) {
    self.paths = paths
    self.timeout = timeout
  }

  /// Copies the store as others see it, while the migration keeps them from writing: its own changes are not committed. SQLite does the
  /// reading, since closing a file by hand drops every lock of the process on it (sqlite.org/howtocorrupt.html, section 2.2).
  mutating func save() throws {
    let name = paths.beforeMigration
    guard try Files.status(name, followingLinks: false) == nil || paths.isOlderStore(name) else {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .system, path: name, "the name that the store is to be saved under before the migration is taken; move the file away"))
    }
    try Files.remove(paths.outgoing)
    // As private as the store.
    try OpenFile(paths.outgoing, O_WRONLY | O_CREAT | O_EXCL).allow(Files.status(paths.store)?.permissions)
    try SQLiteFile.open(paths.store, .read, timeout: timeout) { try SQLiteFile.copy($0, to: paths.outgoing) }
    try Files.sync(paths.outgoing)
    isSaved = true
  }

  /// Gives the copy its name, in place of an earlier one, which lasts before the migration does. To be called right before the commit: what
  /// fails leaves the earlier one.
  /// - Returns: nil where nothing was saved.
  func keep() throws -> URL? {
    guard isSaved else { return nil }
    try Files.move(paths.outgoing, to: paths.beforeMigration)
    try Files.syncFolder(of: paths.store)
    return URL(fileURLWithPath: paths.beforeMigration)
  }
}
