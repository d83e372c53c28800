import DAOCriteria
import Foundation

/// An entity of a store's schema that is described when it is first asked for, and then kept: statements are kept by their entity's
/// identity.
final class EntityOnDemand: @unchecked Sendable {
  private let describe: @Sendable () -> EntityDescription?
  private let lock = NSLock()
  // Guarded by the lock.
  private var entity: EntityDescription?

  init(_ name: String, in schema: StoreSchema) { describe = { schema.description(of: name) } }

  /// The entity; nil where the schema has none of the name.
  func get() -> EntityDescription? {
    lock.withLock {
      if entity == nil { entity = describe() }
      return entity
    }
  }
}
