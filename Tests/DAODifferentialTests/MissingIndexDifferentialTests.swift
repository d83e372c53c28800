import DAOKit
import Foundation
import TestCases
import Testing

@testable import DAODifferential

/// The indexes that plans miss, made and looked at again, for criteria of every kind.
struct MissingIndexDifferentialTests {
  private static let count = TestCases.count(1_000, inSuite: 100)

  @Test func `each missing index is used once it is there, spares work, changes no row, and leaves none missing`() throws {
    var (advised, made): (Int, Set<Int>) = (0, [])
    var random = RandomSource(seed: TestCases.seed)
    // As many worlds as it takes: few of some have foreign keys, or lose an index.
    for _ in 0..<Self.count where advised <= Self.count / 5 || made.count < 2 {
      let seed = random.next()
      let world = try World(seed: seed)
      let stores = try DAODifferential.Stores(world)
      let store = stores.sqlite
      // Those of foreign keys, half of them.
      let names = try store.query("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name") { row, _ in
        try row.next(String.self)
      }
      for name in names where random.once(in: 2) { try store.make("DROP INDEX \(name.quotedIdentifier)") }
      var maker = CriteriaMaker(world, stores.catalog.entities, random)
      for number in 0..<25 {
        let entity = maker.random.pick(stores.catalog.entities)
        let isReport = maker.random.once(in: 4)
        let criteria = isReport ? maker.report(of: entity) : maker.entities(of: entity)
        let target = EntityTarget(entity, scope: maker.random.once(in: 4) ? maker.scope(of: entity) : .constant(true))
        let kind: Criteria.Use = isReport ? .report : maker.random.pick([.entities, .count, .keys])
        guard let before = try? store.explain(kind, criteria, in: target) else { continue }
        if before.missingIndexes.isEmpty { continue }
        advised += 1
        made.insert(before.missingIndexes.count)
        let found = try? Self.rows(store, kind, criteria, target)
        for index in before.missingIndexes { try store.make(index.sql) }
        defer { for index in before.missingIndexes { try? store.make("DROP INDEX \(index.name.quotedIdentifier)") } }
        let after = try store.explain(kind, criteria, in: target)
        let about = "world \(seed), case \(number), \(before.statement?.text ?? "")\nbefore:\n\(before)\nafter:\n\(after)"
        #expect(Set(before.missingIndexes.map(\.name)).isSubset(of: after.usedIndexes), "\(about)")
        #expect(Self.work(after) < Self.work(before), "\(about)")
        #expect(after.missingIndexes.isEmpty, "\(about)")
        #expect((try? Self.rows(store, kind, criteria, target)) == found, "\(about)")
      }
      random = maker.random
    }
    #expect(advised > Self.count / 5 && made.count > 1, "\(advised) queries had missing indexes: \(made)")
  }

  @Test func `equal attributes and an order or a range need neither scan nor sort with the missing index`() throws {
    let store = try Stores.sqlite(for: [Everything.entity])
    var random = RandomSource(seed: TestCases.seed)
    let attributes = Everything.attributes.filter { $0.type.order == nil }
    for number in 0..<Self.count {
      var criteria = Criteria()
      var scope = Criteria.Condition.constant(true)
      let used = (0..<random.below(4)).map { _ in random.pick(attributes) }
      func value(_ attribute: Attribute) -> Criteria.Term { .value(random.pick(Everything.pool(attribute.name, attribute.type))) }
      // An early instant is equal to a range of seconds, behind which no order comes from an index.
      func equal(_ attribute: Attribute) -> Criteria.Term {
        let exact = Everything.pool(attribute.name, attribute.type).filter { !(attribute.type.hasBounds && $0.isApproximate) }
        return .value(random.pick(exact))
      }
      func field(_ attribute: Attribute) -> Criteria.Term { .field(.root.appending(attribute.name)) }
      var conditions = used.map { attribute in
        attribute.isOptional && random.once(in: 3)
          ? Criteria.Condition.isNull(field(attribute)) : .compare(field(attribute), .equal, equal(attribute))
      }
      let ranged = random.pick(attributes)
      if random.once(in: 2) {
        criteria.orders = attributes.shuffled(using: &random).prefix(1 + random.below(3)).map {
          Criteria.Ordering(field($0), random.pick([.ascending, .descending]))
        }
        if random.once(in: 2) { criteria.limit = 7 }
        if random.once(in: 3) { scope = .all(conditions.splice()) }
      } else {
        conditions.append(.compare(value(ranged), random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), field(ranged)))
      }
      criteria.filter = .all(conditions)
      let target = EntityTarget(Everything.entity, scope: scope)
      let before = try store.explain(.entities, criteria, in: target)
      #expect(before.missingIndexes.count == 1, "case \(number), \(before.statement?.text ?? "")\n\(before)")
      for index in before.missingIndexes { try store.make(index.sql) }
      let after = try store.explain(.entities, criteria, in: target)
      for index in before.missingIndexes { try store.make("DROP INDEX \(index.name.quotedIdentifier)") }
      #expect(
        after.fullScans.isEmpty && after.sorts.isEmpty,
        "case \(number), \(before.statement?.text ?? "")\nbefore:\n\(before)\nafter:\n\(after)")
    }
  }

  /// What an index may spare, the worst first.
  private static func work(_ plan: QueryPlan) -> Int {
    plan.kinds.reduce(0) { work, kind in
      switch kind {
      case .fullScan, .automaticIndex: work + 4
      case .indexScan, .sort(_, isPartial: false): work + 2
      case .sort(_, isPartial: true): work + 1
      default: work
      }
    }
  }

  private static func rows(
    _ store: EngineStore, _ kind: Criteria.Use, _ criteria: Criteria, _ target: EntityTarget
  ) throws -> [String] {
    let rows: [String] =
      switch kind {
      case .count: ["\(try store.count(in: target, criteria))"]
      case .keys: try store.findKeys(DynamicEntity.self, in: target, criteria).map { "\($0)" }
      case .report:
        try store.report(in: target, criteria) { row in "\(try criteria.columns.map { _ in try row.takeStored() })" }
      default: try store.find(DynamicEntity.self, in: target, criteria).map { "\($0.values)" }
      }
    return criteria.orders.isEmpty ? rows.sorted() : rows
  }
}

extension EngineStore {
  fileprivate func make(_ sql: String) throws { _ = try execute(SQL(stringLiteral: sql)) }
}

extension [Criteria.Condition] {
  /// Takes half of the conditions away.
  fileprivate mutating func splice() -> [Criteria.Condition] {
    let half = Array(prefix(count / 2))
    removeFirst(half.count)
    return half
  }
}
