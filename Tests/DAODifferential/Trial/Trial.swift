import DAOKit

/// What is asked of both stores.
package enum Question: Sendable {
  case find, keys, count, exists, report, delete
  case update([Criteria.Change])
  /// The keys in the order of a search's relevance, the first order of the criteria.
  case ranked
  /// All pages of a size, from both ends.
  case pages(Int)
}

/// One comparison of the stores: a world, a query for one of its tables, and what is asked.
package struct Trial: Sendable {
  package var world: World
  /// The table's place.
  package var table: Int
  package var criteria: Criteria
  /// The rows that the DAO lets be seen.
  package var scope: Criteria.Condition
  package var question: Question
}

extension CriteriaMaker {
  package mutating func trial(of world: World) -> Trial {
    // Where there are rows, there is more to be told.
    let table = (0..<2).map { _ in random.below(entities.count) }.max { world.rows[$0].count < world.rows[$1].count } ?? 0
    let entity = entities[table]
    let scope = random.once(in: 5) ? scope(of: entity) : .constant(true)
    func trial(_ criteria: Criteria, _ question: Question, scope: Criteria.Condition = .constant(true)) -> Trial {
      Trial(world: world, table: table, criteria: criteria, scope: scope, question: question)
    }
    switch random.below(44) {
    case 40...43:
      var criteria = Criteria()
      criteria.filter = nearlyEqual(of: entity)
      if random.once(in: 3) { criteria.filter = .not(criteria.filter) }
      return trial(criteria, .keys)
    case 0...2:
      var criteria = overflowing(of: entity)
      var scope = Criteria.Condition.constant(true)
      // Whether a part of the filter stands in the scope makes no difference to what may fail.
      if case .all(let parts) = criteria.filter.node, parts.count == 2, random.once(in: 2) {
        (scope, criteria.filter) = random.pick([(parts[0], parts[1]), (parts[1], parts[0]), (criteria.filter, .constant(true))])
      }
      return trial(criteria, criteria.columns.isEmpty ? random.pick([.find, .keys, .count]) : .report, scope: scope)
    case 3...5:
      var criteria = Criteria()
      criteria.filter = textMatch(of: entity)
      return trial(criteria, .keys)
    case 6, 7:
      guard let (entity, criteria, question) = searching(), let table = entities.firstIndex(where: { $0.name == entity.name }) else {
        return trial(entities(of: entity), .find, scope: scope)
      }
      return Trial(world: world, table: table, criteria: criteria, scope: .constant(true), question: question)
    case 8...16: return trial(entities(of: entity), .find, scope: scope)
    case 17, 18: return trial(entities(of: entity), .keys, scope: scope)
    case 19, 20: return trial(random.once(in: 2) ? entities(of: entity) : report(of: entity), .count, scope: scope)
    case 21: return trial(entities(of: entity), .exists, scope: scope)
    case 22: return trial(entities(of: entity), .delete, scope: scope)
    case 23:
      let changes = changes(of: entity)
      return trial(entities(of: entity), changes.isEmpty ? .find : .update(changes), scope: scope)
    case 24, 25, 26:
      var criteria = entities(of: entity)
      (criteria.limit, criteria.offset) = (nil, nil)
      if random.once(in: 2) { criteria.orders = Array(criteria.orders.prefix(1 + random.below(3))) }
      return trial(criteria, .pages(1 + random.below(5)), scope: scope)
    default: return trial(report(of: entity), .report, scope: scope)
    }
  }
}

extension Trial {
  /// What both stores answer.
  package func answers(_ stores: Stores) -> (evaluator: Answer, sqlite: Answer) {
    (answer(stores.evaluator, stores), answer(stores.sqlite, stores))
  }

  /// Whether stores that are made for it disagree.
  package func differs() throws -> Bool {
    let stores = try Stores(world)
    return differs(answers(stores), reachesFailure: reachesFailure(stores))
  }

  /// Whether the stores disagree. A failure over a row that one of them did not come to is no disagreement, unless it is SQLite's, over a
  /// row that the criteria do not lead to.
  package func differs(_ answers: (evaluator: Answer, sqlite: Answer), reachesFailure: @autoclosure () -> Bool = true) -> Bool {
    if case .failed("other", _) = answers.sqlite { return true }
    if case .failed("other", _) = answers.evaluator { return true }
    // One reads a row that was found before the other comes to one of which the filter fails.
    if case .find = question, !world.strays.isEmpty, answers.evaluator.isOfRow, answers.sqlite.isOfRow { return false }
    if mayStopShort, answers.evaluator.isOfRow { return false }
    if mayStopShort, answers.sqlite.isOfRow { return !reachesFailure() }
    return answers.evaluator != answers.sqlite
  }

  /// Whether a store need not look at every part of the criteria in every row, or looks at rows that others leave out: a limit or `exists`
  /// ends it early, what comes after a part that decides may be left out, in any order, and a list is made of rows that nothing leads to.
  var mayStopShort: Bool {
    if criteria.limit != nil || criteria.offset != nil || !scope.isAlwaysTrue || !criteria.having.isAlwaysTrue { return true }
    switch question {
    // What is only counted need not be worked out.
    case .count where !criteria.columns.isEmpty: return true
    case .find, .keys, .count, .report: break
    case .exists, .delete, .update, .ranked, .pages: return true
    }
    if !criteria.columns.isEmpty {
      return !(criteria.filter.isAlwaysTrue && criteria.columns.count == 1 && criteria.orders.isEmpty)
        || criteria.columns.contains { $0.term.mayChooseNoRow }
    }
    switch criteria.filter.node {
    case .compare(let left, let comparison, let right):
      if [.equal, .notEqual].contains(comparison) {
        let entity = Catalog(world.schema).entities[table]
        for (value, other) in [(left, right), (right, left)] where value.isEqualToNoDouble && other.type(in: entity) == .real {
          return true
        }
      }
      return !criteria.orders.isEmpty || left.mayChooseNoRow || right.mayChooseNoRow
    case .among(let term, _), .isNull(let term): return !criteria.orders.isEmpty || term.mayChooseNoRow
    case .constant: return !criteria.orders.isEmpty
    case .between, .matches, .search, .all, .any, .not, .some, .tooDeep: return true
    }
  }

  package func answer(_ store: any EntityStore, _ stores: Stores) -> Answer {
    let entity = stores.catalog.entities[table]
    let target = EntityTarget(entity, scope: scope)
    do {
      switch question {
      case .find: return rows(try store.find(DynamicEntity.self, in: target, criteria).map(\.values))
      case .keys: return rows(try store.findKeys(DynamicEntity.self, in: target, criteria))
      case .ranked: return try ranked(store, target)
      case .count: return rows([[.integer(Int64(try store.count(in: target, criteria)))]])
      case .exists: return rows([[.bool(try store.exists(in: target, criteria))]])
      case .report:
        let types = criteria.columns.map { openSpelling(of: $0, in: entity) }
        return rows(try store.report(in: target, criteria) { row in try types.map { try row.takeScalar().spelled(as: $0) } })
      case .delete: return try changed(store, stores) { try $0.delete(in: target, criteria) }
      case .update(let changes): return try changed(store, stores) { try $0.update(in: target, criteria, set: changes) }
      case .pages(let size):
        let walk = try Walk(ScopedDAO(DAOContext(store, entity: entity), scope: scope), criteria, size: size)
        if let problem = walk.problem { return .failed("other", message: problem) }
        return .rows(walk.rows, isOrdered: true)
      }
    } catch { return Answer(error) }
  }

  /// The type of a column of which one of several equal spellings is returned, whichever it is; nil for other columns.
  private func openSpelling(of column: Criteria.Column, in entity: EntityDescription) -> AttributeType? {
    guard let type = column.term.type(in: entity), type.isCollated else { return nil }
    if case .field = column.term, !criteria.isDistinct, !criteria.columns.contains(where: { $0.isGroup }) { return nil }
    return type
  }

  /// The keys of what fits the search, then those of the rest: more of the order only the index of SQLite knows.
  private func ranked(_ store: any EntityStore, _ target: EntityTarget) throws -> Answer {
    guard case .search(.relevance, let search)? = criteria.orders.first?.term else { return .failed("other", message: "ranked by nothing") }
    func keys(_ orders: [Criteria.Ordering], _ condition: Criteria.Condition = .constant(true)) throws -> [[Scalar]] {
      var criteria = criteria
      criteria.orders = orders
      criteria.filter = .all([criteria.filter, condition])
      return try store.findKeys(DynamicEntity.self, in: target, criteria)
    }
    let fitting = try keys([], .search(search))
    let all = store is EvaluatorStore ? try fitting + keys([], .not(.search(search))) : try keys(criteria.orders)
    return .rows(all.enumerated().map { [.bool($0 < fitting.count)] + $1 }, isOrdered: false)
  }

  /// The answer to what changes rows: how many, what then is there, and what is found by the words of before. It is all put back.
  private func changed(_ store: any EntityStore, _ stores: Stores, _ change: (any EntityStore) throws -> Int) throws -> Answer {
    struct Back: Error { let rows: [[Scalar]] }
    do {
      return try store.write { store in
        let count = try change(store)
        let rows = try stores.catalog.entities.flatMap { entity in
          try store.find(DynamicEntity.self, in: EntityTarget(entity), Criteria()).map { [.text(entity.name)] + $0.values }
        }
        throw Back(rows: [[.integer(Int64(count))]] + rows + (try found(store, stores)))
      }
    } catch let back as Back { return .rows(back.rows, isOrdered: false) }
  }

  /// What is found by words of the world's rows, which may have been changed.
  private func found(_ store: any EntityStore, _ stores: Stores) throws -> [[Scalar]] {
    try zip(stores.catalog.entities, world.rows).flatMap { entity, rows in
      guard let place = entity.attributes.firstIndex(where: \.isSearchable) else { return [[Scalar]]() }
      return try rows.prefix(4).flatMap { row in
        guard case .text(let text) = row[place] else { return [[Scalar]]() }
        var criteria = Criteria()
        criteria.filter = .search(Criteria.Search(.any(text)))
        return try store.findKeys(DynamicEntity.self, in: EntityTarget(entity), criteria).map { [.text(entity.name), .text(text)] + $0 }
      }
    }
  }

  private func rows(_ rows: [[Scalar]]) -> Answer {
    .rows(rows, isOrdered: !criteria.orders.isEmpty || criteria.limit != nil || criteria.offset != nil)
  }
}

/// A DAO of rows by name, within a scope.
final class ScopedDAO: DAO<DynamicEntity>, @unchecked Sendable {
  private let confined: Criteria.Condition

  init(_ context: DAOContext, scope: Criteria.Condition) {
    confined = scope
    super.init(context)
  }

  override var scope: Filter<DynamicEntity> { Filter(confined) }
}

extension Criteria.Term {
  /// Whether it is an aggregate of those related rows of which a condition is true that looks at other rows still: where there are none to
  /// ask, nothing in it is worked out.
  fileprivate var mayChooseNoRow: Bool {
    switch self {
    case .related(_, _, let inner, let condition): condition.mayLeaveOut || condition.looksAtOtherRows || inner?.mayChooseNoRow == true
    case .function(_, let terms): terms.contains(where: \.mayChooseNoRow)
    case .aggregate(_, let inner): inner?.mayChooseNoRow == true
    case .field, .value, .search, .unstorable: false
    }
  }

  fileprivate var looksAtOtherRows: Bool {
    switch self {
    case .related, .aggregate: true
    case .function(_, let terms): terms.contains(where: \.looksAtOtherRows)
    case .field, .value, .search, .unstorable: false
    }
  }
}

extension Scalar {
  /// The same for all texts that are equal.
  fileprivate func spelled(as type: AttributeType?) -> Scalar {
    guard let type, case .text(let text) = self, case .text(let same) = StoredValue.text(text).identity(as: type) else { return self }
    return .text(same)
  }
}

extension Criteria.Term {
  /// Whether it is a value to which no double is equal: nothing need be worked out to know it.
  fileprivate var isEqualToNoDouble: Bool {
    if case .value(.integer(let number)) = self { Int64(exactly: Double(number)) != number } else { false }
  }
}

extension Criteria.Condition {
  /// Whether a part of it may be left out where another decides.
  fileprivate var mayLeaveOut: Bool {
    switch node {
    case .all, .any: true
    case .not(let inner): inner.mayLeaveOut
    case .compare, .between, .among, .isNull, .matches, .search, .some, .constant, .tooDeep: false
    }
  }

  /// Whether rows that are reached from its own decide: a quantifier, or an aggregate.
  fileprivate var looksAtOtherRows: Bool {
    switch node {
    case .some: true
    case .all(let parts), .any(let parts): parts.contains(where: \.looksAtOtherRows)
    case .not(let inner): inner.looksAtOtherRows
    case .compare(let left, _, let right): left.looksAtOtherRows || right.looksAtOtherRows
    case .between(let term, let lower, let upper): [term, lower, upper].contains(where: \.looksAtOtherRows)
    case .among(let term, _), .isNull(let term), .matches(let term, _, _, _): term.looksAtOtherRows
    case .constant, .search, .tooDeep: false
    }
  }
}
