import DAOCriteria

/// Some of the rows after a position, which an index can be searched for: those equal to it in the first terms of the order, and after it
/// in the next.
struct PositionBranch {
  let condition: LoweredCondition
  /// The orders of these rows: the terms in which they are not all equal.
  let orders: [RenderedOrder]
}

/// A term of the order, rendered.
struct RenderedOrder {
  let ordering: Criteria.Ordering
  var term: RenderedTerm
}

// The rows after a position in the order "a", "b", "id" come from as many ranges of an index as there are terms, the nearest first:
//
//   "a" = ? AND "b" = ? AND "id" > ?
//   "a" = ? AND "b" > ?
//   "a" > ?
//
// Each is a SELECT of its own with its own ORDER BY and LIMIT, one after the other until the page is full. (One condition with OR would
// walk the index from its start; `("a", "b", "id") > (?, ?, ?)` knows one direction, loses nulls, and walks through all rows equal in "a".)
extension SQLRenderer {
  /// The branches of the rows after the criteria's position, in the order of their rows; nil where it has none.
  func branches(_ orders: [RenderedOrder]) -> [PositionBranch]? {
    guard let positions = criteria.after else { return nil }
    let terms = (criteria.orders + criteria.keyOrders).map(\.term)
    var equal: [LoweredCondition] = []
    var branches: [PositionBranch] = []
    for (index, position) in positions.enumerated() {
      // Nearer rows are equal in more terms.
      branches.insert(contentsOf: beyond(position, orders[index...], among: equal), at: 0)
      equal.append(.sql(isEqual(orders[index].term, position, equalSign(terms[index]))))
    }
    return branches
  }

  private func isEqual(_ term: RenderedTerm, _ position: CheckedValue, _ sign: String) -> SQLFragment {
    if position.stored.isNull { return "\(term.sql) IS NULL" }
    guard term.isRounded else { return "\(term.comparable) \(text: sign) \(value: binding(position))" }
    let (lower, upper) = (binding(position, .lower(term.type)), binding(position, .upper(term.type)))
    return "\(term.sql) BETWEEN \(value: lower) AND \(value: upper)"
  }

  /// The rows that are after a value in the first of the orders. Nulls that come last are a range of their own.
  private func beyond(
    _ position: CheckedValue, _ orders: ArraySlice<RenderedOrder>, among equal: [LoweredCondition]
  ) -> [PositionBranch] {
    guard let first = orders.first else { return [] }
    let (ordering, term) = (first.ordering, first.term)
    func branch(_ condition: SQLFragment, _ orders: [RenderedOrder]) -> PositionBranch {
      PositionBranch(condition: conjunction(equal + [.sql(condition)]), orders: orders)
    }
    // In these ranges there are no nulls to be placed.
    var known = first
    known.term.isNullable = false
    let rest = Array(orders.dropFirst())
    if position.stored.isNull { return ordering.nulls == .first ? [branch("\(term.sql) IS NOT NULL", [known] + rest)] : [] }
    let isRising = ordering.direction == .ascending
    let value = term.isRounded ? binding(position, isRising ? .upper(term.type) : .lower(term.type)) : binding(position)
    let values = branch("\(term.bounded) \(text: isRising ? ">" : "<") \(value: value)", [known] + rest)
    let hasNulls = term.isNullable && ordering.nulls == .last
    return hasNulls ? [values, branch("\(term.sql) IS NULL", rest)] : [values]
  }

  /// The rows of a query in its order: of one with a position, branch after branch, as many as there is room for.
  func rows(_ columns: [SQLFragment], _ parts: SelectParts) -> SQLFragment {
    guard let branches = parts.branches, !branches.isEmpty else {
      return "\(select(columns, parts.condition, parts.orders + (criteria.isPaged ? parts.keyOrders : [])))\(page)"
    }
    if branches.count == 1 { return select(columns, parts, branches[0]) }
    return "\(branches.map { rows(columns, parts, $0) }.joined(" UNION ALL "))\(limit)"
  }

  /// A branch's rows, as a part of a union, which can't be ordered by itself.
  private func rows(_ columns: [SQLFragment], _ parts: SelectParts, _ branch: PositionBranch) -> SQLFragment {
    guard columns.count > 1, !isOfViews, let key = entity.rowKey else { return "SELECT * FROM (\(select(columns, parts, branch)))" }
    // Rows of a subquery are copied value by value: here only the keys are copied, and the rows are looked up by key.
    let keys = select(["\(name: key.column) AS \(name: keyAlias)"], parts, branch)
    let found: SQLFragment = "(\(keys)) AS \(name: keysAlias) CROSS JOIN \(tableName)"
    return "SELECT \(columns.joined(", ")) FROM \(found) ON \(table.outerColumn(key)) = \(name: keysAlias).\(name: keyAlias)"
  }

  private func select(_ columns: [SQLFragment], _ parts: SelectParts, _ branch: PositionBranch) -> SQLFragment {
    "\(select(columns, conjunction([parts.condition, branch.condition]), branch.orders))\(limit)"
  }

  /// SQLite may drop the order of a subquery without a limit.
  private var limit: SQLFragment { criteria.limit == nil ? " LIMIT -1" : page }

  private func select(_ columns: [SQLFragment], _ condition: LoweredCondition, _ orders: [RenderedOrder]) -> SQLFragment {
    "SELECT \(columns.joined(", ")) FROM \(tableName)\(whereClause(condition))\(orderClause(orders))"
  }

  /// A name that none of the entity's columns has.
  private var keyAlias: String {
    var alias = "row_key"
    while entity.attributes.contains(where: { SchemaName.same($0.column, alias) }) { alias += "_" }
    return alias
  }

  /// A name that the table has not. The table may have columns that the entity has not, so the key is never spoken of without it.
  private var keysAlias: String { SchemaName.same(entity.table, "row_keys") ? "row_keys_" : "row_keys" }
}

extension EntityDescription {
  /// The key by which SQLite finds a row without an index. One that is no column is not known by its bare name beside a second table
  /// (sqlite.org/rowidtable.html names the three that a row id has by itself).
  fileprivate var rowKey: Attribute? {
    guard source == .table, hasGeneratedKey, let key = keyAttributes.first else { return nil }
    return ["rowid", "oid", "_rowid_"].contains { SchemaName.same($0, key.column) } ? nil : key
  }
}
