import DAOKit
import TestCases

/// A schema with rows.
package struct World: Sendable {
  package var schema: Schema
  /// The rows of each table, in an order in which foreign keys hold.
  package var rows: [[[Scalar]]]
  /// What is put into them past all rules.
  package var strays: [Stray] = []
}

extension World {
  /// A schema with the rows that it takes.
  package init(seed: UInt64) throws {
    var maker = RandomSchema(RandomSource(seed: seed))
    let schema = maker.make()
    self.init(schema: schema, rows: RandomRows.make(schema, &maker.random))
    rows = try accepted()
    strays = Stray.make(schema, rows, &maker.random)
  }

  /// A schema with as many rows in each table as it takes of a number.
  package init(seed: UInt64, rowsInEach count: Int) throws {
    var maker = RandomSchema(RandomSource(seed: seed))
    let schema = maker.make()
    self.init(schema: schema, rows: RandomRows.make(schema, &maker.random, counts: [count]))
    rows = try accepted()
  }

  /// Without the rows that break a rule of the schema, or that hang on such.
  func accepted() throws -> [[[Scalar]]] {
    let catalog = Catalog(schema)
    let store = try EvaluatorStore(catalog.entities)
    return zip(catalog.entities, rows).map { entity, rows in
      rows.filter { (try? store.insert([DynamicEntity(entity, row: $0)], in: EntityTarget(entity))) != nil }
    }
  }
}

/// The stores that must answer alike, with the same rows.
package final class Stores {
  package let catalog: Catalog
  /// The statements that made the tables.
  let statements: [String]
  package let evaluator: EvaluatorStore
  package let sqlite: EngineStore

  package init(_ world: World) throws {
    catalog = Catalog(world.schema)
    evaluator = try EvaluatorStore(catalog.entities)
    let kept = Catalog(world.schema.kept)
    let statements = try world.schema.statements(for: kept.entities)
    self.statements = statements
    sqlite = EngineStore(try SQLiteEngine(inMemory: { db in for statement in statements { try db.execute(sql: statement) } }))
    for (store, entities) in [(evaluator, catalog.entities), (sqlite, kept.entities)] as [(any EntityStore, [EntityDescription])] {
      try store.write { store in
        for (entity, rows) in zip(entities, world.rows) {
          for row in rows { _ = try store.insert([DynamicEntity(entity, row: row)], in: EntityTarget(entity)) }
        }
      }
    }
    try put(world.strays, world.schema)
  }
}

extension DynamicEntity {
  fileprivate init(_ entity: EntityDescription, row: [Scalar]) throws {
    try self.init(entity, Dictionary(zip(entity.attributes.map(\.name), row)) { first, _ in first })
  }
}
