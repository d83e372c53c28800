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

/// The few system calls that a bootstrap is made of. What changes files and what makes the change last is nowhere else.
enum Files {
  /// What is found under a path.
  struct Status {
    let isRegular: Bool
    let size: Int64
    /// Who may read and write it.
    let permissions: mode_t
    let identity: Identity
  }

  /// Tells two files apart, whatever their paths.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// What is found under a path, links followed; nil for nothing.
  static func status(_ path: String) throws -> Status? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw problem(path, "can't be looked at")
    }
    return Status(status)
  }

  /// Whether the path itself, its last link not followed, is a link.
  static func isLink(_ path: String) throws -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw problem(path, "can't be looked at")
    }
    return status.st_mode & S_IFMT == S_IFLNK
  }

  /// The file's path without links; the path itself where there is no file.
  static func resolve(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Removes a file; nothing to do where there is none.
  /// - Returns: whether there was one.
  @discardableResult
  static func remove(_ path: String) throws -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else { throw problem(path, "can't be removed") }
    return false
  }

  /// Gives the file another name, in place of what has that name.
  static func move(_ path: String, to target: String) throws {
    guard rename(path, target) == 0 else { throw problem(target, "can't be put in place") }
  }

  /// Gives the file a second name.
  /// - Returns: false where the file system has no such thing.
  static func link(_ path: String, as name: String) throws -> Bool {
    #if canImport(Darwin)
      let result = Darwin.link(path, name)
    #elseif canImport(Musl)
      let result = Musl.link(path, name)
    #else
      let result = Glibc.link(path, name)
    #endif
    if result == 0 { return true }
    if [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EMLINK].contains(errno) { return false }
    throw problem(name, "can't be made")
  }

  /// Makes a file's contents last.
  static func sync(_ path: String) throws { try OpenFile(path, O_RDONLY).sync() }

  /// Makes what was done to a folder's entries last.
  static func syncFolder(of path: String) throws { try sync(folder(of: path)) }

  /// Makes the folders that are missing on the way to `folder`, each to last.
  /// - Parameter permissions: who may look into them.
  /// - Returns: those it made, the outermost first.
  static func makeFolders(_ folder: String, permissions: mode_t = 0o755) throws -> [String] {
    guard folder != "/", try status(folder) == nil else { return [] }
    var made = try makeFolders(self.folder(of: folder), permissions: permissions)
    guard mkdir(folder, permissions) == 0 else {
      if errno == EEXIST { return made }
      let problem = problem(folder, "can't be made")
      removeFolders(made)
      throw problem
    }
    made.append(folder)
    do { try syncFolder(of: folder) } catch {
      removeFolders(made)
      throw error
    }
    return made
  }

  /// Removes folders again, as far as they are empty.
  static func removeFolders(_ folders: [String]) { for folder in folders.reversed() { rmdir(folder) } }

  /// A file's URL as a path. Of another kind of URL, the path names a file that was not meant.
  static func path(_ url: URL, _ what: String) throws -> String {
    guard url.isFileURL else {
      throw DAOError.bootstrap(BootstrapProblem(.notAFile, path: url.absoluteString, "the \(what)'s URL is not a file's"))
    }
    return url.absoluteURL.path
  }

  static func folder(of path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// An error from `errno`.
  static func problem(_ path: String, _ message: String) -> DAOError {
    let code = errno
    return .bootstrap(BootstrapProblem(kind(of: code), path: path, "\(message): \(String(cString: strerror(code)))"))
  }

  /// What an `errno` is called here.
  static func kind(of code: CInt) -> BootstrapProblem.Kind {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: .unwritable
    default: .system
    }
  }
}

extension Files.Status {
  fileprivate init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = Int64(status.st_size)
    permissions = status.st_mode & 0o777
    identity = Files.Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}

/// An open file, closed at the end of its life.
struct OpenFile: ~Copyable {
  let descriptor: CInt
  let path: String

  init(_ path: String, _ flags: CInt, mode: mode_t = 0o644) throws {
    self.path = path
    descriptor = open(path, flags | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Files.problem(path, "can't be opened") }
  }

  deinit { close(descriptor) }

  /// What was opened.
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

  /// Makes what was written last. A folder that can't be synced is left to its file system.
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
  ///   - progress: is told the bytes copied so far.
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
      throw DAOError.bootstrap(BootstrapProblem(.truncated, path: path, "the file became shorter while it was copied"))
    }
    return bytes.withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
  }
}
