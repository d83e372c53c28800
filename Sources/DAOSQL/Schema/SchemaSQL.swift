import DAOCriteria
import DAOSchema

/// The statements that make a store's tables, indexes, search tables and views from entities.
///
/// ```swift
/// try SchemaSQL.statements(for: [Zone.entityDescription])
/// ```
///
/// becomes
///
/// ```sql
/// CREATE TABLE "zone" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "comment" TEXT)
/// CREATE UNIQUE INDEX "zone_on_name" ON "zone" ("name")
/// ```
///
/// Searchable attributes have a search table besides, `zone_search`, and triggers that keep it in step.
///
/// The order of the entities does not matter: SQLite looks up a foreign key's table when rows are written. Where two entities share a
/// table, the first one makes it.
public enum SchemaSQL {
  /// The statements, tables first, then indexes, search tables with their triggers, and views.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` for a description with problems, a view without a definition, the name of
  ///   another entity's search table, and a name or default with a NUL in it, where SQL text would end.
  public static func statements(for entities: [EntityDescription]) throws -> [String] { try statements(for: entities) { $0 } }

  /// The statements, for a store that has other things already.
  /// - Parameter naming: what an index is called instead of its usual name.
  package static func statements(for entities: [EntityDescription], naming: (String) throws -> String) throws -> [String] {
    var unique: [EntityDescription] = []
    for entity in entities where !unique.contains(where: { SchemaName.same($0.table, entity.table) }) { unique.append(entity) }
    try EntityDescription.checkMaking(of: unique)
    let tables = unique.filter { $0.source == .table }
    return try tables.map(table)
      + tables.flatMap { entity in
        try (entity.indexes + entity.relationshipIndexes).map { try index($0, of: entity, named: naming(name(of: $0, of: entity))) }
      }
      + tables.flatMap(SearchSQL.statements(for:))
      + unique.compactMap(view)
  }

  private static func table(_ entity: EntityDescription) throws -> String {
    let key = entity.keyAttributes
    let foreignKeys = try entity.foreignKeys()
    var parts = try entity.attributes.map { attribute in
      try column(attribute, isKey: key == [attribute], foreignKeys.filter { $0.attributes == [attribute] })
    }
    if key.count > 1 { parts.append("PRIMARY KEY (" + list(key.map(\.column)) + ")") }
    parts += foreignKeys.filter { $0.attributes.count > 1 }.map { "FOREIGN KEY (\(list($0.attributes.map(\.column)))) " + references($0) }
    return "CREATE TABLE \(entity.table.quotedIdentifier) (\(parts.joined(separator: ", ")))"
  }

  private static func column(_ attribute: Attribute, isKey: Bool, _ foreignKeys: [EntityForeignKey]) throws -> String {
    var words = [attribute.column.quotedIdentifier]
    if attribute.type != .any { words.append(attribute.type.declaredName.quotedType) }
    if !attribute.isOptional { words.append("NOT NULL") }
    if isKey { words.append("PRIMARY KEY") }
    if let value = attribute.defaultValue { words.append("DEFAULT " + SQLLiteral.text(try attribute.type.stored(value))) }
    words += foreignKeys.map(references)
    return words.joined(separator: " ")
  }

  /// `REFERENCES "country" ("code") ON DELETE …`.
  static func references(_ key: EntityForeignKey) -> String {
    "REFERENCES \(key.table.quotedIdentifier) (\(list(key.columns))) ON DELETE \(key.onDelete.rawValue)"
  }

  /// The name of an entity's index: `zone_on_country_name`.
  package static func name(of index: Index, of entity: EntityDescription) -> String {
    entity.table + "_on_" + index.attributes.compactMap { entity[$0]?.column }.joined(separator: "_")
  }

  /// `CREATE INDEX "zone_on_country_name" ON "zone" ("country", "name")`.
  package static func index(_ index: Index, of entity: EntityDescription, named name: String) -> String {
    let attributes = index.attributes.compactMap { entity[$0] }
    let columns = attributes.map { $0.column.quotedIdentifier + (index.descending.contains($0.name) ? " DESC" : "") }
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name.quotedIdentifier) ON \(entity.table.quotedIdentifier) "
      + "(\(columns.joined(separator: ", ")))"
  }

  /// `CREATE VIEW "long_zone" AS …`; nil where the entity does not say how.
  package static func view(_ entity: EntityDescription) -> String? {
    guard case .view(let definition?) = entity.source else { return nil }
    return "CREATE VIEW \(entity.table.quotedIdentifier) AS \(definition)"
  }

  private static func list(_ columns: [String]) -> String { columns.map(\.quotedIdentifier).joined(separator: ", ") }
}
