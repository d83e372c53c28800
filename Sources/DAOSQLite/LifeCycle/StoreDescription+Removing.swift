import DAOCriteria
import Foundation

extension StoreDescription {
  /// Removes the store and every file that belongs to it: permanently, when the call returns. It must not be open anywhere; a factory
  /// removes its own by ``DAOFactory/destroy(removingBackups:within:)``. Nothing to do where there is none.
  ///
  /// ```swift
  /// try StoreDescription.named("notes").destroy()
  /// ```
  ///
  /// A database that SQLite finds damaged is removed too; a file that never was one is not. If the process is killed meanwhile, the next
  /// start finds the store with all its commits, or none.
  /// - Parameters:
  ///   - removingBackups: also removes the backups that a replacement or a migration made and the stores that were erased
  ///     (``StoreDescription/MismatchPolicy``).
  ///   - limit: how long to wait for others that have the store open, or are creating it.
  /// - Throws: ``DAOError/bootstrap(_:)``: ``DAOError/BootstrapProblem/Kind/locked`` where the store is open elsewhere,
  ///   ``DAOError/BootstrapProblem/Kind/wrongApplication`` where it is another application's,
  ///   ``DAOError/BootstrapProblem/Kind/notADatabase`` where it is no database. ``DAOError/readOnly(entity:reason:)`` for a seed used where
  ///   it lies, ``DAOError/unsupported(_:)`` for a store in memory.
  public func destroy(removingBackups: Bool = false, within limit: Duration = .seconds(5)) throws {
    let url = try fileURL("removed")
    let requirements = StoreRequirements(entities: [], applicationID: applicationID, version: version)
    try working { try StoreRemoval(store: url, requirements: requirements, timeout: limit).remove(removingBackups: removingBackups) }
  }

  /// Creates the store again.
  /// - Parameters:
  ///   - limit: how long to wait for others that have the store open, or are creating it.
  ///   - close: closes this process's own connections to the store; called when the new store is complete.
  package func reset(_ entities: [EntityDescription], within limit: Duration, closing close: () throws -> Void) throws -> BootstrapReport {
    let keepsSeed = if case .file(_, let policy) = place { policy.merges } else { false }
    let url = try fileURL("reset")
    let maker = bootstrapper(entities, lockTimeout: limit).maker
    return try working {
      try StoreReset(paths: StorePaths(of: url), source: seed, maker: maker, keepsSeed: keepsSeed).reset(closing: close)
    }
  }

  private func fileURL(_ verb: String) throws -> URL {
    switch place {
    case .file(let place, _): return try place.url()
    case .memory: throw DAOError.unsupported("a store in memory can't be \(verb) without its factory")
    case .inPlace: throw DAOError.readOnly(entity: nil, reason: "a seed used where it lies is never \(verb)")
    }
  }
}
