import GRDBSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file system through which SQLite opens files (sqlite.org/vfs.html): the system's own, but it refuses what lies under the name of a
/// journal or WAL and is none of SQLite's making. SQLite itself would wait at a pipe without end, and deletes the file that a journal
/// names as its super-journal.
///
/// The check reads the file that SQLite has opened: nobody can exchange it in between.
enum GuardedFileSystem {
  /// The error of a connection that meets a refused file. Unlike `SQLITE_CANTOPEN` alone, it keeps SQLite from trying the journal in
  /// another way.
  static let refusal: CInt = SQLITE_CANTOPEN | 0x7F << 8

  /// Its name, for the `vfs` of a URI. It is registered with the first use.
  static let name: String = {
    let name = "dao"
    guard let system else { return name }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: system.pointee)
    own.pointee.zName = UnsafePointer(strdup(name))
    own.pointee.pNext = nil
    own.pointee.xOpen = { _, path, file, flags, granted in GuardedFileSystem.open(path, file, flags, granted) }
    sqlite3_vfs_register(own, 0)
    return name
  }()

  // SQLite's own structure, which does not change.
  nonisolated(unsafe) private static let system = sqlite3_vfs_find(nil)

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt, _ granted: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    guard let system, let open = system.pointee.xOpen else { return SQLITE_ERROR }
    // A super-journal is opened for reading only to delete it afterwards.
    if flags & SQLITE_OPEN_SUPER_JOURNAL != 0, flags & SQLITE_OPEN_CREATE == 0 { return refuse(file) }
    guard let path, let file, flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL) != 0 else {
      return open(system, path, file, flags, granted)
    }
    var status = stat()
    let isThere = lstat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return refuse(file) }
    var result = open(system, path, file, flags, granted)
    if result == SQLITE_OK, isThere, flags & SQLITE_OPEN_MAIN_JOURNAL != 0 { result = check(file) }
    if result == refusal {
      _ = file.pointee.pMethods?.pointee.xClose?(file)
      return refuse(file)
    }
    return result
  }

  /// Fails in a way in which SQLite has nothing to close.
  private static func refuse(_ file: UnsafeMutablePointer<sqlite3_file>?) -> CInt {
    file?.pointee.pMethods = nil
    return refusal
  }

  /// Refuses an open journal that names a super-journal, or can't be read.
  private static func check(_ journal: UnsafeMutablePointer<sqlite3_file>) -> CInt {
    struct Unreadable: Error {}
    guard let methods = journal.pointee.pMethods?.pointee else { return SQLITE_ERROR }
    var size: sqlite3_int64 = 0
    guard methods.xFileSize?(journal, &size) == SQLITE_OK else { return refusal }
    do {
      let name = try RollbackJournal.superJournal(size: size) { count, offset in
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { methods.xRead?(journal, $0.baseAddress, CInt(count), offset) }
        guard result == SQLITE_OK else { throw Unreadable() }
        return bytes
      }
      return name == nil ? SQLITE_OK : refusal
    } catch { return refusal }
  }
}
