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

  private var isPaged: Bool { criteria.limit != nil || criteria.offset != nil }

  /// The places of the rows that are found, ordered and paged.
  package func places() throws -> [Int] {
    let key = evaluator.entity.key.attributes.map { Ordering(.field(FieldPath($0))) }
    return page(try sorted(found(), by: criteria.orders + (isPaged ? key : [])) { .row(row($0)) })
  }

  /// The rows that are found, ordered and paged.
  package func rows() throws -> [StoredRow] { try places().map(row) }

  private func found() throws -> [Int] {
    let (isSeen, fits) = (try evaluator.test(scope), try evaluator.test(criteria.filter))
    return try table.occupied.filter { place in
      let subject = Evaluator.Subject.row(row(place))
      return try isSeen(subject) && fits(subject)
    }
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
    let types = try columns.map { try evaluator.type(of: $0.term) ?? .any }
    return { subject in zip(try values(subject), types).map { $0.identity(as: $1) } }
  }

  private func page<Item>(_ items: [Item]) -> [Item] {
    Array(items.dropFirst(criteria.offset ?? 0).prefix(criteria.limit ?? .max))
  }

  private func sorted<Item>(_ items: [Item], by orders: [Ordering], _ subject: (Item) -> Evaluator.Subject) throws -> [Item] {
    if orders.isEmpty { return items }
    let types = try orders.map { try evaluator.type(of: $0.term) ?? .any }
    let values = try orders.map { try evaluator.value($0.term) }
    let keyed = try items.enumerated().map { number, item in
      (item: item, number: number, key: try values.map { try $0(subject(item)) })
    }
    return keyed.sorted { left, right in
      for index in orders.indices {
        let (a, b) = (left.key[index], right.key[index])
        if a.isNull != b.isNull { return a.isNull == (orders[index].nulls == .first) }
        let comparison = a.compare(b, as: types[index])
        if comparison != 0 { return (comparison < 0) == (orders[index].direction == .ascending) }
      }
      return left.number < right.number
    }.map(\.item)
  }
}
