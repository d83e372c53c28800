import Foundation

/// The dynamic entities that a factory has handed out. The same schema yields the same object, so that kept statements are found again.
final class EntityCatalog: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var entities: [String: EntityDescription] = [:]

  /// The entity of this name, by the store's own account.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)``.
  func entity(named name: String, in store: any EntityStore) throws -> EntityDescription {
    let known = try store.entities()
    guard let found = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name).sorted()
      throw DAOError.unknownEntity(name: name, known: names, nearest: Nearest.name(to: name, among: names))
    }
    return lock.withLock {
      if let kept = entities[name], kept == found { return kept }
      entities[name] = found
      return found
    }
  }
}
