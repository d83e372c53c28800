extension Criteria {
  /// A filter as a plain value, without Swift types. ``Filter`` wraps it, engines render it and the evaluator evaluates it.
  ///
  /// A condition is true or false of each row, never unknown: `x == nil` is true of null rows, `x != 3` too, every other comparison with a
  /// null operand is false, and `!f` is true of exactly the rows that `f` is not.
  ///
  /// Conditions are only made by the functions here, which keep them flat: `(a && b) && c` is one list of three, `!(!a)` is `a`.
  public struct Condition: Sendable, Hashable {
    /// The kind of the condition, with its parts.
    public let node: Node
    /// How deep it goes.
    let nesting: Nesting
    /// Its value for every row, where it follows from the form alone.
    fileprivate let constant: Bool?

    /// The kinds of condition. Each is one reference at most, since conditions are copied with each query.
    public enum Node: Sendable, Hashable {
      /// True or false of every row.
      case constant(Bool)
      /// One term compared with another.
      indirect case compare(Criteria.Term, Criteria.Comparison, Criteria.Term)
      /// A term between two others, both included.
      indirect case between(Criteria.Term, Criteria.Term, Criteria.Term)
      /// A term among values; null among them means that the term may be null.
      indirect case among(Criteria.Term, [Scalar])
      /// A term that is null.
      indirect case isNull(Criteria.Term)
      /// A text that fits a pattern.
      indirect case matches(Criteria.Term, Criteria.TextComparison, Scalar, caseSensitive: Bool)
      /// Words in searchable attributes.
      indirect case search(Criteria.Search)
      /// All of the conditions; true of none.
      case all([Criteria.Condition])
      /// One of the conditions at least; false of none.
      case any([Criteria.Condition])
      /// The rows that the condition leaves out.
      indirect case not(Criteria.Condition)
      /// A row at least, at the end of a path of relationships, of which the condition is true.
      indirect case some(FieldPath, Criteria.Condition)
      /// Nested deeper than is kept, or through more relationships; the check reports it.
      case tooDeep
    }

    /// More levels than this are refused.
    ///
    /// A relationship is a level too. Levels, relationships and functions also share the room that an engine has: in SQLite's, 8
    /// relationships leave room for one level around a comparison. A query beyond ``Criteria/StatementLimits`` is refused when it is
    /// checked, on every store alike.
    public static let maximumDepth = 24
    /// More relationships than this, one within the other, are refused.
    public static let maximumHops = 8

    private init(_ node: Node, _ nesting: Nesting = Nesting()) {
      self.node = nesting.isTooDeep ? .tooDeep : node
      self.nesting = nesting.isTooDeep ? .tooDeep : nesting
      constant = self.node.constant
    }

    // `nesting` and `constant` are derived from `node`.
    /// Whether two conditions are of the same kind, with the same parts.
    public static func == (left: Condition, right: Condition) -> Bool { left.node == right.node }

    /// Hashes the kind of the condition and its parts.
    public func hash(into hasher: inout Hasher) { hasher.combine(node) }
  }
}

extension Criteria.Condition.Node {
  /// The value for every row, where it does not depend on the row: an empty list has no row among it. Each part keeps its own value, since
  /// a walk down from every level would double with each of them.
  fileprivate var constant: Bool? {
    switch self {
    case .constant(let value): value
    case .among(_, let values): values.isEmpty ? false : nil
    case .not(let inner): inner.constant.map { !$0 }
    case .all(let parts): parts.contains { $0.constant == false } ? false : parts.allSatisfy { $0.constant == true } ? true : nil
    case .any(let parts): parts.contains { $0.constant == true } ? true : parts.allSatisfy { $0.constant == false } ? false : nil
    case .some(_, let inner): inner.constant == false ? false : nil
    case .compare, .between, .isNull, .matches, .search, .tooDeep: nil
    }
  }

  /// Whether it is neither a constant nor a list.
  fileprivate var isPlain: Bool {
    switch self {
    case .constant, .all, .any: false
    default: true
    }
  }
}

extension Criteria.Condition {
  /// True or false of every row.
  public static func constant(_ value: Bool) -> Criteria.Condition { Criteria.Condition(.constant(value)) }

  /// A comparison of two terms.
  public static func compare(_ left: consuming Criteria.Term, _ comparison: Criteria.Comparison, _ right: consuming Criteria.Term)
    -> Criteria.Condition
  {
    left.checkDepth()
    right.checkDepth()
    let nesting = left.nesting.beside(right.nesting).inside
    return Criteria.Condition(.compare(left, comparison, right), nesting)
  }

  /// A term between two others, both included.
  public static func between(_ term: Criteria.Term, _ lower: Criteria.Term, _ upper: Criteria.Term) -> Criteria.Condition {
    let (term, lower, upper) = (term.checkedForDepth, lower.checkedForDepth, upper.checkedForDepth)
    return Criteria.Condition(.between(term, lower, upper), term.nesting.beside(lower.nesting).beside(upper.nesting).inside)
  }

  /// A term among values; among none, false.
  public static func among(_ term: Criteria.Term, _ values: [Scalar]) -> Criteria.Condition {
    let term = term.checkedForDepth
    return Criteria.Condition(.among(term, values), term.nesting.inside)
  }

  /// A term that is null.
  public static func isNull(_ term: Criteria.Term) -> Criteria.Condition {
    let term = term.checkedForDepth
    return Criteria.Condition(.isNull(term), term.nesting.inside)
  }

  /// A text that fits a pattern.
  public static func matches(_ term: Criteria.Term, _ match: Criteria.TextComparison, _ pattern: Scalar, caseSensitive: Bool)
    -> Criteria.Condition
  {
    let term = term.checkedForDepth
    return Criteria.Condition(.matches(term, match, pattern, caseSensitive: caseSensitive), term.nesting.inside)
  }

  /// Words in searchable attributes.
  public static func search(_ search: Criteria.Search) -> Criteria.Condition {
    Criteria.Condition(.search(search), Nesting(hops: search.path.rest.count, nodes: 1))
  }

  /// All of the conditions; true for an empty list.
  public static func all(_ conditions: [Criteria.Condition]) -> Criteria.Condition {
    combined(conditions, neutral: true, Node.all) { if case .all(let parts) = $0 { parts } else { nil } }
  }

  /// One of the conditions at least; false for an empty list.
  public static func any(_ conditions: [Criteria.Condition]) -> Criteria.Condition {
    combined(conditions, neutral: false, Node.any) { if case .any(let parts) = $0 { parts } else { nil } }
  }

  /// The rows that the condition leaves out.
  public static func not(_ condition: Criteria.Condition) -> Criteria.Condition {
    switch condition.node {
    case .not(let inner): inner
    case .constant(let value): .constant(!value)
    default: Criteria.Condition(.not(condition), condition.nesting.within())
    }
  }

  /// A row at least, at the end of a path of relationships, of which the condition is true.
  public static func some(_ path: FieldPath, _ condition: Criteria.Condition) -> Criteria.Condition {
    Criteria.Condition(.some(path, condition), condition.nesting.within(over: path.names.count))
  }

  /// Joins conditions, taking in the parts of those that are joined the same way.
  private static func combined(
    _ conditions: [Criteria.Condition], neutral: Bool, _ join: ([Criteria.Condition]) -> Node,
    _ partsOfSame: (Node) -> [Criteria.Condition]?
  ) -> Criteria.Condition {
    // Mostly there is nothing to leave out or take in.
    if conditions.count > 1, conditions.allSatisfy({ $0.node.isPlain }) {
      return Criteria.Condition(join(conditions), Nesting(joining: conditions))
    }
    var parts: [Criteria.Condition] = []
    parts.reserveCapacity(conditions.count)
    for condition in conditions {
      if case .constant(neutral) = condition.node { continue }
      if let inner = partsOfSame(condition.node) { parts += inner } else { parts.append(condition) }
    }
    return switch parts.count {
    case 0: .constant(neutral)
    case 1: parts[0]
    default: Criteria.Condition(join(parts), Nesting(joining: parts))
    }
  }

  /// Both of two conditions, of which one is mostly true of every row.
  @usableFromInline static func both(_ left: Criteria.Condition, _ right: Criteria.Condition) -> Criteria.Condition {
    if case .constant(true) = left.node { return right }
    if case .constant(true) = right.node { return left }
    return .all([left, right])
  }

  /// Whether it is true of every row by its form alone, whatever the rows are.
  public var isAlwaysTrue: Bool { constant == true }

  /// Whether it is false of every row by its form alone.
  var isAlwaysFalse: Bool { constant == false }
}
