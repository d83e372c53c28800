import CDAOSystem
import DAOCriteria
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file, closed at the end of its life.
struct OpenFile: ~Copyable {
  let descriptor: CInt
  let path: String

  /// Opens a file, and nothing else: no link is followed, and nobody waits for the other end of a pipe.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/notAFile`` for a link, a folder or a pipe; others as the system says.
  init(_ path: String, _ flags: CInt, mode: mode_t = 0o644) throws {
    self.path = path
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
    guard descriptor >= 0 else {
      let failure = Files.problem(path, "can't be opened")
      throw try Files.status(path, followingLinks: false)?.isRegular == false ? Files.notAFile(path) : failure
    }
    // The deinit closes what is open by now.
    guard try status().isRegular else { throw Files.notAFile(path) }
  }

  /// Opens a folder.
  init(folder: String) throws {
    path = folder
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Files.problem(folder, "can't be opened") }
  }

  deinit { close(descriptor) }

  /// Returns the status of the opened file.
  func status() throws -> Files.Status {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Files.problem(path, "can't be looked at") }
    return Files.Status(status)
  }

  /// Up to `count` bytes from `offset`; fewer at the end.
  func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let taken = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if taken == 0 { break }
      if taken < 0, errno == EINTR { continue }
      guard taken > 0 else { throw Files.problem(path, "can't be read") }
      filled += taken
    }
    return Array(bytes.prefix(filled))
  }

  /// Syncs the written bytes. A folder that can't be synced is left to its file system.
  func sync() throws {
    guard dao_sync(descriptor) == 0 || errno == EINVAL else { throw Files.problem(path, "can't be synced") }
  }

  /// Says who may read and write the file; nil for the usual ones.
  func allow(_ permissions: mode_t?) throws {
    if let permissions, fchmod(descriptor, permissions) != 0 { throw Files.problem(path, "can't be given its permissions") }
  }

  /// Takes the file for this process alone, if it is free.
  func tryLock() throws -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw Files.problem(path, "can't be locked") }
    }
    return true
  }

  /// Copies the file into a new one: shared blocks where the file system has them, else within the kernel, else by hand.
  /// - Parameters:
  ///   - permissions: who may read and write the copy; nil for the usual ones.
  ///   - progress: receives the bytes copied so far.
  func copy(to target: String, permissions: mode_t?, progress: (Int64) -> Void) throws {
    let size = try status().size
    var cloned: CInt = 0
    let copy = dao_create_clone(descriptor, target, &cloned)
    guard copy >= 0 else { throw Files.problem(target, "can't be made") }
    defer { close(copy) }
    if let permissions, fchmod(copy, permissions) != 0 { throw Files.problem(target, "can't be given its permissions") }
    var done: Int64 = cloned == 1 ? size : 0
    var inKernel = true
    while done < size {
      progress(done)
      try Suspension.current?.check()
      let step = Int(min(size - done, 8 << 20))
      var count = inKernel ? dao_copy_range(descriptor, copy, step) : try copyByHand(to: copy, from: done, count: step, target: target)
      // 0 comes from file systems that do not know it either.
      if inKernel, count == 0 || count < 0 && [ENOSYS, EXDEV, EINVAL, EOPNOTSUPP, EBADF, EPERM, ETXTBSY].contains(errno) {
        inKernel = false
        guard lseek(copy, off_t(done), SEEK_SET) >= 0 else { throw Files.problem(target, "can't be written") }
        continue
      }
      if count < 0, errno == EINTR { count = 0 }
      guard count >= 0 else { throw Files.problem(target, "can't be written") }
      done += Int64(count)
    }
    progress(done)
  }

  private func copyByHand(to copy: CInt, from offset: Int64, count: Int, target: String) throws -> Int {
    let bytes = try read(min(count, 1 << 20), at: offset)
    guard !bytes.isEmpty else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.truncated, path: path, "the file became shorter while it was copied"))
    }
    return bytes.withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
  }
}
