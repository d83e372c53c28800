/// A criteria over the rows of a table.
struct ArrayQuery {
  let rows: [StoredRow]
  let entity: EntityDescription
  let scope: Condition
  let criteria: Criteria
  let evaluator: Evaluator

  init(
    rows: [StoredRow], entity: EntityDescription, scope: Condition, criteria: Criteria,
    related: @escaping (EntityDescription) -> [StoredRow]
  ) {
    self.rows = rows
    self.entity = entity
    self.scope = scope
    self.criteria = criteria
    let all = Evaluator(entity: entity, visible: rows, rows: related)
    // A scope that can't be evaluated fails again, and then loudly, in `found`.
    evaluator = Evaluator(entity: entity, visible: rows.filter { (try? all.holds(scope, of: .row($0))) ?? false }, rows: related)
  }

  private var isPaged: Bool { criteria.limit != nil || criteria.offset != nil || criteria.after != nil }

  /// Where the found rows stand, ordered and paged.
  func positions() throws -> [Int] {
    let orders = isPaged ? criteria.totalOrders(in: entity) : criteria.orders
    return page(try sorted(try found(), by: orders) { .row(rows[$0]) })
  }

  /// A row's values of the order's terms.
  func place(_ position: Int) throws -> StoredRow {
    try criteria.totalOrders(in: entity).map { try evaluator.value($0.term, of: .row(rows[position])) }
  }

  private func found() throws -> [Int] {
    let found = try rows.indices.filter {
      try evaluator.holds(scope, of: .row(rows[$0])) && evaluator.holds(criteria.filter, of: .row(rows[$0]))
    }
    guard let start = criteria.after else { return found }
    let orders = criteria.totalOrders(in: entity)
    let types = try orders.map { try evaluator.type(of: $0.term) ?? .any }
    return try found.filter { orders.compare(start, try place($0), as: types) < 0 }
  }

  /// The rows of the projections.
  func report() throws -> [StoredRow] {
    let groupColumns = criteria.columns.filter(\.isGroup)
    guard !groupColumns.isEmpty || criteria.columns.contains(where: \.term.hasAggregate) else { return try reportOfRows() }
    // Aggregates over everything are one row; a page then is of the rows that they speak of.
    if groupColumns.isEmpty { return [try values(of: .group(try positions().map { rows[$0] }))] }

    var groups: [(key: StoredRow, rows: [StoredRow])] = []
    for position in try found() {
      let key = try groupColumns.map { try evaluator.value($0.term, of: .row(rows[position])) }
      if let group = try groups.firstIndex(where: { try areEqual($0.key, key, groupColumns) }) {
        groups[group].rows.append(rows[position])
      } else {
        groups.append((key, [rows[position]]))
      }
    }
    let kept = try groups.filter { try evaluator.holds(criteria.having, of: .group($0.rows)) }
    let orders = criteria.orders + (isPaged ? groupColumns.map { Ordering($0.term) } : [])
    return try page(try sorted(kept, by: orders) { .group($0.rows) }).map { try values(of: .group($0.rows)) }
  }

  private func reportOfRows() throws -> [StoredRow] {
    guard criteria.isDistinct else { return try positions().map { try values(of: .row(rows[$0])) } }
    var different: [(values: StoredRow, subject: Evaluator.Subject)] = []
    for position in try found() {
      let values = try values(of: .row(rows[position]))
      if try !different.contains(where: { try areEqual($0.values, values, criteria.columns) }) {
        different.append((values, .row(rows[position])))
      }
    }
    let orders = criteria.orders + (isPaged ? criteria.columns.map { Ordering($0.term) } : [])
    return page(try sorted(different, by: orders) { $0.subject }).map(\.values)
  }

  private func values(of subject: Evaluator.Subject) throws -> StoredRow {
    try criteria.columns.map { try evaluator.value($0.term, of: subject) }
  }

  private func areEqual(_ left: StoredRow, _ right: StoredRow, _ columns: [ProjectedColumn]) throws -> Bool {
    try zip(columns, zip(left, right)).allSatisfy { column, values in
      try values.0.compare(values.1, as: evaluator.type(of: column.term) ?? .any) == 0
    }
  }

  private func page<Item>(_ items: [Item]) -> [Item] {
    Array(items.dropFirst(criteria.offset ?? 0).prefix(criteria.limit ?? .max))
  }

  private func sorted<Item>(_ items: [Item], by orders: [Ordering], _ subject: (Item) -> Evaluator.Subject) throws -> [Item] {
    let types = try orders.map { try evaluator.type(of: $0.term) ?? .any }
    let keyed = try items.enumerated().map { number, item in
      (item: item, number: number, key: try orders.map { try evaluator.value($0.term, of: subject(item)) })
    }
    return keyed.sorted { left, right in
      let comparison = orders.compare(left.key, right.key, as: types)
      return comparison == 0 ? left.number < right.number : comparison < 0
    }.map(\.item)
  }
}

extension [Ordering] {
  /// Less than 0 where a row with the left values comes first, 0 where they are equal in all orders.
  fileprivate func compare(_ left: StoredRow, _ right: StoredRow, as types: [AttributeType]) -> Int {
    for (index, order) in enumerated() {
      let (a, b) = (left[index], right[index])
      if a.isNull != b.isNull { return a.isNull == (order.nulls == .first) ? -1 : 1 }
      let comparison = a.compare(b, as: types[index])
      if comparison != 0 { return order.direction == .ascending ? comparison : -comparison }
    }
    return 0
  }
}
