import DAOCriteria
import Foundation

extension StorePaths {
  /// The store, if there is one. A file without bytes is none: SQLite itself drops a WAL or journal that lies beside such a file.
  func existing() throws -> Files.Status? {
    guard let status = try Files.status(store) else {
      if try Files.isLink(store) {
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(.notAFile, path: store, "the store is a link, and there is nothing where it points to"))
      }
      return nil
    }
    guard status.isRegular else { throw DAOError.bootstrap(DAOError.BootstrapProblem(.notAFile, path: store, "the store is no file")) }
    return status.size > 0 ? status : nil
  }

  /// The paths of a store that is there, and its file's size, for who only reads it.
  /// - Throws: ``DAOError/bootstrap(_:)`` where there is no such file, or it is none.
  static func examined(_ store: URL) throws -> (paths: StorePaths, size: Int64) {
    let paths = StorePaths(store: Files.resolve(try Files.path(store, "store")))
    guard let status = try Files.status(paths.store) else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.unwritable, path: paths.store, "there is no such store"))
    }
    guard status.isRegular else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.notAFile, path: paths.store, "the store is no file"))
    }
    return (paths, status.size)
  }
}
