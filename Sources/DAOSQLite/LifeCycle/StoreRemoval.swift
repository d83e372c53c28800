import DAOCriteria
import Foundation
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Removes a store and every file that belongs to it.
///
/// The main file goes first, with nobody else at it, and what lies beside it when that is certain: a start that comes between finds the
/// old store with all its commits or none, and clears the rest before it gives the name to a new one.
struct StoreRemoval {
  let store: URL
  let requirements: StoreRequirements
  /// How long to wait for others that have the store open, or are creating it.
  let timeout: Duration

  /// Removes the store.
  /// - Parameter removingBackups: also those that were made of it, by a migration too, and stores that were erased.
  /// - Throws: ``DAOError/bootstrap(_:)``: ``DAOError/BootstrapProblem/Kind/locked`` where it is open or being made elsewhere,
  ///   ``DAOError/BootstrapProblem/Kind/wrongApplication`` where it is another application's. Files that were not removed are unchanged.
  func remove(removingBackups: Bool) throws {
    let paths = try StorePaths(of: store)
    guard try Files.status(Files.folder(of: paths.store)) != nil else { return }
    let lock = try StoreLock(paths, timeout: timeout)
    defer { withExtendedLifetime(lock) {} }
    try paths.clearLeftovers()
    try paths.clearHalfErased()
    let link = store.absoluteURL.path
    func remove() throws {
      // A link that led to nothing would be in the way of the next start.
      if try Files.isLink(link) {
        try Files.remove(link)
        try Files.syncFolder(of: link)
      }
      try Files.remove(paths.store)
    }
    // A link that leads to nothing is all that there is.
    if try Files.isLink(paths.store) || paths.existing() == nil { try remove() } else { try removeMain(paths.store, remove) }
    let beside = try paths.bases().map(\.path) + (removingBackups ? paths.backupsOfAnyKind() : [])
    // A WAL whose commits are in no other file must not be gone while the store may still be found.
    let sidecars = try paths.sidecars()
    if !(sidecars + beside).isEmpty { try Files.syncFolder(of: paths.store) }
    for path in sidecars { try Files.remove(path) }
    for path in beside { try Files.removeDatabase(path) }
    try Files.syncFolder(of: paths.store)
  }

  /// Nothing is written on the way: where the disk is full, removing a store is what helps.
  private func removeMain(_ store: String, _ remove: () throws -> Void) throws {
    var configuration = Configuration.untrusting()
    // Before the file is read: a connection in WAL mode then keeps everybody else out, and opens only where nobody is in.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    do {
      let file = try SQLiteFile(store, timeout: timeout, configuration)
      try file.run { db in
        try db.execute(sql: "BEGIN EXCLUSIVE")
        defer { try? db.execute(sql: "ROLLBACK") }
        // It stands in the header, which a file with damage may have whole. The version does not matter.
        let id = try db.bareRows("PRAGMA application_id") { Int32(truncatingIfNeeded: $0.integer(0)) }.first ?? 0
        try requirements.check(applicationID: id, version: Int32.min, path: store)
        try remove()
      }
      try file.close()
    } catch DAOError.bootstrap(let problem) where problem.kind == .locked {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.locked, path: store, "the store is open elsewhere and can't be removed"))
    } catch DAOError.bootstrap(let problem) where [.corrupt, .notADatabase].contains(problem.kind) {
      // A person's text, under a path that was mistaken, is not for us to remove.
      let header = try OpenFile(store, O_RDONLY).read(SeedHeader.size, at: 0)
      guard header.starts(with: SeedHeader.magic) else {
        throw DAOError.bootstrap(DAOError.BootstrapProblem(.notADatabase, path: store, "the file is no database, so it is not removed"))
      }
      if let header = SeedHeader(header) {
        try requirements.check(applicationID: header.applicationID, version: Int32.min, path: store)
      }
      // Another process that has the damaged file open can't use it either.
      try remove()
    }
  }
}
