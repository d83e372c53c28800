import DAOCriteria
import Foundation

/// The entities whose attributes were compared with the declared types of their columns: when the store was opened, or with the first
/// statement.
public final class CheckedEntities: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock. An entity is kept, so that no other gets its identity.
  private var entities: [ObjectIdentifier: EntityDescription] = [:]

  /// None yet.
  public init() {}

  /// Forgets all of them: the store is another.
  package func removeAll() { lock.withLock { entities = [:] } }

  /// Adds entities that fit.
  package func add(_ new: [EntityDescription]) {
    lock.withLock {
      // An app that describes its entities anew with each call has them checked anew.
      if entities.count > 1000 { entities = [:] }
      for entity in new { entities[ObjectIdentifier(entity)] = entity }
    }
  }

  /// The one entity of a table; nil where there is none, or several.
  package func entity(ofTable name: String) -> EntityDescription? {
    let found = lock.withLock { entities.values.filter { SchemaName.same($0.table, name) } }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether an entity was added.
  func contains(_ entity: EntityDescription) -> Bool { lock.withLock { entities[ObjectIdentifier(entity)] != nil } }
}

extension Connection {
  /// Compares an entity's attributes with the declared types of their columns, unless that was done before. A value of another form may be
  /// read as one of the attribute's without a word: 18 in a column of `NUMERIC` is no 0.18.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each attribute whose column means something else.
  func checkTypes(of entity: EntityDescription) throws {
    if statements.checked.contains(entity) { return }
    let found = try declaredTypes(of: entity.attributes, in: entity.table)
    try entity.check(found, isOnlyRead: entity.isReadOnly)
    // What is not there is an error of the statement itself.
    if found.count == entity.attributes.count { statements.checked.add([entity]) }
  }

  /// The declared types of the columns that there are.
  private func declaredTypes(of attributes: [Attribute], in table: String) throws -> [(Attribute, String)] {
    let columns = attributes.map(\.column.quotedIdentifier).joined(separator: ", ")
    do {
      let statement = try prepare("SELECT \(columns) FROM \(table.quotedIdentifier)")
      return zip(attributes, statement.columns).map { ($0, $1.declaredType) }
    } catch DAOError.engine(let failure) where failure.code & 0xFF == 1 {
      return try attributes.count == 1 ? [] : attributes.flatMap { try declaredTypes(of: [$0], in: table) }
    }
  }
}

extension EntityDescription {
  /// Compares attributes with the declared types of their columns.
  func check(_ attributes: [(Attribute, declared: String)], isOnlyRead: Bool) throws {
    let differences = attributes.compactMap { attribute, declared in
      let fits = isOnlyRead ? attribute.type.isRead(fromDeclared: declared) : attribute.type.fits(declared: declared)
      return fits ? nil : EntityDifference.type(attribute, StoreSchema.Column(name: attribute.column, declaredType: declared))
    }
    guard differences.isEmpty else {
      throw DAOError.schemaMismatch(
        store: "of \(table)", differences: differences.map { $0.described(of: self, in: StoreSchema(tables: [])) })
    }
  }
}
