/// The effect of a record that has no value, or null, for an attribute or a relationship.
public enum ValueRule: Sendable, Hashable {
  /// The row keeps its value. A new row has the attribute's default, else null; a record whose attribute can't be null is refused then.
  case keep
  /// The attribute becomes null; a relationship leads nowhere any more.
  case null
  /// The attribute gets the default of its description, else null. For a relationship the same as ``null``.
  case useDefault
  /// The record is refused.
  case refuse
}
