/// Criteria over the rows of a table. The rows stay as they are while it is used.
package struct ArrayQuery {
  /// Evaluates the conditions and terms of the criteria.
  package let evaluator: Evaluator
  private let table: EvaluatedTable
  private let criteria: Criteria
  private let scope: Criteria.Condition

  /// Criteria within a target's scope.
  package init(_ criteria: Criteria, in target: EntityTarget, tables: @escaping EvaluatedStatement.Tables) throws {
    let statement = EvaluatedStatement(of: target.entity, budget: criteria.budget, tables: tables)
    evaluator = try Evaluator(target.entity, scope: target.scope, in: statement)
    table = evaluator.table
    self.criteria = criteria
    scope = target.scope
  }

  /// How many steps it has taken; 0 without a budget.
  package var steps: Int { evaluator.statement.steps }

  private var isPaged: Bool { criteria.limit != nil || criteria.offset != nil || criteria.after != nil }

  /// The places of the rows found, ordered and paged.
  package func places() throws -> [Int] {
    let orders = isPaged ? criteria.totalOrders(in: evaluator.entity) : criteria.orders
    if let limit = criteria.limit, let (column, direction) = keyOrder(orders) {
      // Only until there are enough.
      let count = limit.addingClamped(criteria.offset ?? 0)
      let places = table.places(orderedBy: column)
      return page(try direction == .ascending ? found(among: places, atMost: count) : found(among: places.reversed(), atMost: count))
    }
    return page(try sorted(found(), by: orders, atMost: criteria.limit?.addingClamped(criteria.offset ?? 0)) { .row($0) })
  }

  /// The column and direction of the first order, where it is that of a generated key, after which no other order has any effect.
  private func keyOrder(_ orders: [Criteria.Ordering]) -> (column: Int, direction: Criteria.Ordering.Direction)? {
    guard case .generated(let key) = evaluator.entity.key, let first = orders.first, case .field(let path) = first.term,
      path.description == key, let column = evaluator.entity.position(of: key)
    else { return nil }
    return (column, first.direction)
  }

  /// The row at a place as a position in the order: its values of the order's terms.
  package func start(_ place: Int) throws -> StoredRow {
    try criteria.totalOrders(in: evaluator.entity).map { try evaluator.value($0.term)(.row(place)) }
  }

  /// The rows found, ordered and paged.
  package func rows() throws -> [StoredRow] { rows(at: try places()) }

  /// The rows at places.
  package func rows(at places: some Sequence<Int>) -> [StoredRow] { places.map { table.places[$0] ?? [] } }

  private func found() throws -> [Int] {
    // Rows are only gone through where one may be found.
    criteria.filter.isAlwaysFalse ? [] : try found(among: table.occupied, atMost: .max)
  }

  /// The first of some rows that fit.
  private func found(among places: some Sequence<Int>, atMost count: Int) throws -> [Int] {
    let isSeen = scope.isAlwaysTrue ? nil : try evaluator.test(scope)
    let fits = criteria.filter.isAlwaysTrue ? nil : try evaluator.test(criteria.filter)
    let after = try criteria.after.map { try isBehind($0) }
    var found: [Int] = []
    for place in places {
      if found.count == count { break }
      try evaluator.statement.spend()
      let subject = Evaluator.Subject.row(place)
      if let isSeen, try !isSeen(subject) { continue }
      if let fits, try !fits(subject) { continue }
      if let after, try !after(subject) { continue }
      found.append(place)
    }
    return found
  }

  /// Whether a row comes after a position in the order.
  private func isBehind(_ start: StoredRow) throws -> Evaluator.Test {
    let orders = criteria.totalOrders(in: evaluator.entity)
    let key = try SortKey.make(orders, evaluator)
    let first = SortKey(zip(start, orders).map { OrderedValue($0, as: evaluator.type(of: $1.term) ?? .any) })
    return { subject in orders.compare(first, try key(subject)) < 0 }
  }

  /// The rows of the projections.
  package func report() throws -> [StoredRow] {
    let groupColumns = criteria.columns.filter(\.isGroup)
    guard !groupColumns.isEmpty || criteria.columns.contains(where: \.term.hasAggregate) else { return try reportOfRows() }
    let values = try values(criteria.columns)
    // Aggregates over everything are one row; a page then is of the rows that they speak of.
    if groupColumns.isEmpty { return [try values(.group(try places()))] }

    let key = try identity(groupColumns)
    var numbers: [StoredRow: Int] = [:]
    var groups: [[Int]] = []
    for place in try found() {
      let key = try key(.row(place))
      if let number = numbers[key] {
        groups[number].append(place)
      } else {
        numbers[key] = groups.count
        groups.append([place])
      }
    }
    let isKept = try evaluator.test(criteria.having)
    let kept = try groups.filter { try isKept(.group($0)) }
    let orders = criteria.orders + (isPaged ? groupColumns.map { Criteria.Ordering(of: $0) } : [])
    return try page(try sorted(kept, by: orders) { .group($0) }).map { try values(.group($0)) }
  }

  private func reportOfRows() throws -> [StoredRow] {
    let values = try values(criteria.columns)
    guard criteria.isDistinct else { return try places().map { try values(.row($0)) } }
    let key = try identity(criteria.columns)
    var known: Set<StoredRow> = []
    let different = try found().filter { try known.insert(key(.row($0))).inserted }
    let orders = criteria.orders + (isPaged ? criteria.columns.map { Criteria.Ordering(of: $0) } : [])
    return try page(try sorted(different, by: orders) { .row($0) }).map { try values(.row($0)) }
  }

  private func values(_ columns: [Criteria.Column]) throws -> (Evaluator.Subject) throws -> StoredRow {
    let values = try columns.map { try evaluator.value($0.term) }
    return { subject in try values.map { try $0(subject) } }
  }

  /// The columns' values in a form that is the same for all that are equal.
  private func identity(_ columns: [Criteria.Column]) throws -> (Evaluator.Subject) throws -> StoredRow {
    let values = try values(columns)
    let types = columns.map { evaluator.type(of: $0.term) ?? .any }
    return { subject in zip(try values(subject), types).map { $0.identity(as: $1) } }
  }

  private func page<Item>(_ items: [Item]) -> [Item] {
    Array(items.dropFirst(criteria.offset ?? 0).prefix(criteria.limit ?? .max))
  }

  /// Items in an order; of many of which few are wanted, the first of them.
  private func sorted<Item>(
    _ items: [Item], by orders: [Criteria.Ordering], atMost count: Int? = nil, _ subject: (Item) -> Evaluator.Subject
  ) throws -> [Item] {
    if orders.isEmpty { return items }
    try evaluator.statement.spend(items.count)
    let key = try SortKey.make(orders, evaluator)
    let keys = try items.map { try key(subject($0)) }
    return items.indices.sorted(first: count ?? .max) { left, right in
      let comparison = orders.compare(keys[left], keys[right])
      return comparison == 0 ? left < right : comparison < 0
    }.map { items[$0] }
  }
}

extension Int {
  /// The sum, or the largest number there is.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Range<Int> {
  /// The numbers in an order; where few of many are wanted, the first of them.
  fileprivate func sorted(first wanted: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    guard wanted > 0, wanted < count / 4 else { return sorted(by: isBefore) }
    // Twice as many as are wanted are sorted at a time; what comes after those that are left then is passed over.
    var first: [Int] = []
    var last: Int?
    for number in self {
      if let last, !isBefore(number, last) { continue }
      first.append(number)
      guard first.count == 2 * wanted else { continue }
      first = Array(first.sorted(by: isBefore).prefix(wanted))
      last = first.last
    }
    return first.sorted(by: isBefore)
  }
}
