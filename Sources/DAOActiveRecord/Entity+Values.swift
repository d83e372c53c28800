import DAOKit

// Values of attributes, without the rows.
extension Entity {
  /// The smallest value of an attribute; nil where no row has one.
  public static func minimum<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> V.Unwrapped? {
    try dao(in: maker).minimum(of: path, matching: criteria)
  }

  /// Awaits `minimum(of:matching:in:)`.
  public static func minimum<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> V.Unwrapped? {
    try await dao(in: maker).minimum(of: path, matching: criteria)
  }

  /// The largest value of an attribute; nil where no row has one.
  public static func maximum<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> V.Unwrapped? {
    try dao(in: maker).maximum(of: path, matching: criteria)
  }

  /// Awaits `maximum(of:matching:in:)`.
  public static func maximum<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> V.Unwrapped? {
    try await dao(in: maker).maximum(of: path, matching: criteria)
  }

  /// The sum of an attribute; nil where no row has a value.
  public static func sum<V>(of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil)
    throws -> V.Unwrapped?
  {
    try dao(in: maker).sum(of: path, matching: criteria)
  }

  /// Awaits `sum(of:matching:in:)`.
  public static func sum<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> V.Unwrapped? {
    try await dao(in: maker).sum(of: path, matching: criteria)
  }

  /// The mean of an attribute; nil where no row has a value.
  public static func average<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> V.Unwrapped.Mean? {
    try dao(in: maker).average(of: path, matching: criteria)
  }

  /// Awaits `average(of:matching:in:)`.
  public static func average<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> V.Unwrapped.Mean? {
    try await dao(in: maker).average(of: path, matching: criteria)
  }

  /// The different values of an attribute, ascending and without null.
  public static func distinctValues<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> [V.Unwrapped] {
    try dao(in: maker).distinctValues(of: path, matching: criteria)
  }

  /// Awaits `distinctValues(of:matching:in:)`.
  public static func distinctValues<V>(
    of path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> [V.Unwrapped] {
    try await dao(in: maker).distinctValues(of: path, matching: criteria)
  }

  /// The entities by an attribute; see ``DAOKit/DAO/dictionary(by:matching:)-(_,_)``.
  public static func dictionary<V>(
    by path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> [V.Unwrapped: Self] where V.Unwrapped: Hashable {
    try dao(in: maker).dictionary(by: path, matching: criteria)
  }

  /// Awaits `dictionary(by:matching:in:)`.
  public static func dictionary<V>(
    by path: FieldKeyPath<Self, V>, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> [V.Unwrapped: Self] where V.Unwrapped: Hashable {
    try await dao(in: maker).dictionary(by: path, matching: criteria)
  }

  /// An aggregate of the attribute of this name, or of the rows: `Person.aggregate(.max, of: "age")`. It is null where no row has a value;
  /// a count is 0.
  public static func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, matching criteria: SearchCriteria<Self> = .all, in maker: (any DAOMaker)? = nil
  ) throws -> Scalar {
    try dao(in: maker).aggregate(aggregate, of: name, matching: criteria)
  }

  /// Awaits `aggregate(_:of:matching:in:)`.
  public static func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> Scalar {
    try await dao(in: maker).aggregate(aggregate, of: name, matching: criteria)
  }

  /// An aggregate for each group: `Person.aggregate(.max, of: "age", groupBy: "city")` has dictionaries with the keys `city` and `max:age`.
  public static func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: String..., matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker)? = nil
  ) throws -> [[String: Scalar]] {
    try dao(in: maker).aggregate(aggregate, of: name, groupBy: groups, matching: criteria)
  }

  /// Awaits `aggregate(_:of:groupBy:matching:in:)`.
  public static func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: String..., matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> [[String: Scalar]] {
    try await dao(in: maker).aggregate(aggregate, of: name, groupBy: groups, matching: criteria)
  }

  /// The same with the groups as an array.
  public static func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: [String], matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker)? = nil
  ) throws -> [[String: Scalar]] {
    try dao(in: maker).aggregate(aggregate, of: name, groupBy: groups, matching: criteria)
  }

  /// Awaits `aggregate(_:of:groupBy:matching:in:)`.
  public static func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: [String], matching criteria: SearchCriteria<Self> = .all,
    in maker: (any DAOMaker & Sendable)? = nil
  ) async throws -> [[String: Scalar]] {
    try await dao(in: maker).aggregate(aggregate, of: name, groupBy: groups, matching: criteria)
  }
}
