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

  /// Whether a double is among its values.
  var hasReal: Bool {
    let values: [StoredValue?] =
      switch self {
      case .values(let values): values
      case .range(let lower, let upper): [lower?.value, upper?.value]
      }
    return values.contains { if case .real? = $0 { true } else { false } }
  }

  /// The rule with other values.
  func mapValues(_ transform: (StoredValue) -> StoredValue) -> ColumnRule {
    switch self {
    case .values(let values): .values(values.map(transform))
    case .range(let lower, let upper):
      .range(
        from: lower.map { Bound(transform($0.value), isIncluded: $0.isIncluded) },
        to: upper.map { Bound(transform($0.value), isIncluded: $0.isIncluded) })
    }
  }

  /// Whether a stored value is allowed. The rule's values are as the column's affinity has them.
  package func allows(_ value: StoredValue) -> Bool {
    if value.isNull { return true }
    return switch self {
    case .values(let values): values.contains { $0.compare(value, as: .any) == 0 }
    case .range(let lower, let upper): (lower?.isBelow(value) ?? true) && (upper?.isAbove(value) ?? true)
    }
  }

  /// The rule that holds where this one and another do.
  func and(_ other: ColumnRule) -> ColumnRule {
    switch (self, other) {
    case (.values(let values), let other), (let other, .values(let values)): .values(values.filter(other.allows))
    case (.range(let a, let b), .range(let c, let d)):
      .range(from: Bound.narrower(a, c) { $0.isBelow($1.value) }, to: Bound.narrower(b, d) { $0.isAbove($1.value) })
    }
  }
}

extension ColumnRule.Bound {
  fileprivate func isBelow(_ other: StoredValue) -> Bool { order(other) < 0 || isIncluded && order(other) == 0 }
  fileprivate func isAbove(_ other: StoredValue) -> Bool { order(other) > 0 || isIncluded && order(other) == 0 }
  private func order(_ other: StoredValue) -> Int { value.compare(other, as: .any) }

  /// The one of two ends that allows less.
  fileprivate static func narrower(_ a: Self?, _ b: Self?, _ allows: (Self, Self) -> Bool) -> Self? {
    guard let a, let b else { return a ?? b }
    if a.order(b.value) == 0 { return a.isIncluded ? b : a }
    // The wider one allows the other's value.
    return allows(a, b) ? b : a
  }
}
