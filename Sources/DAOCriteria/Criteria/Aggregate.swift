/// A function over many rows.
public enum Aggregate: String, Sendable, Hashable, CaseIterable {
  /// The smallest value; null over no rows.
  case min
  /// The largest value; null over no rows.
  case max
  /// The sum, the same whatever the order of the rows: of integers exact, of doubles the nearest double, and an error where it fits into
  /// none. A stored value that breaks the attribute's form is the error of reading its row. Null over no rows.
  case sum
  /// The mean, as the nearest double; of decimals, to 38 digits. Null over no rows.
  case average
  /// How many rows, or how many that are not null.
  case count
  /// How many different values that are not null.
  case countDistinct
}
