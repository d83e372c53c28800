import DAOCriteria

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
}
