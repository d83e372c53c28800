extension CriteriaDecoder {
  /// The limits on criteria in JSON. Criteria beyond a limit are refused with a problem that names it.
  ///
  /// ```swift
  /// var limits = CriteriaDecoder.Limits()
  /// limits.hops = 1                 // no more than one relationship
  /// let decoder = CriteriaDecoder(limits: limits)
  /// ```
  public struct Limits: Sendable, Hashable {
    /// Bytes of JSON: 1 MB.
    public var bytes = 1_048_576
    /// Conditions, and terms in them, one within the other. Never more than ``maximumDepth``, which allows everything that a store can run.
    public var depth = CriteriaDecoder.Limits.maximumDepth
    /// Conditions and terms in all.
    public var nodes = 10_000
    /// Values of an `in`.
    public var listLength = 10_000
    /// Relationships, one after or within the other. Never more than ``Criteria/Condition/maximumHops``.
    public var hops = Criteria.Condition.maximumHops
    /// The highest cost of all relationships of the criteria together. A to-one relationship counts 1, one to many 10, and a condition on
    /// its rows counts that many times. A highlight or snippet counts 10.
    ///
    /// For example, three quantifiers or aggregates over many rows, one within the other, cost 10 + 100 + 1000.
    public var relationshipCost = 1_500
    /// Bytes of a pattern, of a searched text, and of a mark around them.
    public var textBytes = 2_000
    /// Words of one search.
    public var words = 64
    /// Paths of relationships whose rows are fetched along, with a statement or two for each relationship.
    public var prefetches = 8

    /// The limits above, for untrusted criteria.
    public init() {}

    /// No limit but those of depth, for trusted criteria.
    public static let own: CriteriaDecoder.Limits = {
      var limits = CriteriaDecoder.Limits()
      (limits.bytes, limits.nodes, limits.listLength, limits.prefetches) = (.max, .max, .max, .max)
      (limits.relationshipCost, limits.textBytes, limits.words) = (.max, .max, .max)
      return limits
    }()

    /// More levels than a store can run, since redundant levels, such as an `all` in an `all`, count here.
    public static let maximumDepth = 72

    /// How deep the JSON of so many levels goes: an object and a list each, and the values at the end.
    var jsonDepth: Int { 2 * min(depth, Self.maximumDepth) + 6 }
  }
}
