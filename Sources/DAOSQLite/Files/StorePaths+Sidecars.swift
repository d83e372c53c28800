import DAOCriteria

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension StorePaths {
  /// SQLite's own files beside a database.
  static func sidecars(of path: String) -> [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

  /// Refuses a database that has something beside it, under the names of SQLite's files, that SQLite has not made. ``GuardedFileSystem``
  /// refuses it too, but can't say why.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/notAFile``, ``DAOError/BootstrapProblem/Kind/foreignJournal``.
  static func checkSidecars(of path: String) throws {
    for sidecar in sidecars(of: path) {
      if try Files.status(sidecar, followingLinks: false)?.isRegular == false { throw Files.notAFile(sidecar) }
    }
    let journal = path + "-journal"
    guard let size = try Files.status(journal)?.size, size > 0 else { return }
    let file = try OpenFile(journal, O_RDONLY)
    guard let name = try RollbackJournal.superJournal(size: size, read: { try file.read($0, at: $1) }) else { return }
    throw DAOError.bootstrap(
      DAOError.BootstrapProblem(
        .foreignJournal, path: journal,
        "the journal of an interrupted writer names another file, \(name), which SQLite would delete; open the database with the program "
          + "that wrote it, or move the journal away"))
  }
}
