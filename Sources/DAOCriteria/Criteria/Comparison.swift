extension Criteria {
  /// How two terms are compared.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// Equal, null to null too.
    case equal = "=="
    /// Not equal, also where just one is null.
    case notEqual = "!="
    /// Smaller; false with null.
    case less = "<"
    /// Smaller or equal; false with null.
    case lessOrEqual = "<="
    /// Greater; false with null.
    case greater = ">"
    /// Greater or equal; false with null.
    case greaterOrEqual = ">="

    /// The comparison that is true where this one is false, nulls aside.
    public var negated: Criteria.Comparison {
      switch self {
      case .equal: .notEqual
      case .notEqual: .equal
      case .less: .greaterOrEqual
      case .lessOrEqual: .greater
      case .greater: .lessOrEqual
      case .greaterOrEqual: .less
      }
    }
  }
}
