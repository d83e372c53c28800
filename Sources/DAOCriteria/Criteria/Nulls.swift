/// The position of rows without a value in an order.
public enum Nulls: String, Sendable, Hashable {
  /// Before all others.
  case first = "FIRST"
  /// After all others.
  case last = "LAST"
}
