import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The right to make or replace a store, held by one bootstrap at a time: a locked file beside it. The system frees the lock of a process
/// that ends, however it ends.
struct StoreLock: ~Copyable {
  private let file: OpenFile

  /// Waits for the lock of a store.
  /// - Throws: ``BootstrapProblem/Kind/locked`` when it takes longer than `timeout`.
  init(_ paths: StorePaths, timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      let file = try OpenFile(paths.lock, O_RDWR | O_CREAT)
      // The one who held it removes the file; a lock on a file that has no name any more keeps nobody out.
      if try file.tryLock(), try Files.status(paths.lock)?.identity == file.status().identity {
        self.file = file
        return
      }
      guard ContinuousClock.now < deadline else {
        throw DAOError.bootstrap(
          BootstrapProblem(.locked, path: paths.store, "another process has been making the store ready for \(timeout)"))
      }
      usleep(5_000)
    }
  }

  // Removed while the lock is held: whoever opens it now makes a new one.
  deinit { unlink(file.path) }
}

/// The names of a store's files. They are fixed, so that a start finds what a killed one left.
struct StorePaths {
  let store: String

  /// The file that is locked.
  var lock: String { store + ".lock" }
  /// The new store until it is complete.
  var incoming: String { store + ".incoming" }
  /// The backup until it is complete, where it has to be copied.
  var outgoing: String { store + ".outgoing" }
  /// SQLite's own files beside a database.
  static func sidecars(of path: String) -> [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

  private static let backupMark = ".backup-"

  /// The backup of a store that was made at `stamp`. Every backup of one store has the same name: the store still there holds all that an
  /// earlier, unfinished attempt has saved of it.
  func backup(of stamp: SeedStamp?) -> String { store + Self.backupMark + (stamp.map { "\($0.copiedAt)" } ?? "0") }

  /// The backups there are.
  func backups() throws -> [URL] {
    let folder = Files.folder(of: store)
    let prefix = URL(fileURLWithPath: store).lastPathComponent + Self.backupMark
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }.sorted()
        .map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
    } catch {
      throw DAOError.bootstrap(BootstrapProblem(.system, path: folder, "can't be listed: \(error.localizedDescription)"))
    }
  }

  /// Removes what killed starts left.
  func clearLeftovers() throws {
    for path in [incoming, outgoing] {
      try Files.remove(path)
      for sidecar in Self.sidecars(of: path) { try Files.remove(sidecar) }
    }
  }
}
