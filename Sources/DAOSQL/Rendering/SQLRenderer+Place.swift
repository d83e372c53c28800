import DAOCriteria

/// Some of the rows after a place, which an index can be searched for: those equal to it in the first terms of the order, and after it in the
/// next.
struct PlaceBranch {
  let condition: LoweredCondition
  /// What these rows are ordered by: the terms in which they are not all equal.
  let orders: [RenderedOrder]
}

/// A term of the order, rendered.
struct RenderedOrder {
  let ordering: Ordering
  var term: RenderedTerm
}

// The rows after a place in the order "a", "b", "id" come from as many ranges of an index as there are terms, the nearest first:
//
//   "a" = ? AND "b" = ? AND "id" > ?
//   "a" = ? AND "b" > ?
//   "a" > ?
//
// Each is a SELECT of its own with its own ORDER BY and LIMIT, one after the other until the page is full. (One condition with OR would walk
// the index from its start; `("a", "b", "id") > (?, ?, ?)` knows one direction, loses nulls, and walks through all rows equal in "a".)
extension SQLRenderer {
  /// The branches of the rows after the criteria's place, in the order of their rows; nil where it has none.
  mutating func branches(_ orders: [RenderedOrder]) -> [PlaceBranch]? {
    guard let place = criteria.after else { return nil }
    if !criteria.columns.isEmpty { report("", "a report can't go on from a place") }
    if criteria.offset != nil { report("", "a place takes no offset besides") }
    if let number = criteria.orders.firstIndex(where: { $0.term.isRelevance }) {
      report(
        criteria.places?[.order(number)] ?? "",
        "a page can't go on from a place in the order of relevance, in which each row moves the others; use pages by number"
      )
    }
    guard place.count == orders.count else {
      report("", "the place has \(place.count) values for \(orders.count) orders")
      return []
    }
    var equal: [LoweredCondition] = []
    var branches: [PlaceBranch] = []
    for (index, value) in place.enumerated() {
      let order = orders[index]
      let binding = literal(.place(order.term.type), path: order.term.path)
      // Nearer rows are equal in more terms.
      branches.insert(contentsOf: beyond(value, binding, orders[index...], among: equal), at: 0)
      equal.append(
        .sql(
          value.isNull
            ? order.term.sql + " IS NULL"
            : order.term.comparable + SQLFragment(" \(equalSign(order.ordering.term, order.term.type)) ?", [binding])))
    }
    return branches
  }

  /// The rows that are after a value in the first of the orders. Nulls that come last are a range of their own.
  private func beyond(
    _ value: StoredValue, _ binding: Binding, _ orders: ArraySlice<RenderedOrder>, among equal: [LoweredCondition]
  ) -> [PlaceBranch] {
    guard let first = orders.first else { return [] }
    let (ordering, term) = (first.ordering, first.term)
    func branch(_ condition: SQLFragment, _ orders: [RenderedOrder]) -> PlaceBranch {
      PlaceBranch(condition: conjunction(equal + [.sql(condition)]), orders: orders)
    }
    // In these ranges there are no nulls to be placed.
    var known = first
    known.term.isNullable = false
    let rest = Array(orders.dropFirst())
    if value.isNull { return ordering.nulls == .first ? [branch(term.sql + " IS NOT NULL", [known] + rest)] : [] }
    let comparison = ordering.direction == .ascending ? " > ?" : " < ?"
    let values = branch(term.comparable + SQLFragment(comparison, [binding]), [known] + rest)
    let hasNulls = term.isNullable && ordering.nulls == .last
    return hasNulls ? [values, branch(term.sql + " IS NULL", rest)] : [values]
  }

  /// The rows of a criteria in its order: of one with a place, branch after branch, as many as there is room for.
  func rows(_ columns: [SQLFragment], _ parts: SelectParts) -> SQLFragment {
    guard let branches = parts.branches, !branches.isEmpty else {
      return select(columns, parts.condition, parts.orders + (isPaged ? parts.keyOrders : [])) + parts.page
    }
    if branches.count == 1 { return select(columns, parts, branches[0]) }
    return branches.map { rows(columns, parts, $0) }.joined(" UNION ALL ") + limit(parts)
  }

  /// A branch's rows, as a part of a union, which can't be ordered by itself.
  private func rows(_ columns: [SQLFragment], _ parts: SelectParts, _ branch: PlaceBranch) -> SQLFragment {
    guard columns.count > 1, let key = entity.rowKey else { return "SELECT * FROM " + select(columns, parts, branch).inParentheses }
    // What comes out of a subquery is copied value by value: here only the keys are, and the rows are looked up by them.
    let (keys, alias) = (keysAlias.quotedIdentifier, keyAlias.quotedIdentifier)
    let found = select([SQLFragment("\(key.column.quotedIdentifier) AS \(alias)")], parts, branch)
    let list = "SELECT " + columns.joined(", ") + " FROM "
    return list + found.inParentheses + " AS \(keys) CROSS JOIN \(table) ON \(subject.outerColumn(key)) = \(keys).\(alias)"
  }

  private func select(_ columns: [SQLFragment], _ parts: SelectParts, _ branch: PlaceBranch) -> SQLFragment {
    select(columns, conjunction([parts.condition, branch.condition]), branch.orders) + limit(parts)
  }

  /// SQLite may drop the order of a subquery without a limit.
  private func limit(_ parts: SelectParts) -> SQLFragment { criteria.limit == nil ? SQLFragment(" LIMIT -1") : parts.page }

  private func select(_ columns: [SQLFragment], _ condition: LoweredCondition, _ orders: [RenderedOrder]) -> SQLFragment {
    "SELECT " + columns.joined(", ") + " FROM \(table)" + whereClause(condition) + orderClause(orders)
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

extension Term {
  fileprivate var isRelevance: Bool { if case .search(.relevance, _) = self { true } else { false } }
}

extension EntityDescription {
  /// The key by which SQLite finds a row without an index. One that is no column is not known by its bare name beside a second table
  /// (sqlite.org/rowidtable.html names the three that a row id has by itself).
  fileprivate var rowKey: Attribute? {
    guard source == .table, hasGeneratedKey, let key = keyAttributes.first else { return nil }
    return ["rowid", "oid", "_rowid_"].contains { SchemaName.same($0, key.column) } ? nil : key
  }
}
