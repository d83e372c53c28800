import Foundation

/// The dynamic entities that a factory has handed out. The same schema yields the same objects, so that kept statements are found again.
final class EntityCatalog: @unchecked Sendable {
  /// What is known of the store beyond its schema.
  let corrections: SchemaCorrections
  private let lock = NSLock()
  // Guarded by the lock. All tables are kept or none: relationships lead from one to the others.
  private var tables: [EntityDescription] = []
  // Guarded by the lock.
  private var views: [EntityDescription] = []

  init(correctedBy corrections: SchemaCorrections = SchemaCorrections()) { self.corrections = corrections }

  /// The entity of this name, by the store's own account.
  /// - Throws: ``DAOError/unknownEntity(name:known:nearest:)``.
  func entity(named name: String, in store: any EntityStore) throws -> EntityDescription {
    let known = try store.entities(withView: name, correctedBy: corrections)
    func named(_ entities: [EntityDescription]) -> EntityDescription? { entities.first { $0.name.isSpelled(as: name) } }
    guard let found = named(known) else {
      let names = known.map(\.name).sorted()
      throw DAOError.unknownEntity(name: name, known: names, nearest: Nearest.name(to: name, among: names))
    }
    return lock.withLock {
      if found.isReadOnly {
        if let kept = named(views), kept == found { return kept }
        views.removeAll { $0.name.isSpelled(as: name) }
        views.append(found)
        return found
      }
      let knownTables = known.filter { !$0.isReadOnly }
      if tables != knownTables { tables = knownTables }
      return named(tables) ?? found
    }
  }
}
