import Foundation

/// The store as it was before a migration.
struct MigrationBackup {
  let paths: StorePaths
  let timeout: Duration

  /// Copies the store as others see it, while the migration keeps them from writing: what is there of its own is not committed. SQLite does the
  /// reading, since closing a file by hand drops every lock of the process on it (sqlite.org/howtocorrupt.html, section 2.2).
  func save() throws {
    try Files.remove(paths.outgoing)
    try SQLiteFile.open(paths.store, .read, timeout: timeout) { try SQLiteFile.copy($0, to: paths.outgoing) }
    try Files.sync(paths.outgoing)
  }

  /// Gives the copy its name, in place of an earlier one, which lasts before the migration does.
  func keep() throws -> URL {
    try Files.move(paths.outgoing, to: paths.beforeMigration)
    try Files.syncFolder(of: paths.store)
    return URL(fileURLWithPath: paths.beforeMigration)
  }
}
