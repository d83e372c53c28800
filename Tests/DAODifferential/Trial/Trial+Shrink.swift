import DAOKit

extension Trial {
  /// The smallest trial found that still fails: fewer rows, a smaller criteria, fewer attributes, indexes and relationships.
  package func shrunk(tries: Int = 3_000, _ fails: (Trial) -> Bool) -> Trial {
    var (smallest, candidates, next, left, isSmaller) = (self, smaller, 0, tries, false)
    while left > 0, next < candidates.count {
      left -= 1
      if let candidate = candidates[next].settled, fails(candidate) {
        // What could not be left out before can seldom be left out now: it goes on from here, and once more from the start at the end.
        (smallest, candidates, isSmaller) = (candidate, candidate.smaller, true)
      } else {
        next += 1
      }
      if next >= candidates.count, isSmaller { (next, isSmaller) = (0, false) }
    }
    return smallest
  }

  /// Without the rows that hung on those that were left out.
  private var settled: Trial? { (try? world.accepted()).map { rows in changing { $0.world.rows = rows } } }

  private var smaller: [Trial] { smallerRows + smallerCriteria + smallerSchemas }

  private func changing(_ change: (inout Trial) -> Void) -> Trial {
    var changed = self
    change(&changed)
    return changed
  }

  private var smallerRows: [Trial] {
    world.rows.indices.flatMap { table -> [Trial] in
      let count = world.rows[table].count
      let ranges = (count > 3 ? [0..<count, 0..<count / 2, count / 2..<count] : []) + (0..<count).map { $0..<$0 + 1 }
      return ranges.map { range in changing { $0.world.rows[table].removeSubrange(range) } }
    }
  }

  private var smallerCriteria: [Trial] {
    var trials: [Trial] = []
    func add(_ change: (inout Trial) -> Void) { trials.append(changing(change)) }
    if !scope.isAlwaysTrue { add { $0.scope = .constant(true) } }
    if !criteria.having.isAlwaysTrue { add { $0.criteria.having = .constant(true) } }
    if !criteria.filter.isAlwaysTrue { add { $0.criteria.filter = .constant(true) } }
    if criteria.isDistinct { add { $0.criteria.isDistinct = false } }
    if criteria.limit != nil { add { $0.criteria.limit = nil } }
    if criteria.offset != nil { add { $0.criteria.offset = nil } }
    for index in criteria.orders.indices { add { $0.criteria.orders.remove(at: index) } }
    if criteria.columns.count > 1 { for index in criteria.columns.indices { add { $0.criteria.columns.remove(at: index) } } }
    for part in criteria.filter.smaller { add { $0.criteria.filter = part } }
    for part in scope.smaller { add { $0.scope = part } }
    for part in criteria.having.smaller { add { $0.criteria.having = part } }
    for (index, order) in criteria.orders.enumerated() {
      for term in order.term.smaller { add { $0.criteria.orders[index] = Criteria.Ordering(term, order.direction, nulls: order.nulls) } }
    }
    for (index, column) in criteria.columns.enumerated() {
      for term in column.term.smaller {
        add { $0.criteria.columns[index] = Criteria.Column(term, isGroup: column.isGroup, name: column.name) }
      }
    }
    if case .update(let changes) = question {
      if changes.count > 1 {
        for index in changes.indices { add { $0.question = .update(changes.enumerated().filter { $0.offset != index }.map(\.element)) } }
      }
      for (index, change) in changes.enumerated() {
        for term in change.value.smaller {
          var smaller = changes
          smaller[index] = Criteria.Change(change.target, term)
          add { $0.question = .update(smaller) }
        }
      }
    }
    return trials
  }

  /// Without an index, a relationship or an attribute. Where something needs it, the stores refuse the rest alike.
  private var smallerSchemas: [Trial] {
    var trials: [Trial] = []
    for (place, table) in world.schema.tables.enumerated() {
      for index in table.indexes.indices { trials.append(changing { $0.world.schema.tables[place].indexes.remove(at: index) }) }
      for link in table.links.indices { trials.append(changing { $0.world.schema.tables[place].links.remove(at: link) }) }
      for (column, attribute) in table.attributes.enumerated() where !world.schema.needs(attribute.name, of: place) {
        trials.append(
          changing { trial in
            trial.world.schema.tables[place].attributes.remove(at: column)
            for row in trial.world.rows[place].indices { trial.world.rows[place][row].remove(at: column) }
          })
      }
    }
    return trials
  }
}

extension Schema {
  /// Whether an attribute is part of a key, of an index or of a relationship.
  fileprivate func needs(_ name: String, of place: Int) -> Bool {
    let table = tables[place]
    if table.key.attributes.contains(name) || table.indexes.contains(where: { $0.attributes.contains(name) }) { return true }
    return isLinked(name, of: place)
  }

  /// Whether an attribute is part of a relationship.
  func isLinked(_ name: String, of place: Int) -> Bool {
    tables.enumerated().contains { other, table in
      table.links.contains { link in
        switch link.kind {
        case .toOne(let by, _): other == place && by.contains(name)
        case .toMany(let by): link.target == place && by.contains(name) || other == place && link.referenced?.contains(name) == true
        case .manyToMany(let by, let to): link.join == place && (by + to).contains(name)
        }
      }
    }
  }
}
