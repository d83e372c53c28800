import Foundation

/// The dynamic entities that a factory has handed out. The same schema yields the same objects, so that kept statements are found again.
final class EntityCatalog: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock. All are kept or none: relationships lead from one to the others.
  private var entities: [EntityDescription] = []

  /// The entity of this name, by the store's own account.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)``.
  func entity(named name: String, in store: any EntityStore) throws -> EntityDescription {
    let known = try store.entities()
    let kept = lock.withLock {
      if entities != known { entities = known }
      return entities
    }
    guard let found = kept.first(where: { $0.name == name }) else {
      let names = known.map(\.name).sorted()
      throw DAOError.unknownEntity(name: name, known: names, nearest: Nearest.name(to: name, among: names))
    }
    return found
  }
}
