// Checks that the use of the rows allows each part of the criteria.
extension CriteriaChecker {
  mutating func refuseMisuse(_ use: Criteria.Use, _ checked: CheckedCriteria) {
    standing(at: .projects) { $0.refuseMore(than: $0.limits.columns, checked.columns.count, "project") }
    standing(at: .orders) {
      $0.refuseMore(than: $0.limits.columns, checked.orders.count + (checked.isPaged ? checked.keyOrders.count : 0), "order")
    }
    switch use {
    case .entities, .page: refuseReport("entities")
    case .keys: refuseReport("keys")
    case .count: if checked.columns.isEmpty { refuseReport("a count") } else { checkReport(checked) }
    case .exists: refuseReport("exists")
    case .report: checkReport(checked)
    case .delete: refuseReport("rows to delete")
    case .update(let changes):
      refuseReport("rows to update")
      if changes.isEmpty { report("", "an update needs something to set") }
    }
  }

  private mutating func refuseMore(than maximum: Int, _ count: Int, _ path: String) {
    if count > maximum { report(path, "has \(count) terms; a statement takes \(maximum)") }
  }

  // MARK: Rows

  private mutating func refuseReport(_ what: String) {
    if !criteria.columns.isEmpty {
      standing(at: .project(0)) { $0.report("", "a query with projections finds reports, not \(what); use project") }
    }
    if criteria.isDistinct, criteria.columns.isEmpty {
      standing(at: .distinct) { $0.report("", "distinct needs projections, as no two rows are equal; use project") }
    }
    if !criteria.having.isAlwaysTrue { standing(at: .having) { $0.report("", "having needs projections to group by") } }
    refuseAggregateOrders()
  }

  private mutating func refuseAggregateOrders() {
    for (number, order) in criteria.orders.enumerated() where order.term.hasAggregate {
      standing(at: .order(number)) { $0.report("", "rows can't be ordered by an aggregate") }
    }
  }

  // MARK: Reports

  private mutating func checkReport(_ checked: CheckedCriteria) {
    if criteria.columns.isEmpty { report("", "a report needs projections") }
    var names: Set<String> = []
    for (number, column) in criteria.columns.enumerated() where !names.insert(column.name).inserted {
      standing(at: .project(number)) {
        $0.report(column.name, "two projections have the name '\(column.name)'; give one another with named(_:)")
      }
    }
    let groups = criteria.columns.filter(\.isGroup).map(\.term)
    if !criteria.having.isAlwaysTrue, groups.isEmpty {
      standing(at: .having) { $0.report("", "having needs a projection to group by") }
    }
    let isGrouped = criteria.columns.contains { $0.isGroup || $0.term.hasAggregate }
    guard isGrouped else {
      refuseAggregateOrders()
      // SQLite would order by some row of each; which one is not defined.
      let projected = criteria.columns.map(\.term)
      if criteria.isDistinct { checkOrders("a distinct report can only be ordered by what it projects") { projected.contains($0) } }
      return
    }
    // SQLite would take the value of some row; other engines refuse.
    for (number, column) in criteria.columns.enumerated() where !column.isGroup && !groups.covers(column.term) {
      standing(at: .project(number)) { $0.report(column.name, "stands beside aggregates and must be grouped by") }
    }
    if groups.isEmpty, checked.isPaged { return refuseAggregateOrders() }
    checkOrders("groups can only be ordered by what they are grouped by and by aggregates") { groups.covers($0) }
    standing(at: .having) { $0.checkGroupFields(of: $0.criteria.having, groups) }
  }

  private mutating func checkOrders(_ message: String, _ fits: (Criteria.Term) -> Bool) {
    for (number, order) in criteria.orders.enumerated() where !fits(order.term) {
      standing(at: .order(number)) { $0.report(order.term.projectedName, message) }
    }
  }

  private mutating func checkGroupFields(of condition: Criteria.Condition, _ groups: [Criteria.Term]) {
    standing(in: .condition(condition)) { checker in
      for term in condition.terms where !groups.covers(term) {
        checker.report(term.projectedName, "having can only speak of what is grouped by and of aggregates")
      }
    }
    // Conditions beyond a relationship are refused separately.
    if case .some = condition.node { return }
    for part in condition.children { checkGroupFields(of: part, groups) }
  }

  // MARK: Changes

  mutating func checked(_ change: Criteria.Change) -> CheckedChange? {
    guard case .field(let path) = change.target, let attribute = entity[path.description] else {
      let known = problems.count
      let target = checked(change.target, in: .row)
      _ = checked(change.value, in: .row)
      if problems.count == known { report(target.path, "is no attribute of \(entity.name), and an update sets nothing else") }
      return nil
    }
    if entity.key.attributes.contains(attribute.name) { report(attribute.name, "is part of the key, which an update can't change") }
    if attribute.isVersion { report(attribute.name, "is the version, which each change raises by itself") }
    if attribute.isGenerated { report(attribute.name, Attribute.generatedProblem) }
    let value = adopting(checked(change.value, in: .row, beside: change.target), attribute.type).naming(attribute.name)
    checkKind(value)
    if value.scalar?.isNull == true, !attribute.isOptional { report(attribute.name, "can't be nil") }
    // While an update runs, some of its rows have the new values already.
    if value.readsOtherRows, problems.isEmpty { report(attribute.name, "can't take a value from a relationship") }
    // A double compares with an integer, but can't be kept as one; and a value of any kind with all.
    let isNarrower = attribute.type == .integer && value.type == .real || attribute.type != .any && value.type == .any
    if value.scalar == nil, isNarrower || !value.type.isComparable(with: attribute.type) {
      report(attribute.name, "can't take \(value.path): \(attribute.type) and \(value.type), or stored in different forms")
    }
    return CheckedChange(attribute: attribute, value: value)
  }
}

extension [Criteria.Term] {
  /// Whether the term has one value in each group: it is grouped by, an aggregate, a value, or made of those.
  fileprivate func covers(_ term: Criteria.Term) -> Bool {
    if contains(term) { return true }
    return switch term {
    case .field, .related, .search: false
    case .value, .aggregate, .unstorable: true
    case .function(_, let terms): terms.allSatisfy { covers($0) }
    }
  }
}
