/// How deep the SQL of a condition or a term goes, in the symbols that a parser has put aside where it is deepest; see
/// ``Criteria/StatementLimits/symbols``.
package struct StatementDepth: Sendable, Hashable {
  /// The symbols.
  package private(set) var symbols = 0
  /// Whether a relationship is in it.
  private var passesRelationship = false
  /// How many functions in one another may fail and are beyond no relationship yet. Beyond one they are worked out for the rows alone that
  /// are reached; see ``guardSymbols``.
  private var failing = 0

  init() {}

  /// That of several conditions joined by and, or by or.
  init(joining parts: [StatementDepth]) {
    var (deepest, second) = (0, 0)
    for part in parts {
      failing = max(failing, part.failing)
      passesRelationship = passesRelationship || part.passesRelationship
      second = max(second, min(deepest, part.symbols))
      deepest = max(deepest, part.symbols)
    }
    // Deep conditions stand first, where their parenthesis is one symbol, `((deep) AND …`; elsewhere it is three, `… AND (`. The
    // parentheses that divide a long list take three as well.
    let parentheses = 1 + Self.halvings(parts.count)
    symbols = Self.isDeep(deepest) ? max(deepest + parentheses, second + 3 * parentheses) : deepest + 3 * parentheses
  }

  /// That of something that has both side by side.
  func beside(_ other: StatementDepth) -> StatementDepth {
    var depth = self
    depth.symbols = max(symbols, other.symbols)
    depth.passesRelationship = passesRelationship || other.passesRelationship
    depth.failing = max(failing, other.failing)
    return depth
  }

  /// That of something that has so many symbols beside it. What fails there, or goes through relationships, is guarded there.
  func atLeast(_ others: Int) -> StatementDepth {
    var depth = self
    depth.symbols = max(symbols, others)
    return depth
  }

  /// That of something around it that takes so many symbols.
  func within(_ more: Int) -> StatementDepth {
    var depth = self
    depth.symbols += more
    return depth
  }

  /// The same around it, fewer of which are left where it goes through a relationship: it stands first there.
  func within(_ more: Int, beyondRelationship fewer: Int) -> StatementDepth { within(passesRelationship ? fewer : more) }

  /// The depth of the negation, which checks for nulls at a relationship.
  var negated: StatementDepth { within(passesRelationship ? 1 : 0) }

  /// That of what so many relationships lead to.
  func over(_ relationships: Int) -> StatementDepth {
    var depth = within(8 * relationships)
    depth.passesRelationship = true
    return depth
  }

  /// That of a condition over the rows that relationships lead to.
  func beyond(_ relationships: Int) -> StatementDepth {
    var nested = within(guardSymbols)
    nested.failing = 0
    nested = nested.over(relationships)
    // A shallow condition stands behind the one that leads to the rows: `… AND (`.
    return Self.isDeepBeyondRelationship(symbols) ? nested : nested.within(4)
  }

  /// That of an aggregate of the rows that relationships lead to. Those before the last are joined.
  var joined: StatementDepth {
    var depth = within((Self.isDeepBeyondRelationship(symbols) ? 7 : 9) + guardSymbols)
    depth.passesRelationship = true
    depth.failing = 0
    return depth
  }

  /// That of a function, or an aggregate, that may fail.
  var mayFail: StatementDepth {
    if passesRelationship { return within(Self.firstGuard) }
    var depth = self
    depth.failing += 1
    return depth
  }

  /// The guard that restricts the reached rows: `CASE WHEN "t2"."b" IN (SELECT "t1"."a" FROM "a" JOIN "b" AS "t1" ON "t1"."a" = …`.
  private static let firstGuard = 15
  /// The same around it, of which `CASE WHEN … THEN` is left.
  private static let outerGuard = 5

  private var guardSymbols: Int { failing == 0 ? 0 : Self.firstGuard + (failing - 1) * Self.outerGuard }

  /// Whether a condition of this depth stands before those beside it. Most are not, and stay where a person put them.
  package static func isDeep(_ symbols: Int) -> Bool { symbols > 40 }

  /// The same before what leads to its rows, `"t1"."zone" = "zone"."id"`.
  package static func isDeepBeyondRelationship(_ symbols: Int) -> Bool { symbols > 7 }

  /// How often a list of so many conditions is halved until the parts are short.
  private static func halvings(_ count: Int) -> Int { count <= 100 ? 0 : 1 + halvings((count + 1) / 2) }
}

extension CheckedCondition.Node {
  /// How deep its SQL goes.
  var depth: StatementDepth {
    switch self {
    case .constant: StatementDepth()
    case .compare(let left, _, let right): left.depth.beside(right.depth).within(4)
    case .between(let lower, let upper): lower.depth.beside(upper.depth).within(4)
    case .among(let term, _, _): term.depth.within(11, beyondRelationship: 7)
    case .isNull(let term): term.depth.within(4)
    case .matches(let term, _, _, _): term.depth.within(8, beyondRelationship: 4)
    case .search: StatementDepth().within(8)
    case .all(let parts), .any(let parts): StatementDepth(joining: parts.map(\.depth))
    case .not(let inner): inner.isComparisonBeyond ? inner.depth : inner.depth.negated
    case .some(let quantifier): quantifier.condition.depth.beyond(quantifier.hops.count)
    }
  }
}

extension CheckedCondition {
  /// Whether it is a comparison over a relationship, which has room for the null check of its negation.
  fileprivate var isComparisonBeyond: Bool { if case .some(let quantifier) = node { quantifier.isComparison } else { false } }
}

extension CheckedPair {
  fileprivate var depth: StatementDepth { subject.depth.beside(bound.depth) }
}

extension CheckedTerm.Node {
  /// How deep its SQL goes.
  var depth: StatementDepth {
    switch self {
    case .attribute, .value, .unknown: StatementDepth()
    // `(SELECT rank FROM (SELECT … WHERE … MATCH`, and `coalesce((SELECT dao_highlight(…) FROM … WHERE … AND instr(`
    case .search(let result): StatementDepth().within(result.shown == nil ? 15 : 18)
    case .beyond(_, let inner):
      // The last relationship may look for nulls: `"a" IS NULL OR "a" NOT IN (`.
      if case .beyond = inner.node { inner.depth.over(1) } else { inner.depth.over(1).within(4) }
    // `coalesce("a", coalesce("b", `, and `abs(abs(`
    case .function(let function, let terms):
      terms.reduce(StatementDepth()) { $0.beside($1.depth) }
        .within(function.form.isList || function.jsonType != nil ? 5 : 3).failing(if: function.form.mayFail)
    case .aggregate(let call): call.depth.within(8).failing(if: call.aggregate.form.mayFail)
    case .related(let call, _, let condition):
      call.depth.beside(condition.depth).joined.failing(if: call.aggregate.form.mayFail)
    }
  }
}

extension CheckedAggregate {
  fileprivate var depth: StatementDepth {
    (list?.orders ?? []).reduce(term?.depth ?? StatementDepth()) { $0.beside($1.term.depth) }.atLeast(scopeSymbols)
  }
}

extension StatementDepth {
  fileprivate func failing(if mayFail: Bool) -> StatementDepth { mayFail ? self.mayFail : self }
}
