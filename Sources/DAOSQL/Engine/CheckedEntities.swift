import DAOCriteria
import Foundation

/// The entities that were found to fit a store: when it was opened, or with the first statement.
package final class CheckedEntities: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock. An entity is kept, so that no other gets its identity.
  private var entities: [ObjectIdentifier: EntityDescription] = [:]
  private var opened: (entities: Set<ObjectIdentifier>, version: Int64)?

  /// None yet.
  package init() {}

  /// Starts again with the entities that were compared with the whole schema when the store was opened.
  /// - Parameter version: the number of the schema before it was read; nil where it is not known, and the entities are compared once more.
  package func open(_ entities: [EntityDescription], version: Int64?) {
    lock.withLock {
      self.entities = Dictionary(entities.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
      opened = version.map { (Set(self.entities.keys), $0) }
    }
  }

  /// Adds an entity that fits.
  func add(_ entity: EntityDescription) {
    lock.withLock {
      if entities.count > 1000, opened?.entities.contains(ObjectIdentifier(entity)) != true {
        entities = entities.filter { opened?.entities.contains($0.key) == true }
      }
      entities[ObjectIdentifier(entity)] = entity
    }
  }

  /// The one entity of a table; nil where there is none, or several.
  package func entity(ofTable name: String) -> EntityDescription? {
    let found = lock.withLock { entities.values.filter { SchemaName.same($0.table, name) } }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether an entity was compared at opening, when the schema had this number.
  func wasOpened(with entity: EntityDescription, version: Int64) -> Bool {
    lock.withLock { opened?.version == version && opened?.entities.contains(ObjectIdentifier(entity)) == true }
  }
}
