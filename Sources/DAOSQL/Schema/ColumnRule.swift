import DAOCriteria

/// What a `CHECK` of a table says of the values of one column. Null is allowed by each.
public enum ColumnRule: Sendable, Hashable {
  /// An end of a range.
  public struct Bound: Sendable, Hashable {
    /// The value.
    public let value: StoredValue
    /// Whether the value itself is allowed.
    public let isIncluded: Bool

    /// An end of a range.
    public init(_ value: StoredValue, isIncluded: Bool) {
      self.value = value
      self.isIncluded = isIncluded
    }
  }

  /// One of some values: `CHECK (status IN ('open', 'paid'))`.
  case values([StoredValue])
  /// A range, of which one end may be open: `CHECK (rating BETWEEN 1 AND 5)`, `CHECK (price > 0)`.
  case range(from: Bound?, to: Bound?)
}

extension ColumnRule: CustomStringConvertible {
  /// The rule as SQL says it behind the column's name: `IN ('open', 'paid')`, `>= 1 AND <= 5`.
  public var description: String {
    switch self {
    case .values(let values): return "IN (\(values.map(SQLLiteral.text).joined(separator: ", ")))"
    case .range(let lower, let upper):
      let from = lower.map { "\($0.isIncluded ? ">=" : ">") \(SQLLiteral.text($0.value))" }
      let to = upper.map { "\($0.isIncluded ? "<=" : "<") \(SQLLiteral.text($0.value))" }
      return [from, to].compactMap(\.self).joined(separator: " AND ")
    }
  }

  /// The rule that holds where this one and another do.
  func and(_ other: ColumnRule) -> ColumnRule {
    switch (self, other) {
    case (.values(let a), .values(let b)): .values(a.filter(b.contains))
    // Which of the values the range allows is for SQLite to compare.
    case (.values, .range): self
    case (.range, .values): other
    case (.range(let a, let b), .range(let c, let d)):
      .range(from: Bound.narrower(a, c) { $0 > $1 }, to: Bound.narrower(b, d) { $0 < $1 })
    }
  }
}

extension ColumnRule.Bound {
  /// The one of two ends that allows less.
  fileprivate static func narrower(_ a: Self?, _ b: Self?, _ isNarrower: (Double, Double) -> Bool) -> Self? {
    guard let a, let b else { return a ?? b }
    guard let first = a.value.number, let second = b.value.number else { return b }
    return first == second ? (a.isIncluded ? b : a) : isNarrower(first, second) ? a : b
  }
}

extension StoredValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .blob: nil
    }
  }
}
