/// A criteria over the rows of a table.
package struct ArrayQuery {
  /// What the criteria's conditions and terms mean.
  package let evaluator: Evaluator
  private let table: EvaluatedTable
  private let criteria: Criteria
  private let scope: Condition

  /// A criteria within a target's scope.
  package init(_ criteria: Criteria, in target: EntityTarget, tables: @escaping Evaluator.Tables) throws {
    evaluator = try Evaluator(target.entity, scope: target.scope, tables: tables)
    table = evaluator.table
    self.criteria = criteria
    scope = target.scope
  }

  private var isPaged: Bool { criteria.limit != nil || criteria.offset != nil || criteria.after != nil }

  /// The places of the rows that are found, ordered and paged.
  package func places() throws -> [Int] {
    let orders = isPaged ? criteria.totalOrders(in: evaluator.entity) : criteria.orders
    return page(try sorted(found(), by: orders) { .row(row($0)) })
  }

  /// The row at a place as what follows it in the order is told: its values of the order's terms.
  package func start(_ place: Int) throws -> StoredRow {
    try criteria.totalOrders(in: evaluator.entity).map { try evaluator.value($0.term)(.row(row(place))) }
  }

  /// The rows that are found, ordered and paged.
  package func rows() throws -> [StoredRow] { rows(at: try places()) }

  /// The rows at places.
  package func rows(at places: some Sequence<Int>) -> [StoredRow] { places.map(row) }

  private func found() throws -> [Int] {
    let (isSeen, fits) = (try evaluator.test(scope), try evaluator.test(criteria.filter))
    let found = try table.occupied.filter { place in
      let subject = Evaluator.Subject.row(row(place))
      return try isSeen(subject) && fits(subject)
    }
    guard let start = criteria.after else { return found }
    let orders = criteria.totalOrders(in: evaluator.entity)
    let types = orders.map { evaluator.type(of: $0.term) ?? .any }
    return try found.filter { orders.compare(start, try self.start($0), as: types) < 0 }
  }

  private func row(_ place: Int) -> StoredRow { table.places[place] ?? [] }

  /// The rows of the projections.
  package func report() throws -> [StoredRow] {
    let groupColumns = criteria.columns.filter(\.isGroup)
    guard !groupColumns.isEmpty || criteria.columns.contains(where: \.term.hasAggregate) else { return try reportOfRows() }
    let values = try values(criteria.columns)
    // Aggregates over everything are one row; a page then is of the rows that they speak of.
    if groupColumns.isEmpty { return [try values(.group(try rows()))] }

    let key = try identity(groupColumns)
    var numbers: [StoredRow: Int] = [:]
    var groups: [[StoredRow]] = []
    for place in try found() {
      let row = row(place)
      let key = try key(.row(row))
      if let number = numbers[key] {
        groups[number].append(row)
      } else {
        numbers[key] = groups.count
        groups.append([row])
      }
    }
    let isKept = try evaluator.test(criteria.having)
    let kept = try groups.filter { try isKept(.group($0)) }
    let orders = criteria.orders + (isPaged ? groupColumns.map { Ordering($0.term) } : [])
    return try page(try sorted(kept, by: orders) { .group($0) }).map { try values(.group($0)) }
  }

  private func reportOfRows() throws -> [StoredRow] {
    let values = try values(criteria.columns)
    guard criteria.isDistinct else { return try rows().map { try values(.row($0)) } }
    let key = try identity(criteria.columns)
    var known: Set<StoredRow> = []
    let different = try found().filter { try known.insert(key(.row(row($0)))).inserted }
    let orders = criteria.orders + (isPaged ? criteria.columns.map { Ordering($0.term) } : [])
    return try page(try sorted(different, by: orders) { .row(row($0)) }).map { try values(.row(row($0))) }
  }

  private func values(_ columns: [ProjectedColumn]) throws -> (Evaluator.Subject) throws -> StoredRow {
    let values = try columns.map { try evaluator.value($0.term) }
    return { subject in try values.map { try $0(subject) } }
  }

  /// The columns' values in a form that is the same for all that are equal.
  private func identity(_ columns: [ProjectedColumn]) throws -> (Evaluator.Subject) throws -> StoredRow {
    let values = try values(columns)
    let types = columns.map { evaluator.type(of: $0.term) ?? .any }
    return { subject in zip(try values(subject), types).map { $0.identity(as: $1) } }
  }

  private func page<Item>(_ items: [Item]) -> [Item] {
    Array(items.dropFirst(criteria.offset ?? 0).prefix(criteria.limit ?? .max))
  }

  private func sorted<Item>(_ items: [Item], by orders: [Ordering], _ subject: (Item) -> Evaluator.Subject) throws -> [Item] {
    if orders.isEmpty { return items }
    let types = orders.map { evaluator.type(of: $0.term) ?? .any }
    let values = try orders.map { try evaluator.value($0.term) }
    let keyed = try items.enumerated().map { number, item in
      (item: item, number: number, key: try values.map { try $0(subject(item)) })
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
