/// A filter as a plain value, without Swift types: what ``Filter`` wraps, what engines render and the evaluator evaluates.
///
/// A condition is true or false of each row, never unknown: `x == nil` is true of null rows, `x != 3` too, every other comparison with a
/// null operand is false, and `!f` is true of exactly the rows that `f` is not.
///
/// Conditions are only made by the functions here, which keep them flat: `(a && b) && c` is one list of three, `!(!a)` is `a`.
public struct Condition: Sendable, Hashable {
  /// What kind of condition it is.
  public let node: Node
  /// How many levels of and, or and not are nested.
  let depth: Int

  /// The kinds of condition.
  public enum Node: Sendable, Hashable {
    /// True or false of every row.
    case constant(Bool)
    /// One term compared with another.
    indirect case compare(Term, Comparison, Term)
    /// A term between two others, both included.
    indirect case between(Term, Term, Term)
    /// A term among values; null among them means that the term may be null.
    indirect case among(Term, [Scalar])
    /// A term that is null.
    indirect case isNull(Term)
    /// A text that fits a pattern.
    indirect case matches(Term, TextMatch, Scalar, caseSensitive: Bool)
    /// All of the conditions; true of none.
    indirect case all([Condition])
    /// One of the conditions at least; false of none.
    indirect case any([Condition])
    /// The rows that the condition leaves out.
    indirect case not(Condition)
    /// Nested deeper than any engine reads; the check reports it.
    case tooDeep
  }

  /// More levels than this are refused: SQLite's parser gives up at 31 alternating ones.
  public static let maximumDepth = 24

  private init(_ node: Node, depth: Int = 0) {
    self.node = depth > Self.maximumDepth ? .tooDeep : node
    self.depth = min(depth, Self.maximumDepth)
  }
}

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
  public var negated: Comparison {
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

/// How a text fits a pattern.
public enum TextMatch: String, Sendable, Hashable, CaseIterable {
  /// The whole text, where `*` stands for any characters, `?` for one, and a backslash takes the next one literally.
  case like
  /// The pattern is somewhere in the text.
  case contains
  /// The text begins with the pattern.
  case beginsWith
  /// The text ends with the pattern.
  case endsWith
}

extension Condition {
  /// True or false of every row.
  public static func constant(_ value: Bool) -> Condition { Condition(.constant(value)) }

  /// A comparison of two terms.
  public static func compare(_ left: Term, _ comparison: Comparison, _ right: Term) -> Condition {
    Condition(.compare(left.checkedForDepth, comparison, right.checkedForDepth))
  }

  /// A term between two others, both included.
  public static func between(_ term: Term, _ lower: Term, _ upper: Term) -> Condition {
    Condition(.between(term.checkedForDepth, lower.checkedForDepth, upper.checkedForDepth))
  }

  /// A term among values; among none, false.
  public static func among(_ term: Term, _ values: [Scalar]) -> Condition { Condition(.among(term.checkedForDepth, values)) }

  /// A term that is null.
  public static func isNull(_ term: Term) -> Condition { Condition(.isNull(term.checkedForDepth)) }

  /// A text that fits a pattern.
  public static func matches(_ term: Term, _ match: TextMatch, _ pattern: Scalar, caseSensitive: Bool) -> Condition {
    Condition(.matches(term.checkedForDepth, match, pattern, caseSensitive: caseSensitive))
  }

  /// All of the conditions; true for an empty list.
  public static func all(_ conditions: [Condition]) -> Condition {
    combined(conditions, neutral: true, Node.all) { if case .all(let parts) = $0 { parts } else { nil } }
  }

  /// One of the conditions at least; false for an empty list.
  public static func any(_ conditions: [Condition]) -> Condition {
    combined(conditions, neutral: false, Node.any) { if case .any(let parts) = $0 { parts } else { nil } }
  }

  /// The rows that the condition leaves out.
  public static func not(_ condition: Condition) -> Condition {
    switch condition.node {
    case .not(let inner): inner
    case .constant(let value): .constant(!value)
    default: Condition(.not(condition), depth: condition.depth + 1)
    }
  }

  /// Joins conditions, taking in the parts of those that are joined the same way.
  private static func combined(
    _ conditions: [Condition], neutral: Bool, _ join: ([Condition]) -> Node, _ partsOfSame: (Node) -> [Condition]?
  ) -> Condition {
    var parts: [Condition] = []
    parts.reserveCapacity(conditions.count)
    var depth = 0
    for condition in conditions {
      if case .constant(neutral) = condition.node { continue }
      if let inner = partsOfSame(condition.node) {
        parts += inner
        depth = max(depth, condition.depth - 1)
      } else {
        parts.append(condition)
        depth = max(depth, condition.depth)
      }
    }
    return switch parts.count {
    case 0: .constant(neutral)
    case 1: parts[0]
    default: Condition(join(parts), depth: depth + 1)
    }
  }

  /// Whether it is true of every row by its form alone, whatever the rows are.
  public var isAlwaysTrue: Bool { constant == true }

  /// What it is of every row, where that does not depend on the row: an empty list has no row among it.
  private var constant: Bool? {
    switch node {
    case .constant(let value): value
    case .among(_, let values): values.isEmpty ? false : nil
    case .not(let inner): inner.constant.map { !$0 }
    case .all(let parts): parts.contains { $0.constant == false } ? false : parts.allSatisfy { $0.constant == true } ? true : nil
    case .any(let parts): parts.contains { $0.constant == true } ? true : parts.allSatisfy { $0.constant == false } ? false : nil
    case .compare, .between, .isNull, .matches, .tooDeep: nil
    }
  }
}
