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

/// The few system calls that a bootstrap is made of. All code that changes files and syncs the changes is here.
enum Files {
  /// The status of a path.
  struct Status {
    let isRegular: Bool
    let isLink: Bool
    let size: Int64
    /// The permissions to read and write it.
    let permissions: mode_t
    let identity: Identity
  }

  /// Tells two files apart, whatever their paths.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Returns the status of a path; nil where nothing exists.
  /// - Parameter followingLinks: whether the status is that of a link's target, or of the link itself.
  static func status(_ path: String, followingLinks: Bool = true) throws -> Status? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      // Nothing has a name that is too long either.
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw problem(path, "can't be looked at")
    }
    return Status(status)
  }

  /// Whether the path itself, its last link not followed, is a link.
  static func isLink(_ path: String) throws -> Bool { try status(path, followingLinks: false)?.isLink == true }

  /// - Throws: ``DAOError/BootstrapProblem/Kind/unwritable`` for a file that may not be written.
  static func checkIsWritable(_ path: String) throws {
    guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else { throw problem(path, "can't be written") }
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

  /// Removes a database that nobody uses, and what others have left beside it.
  static func removeDatabase(_ path: String) throws {
    try remove(path)
    removeSidecars(of: path)
  }

  /// Removes what others have left beside a database that nobody uses, as far as it can be removed.
  static func removeSidecars(of path: String) { for sidecar in StorePaths.sidecars(of: path) { _ = try? remove(sidecar) } }

  /// Gives the file another name, replacing a file of that name.
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

  /// Syncs the changes of a folder's entries.
  static func syncFolder(of path: String) throws { try OpenFile(folder: folder(of: path)).sync() }

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
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.notAFile, path: url.absoluteString, "the \(what)'s URL is not a file's"))
    }
    return url.absoluteURL.path
  }

  static func folder(of path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// An error from `errno`.
  static func problem(_ path: String, _ message: String) -> DAOError {
    let code = errno
    return .bootstrap(DAOError.BootstrapProblem(kind(of: code), path: path, "\(message): \(String(cString: strerror(code)))"))
  }

  /// The error for a name under which a link, a folder or a pipe is found.
  static func notAFile(_ path: String) -> DAOError {
    .bootstrap(DAOError.BootstrapProblem(.notAFile, path: path, "it is a link, a folder or a pipe, and no file; move it away"))
  }

  /// Returns the kind of problem for an `errno`.
  static func kind(of code: CInt) -> DAOError.BootstrapProblem.Kind {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: .unwritable
    default: .system
    }
  }
}

extension Files.Status {
  init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isLink = status.st_mode & S_IFMT == S_IFLNK
    size = Int64(status.st_size)
    permissions = status.st_mode & 0o777
    identity = Files.Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
