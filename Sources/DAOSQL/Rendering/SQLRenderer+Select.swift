import DAOCriteria

// The statements that read.
extension SQLRenderer {
  func rows(_ attributes: [Attribute], _ parts: SelectParts) -> SQLPlan {
    let columns = attributes.map { SQLPlan.Column(name: $0.name, type: $0.type) }
    return plan(rows(attributes.map { "\(name: $0.column)" }, parts), columns: columns, isEmpty: findsNothing(parts))
  }

  /// The entities, and behind their attributes what else they are ordered by.
  func selectPage(_ parts: SelectParts) -> SQLPlan {
    var list: [SQLFragment] = entity.attributes.map { "\(name: $0.column)" }
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
  func selectCount(_ parts: SelectParts) -> SQLPlan {
    let columns = [SQLPlan.Column(name: "count", type: .integer)]
    if criteria.isGrouped || criteria.isDistinct && !criteria.columns.isEmpty {
      let rows: SQLFragment = criteria.hasOneGroup && criteria.isPaged ? reportOfPage(parts) : "\(report(parts, ending: []))\(page)"
      return plan("SELECT COUNT(*) FROM (\(rows))", columns: columns, isEmpty: findsNothing(parts) && !criteria.hasOneGroup)
    }
    if criteria.hasLimit {
      // Which rows a page has does not change how many there are, so no order is needed.
      let rows: SQLFragment = "SELECT 1 FROM \(tableName)\(whereClause(parts.condition))\(page)"
      return plan("SELECT COUNT(*) FROM (\(rows))", columns: columns, isEmpty: findsNothing(parts))
    }
    return plan("SELECT COUNT(*) FROM \(tableName)\(whereClause(parts.condition))", columns: columns, isEmpty: findsNothing(parts))
  }

  func selectExists(_ parts: SelectParts) -> SQLPlan {
    let rows: SQLFragment = "SELECT 1 FROM \(tableName)\(whereClause(parts.condition))\(page)"
    return plan("SELECT EXISTS (\(rows))", columns: [SQLPlan.Column(name: "exists", type: .integer)], isEmpty: findsNothing(parts))
  }

  func selectReport(_ parts: SelectParts) -> SQLPlan {
    let columns = parts.columns.map { SQLPlan.Column(name: $0.column.name, type: $0.term.type) }
    // Only one of rows, each for itself, goes on from a position.
    if parts.branches != nil {
      return plan(rows(parts.columns.map(\.term.sql), parts), columns: columns, isEmpty: findsNothing(parts))
    }
    if criteria.hasOneGroup, criteria.isPaged { return plan(reportOfPage(parts), columns: columns, isEmpty: false) }
    return plan(
      "\(report(parts, ending: criteria.isPaged ? reportTail(parts) : []))\(page)", columns: columns,
      isEmpty: findsNothing(parts) && !criteria.hasOneGroup)
  }

  /// Aggregates over a page speak of the page's rows, not of the page of their one result.
  private func reportOfPage(_ parts: SelectParts) -> SQLFragment {
    let rows: SQLFragment = "SELECT \(list(entity.attributes)) FROM \(tableName)\(whereClause(parts.condition))\(pageOrder(parts))\(page)"
    return "SELECT \(parts.columns.map(\.term.sql).joined(", ")) FROM (\(rows)) AS \(tableName)"
  }

  private func report(_ parts: SelectParts, ending tail: [RenderedOrder]) -> SQLFragment {
    let list = parts.columns.map { criteria.isDistinct ? $0.term.comparable : $0.term.sql }.joined(", ")
    var sql: SQLFragment = "SELECT \(text: criteria.isDistinct ? "DISTINCT " : "")\(list) FROM \(tableName)\(whereClause(parts.condition))"
    let groups = parts.columns.filter(\.column.isGroup).map(\.term.comparable)
    if !groups.isEmpty { sql.append(" GROUP BY \(groups.joined(", "))") }
    switch parts.having {
    case .constant(true): break
    case .constant(false): sql.append(" HAVING 0")
    case .sql(let having, _): sql.append(" HAVING \(having)")
    }
    sql.append(orderClause(parts.orders + tail))
    return sql
  }

  // MARK: Clauses

  func whereClause(_ condition: LoweredCondition) -> SQLFragment {
    switch condition {
    case .constant(true): ""
    case .constant(false): " WHERE 0"
    case .sql(let sql, _): " WHERE \(sql)"
    }
  }

  func orderClause(_ orders: [RenderedOrder]) -> SQLFragment {
    let clauses = orders.map { order -> SQLFragment in
      let (ordering, term) = (order.ordering, order.term)
      // For terms that are never null, SQLite's default null order for the direction is written, since only that can use an index.
      let nulls: Nulls = term.isNullable ? ordering.nulls : (ordering.direction == .ascending ? .first : .last)
      return "\(term.ordered) \(text: ordering.direction.rawValue) NULLS \(text: nulls.rawValue)"
    }
    return clauses.isEmpty ? "" : " ORDER BY \(clauses.joined(", "))"
  }

  /// The order of a page's rows.
  func pageOrder(_ parts: SelectParts) -> SQLFragment { orderClause(parts.orders + parts.keyOrders) }

  /// Returns the orders that make the order of a report's rows total: its groups, its columns where it is distinct, else the key.
  private func reportTail(_ parts: SelectParts) -> [RenderedOrder] {
    guard criteria.isGrouped || criteria.isDistinct else { return parts.keyOrders }
    let columns = criteria.isGrouped ? parts.columns.filter(\.column.isGroup) : parts.columns
    return columns.filter { column in !criteria.orders.contains { $0.ordering.term == column.column.term } }.map {
      RenderedOrder(ordering: Criteria.Ordering(of: $0.column), term: $0.term)
    }
  }

  /// Whether no row can match, so that nothing needs to be sent.
  func findsNothing(_ parts: SelectParts) -> Bool {
    parts.condition.isAlwaysFalse || criteria.limit?.scalar == .integer(0) || parts.branches?.isEmpty == true
  }

  // MARK: Plan

  func plan(_ sql: SQLFragment, columns: [SQLPlan.Column], orderColumns: [Int] = [], isEmpty: Bool) -> SQLPlan {
    SQLPlan(
      sql, using: criteria.uses, columns: columns, orderColumns: orderColumns, of: entity, aliases: aliases, reached: criteria.reached,
      sample: samplePlan,
      isEmpty: isEmpty)
  }
}
