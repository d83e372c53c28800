import DAOKit
import TestCases

/// A store in which a unit of work has made a world of another one: some rows are edits, some are the store's own.
package struct EditedWorld {
  /// The store as it is without the edits.
  package let factory: DAOFactory
  package let work: UnitOfWork
  /// How many rows are edits.
  package private(set) var edits = 0

  private struct Plan {
    var updates: [(DynamicEntity, EntityTarget)] = []
    var inserts: [(DynamicEntity, EntityTarget)] = []
    var deletes: [(DynamicEntity, EntityTarget)] = []
  }

  /// - Parameters:
  ///   - store: an empty store of the world's entities that checks no foreign keys.
  ///   - seed: decides which rows are edits.
  package init(_ world: World, _ catalog: Catalog, over store: any EntityStore, seed: UInt64) throws {
    factory = DAOFactory(over: store)
    work = try factory.unitOfWork()
    var random = RandomSource(seed: seed)
    let others = RandomRows.make(world.schema, &random)
    var plan = Plan()
    for (place, entity) in catalog.entities.enumerated() {
      let target = EntityTarget(entity)
      let rows = try world.rows[place].map { try DynamicEntity(entity, values: $0) }
      let table = world.schema.tables[place]
      let keys = Set(rows.map { row in table.key.attributes.map { row[$0] } })
      // A table whose rows can't be told apart has no edits.
      let isFixed = entity.keyAttributes.contains(where: \.isOptional) || random.once(in: 4)
      let variants = try others[place].map { try DynamicEntity(entity, values: $0) }
      for (number, row) in rows.enumerated() {
        switch isFixed ? 0 : random.below(3) {
        case 0:
          // Its unique value may be that of a row which will have another one.
          if (try? store.insert([row], in: target)) == nil { plan.inserts.append((row, target)) }
        case 1:
          guard variants.indices.contains(number) else { fallthrough }
          var before = variants[number]
          for name in table.key.attributes { before[name] = row[name] }
          guard (try? store.insert([before], in: target)) != nil else { fallthrough }
          plan.updates.append((row, target))
        default: plan.inserts.append((row, target))
        }
      }
      for row in isFixed ? [] : variants where !keys.contains(table.key.attributes.map { row[$0] }) {
        if (try? store.insert([row], in: target)) != nil { plan.deletes.append((row, target)) }
      }
    }
    try make(plan, &random)
  }

  private mutating func make(_ plan: Plan, _ random: inout RandomSource) throws {
    let store = work.store
    // Before others that would take rows with them.
    for (row, target) in plan.updates { _ = try store.update([row], in: target) }
    for (row, target) in plan.deletes {
      if let key = row.primaryKey { _ = try store.delete(DynamicEntity.self, keys: [key], in: target) }
    }
    for (row, target) in plan.inserts.shuffled(using: &random) { _ = try store.insert([row], in: target) }
    // What a deleted row has taken along, or cleared, is as it was again.
    for (row, target) in plan.updates { _ = try store.upsert([row], UpsertRule(), in: target) }
    edits = plan.updates.count + plan.inserts.count + plan.deletes.count
  }
}

extension EditedWorld {
  /// Commits the edits.
  /// - Returns: a table whose rows then are not those of a store; nil where there is none.
  package func commit(like stores: Stores) throws -> String? {
    try work.commit()
    for entity in stores.catalog.entities {
      func rows(_ store: any EntityStore) throws -> [[Scalar]: Int] {
        let rows = try store.find(DynamicEntity.self, in: EntityTarget(entity), Criteria()).map(\.values)
        return Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
      }
      let (own, theirs) = (try rows(factory.store), try rows(stores.sqlite))
      if own != theirs { return "\(entity.name): \(own.keys) and not \(theirs.keys)" }
    }
    return nil
  }
}

extension DynamicEntity {
  init(_ entity: EntityDescription, values: [Scalar]) throws {
    try self.init(entity, Dictionary(zip(entity.attributes.map(\.name), values)) { first, _ in first })
  }
}

extension Trial {
  /// What a unit answers, and what it is to answer; nil where it may refuse what a store answers.
  package func answer(_ edited: EditedWorld, _ stores: Stores, _ expected: Answer) -> (unit: Answer, expected: Answer)? {
    switch question {
    // A unit leaves constraints to the commit.
    case .delete, .update: if case .failed("constraint", _) = expected { return nil }
    default: break
    }
    let answer = answer(edited.work.store, stores)
    if case .failed("other", let message) = answer, message.contains("a search in a table with edits") { return nil }
    // SQLite works out a function of a value that a row is compared with before it has a row, where a view stands in between.
    if mayStopShort, answer.isOfRow, !expected.isOfRow { return nil }
    // Whether a row counts that goes with another one depends on which of them comes first.
    if case .delete = question, cascadesToItself(stores), case .rows(let own, let isOrdered) = answer, case .rows(let theirs, _) = expected
    {
      return (.rows(Array(own.dropFirst()), isOrdered: isOrdered), .rows(Array(theirs.dropFirst()), isOrdered: isOrdered))
    }
    return (answer, expected)
  }

  /// Whether a deleted row of the table may take along others of it.
  private func cascadesToItself(_ stores: Stores) -> Bool {
    let entities = stores.catalog.entities
    var (reached, next): (Set<String>, [String]) = ([], [entities[table].table])
    while let name = next.popLast() {
      for entity in entities {
        for relationship in entity.relationships {
          guard case .toOne(_, onDelete: .cascade) = relationship.kind, relationship.target?.table == name else { continue }
          if entity.table == entities[table].table { return true }
          if reached.insert(entity.table).inserted { next.append(entity.table) }
        }
      }
    }
    return false
  }
}
