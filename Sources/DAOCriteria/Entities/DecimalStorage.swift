extension AttributeType {
  /// How an exact decimal number is kept.
  public enum DecimalStorage: Sendable, Hashable {
    /// The number times 10 to the power of `digits` (0 to 18), as a 64-bit integer. A value with more digits is refused, not rounded.
    case scaled(Int)
    /// Decimal digits as text, any precision that `Decimal` has; ordered and summed as numbers by functions of the connection. The default.
    case text
  }
}
