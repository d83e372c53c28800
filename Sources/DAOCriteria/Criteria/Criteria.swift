/// Everything that can be asked of an entity, as a plain value without Swift types: what ``SearchCriteria`` wraps and stores take.
public struct Criteria: Sendable, Hashable {
  /// Which rows.
  public var filter: Condition = .constant(true)
  /// The rows that the DAO lets be seen at all. It is no filter of the caller's: a delete without a filter stays one without.
  public var scope: Condition = .constant(true)
  /// In which order.
  public var orders: [Ordering] = []
  /// What is read of each row or group; nothing stands for the whole entity.
  public var columns: [ProjectedColumn] = []
  /// Which groups.
  public var having: Condition = .constant(true)
  /// Whether equal rows of a report count once.
  public var isDistinct = false
  /// At most so many rows.
  public var limit: Int?
  /// So many rows are passed over first.
  public var offset: Int?
  /// Only rows that come after one with these values of the order's terms, in stored form: those of the orders, then those of the key's
  /// attributes that are not among them, which go the way of the first order. Such a row need not be there. What pages are made with.
  public var after: [StoredValue]?
  /// The relationships whose rows are fetched along, by statements of their own.
  public var prefetches: [Prefetch] = []

  /// All rows, in no order.
  public init() {}

  /// Scope and filter together.
  public var condition: Condition { scope.isAlwaysTrue ? filter : .all([scope, filter]) }
}
