import DAOCriteria

// The statements that read.
extension SQLRenderer {
  mutating func selectEntities(_ parts: SelectParts) -> SQLPlan {
    refuseReport("entities")
    return rows(entity.attributes, parts)
  }

  mutating func selectKeys(_ parts: SelectParts) -> SQLPlan {
    refuseReport("keys")
    return rows(entity.keyAttributes, parts)
  }

  private func rows(_ attributes: [Attribute], _ parts: SelectParts) -> SQLPlan {
    let list = attributes.map { SQLFragment($0.column.quotedIdentifier) }
    let columns = attributes.map { SQLPlan.Column(name: $0.name, type: $0.type) }
    return plan(rows(list, parts), columns: columns, isEmpty: findsNothing(parts))
  }

  /// The entities, and behind their attributes what else they are ordered by.
  mutating func selectPage(_ parts: SelectParts) -> SQLPlan {
    refuseReport("entities")
    var list = entity.attributes.map { SQLFragment($0.column.quotedIdentifier) }
    var columns = entity.attributes.map { SQLPlan.Column(name: $0.name, type: $0.type) }
    let orderColumns = (parts.orders + parts.keyOrders).map { order in
      if case .field(let path) = order.ordering.term, let own = entity.position(of: path.description) { return own }
      list.append(order.term.sql)
      columns.append(SQLPlan.Column(name: order.term.path, type: order.term.type))
      return columns.count - 1
    }
    return plan(rows(list, parts), columns: columns, orderColumns: orderColumns, isEmpty: findsNothing(parts))
  }

  /// A count of the rows that the criteria returns: of a page, no more than the page has.
  mutating func selectCount(_ parts: SelectParts) -> SQLPlan {
    if criteria.columns.isEmpty { refuseReport("a count") } else { checkReport(parts) }
    let columns = [SQLPlan.Column(name: "count", type: .integer)]
    if isGrouped || criteria.isDistinct && !criteria.columns.isEmpty {
      let rows = hasOneGroup && isPaged ? reportOfPage(parts) : report(parts, ending: []) + parts.page
      return plan("SELECT COUNT(*) FROM (" + rows + ")", columns: columns, isEmpty: findsNothing(parts) && !hasOneGroup)
    }
    if hasLimit {
      // Which rows a page has does not change how many there are, so no order is needed.
      let rows = "SELECT 1 FROM \(table)" + whereClause(parts.condition) + parts.page
      return plan("SELECT COUNT(*) FROM (" + rows + ")", columns: columns, isEmpty: findsNothing(parts))
    }
    return plan("SELECT COUNT(*) FROM \(table)" + whereClause(parts.condition), columns: columns, isEmpty: findsNothing(parts))
  }

  mutating func selectExists(_ parts: SelectParts) -> SQLPlan {
    refuseReport("exists")
    let rows = "SELECT 1 FROM \(table)" + whereClause(parts.condition) + parts.page
    return plan("SELECT EXISTS (" + rows + ")", columns: [SQLPlan.Column(name: "exists", type: .integer)], isEmpty: findsNothing(parts))
  }

  mutating func selectReport(_ parts: SelectParts) -> SQLPlan {
    checkReport(parts)
    let columns = parts.columns.map { SQLPlan.Column(name: $0.column.name, type: $0.term.type) }
    if hasOneGroup, isPaged { return plan(reportOfPage(parts), columns: columns, isEmpty: false) }
    return plan(
      report(parts, ending: isPaged ? reportTail(parts) : []) + parts.page, columns: columns, isEmpty: findsNothing(parts) && !hasOneGroup)
  }

  /// Aggregates over a page speak of the page's rows, not of the page of their one result.
  private func reportOfPage(_ parts: SelectParts) -> SQLFragment {
    let rows = "SELECT \(list(entity.attributes)) FROM \(table)" + whereClause(parts.condition) + pageOrder(parts) + parts.page
    return "SELECT " + parts.columns.map(\.term.sql).joined(", ") + " FROM (" + rows + ") AS \(table)"
  }

  private func report(_ parts: SelectParts, ending tail: [RenderedOrder]) -> SQLFragment {
    let list = parts.columns.map { criteria.isDistinct ? $0.term.comparable : $0.term.sql }.joined(", ")
    var sql = (criteria.isDistinct ? "SELECT DISTINCT " : "SELECT ") + list + " FROM \(table)" + whereClause(parts.condition)
    let groups = parts.columns.filter(\.column.isGroup).map(\.term.comparable)
    if !groups.isEmpty { sql = sql + " GROUP BY " + groups.joined(", ") }
    switch parts.having {
    case .constant(true): break
    case .constant(false): sql = sql + " HAVING 0"
    case .sql(let having, _): sql = sql + " HAVING " + having
    }
    return sql + orderClause(parts.orders + tail)
  }

  // MARK: Clauses

  func whereClause(_ condition: LoweredCondition) -> SQLFragment {
    switch condition {
    case .constant(true): SQLFragment("")
    case .constant(false): SQLFragment(" WHERE 0")
    case .sql(let sql, _): " WHERE " + sql
    }
  }

  func orderClause(_ orders: [RenderedOrder]) -> SQLFragment {
    let clauses = orders.map { order in
      let (ordering, term) = (order.ordering, order.term)
      // Where nulls can't be, SQLite's own order for the direction is named, since only that can come from an index.
      let nulls: Nulls = term.isNullable ? ordering.nulls : (ordering.direction == .ascending ? .first : .last)
      return term.comparable + " \(ordering.direction.rawValue) NULLS \(nulls.rawValue)"
    }
    return clauses.isEmpty ? SQLFragment("") : " ORDER BY " + clauses.joined(", ")
  }

  /// The order of a page's rows.
  func pageOrder(_ parts: SelectParts) -> SQLFragment { orderClause(parts.orders + parts.keyOrders) }

  /// What makes the order of a report's rows total: its groups, its columns where it is distinct, else the key.
  private func reportTail(_ parts: SelectParts) -> [RenderedOrder] {
    guard isGrouped || criteria.isDistinct else { return parts.keyOrders }
    let columns = isGrouped ? parts.columns.filter(\.column.isGroup) : parts.columns
    return columns.filter { column in !criteria.orders.contains { $0.term == column.column.term } }.map {
      RenderedOrder(ordering: Ordering(of: $0.column), term: $0.term)
    }
  }

  // MARK: Checks

  /// Whether only some of the rows are wanted, so that their order has to leave none open.
  var isPaged: Bool { hasLimit || criteria.after != nil }

  var hasLimit: Bool { criteria.limit != nil || criteria.offset != nil }

  /// Whether a report is one row of aggregates over everything that was found.
  private var hasOneGroup: Bool { isGrouped && !criteria.columns.contains(where: \.isGroup) }

  func findsNothing(_ parts: SelectParts) -> Bool {
    parts.condition.isAlwaysFalse || criteria.limit == 0 || parts.branches?.isEmpty == true
  }

  mutating func refuseReport(_ what: String) {
    if !criteria.columns.isEmpty {
      standing(at: .project(0)) { $0.report("", "a criteria with projections finds reports, not \(what); use project") }
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

  private mutating func checkReport(_ parts: SelectParts) {
    if parts.columns.isEmpty { report("", "a report needs projections") }
    var names: Set<String> = []
    for (number, (column, _)) in parts.columns.enumerated() where !names.insert(column.name).inserted {
      standing(at: .project(number)) {
        $0.report(column.name, "two projections have the name '\(column.name)'; give one another with named(_:)")
      }
    }
    let groups = criteria.columns.filter(\.isGroup).map(\.term)
    if !criteria.having.isAlwaysTrue, groups.isEmpty {
      standing(at: .having) { $0.report("", "having needs a projection to group by") }
    }
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
    if hasOneGroup, isPaged { return refuseAggregateOrders() }
    checkOrders("groups can only be ordered by what they are grouped by and by aggregates") { groups.covers($0) }
    standing(at: .having) { $0.checkGroupFields(of: $0.criteria.having, groups) }
  }

  private mutating func checkOrders(_ message: String, _ fits: (Term) -> Bool) {
    for (number, order) in criteria.orders.enumerated() where !fits(order.term) {
      standing(at: .order(number)) { $0.report(order.term.projectedName, message) }
    }
  }

  private mutating func checkGroupFields(of condition: Condition, _ groups: [Term]) {
    switch condition.node {
    case .all(let parts), .any(let parts): for part in parts { checkGroupFields(of: part, groups) }
    case .not(let inner): checkGroupFields(of: inner, groups)
    default:
      standing(in: .condition(condition)) { renderer in
        for term in condition.terms where !groups.covers(term) {
          renderer.report(term.projectedName, "having can only speak of what is grouped by and of aggregates")
        }
      }
    }
  }

  // MARK: Plan

  func plan(_ sql: SQLFragment, columns: [SQLPlan.Column], orderColumns: [Int] = [], isEmpty: Bool) -> SQLPlan {
    let sql = sql.withoutRepetition
    return SQLPlan(
      text: sql.text, bindings: sql.bindings, columns: columns, orderColumns: orderColumns, of: entity, aliases: aliases, reached: reached,
      sample: samplePlan, isEmpty: isEmpty)
  }
}

extension [Term] {
  /// Whether the term has one value in each group: it is grouped by, an aggregate, a value, or made of those.
  fileprivate func covers(_ term: Term) -> Bool {
    if contains(term) { return true }
    return switch term {
    case .field, .related, .search: false
    case .value, .aggregate, .unstorable: true
    case .function(_, let terms): terms.allSatisfy { covers($0) }
    }
  }
}

extension Condition {
  /// All terms of the condition.
  var terms: [Term] {
    switch node {
    case .constant, .some, .tooDeep: []
    case .compare(let left, _, let right): [left, right]
    case .between(let term, let lower, let upper): [term, lower, upper]
    case .among(let term, _), .isNull(let term), .matches(let term, _, _, _): [term]
    case .search(let search): search.path == .root ? [] : [.field(search.path)]
    case .all(let parts), .any(let parts): parts.flatMap(\.terms)
    case .not(let inner): inner.terms
    }
  }
}
