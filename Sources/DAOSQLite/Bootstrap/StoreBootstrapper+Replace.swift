import DAOCriteria
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension StoreBootstrapper {
  /// Puts the incoming store in the place of the old one, which stays as a backup.
  ///
  /// The old store is made whole first: leaving WAL mode folds its last commits in and removes its WAL, and can't be done while anybody else
  /// has it open. From there to the end nobody else can write to it.
  func replace(_ paths: StorePaths, stamp: SeedStamp?) throws {
    let store = paths.store
    try SQLiteFile.open(store, timeout: lockTimeout) { db in
      // Waited for here, and not in each statement.
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      try takeForItself(db, store)
      defer { try? db.execute(sql: "ROLLBACK") }
      // Closing a file drops every lock of the process on it (sqlite.org/howtocorrupt.html, section 2.2), so this stays open to the end.
      let old = try OpenFile(store, O_RDONLY)
      defer { withExtendedLifetime(old) {} }
      let backup = paths.backup(of: stamp)
      try backUp(old, paths, as: backup)
      do {
        // The WAL's end and the backup's name have to last before the new store has the name that the WAL belongs to.
        try Files.syncFolder(of: store)
        try Files.move(paths.incoming, to: store)
        try Files.syncFolder(of: store)
      } catch {
        // Back to the old store. Where both names are still the same file, moving does nothing.
        try Files.move(backup, to: store)
        try Files.remove(backup)
        throw error
      }
    }
  }

  /// Folds the WAL in and begins a transaction that keeps everybody else out.
  private func takeForItself(_ db: Database, _ store: String) throws {
    let deadline = ContinuousClock.now + lockTimeout
    while true {
      if try SQLiteFile.foldWAL(db), try SQLiteFile.unlessBusy({ try db.execute(sql: "BEGIN EXCLUSIVE") }) != nil {
        // Somebody may have been quicker, and turned WAL mode on again.
        if try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete" { return }
        try db.execute(sql: "ROLLBACK")
      }
      guard ContinuousClock.now < deadline else {
        throw DAOError.bootstrap(BootstrapProblem(.locked, path: store, "the store is open elsewhere and can't be replaced"))
      }
      usleep(5_000)
    }
  }

  /// The backup is the old file itself under a second name; where the file system has no second names, a copy.
  private func backUp(_ old: borrowing OpenFile, _ paths: StorePaths, as backup: String) throws {
    guard try Files.status(backup) == nil || paths.isBackup(backup) else {
      throw DAOError.bootstrap(BootstrapProblem(.system, path: backup, "the name that the old store is to be saved under is taken"))
    }
    try Files.remove(backup)
    if try Files.link(paths.store, as: backup) { return }
    try old.copy(to: paths.outgoing, permissions: old.status().permissions) { _ in }
    try Files.sync(paths.outgoing)
    try Files.move(paths.outgoing, to: backup)
  }
}
