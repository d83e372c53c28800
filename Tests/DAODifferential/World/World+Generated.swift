import DAOKit
import TestCases

extension World {
  /// The same world, in a third of cases with some attributes generated: the SQLite store computes each from a column that has its values.
  func withGeneratedColumns(seed: UInt64) -> World {
    var random = RandomSource(seed: seed &+ 0x67656E)
    guard random.once(in: 3) else { return self }
    var world = self
    for place in schema.tables.indices {
      let table = schema.tables[place]
      world.schema.tables[place].attributes = table.attributes.map { attribute in
        let isWritten = attribute.isSearchable || table.key.attributes.contains(attribute.name)
        return isWritten || !random.once(in: 3) ? attribute : attribute.generated
      }
    }
    return world
  }
}

extension Schema {
  /// The schema with an ordinary attribute, of a column with another name, for each generated one.
  var kept: Schema {
    var kept = self
    for place in tables.indices { kept.tables[place].attributes = tables[place].attributes.map { $0.isGenerated ? $0.kept : $0 } }
    return kept
  }

  /// The statements that make the tables, with a generated column for each generated attribute, and the indexes that name one.
  ///
  /// - Parameter kept: the entities of ``kept``.
  func statements(for kept: [EntityDescription]) throws -> [String] {
    try SchemaSQL.statements(for: kept)
      + tables.flatMap { table in
        table.attributes.filter(\.isGenerated).map { attribute in
          """
          ALTER TABLE \(table.table.quotedIdentifier) \
          ADD COLUMN \(attribute.column.quotedIdentifier) \(attribute.type.columnType.quotedType)\
          \(attribute.isOptional ? "" : " NOT NULL") COLLATE \(attribute.type.collation) AS (\(attribute.kept.column.quotedIdentifier))
          """
        }
      }
      + tables.flatMap { table in
        let columns = Dictionary(uniqueKeysWithValues: table.attributes.filter(\.isGenerated).map { ($0.name, $0.column.quotedIdentifier) })
        return table.indexes.flatMap(\.attributes).compactMap { columns[$0] }.map { column in
          "CREATE INDEX IF NOT EXISTS \("of \(table.table) \(column)".quotedIdentifier) ON \(table.table.quotedIdentifier) (\(column))"
        }
      }
  }
}

extension Attribute {
  /// The attribute as a generated one.
  fileprivate var generated: Attribute { Attribute(name, type, column: column, optional: isOptional, generated: true) }

  /// The ordinary attribute that has the values of a generated one.
  var kept: Attribute { Attribute(name, type, column: "kept \(column)", optional: isOptional) }
}
