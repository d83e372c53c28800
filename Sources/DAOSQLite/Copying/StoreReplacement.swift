import DAOCriteria
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The step that puts the incoming store in place of the old one.
///
/// It takes a complete store under the incoming name, and leaves it under the store's. The old one stays as a backup where that has a name.
/// Where it fails, the old one has its name again.
struct StoreReplacement {
  let paths: StorePaths
  /// How long to wait for others that have the old store open.
  let timeout: Duration

  /// Replaces the store.
  ///
  /// The old store is made whole first: leaving WAL mode folds its last commits in and removes its WAL, and can't be done while others have
  /// it open. From there to the end nobody else can write to it.
  /// - Parameter check: examines the old store when nobody else can write to it any more.
  func replace(keeping backup: String?, if check: (Database) throws -> Void = { _ in }) throws {
    let store = paths.store
    try SQLiteFile.alone(store, timeout: timeout, to: "be replaced") { db in
      try check(db)
      // Closing a file drops every lock of the process on it (sqlite.org/howtocorrupt.html, section 2.2), so this stays open to the end.
      let old = try OpenFile(store, O_RDONLY)
      defer { withExtendedLifetime(old) {} }
      let saved = backup ?? paths.outgoing
      try save(old, as: saved)
      do {
        // The ends of the WAL and of the journal of its last change, and the backup's name, have to last before the new store has the name
        // that those belong to.
        try Files.syncFolder(of: store)
        try Files.move(paths.incoming, to: store)
        try Files.syncFolder(of: store)
      } catch {
        // Back to the old store. Where both names are still the same file, moving does nothing.
        try Files.move(saved, to: store)
        try Files.remove(saved)
        throw error
      }
      // If it can't be removed, a later start removes it.
      if backup == nil { _ = try? Files.remove(saved) }
    }
  }

  /// The backup is the old file itself under a second name; where the file system has no second names, a copy.
  private func save(_ old: borrowing OpenFile, as backup: String) throws {
    guard try Files.status(backup, followingLinks: false) == nil || paths.isBackup(backup) else {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.system, path: backup, "the name that the old store is to be saved under is taken"))
    }
    try Files.remove(backup)
    if try Files.link(paths.store, as: backup) { return }
    try old.copy(to: paths.outgoing, permissions: old.status().permissions) { _ in }
    try Files.sync(paths.outgoing)
    try Files.move(paths.outgoing, to: backup)
  }
}
