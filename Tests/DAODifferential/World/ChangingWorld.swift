import DAOKit
import TestCases

/// A store of a random world whose rows are changed at random, commit by commit.
package struct ChangingWorld {
  package let stores: Stores
  private let schema: Schema
  private var random: RandomSource
  // Other rows for each table, whose values are taken over.
  private let variants: [[DynamicEntity]]

  package init(_ world: World, seed: UInt64) throws {
    stores = try Stores(world)
    schema = world.schema
    var source = RandomSource(seed: seed)
    let rows = [0, 1, 2].map { _ in RandomRows.make(world.schema, &source) }
    random = source
    variants = try stores.catalog.entities.enumerated().map { place, entity in
      try rows.flatMap { try $0[place].map { try DynamicEntity(entity, values: $0) } }
    }
  }

  /// Changes some rows in one transaction. A change that a constraint refuses is passed over.
  package mutating func commit() throws {
    let count = random.below(3) + 1
    try stores.sqlite.write { store in for _ in 0..<count { try change(store) } }
  }

  private mutating func change(_ store: any EntityStore) throws {
    let place = random.below(stores.catalog.entities.count)
    let (entity, table) = (stores.catalog.entities[place], schema.tables[place])
    let target = EntityTarget(entity)
    let keys = (try? store.findKeys(DynamicEntity.self, in: target, Criteria())) ?? []
    let variant = variants[place].isEmpty ? nil : random.pick(variants[place])
    switch random.below(5) {
    case 0:
      if let variant { _ = try? store.insert([variant], in: target) }
    case 1:
      if !keys.isEmpty { _ = try? store.delete(DynamicEntity.self, keys: [random.pick(keys)], in: target) }
    case 2, 3:
      // One attribute, or all.
      guard let variant, !keys.isEmpty, var row = try? store.find(DynamicEntity.self, in: target, key: random.pick(keys)) else { return }
      let names = table.attributes.map(\.name).filter { !table.key.attributes.contains($0) }
      if names.isEmpty { return }
      for name in random.once(in: 2) ? names : [random.pick(names)] { row[name] = variant[name] }
      _ = try? store.update([row], in: target)
    default:
      // A change that a rollback takes back.
      _ = try? store.write { inner in
        if let variant { _ = try inner.insert([variant], in: target) }
        throw DAOError.unsupported("this change")
      }
    }
  }
}
