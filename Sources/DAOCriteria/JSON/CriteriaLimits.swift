/// How much a criteria in JSON may ask for. What goes beyond is refused with a problem that names the limit.
///
/// ```swift
/// var limits = CriteriaLimits()
/// limits.hops = 1                 // no more than one relationship
/// let decoder = CriteriaDecoder(limits: limits)
/// ```
public struct CriteriaLimits: Sendable, Hashable {
  /// Bytes of JSON: 1 MB.
  public var bytes = 1_048_576
  /// Conditions, and terms in them, one within the other. Never more than ``maximumDepth``, which all that a store can run fits into.
  public var depth = CriteriaLimits.maximumDepth
  /// Conditions and terms in all.
  public var nodes = 10_000
  /// Values of an `in`.
  public var listLength = 10_000
  /// Relationships, one after or within the other. Never more than ``Condition/maximumHops``.
  public var hops = Condition.maximumHops
  /// Paths of relationships whose rows are fetched along, with a statement or two for each relationship.
  public var prefetches = 8

  /// The limits above, for criteria from anyone.
  public init() {}

  /// No limit but those of depth, for criteria of one's own.
  public static let own: CriteriaLimits = {
    var limits = CriteriaLimits()
    (limits.bytes, limits.nodes, limits.listLength, limits.prefetches) = (.max, .max, .max, .max)
    return limits
  }()

  /// Some more than there can be in what a store runs, since what says nothing, like an `all` in an `all`, takes a level here.
  public static let maximumDepth = 72

  /// How deep the JSON of so many levels goes: an object and a list each, and the values at the end.
  var jsonDepth: Int { 2 * min(depth, Self.maximumDepth) + 6 }
}
