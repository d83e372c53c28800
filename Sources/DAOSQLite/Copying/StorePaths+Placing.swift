extension StorePaths {
  /// Gives the incoming store its name, where no store is.
  func putInPlace() throws {
    // A WAL or journal left of an earlier store would be played into this one. It has to be removed permanently before the name exists.
    let stale = try Self.sidecars(of: store).map { try Files.remove($0) }
    if stale.contains(true) { try Files.syncFolder(of: store) }
    try Files.move(incoming, to: store)
    do { try Files.syncFolder(of: store) } catch {
      try Files.remove(store)
      throw error
    }
  }
}
