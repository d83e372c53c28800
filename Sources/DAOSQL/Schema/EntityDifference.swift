import DAOCriteria
import DAOSchema

/// One thing in which a store does not fit an entity. A person reads it as a ``SchemaDifference``; a migration makes a step of it.
package enum EntityDifference {
  case noTable
  /// A view has the name of the entity's table.
  case isView
  /// Nothing is known of the entity's view.
  case unreadableView(String)
  case noColumn(Attribute)
  case type(Attribute, StoreSchema.Column)
  case collation(Attribute, StoreSchema.Column)
  /// An ordinary attribute of a column that can't be written.
  case generated(Attribute)
  /// A generated attribute of a column that would have to be written.
  case notGenerated(Attribute)
  /// A column that can't be read.
  case unreadable(Attribute, String)
  case nullability(Attribute)
  case defaultValue(Attribute, expected: String, found: String?)
  /// A column that every insert would have to fill, and that the entity has not.
  case unnamedColumn(StoreSchema.Column)
  case key(found: [String])
  case keyIsNotGenerated
  case index(Index)
  case foreignKey(EntityForeignKey, found: StoreSchema.ForeignKey?)
  /// Relationships that do not fit their entities.
  case relationships(String)
  /// A statement that the search table or its triggers were not made with.
  case search(String)
  case searchIsBehind
}

extension StoreSchema {
  /// The differences between the store and the entities; empty where the entities can be read and written.
  ///
  /// Compared are: the table, each column's presence, type, nullability and default, whether it is generated, the primary key, the indexes
  /// and foreign keys that the entity names, the indexes of its to-one relationships, which criteria through them rely on, and the search
  /// table with its triggers. Further parts of the store are not compared, except a column that every insert would have to fill. Of a view
  /// only the columns' names are compared; SQLite says no more about them.
  public func differences(from entities: [EntityDescription]) -> [SchemaDifference] {
    entities.flatMap { entity in SchemaComparison.differences(of: self, from: entity).map { $0.described(of: entity, in: self) } }
  }
}

extension EntityDifference {
  /// The generated attribute whose column is missing or another one than the entity has.
  package var generatedAttribute: Attribute? {
    switch self {
    case .notGenerated(let attribute): attribute
    case .noColumn(let attribute), .type(let attribute, _), .collation(let attribute, _), .unreadable(let attribute, _),
      .nullability(let attribute):
      attribute.isGenerated ? attribute : nil
    default: nil
    }
  }

  /// The difference as a person reads it.
  package func described(of entity: EntityDescription, in schema: StoreSchema) -> SchemaDifference {
    func difference(_ element: String, _ expected: String, _ found: String, _ advice: String? = nil) -> SchemaDifference {
      SchemaDifference(entity: entity.name, element: element, expected: expected, found: found, advice: advice)
    }
    let key = entity.key.attributes.joined(separator: ", ")
    switch self {
    case .noTable:
      return difference(
        "", "\(entity.isReadOnly ? "the view" : "the table") \"\(entity.table)\"", "neither a table nor a view of this name")
    case .isView: return difference("", "the table \"\(entity.table)\"", "a view of this name")
    case .unreadableView(let problem): return difference("", "a view that can be read", "one that can't: \(problem)")
    case .noColumn(let attribute): return difference(attribute.name, "the column \"\(attribute.column)\"", "no such column")
    case .type(let attribute, let column):
      return difference(
        attribute.name, "the type \(attribute.type.declaredName)",
        column.declaredType.isEmpty ? "no type" : "the type \(column.declaredType)",
        attribute.type.advice(forDeclared: column.declaredType))
    case .collation(let attribute, let column):
      let storage = AttributeType.TextStorage(collation: column.collation)
      let form = column.collation == "BINARY" ? "" : storage.map { " with .text(.\($0))" }
      let advice = attribute.type.isText ? form.map { "declare it as a String\($0)" } : nil
      return difference(attribute.name, "the collation \(attribute.type.collation)", "the collation \(column.collation)", advice)
    case .generated(let attribute):
      return difference(
        attribute.name, "a column that can be written", "a generated column", "declare it with .generated; it is read and not written")
    case .notGenerated(let attribute):
      return difference(
        attribute.name, "a generated column", "a column that can be written", "declare it without .generated; it is written with its row")
    case .unreadable(let attribute, let problem):
      return difference(attribute.name, "a column that can be read", "one that can't: \(problem)")
    case .nullability(let attribute):
      let (with, without) = ("NOT NULL", "no NOT NULL")
      let generated = attribute.isOptional ? "declare it as one that is never nil" : "declare it as an optional"
      // An ordinary column that is NOT NULL can be migrated.
      let advice = attribute.isGenerated ? generated : attribute.isOptional ? nil : "declare it as an optional"
      return difference(attribute.name, attribute.isOptional ? without : with, attribute.isOptional ? with : without, advice)
    case .defaultValue(let attribute, let expected, let found):
      return difference(attribute.name, "the default \(expected)", found.map { "the default \($0)" } ?? "no default")
    case .unnamedColumn(let column):
      return difference(
        column.name, "no such attribute", "the column \"\(column.name)\", NOT NULL and without a default, which inserts would leave out")
    case .key(let found):
      let columns = entity.keyAttributes.map(\.column)
      return difference(
        key, "the primary key (\(columns.joined(separator: ", ")))", found.isEmpty ? "none" : "(\(found.joined(separator: ", ")))")
    case .keyIsNotGenerated: return difference(key, "a generated key, INTEGER PRIMARY KEY", "a key that SQLite does not generate")
    case .index(let index):
      let list = index.attributes.compactMap { name in entity[name].map { $0.column + (index.descending.contains(name) ? " DESC" : "") } }
      return difference(
        index.attributes.joined(separator: ", "), "a\(index.isUnique ? " unique" : "n") index on (\(list.joined(separator: ", ")))", "none",
        entity.indexes.contains(index) ? nil : "make it, or declare the relationship with declared: .foreignKey")
    case .foreignKey(let expected, let found):
      let other = found.map { Self.sentence($0.table, $0.targetColumns, $0.onDelete) }
      let isOfRelationship = expected.attributes.allSatisfy { $0.reference == nil }
      let advice = other == nil && isOfRelationship ? "declare the relationship with declared: .absent" : nil
      return difference(
        expected.attributes.map(\.name).joined(separator: ", "),
        "the foreign key \(Self.sentence(expected.table, expected.columns, expected.onDelete.rawValue))",
        other.map { "the foreign key \($0)" } ?? "none", advice)
    case .relationships(let problem): return difference("", "relationships that fit their entities", problem)
    case .search(let statement): return difference("search", statement, "none that is so")
    case .searchIsBehind:
      let table = schema[entity.table]?.name ?? entity.table
      return difference(
        "search", "a search table of all rows, for which \(SearchSQL.rebuild(table)) is run", "one that has none of them")
    }
  }

  private static func sentence(_ table: String, _ columns: [String], _ action: String) -> String {
    "REFERENCES \(table.quotedIdentifier) (\(columns.map(\.quotedIdentifier).joined(separator: ", "))) ON DELETE \(action)"
  }
}
