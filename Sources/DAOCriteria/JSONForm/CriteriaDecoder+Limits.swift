extension CriteriaDecoder {
  /// How much criteria in JSON may ask for. What goes beyond is refused with a problem that names the limit.
  ///
  /// ```swift
  /// var limits = CriteriaDecoder.Limits()
  /// limits.hops = 1                 // no more than one relationship
  /// let decoder = CriteriaDecoder(limits: limits)
  /// ```
  public struct Limits: Sendable, Hashable {
    /// Bytes of JSON: 1 MB.
    public var bytes = 1_048_576
    /// Conditions, and terms in them, one within the other. Never more than ``maximumDepth``, which all that a store can run fits into.
    public var depth = CriteriaDecoder.Limits.maximumDepth
    /// Conditions and terms in all.
    public var nodes = 10_000
    /// Values of an `in`.
    public var listLength = 10_000
    /// Relationships, one after or within the other. Never more than ``Criteria/Condition/maximumHops``.
    public var hops = Criteria.Condition.maximumHops
    /// How much all relationships together may cost, over the whole criteria. One that leads to a row counts 1, one that leads to many 10,
    /// and what is asked of the rows at its end counts as often as that. A highlight or snippet counts 10.
    ///
    /// For example, three quantifiers or aggregates over many rows, one within the other, cost 10 + 100 + 1000.
    public var relationshipCost = 1_500
    /// Bytes of a pattern, of a text whose words are looked for, and of a mark around them.
    public var textBytes = 2_000
    /// Words that are looked for at once.
    public var words = 64
    /// Paths of relationships whose rows are fetched along, with a statement or two for each relationship.
    public var prefetches = 8

    /// The limits above, for untrusted criteria.
    public init() {}

    /// No limit but those of depth, for criteria of one's own.
    public static let own: CriteriaDecoder.Limits = {
      var limits = CriteriaDecoder.Limits()
      (limits.bytes, limits.nodes, limits.listLength, limits.prefetches) = (.max, .max, .max, .max)
      (limits.relationshipCost, limits.textBytes, limits.words) = (.max, .max, .max)
      return limits
    }()

    /// Some more than there can be in what a store runs, since what says nothing, like an `all` in an `all`, takes a level here.
    public static let maximumDepth = 72

    /// How deep the JSON of so many levels goes: an object and a list each, and the values at the end.
    var jsonDepth: Int { 2 * min(depth, Self.maximumDepth) + 6 }
  }
}
