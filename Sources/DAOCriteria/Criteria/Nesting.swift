/// How deep a condition goes: what checks, renders and frees it goes down with it, and so does SQLite's parser.
struct Nesting: Sendable, Hashable {
  // Small, since each condition holds them, and conditions are copied wherever a criteria goes.
  private let smallLevels: Int16
  private let smallHops: Int16
  private let smallSymbols: Int16
  /// How many functions in one another may fail and are beyond no relationship yet. Beyond one they are worked out for the rows alone that
  /// are reached; see ``guardSymbols``.
  private var smallFailing: Int8

  /// How many levels of and, or, not and relationships.
  var levels: Int { Int(smallLevels) }
  /// How many relationships.
  var hops: Int { Int(smallHops) }
  /// How many symbols SQLite's parser has put aside where it is deepest in the condition's SQL: `"a" IN (SELECT "b" FROM "c" WHERE` are eight.
  /// It has room for 100, in which the rest of the statement has to fit too.
  var symbols: Int { Int(smallSymbols) }
  private var failing: Int { Int(smallFailing) }

  /// What the deepest statement leaves of that room: a page after a place, with a scope (measured with SQLite 3.40).
  static let maximumSymbols = 75
  /// The same for what rows are ordered by, which stands behind the rest.
  static let maximumOrderSymbols = 69

  /// More than any engine reads. What goes deeper is not kept.
  static let tooDeep = Nesting(levels: Condition.maximumDepth + 1, hops: Condition.maximumHops + 1, symbols: maximumSymbols + 1)

  var isTooDeep: Bool { levels > Condition.maximumDepth || hops > Condition.maximumHops || symbols > Self.maximumSymbols }

  /// That of several conditions joined by and, or by or.
  init(joining parts: [Condition]) {
    var (levels, hops) = (0, 0)
    var (deepest, second) = (0, 0)
    var failing = 0
    for part in parts.lazy.map(\.nesting) {
      failing = max(failing, part.failing)
      (levels, hops) = (max(levels, part.levels), max(hops, part.hops))
      second = max(second, min(deepest, part.symbols))
      deepest = max(deepest, part.symbols)
    }
    // What is deep stands first, where its parenthesis is one symbol, `((deep) AND …`; elsewhere it is three, `… AND (`. So are those into
    // which a long list is divided.
    let parentheses = 1 + Condition.halvings(parts.count)
    let symbols = Condition.isDeep(deepest) ? max(deepest + parentheses, second + 3 * parentheses) : deepest + 3 * parentheses
    self.init(levels: levels + 1, hops: hops, symbols: symbols, failing: failing)
  }

  /// That of the negation, which looks for nulls where it meets a relationship.
  var negated: Nesting { adding(levels: 1, symbols: hops > 0 ? 1 : 0) }

  /// That of a condition over the rows that relationships lead to.
  func beyond(_ path: FieldPath) -> Nesting {
    if path.names.isEmpty { return adding(levels: 1) }
    let nested = adding(levels: 1, symbols: guardSymbols).failing(0).over(path.names.count)
    // What is not deep stands behind what leads to the rows: `… AND (`.
    return Condition.isDeepBeyondRelationship(symbols) ? nested : nested.within(4)
  }

  /// That of what so many relationships lead to.
  func over(_ relationships: Int) -> Nesting { adding(hops: relationships, symbols: 8 * relationships) }

  /// That of a function, or an aggregate, that may fail.
  func failing(if mayFail: Bool) -> Nesting {
    if !mayFail { return self }
    return hops > 0 ? within(Self.firstGuard) : failing(failing + 1)
  }

  /// What says which rows are reached: `CASE WHEN "t2"."b" IN (SELECT "t1"."a" FROM "a" JOIN "b" AS "t1" ON "t1"."a" = …`.
  private static let firstGuard = 15
  /// The same around it, of which `CASE WHEN … THEN` is left.
  private static let outerGuard = 5

  private var guardSymbols: Int { failing == 0 ? 0 : Self.firstGuard + (failing - 1) * Self.outerGuard }

  /// That of an aggregate of the rows that relationships lead to. Those before the last are joined.
  func joined(over path: FieldPath) -> Nesting {
    let more = (Condition.isDeepBeyondRelationship(symbols) ? 7 : 9) + guardSymbols
    return adding(levels: 1, hops: path.names.count, symbols: more).failing(0)
  }

  /// That of something that has both side by side.
  func beside(_ other: Nesting) -> Nesting {
    Nesting(
      levels: max(levels, other.levels), hops: max(hops, other.hops), symbols: max(symbols, other.symbols),
      failing: max(failing, other.failing))
  }

  /// That of something around it that takes so many symbols.
  func within(_ more: Int) -> Nesting { adding(symbols: more) }

  private func adding(levels: Int = 0, hops: Int = 0, symbols: Int = 0) -> Nesting {
    Nesting(levels: self.levels + levels, hops: self.hops + hops, symbols: self.symbols + symbols, failing: failing)
  }

  private func failing(_ count: Int) -> Nesting {
    var nesting = self
    nesting.smallFailing = Int8(clamping: count)
    return nesting
  }

  private init(levels: Int, hops: Int, symbols: Int, failing: Int = 0) {
    smallLevels = Int16(clamping: levels)
    smallHops = Int16(clamping: hops)
    smallSymbols = Int16(clamping: symbols)
    smallFailing = Int8(clamping: failing)
  }

  init() { self.init(levels: 0, hops: 0, symbols: 0) }
}

extension Condition {
  /// What messages say of something that goes too deep.
  package static let tooDeep =
    "is nested more than \(maximumDepth) levels deep, goes through more than \(maximumHops) relationships, or too much of both"

  /// How deep its SQL goes.
  package var depth: Int { nesting.symbols }

  /// Whether a condition so deep stands before those beside it. Most are not, and stay where a person put them.
  package static func isDeep(_ depth: Int) -> Bool { depth > 40 }

  /// The same before what leads to its rows, `"t1"."zone" = "zone"."id"`.
  package static func isDeepBeyondRelationship(_ depth: Int) -> Bool { depth > 7 }

  /// How often a list of so many conditions is halved until the parts are short.
  package static func halvings(_ count: Int) -> Int { count <= 100 ? 0 : 1 + halvings((count + 1) / 2) }
}

extension Condition {
  /// Whether a scope and the filter beside it are deeper than any engine reads.
  func isTooDeep(beside filter: Condition) -> Bool {
    // What is so by itself is told there.
    if isAlwaysTrue || nesting.isTooDeep || filter.nesting.isTooDeep { return false }
    return Nesting(joining: [self, filter]).symbols > Nesting.maximumSymbols + 1
  }

  /// Whether a scope and the filter are where an aggregate in the filter, over the rows that the scope lets be seen, has the scope inside.
  func isTooDeep(inside filter: Condition) -> Bool { !isAlwaysTrue && depth + filter.depth > Nesting.maximumSymbols }
}

extension Term {
  /// How deep the functions, conditions and paths in a term go.
  var nesting: Nesting {
    switch self {
    // The last relationship may look for nulls: `"a" IS NULL OR "a" NOT IN (`.
    case .field(let path): path.rest.isEmpty ? Nesting() : Nesting().over(path.rest.count).within(4)
    case .value, .search, .unstorable: Nesting()
    // `coalesce("a", coalesce("b", `, and `abs(abs(`
    case .function(let function, let terms):
      terms.reduce(Nesting()) { $0.beside($1.nesting) }.within(function.takesSeveral ? 5 : 3).failing(if: function == .abs)
    case .aggregate(let aggregate, let term): (term?.nesting ?? Nesting()).within(8).failing(if: aggregate.isOfNumbers)
    case .related(let aggregate, let path, let term, let condition):
      (term?.nesting ?? Nesting()).beside(condition.nesting).joined(over: path).failing(if: aggregate.isOfNumbers)
    }
  }
}

extension Aggregate {
  /// Whether it may fail: where the result does not fit, or a value is none of the attribute's form.
  fileprivate var isOfNumbers: Bool { self == .sum || self == .average }
}
