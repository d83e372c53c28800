// Values of one attribute, without the rows: short forms of reports. They take criteria as finds do: orders and prefetches that a report
// can't have don't count.
extension DAO {
  /// The smallest value of an attribute; nil where no row has one: `SELECT MIN("age") FROM "person" WHERE …`.
  public final func minimum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped? {
    try value(.min(path), criteria) ?? nil
  }

  /// The largest value of an attribute; nil where no row has one: `SELECT MAX("age") FROM "person" WHERE …`.
  public final func maximum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped? {
    try value(.max(path), criteria) ?? nil
  }

  /// The sum of an attribute; nil where no row has a value: `SELECT dao_sum("age") FROM "person" WHERE …`.
  public final func sum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped? {
    try value(.sum(path), criteria) ?? nil
  }

  /// The mean of an attribute; nil where no row has a value: `SELECT dao_average("age") FROM "person" WHERE …`.
  public final func average<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped.Mean? {
    try value(.average(path), criteria) ?? nil
  }

  /// The different values of an attribute, ascending and without null:
  /// `SELECT DISTINCT "city" FROM "person" WHERE "city" IS NOT NULL ORDER BY "city"`. A limit counts values.
  public final func distinctValues<V>(
    of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all
  ) throws -> [V.Unwrapped] { try distinctValues(Operand(path), criteria) }

  func distinctValues<V>(_ operand: Operand<E, V>, _ criteria: SearchCriteria<E>) throws -> [V.Unwrapped] {
    let values = criteria.filter(.isNotNull(operand)).distinct()
    return try shortReport(values, [Criteria.Column(operand.term)], orderedBy: [.ascending(operand)]) { try $0.next(V.Unwrapped.self) }
  }

  /// An aggregate of the attribute of this name, or of the rows: `aggregate(.max, of: "age")`, which is `SELECT MAX("age") …`.
  /// - Returns: null where no row has a value; of a count, 0.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` for an unknown attribute, or one that has no such aggregate.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, matching criteria: SearchCriteria<E> = .all
  ) throws -> Scalar { try value(Projection<E, Scalar>(Self.term(aggregate, name)), criteria) ?? .null }

  /// An aggregate for each group of rows: `aggregate(.max, of: "age", groupBy: "city")` has dictionaries with the keys `city` and
  /// `max:age`, ordered by the groups. Rows without a value are a group: `SELECT "city", MAX("age") … GROUP BY "city" ORDER BY "city"`. A
  /// limit counts groups.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` for an unknown attribute, or one that has no such aggregate.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: String..., matching criteria: SearchCriteria<E> = .all
  ) throws -> [[String: Scalar]] {
    try self.aggregate(aggregate, of: name, groupBy: groups, matching: criteria)
  }

  /// The same with the groups as an array; without any it is one dictionary.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: [String], matching criteria: SearchCriteria<E> = .all
  ) throws -> [[String: Scalar]] {
    let columns =
      groups.map { Projection<E, Scalar>.group(by: $0).column } + [Projection<E, Scalar>(Self.term(aggregate, name)).column]
    let names = columns.map(\.name)
    return try shortReport(criteria, columns, orderedBy: groups.map { .ascending(Operand<E, Scalar>.field($0)) }) { row in
      try names.reduce(into: [:]) { $0[$1] = try row.takeScalar() }
    }
  }

  private static func term(_ aggregate: Aggregate, _ name: String?) -> Criteria.Term {
    .aggregate(aggregate, name.map { .field(FieldPath($0)) })
  }

  /// One value over all rows, or over those of a page.
  func value<Value>(_ projection: Projection<E, Value>, _ criteria: SearchCriteria<E>) throws -> Value? {
    try shortReport(criteria, [projection.column], orderedBy: []) { try $0.next(Value.self) }.first
  }

  private func shortReport<Row>(
    _ criteria: SearchCriteria<E>, _ columns: [Criteria.Column], orderedBy orders: [Order<E>], _ read: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    var report = refine(criteria).criteria
    guard report.columns.isEmpty else {
      throw DAOError.misuse("the criteria have projections of their own", use: "dictionaries(_:), or project(_:as:)")
    }
    report.columns = columns
    report.prefetches = []
    // Only the rows of a page depend on their order.
    if !orders.isEmpty || report.limit == nil && report.offset == nil { report.orders = orders.map(\.ordering) }
    return try context.store.report(in: target, report, read)
  }
}
