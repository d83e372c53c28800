import DAOCriteria
import DAOSQL
import DAOSchema

extension StoreInspection {
  /// The text of an `@Entity` struct for each table and view, described by the schema and the corrections: a file to begin with, which is
  /// yours to change.
  ///
  /// ```swift
  /// try shop.swiftSource().write(to: sources.appending(path: "Shop.swift"), atomically: true, encoding: .utf8)
  /// ```
  ///
  /// Tables and columns keep their names in the store; types and properties have Swift's. Foreign keys are `@ToOne`, and `@ToMany` from the
  /// other side. What is not sure stands in a comment before the property, and a table of which no struct can be written is named in one.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not allow.
  public func swiftSource() throws -> String {
    let entities = try swiftEntities()
    let texts = entities.map { $0.text(among: entities) }
    return (["import DAOKit\nimport DAOMacros\nimport Foundation"] + texts).joined(separator: "\n\n") + "\n"
  }

  /// The text of the struct for one table or view; nil where there is none of the name, or where it can't be read.
  /// - Throws: as ``swiftSource()``.
  public func swiftSource(of table: String) throws -> String? {
    let entities = try swiftEntities()
    return entities.first { SchemaName.same($0.description.table, table) }?.text(among: entities)
  }

  private func swiftEntities() throws -> [SwiftEntity] {
    let corrected = try schema.corrected(by: corrections)
    let tables = corrected.tables.filter { !$0.columns.isEmpty }
    let names = SwiftName.distinct(tables.map { SwiftName.type($0.name) })
    var entities = zip(tables, names).compactMap { table, name in
      corrected.description(of: table.name).map { SwiftEntity($0, table, self[table.name], typeName: name) }
    }
    let written = entities.filter { $0.leftOut == nil }
    let byTable = Dictionary(written.map { (SchemaName($0.description.table), $0) }, uniquingKeysWith: { first, _ in first })
    let types = SwiftName.taken.union(entities.map(\.typeName))
    for place in entities.indices where entities[place].leftOut == nil {
      entities[place].takeReferences(to: byTable)
      entities[place].nameEnums(besides: types)
    }
    return entities
  }
}
