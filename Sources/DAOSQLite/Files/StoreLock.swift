import DAOCriteria
import DAOWaiting
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
  /// - Throws: ``DAOError/BootstrapProblem/Kind/locked`` when it takes longer than `timeout`, ``DAOError/BootstrapProblem/Kind/system``
  ///   where a person's own file has the lock's name.
  init(_ paths: StorePaths, timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      let file = try OpenFile(paths.lock, O_RDWR | O_CREAT)
      guard try file.status().size == 0 else {
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(
            .system, path: paths.lock, "the name of the store's lock is taken by a file that is not empty; move it away"))
      }
      // The holder removes the file at the end; a lock on a file without a name keeps nobody out.
      if try file.tryLock(), try Files.status(paths.lock)?.identity == file.status().identity {
        self.file = file
        return
      }
      guard ContinuousClock.now < deadline else {
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(.locked, path: paths.store, "another process has been making the store ready for \(timeout)"))
      }
      try BlockedThread.pause(for: .milliseconds(5))
    }
  }

  // Removed while the lock is held: a process that opens it now creates a new one.
  deinit { unlink(file.path) }
}
