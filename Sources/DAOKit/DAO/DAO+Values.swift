// Values of one attribute, without the rows: short forms of reports.
extension DAO {
  /// The smallest value of an attribute; nil where no row has one: `SELECT MIN("age") FROM "person" WHERE …`.
  public final func minimum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped? {
    try project(.min(path), matching: criteria).first ?? nil
  }

  /// The largest value of an attribute; nil where no row has one: `SELECT MAX("age") FROM "person" WHERE …`.
  public final func maximum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped? {
    try project(.max(path), matching: criteria).first ?? nil
  }

  /// The sum of an attribute; nil where no row has a value: `SELECT dao_sum("age") FROM "person" WHERE …`.
  public final func sum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped? {
    try project(.sum(path), matching: criteria).first ?? nil
  }

  /// The mean of an attribute; nil where no row has a value: `SELECT dao_average("age") FROM "person" WHERE …`.
  public final func average<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) throws -> V.Unwrapped.Mean? {
    try project(.average(path), matching: criteria).first ?? nil
  }

  /// The different values of an attribute, ascending and without null:
  /// `SELECT DISTINCT "city" FROM "person" WHERE "city" IS NOT NULL ORDER BY "city"`. Criteria with an order of their own have it before.
  public final func distinctValues<V>(
    of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all
  ) throws -> [V.Unwrapped] {
    try project(
      Projection<E, V.Unwrapped>(E.term(path)), matching: criteria.filter(.isNotNull(path)).order(by: .ascending(path)).distinct())
  }

  /// An aggregate of the attribute of this name, or of the rows: `aggregate(.max, of: "age")`, which is `SELECT MAX("age") …`.
  /// - Returns: null where no row has a value.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` for an unknown attribute, or one that has no such aggregate.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, matching criteria: SearchCriteria<E> = .all
  ) throws -> Scalar {
    try project(Projection<E, Scalar>(Self.term(aggregate, name)), matching: criteria).first ?? .null
  }

  /// An aggregate for each group of rows: `aggregate(.max, of: "age", groupBy: "city")` has dictionaries with the keys `city` and
  /// `max:age`, ordered by the groups. Rows without a value are a group: `SELECT "city", MAX("age") … GROUP BY "city" ORDER BY "city"`.
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
    var criteria = criteria
    for group in groups {
      criteria = criteria.project(Projection<E, Scalar>.group(by: group)).order(by: .ascending(.field(group)))
    }
    return try dictionaries(criteria.project(Projection<E, Scalar>(Self.term(aggregate, name))))
  }

  private static func term(_ aggregate: Aggregate, _ name: String?) -> Criteria.Term {
    .aggregate(aggregate, name.map { .field(FieldPath($0)) })
  }
}
