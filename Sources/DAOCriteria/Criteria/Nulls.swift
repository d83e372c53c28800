/// Where rows without a value stand.
public enum Nulls: String, Sendable, Hashable {
  /// Before all others.
  case first = "FIRST"
  /// After all others.
  case last = "LAST"
}
