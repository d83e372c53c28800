import Foundation
import TestCases
import Testing

@testable import DAOCriteria
@testable import DAOSQL

@Suite("Shapes")
struct ShapeTests {
  static let entity = EntityDescription(
    "t", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("a", .text, optional: true, searchable: true), Attribute("b", .text, searchable: true),
      Attribute("n", .integer, optional: true),
      Attribute("d", .decimal(.text), optional: true), Attribute("j", .json, optional: true),
    ])

  /// The text of what a query becomes, or the number of its problems.
  func rendered(_ kind: Criteria.Use, _ scoped: Scoped) -> String {
    do {
      let target = EntityTarget(Self.entity, scope: scoped.scope)
      let plan = SQLRenderer.plan(kind, try scoped.criteria.checked(kind, in: target, within: .sqlite))
      // Forms and literals are part of the plan: a recipe for other values would be as wrong as another text.
      return "\(plan.isEmpty) \(plan.text) \(plan.bindings.map { "\($0.number) \($0.form)" })"
    } catch { return "refused" }
  }

  @Test func `equal shapes have one plan and one hash, whatever the values`() {
    var random = RandomSource(seed: TestCases.seed)
    var same = 0
    for _ in 0..<TestCases.count(4000, inSuite: 1000) {
      let seed = random.next()
      var (left, right) = (Shapes(structure: seed, values: random.next()), Shapes(structure: seed, values: random.next()))
      let (a, b) = (left.criteria(), right.criteria())
      guard a.hasShape(of: b) else { continue }
      same += 1
      #expect(b.hasShape(of: a))
      for kind in [Criteria.Use.entities, .page, .report, .count, .keys, .delete] {
        let (planA, planB) = (rendered(kind, a), rendered(kind, b))
        // Values can be refused in the one and fit in the other; a plan is then made for neither from the other's.
        if planA != "refused", planB != "refused" { #expect(planA == planB) }
        #expect(a.shape(kind).words == b.shape(kind).words)
      }
    }
    #expect(same > TestCases.count(500, inSuite: 100))
  }

  @Test func `criteria with different plans have different shapes`() {
    var random = RandomSource(seed: ~TestCases.seed)
    var criteria: [Scoped] = []
    for _ in 0..<TestCases.count(300, inSuite: 150) {
      var shapes = Shapes(structure: random.next() % 40, values: random.next())
      criteria.append(shapes.criteria())
    }
    var different = 0
    for a in criteria {
      let planA = rendered(.report, a)
      for b in criteria where a.hasShape(of: b) {
        #expect(planA == "refused" || rendered(.report, b) == "refused" || rendered(.report, b) == planA)
      }
      for b in criteria where !a.hasShape(of: b) {
        different += a.shape(.report).words.hash == b.shape(.report).words.hash ? 0 : 1
      }
    }
    #expect(different > TestCases.count(1000, inSuite: 250))
  }

  @Test func `the check numbers the values as the shape collects them`() {
    var random = RandomSource(seed: TestCases.seed &+ 1)
    var checked = 0
    for _ in 0..<TestCases.count(4000, inSuite: 1000) {
      var shapes = Shapes(structure: random.next(), values: random.next())
      let criteria = shapes.criteria()
      for kind in [Criteria.Use.entities, .report, .update([Criteria.Change(.field(FieldPath("a")), .function(.lower, [.value("x")]))])] {
        let target = EntityTarget(Self.entity, scope: criteria.scope)
        guard let result = try? criteria.criteria.checked(kind, in: target, within: .sqlite) else { continue }
        checked += 1
        #expect(result.values == criteria.shape(kind).values)
      }
    }
    #expect(checked > TestCases.count(500, inSuite: 100))
  }

  @Test func `what is written can be read in one way: lists of texts are equal where their words are`() {
    func words(_ texts: [String]) -> ShapeWords {
      var words = ShapeWords()
      for text in texts { words.add(text) }
      return words
    }
    var random = RandomSource(seed: TestCases.seed &+ 1)
    func text() -> String {
      // Of the lengths at which a word more is taken, and of bytes that could be lengths.
      let count = [0, 1, 6, 7, 8, 9, 15, 16, 17, 127, 128, 255, 256][Int(random.next() % 13)]
      return String(String.UnicodeScalarView((0..<count).map { _ in ["\0", "\u{1}", "\u{7}", "\u{7F}"][Int(random.next() % 4)] }))
    }
    var lists: [[String]] = (0..<400).map { _ in (0..<random.next() % 3).map { _ in text() } }
    lists += [["", ""], [""], ["\0"], ["\0\0"], ["aaaaaaa"], ["aaaaaaaa"], ["aaaaaaa", "a"], ["a", "aaaaaaa"]]
    for left in lists { for right in lists { #expect((words(left) == words(right)) == (left == right)) } }
  }

  @Test func `reports in which other literals are equal have other shapes, since they may be refused and end in other orders`() {
    func json(_ key: String) -> Criteria.Term { .json(.field(FieldPath("j")), [.key(key)], as: .text) }
    func report(_ groups: [String], order: String, having: String? = nil, isDistinct: Bool = false) -> Scoped {
      var criteria = Criteria()
      criteria.columns = groups.enumerated().map { Criteria.Column(json($1), isGroup: !isDistinct, name: "c\($0)") }
      if !isDistinct { criteria.columns.append(Criteria.Column(.aggregate(.count, nil), isGroup: false, name: "n")) }
      if let having { criteria.having = .isNull(json(having)) }
      criteria.orders = [Criteria.Ordering(json(order))]
      criteria.isDistinct = isDistinct
      criteria.limit = 5
      return Scoped(criteria: criteria)
    }
    let reports = [
      report(["a", "b"], order: "a"), report(["a", "b"], order: "b"), report(["a", "b"], order: "c"),
      report(["a"], order: "a", having: "a"),
      report(["a"], order: "a", having: "b"), report(["a"], order: "b", having: "a"), report(["a"], order: "b", having: "b"),
      report(["a"], order: "a", isDistinct: true), report(["a"], order: "b", isDistinct: true),
    ]
    for (i, left) in reports.enumerated() { for (j, right) in reports.enumerated() { #expect(left.hasShape(of: right) == (i == j)) } }
    // The values themselves make no difference.
    #expect(reports[0].hasShape(of: report(["x", "y"], order: "x")))
    #expect(rendered(.report, reports[0]) != "refused" && rendered(.report, reports[2]) == "refused")
  }

  @Test func `another kind of literal, one beside a double or an instant, null or NUL in a list, or limit 0 make another shape`() {
    func shape(_ condition: Criteria.Condition) -> Scoped {
      var criteria = Criteria()
      criteria.filter = condition
      return Scoped(criteria: criteria)
    }
    let a = Criteria.Term.field(FieldPath("a"))
    let all: [Criteria.Condition] = [
      .compare(a, .equal, .value("x")), .compare(a, .equal, .value(1)), .compare(a, .equal, .value(.null)), .among(a, []), .among(a, ["x"]),
      .among(a, ["x", .null]), .among(a, [.null]), .among(a, ["\0"]), .compare(a, .equal, .value(9_007_199_254_740_993)),
      .compare(a, .equal, .value(.date(Date(timeIntervalSince1970: 0)))),
      .compare(a, .equal, .value(.date(Date(timeIntervalSince1970: 1e9)))),
      .among(a, [.date(Date(timeIntervalSince1970: 0))]),
      .matches(a, .endsWith, "x", caseSensitive: true), .matches(a, .endsWith, "x", caseSensitive: false),
      .matches(a, .contains, "x", caseSensitive: true), .search(Criteria.Search("x")),
      .search(Criteria.Search(FieldPath("a"), "x")), .compare(.search(.relevance, Criteria.Search("x")), .equal, .value("x")),
      .isNull(a),
      .not(.isNull(a)), .constant(true), .constant(false),
      .isNull(.json(a, ["x"], as: .text)), .isNull(.json(a, ["x"], as: .integer)), .isNull(.json(a, [0], as: .text)),
      .isNull(.json(a, ["x", "x"], as: .text)),
    ]
    for (i, left) in all.enumerated() {
      for (j, right) in all.enumerated() { #expect(shape(left).hasShape(of: shape(right)) == (i == j), "\(left.node) \(right.node)") }
    }
    #expect(shape(.isNull(.json(a, ["x", 0], as: .text))).hasShape(of: shape(.isNull(.json(a, ["y", 1], as: .text)))))
    func limited(_ limit: Int?) -> Scoped {
      var criteria = Criteria()
      criteria.limit = limit
      return Scoped(criteria: criteria)
    }
    #expect(!limited(5).hasShape(of: limited(0)) && !limited(5).hasShape(of: limited(nil)))
    func place(_ values: [StoredValue]?) -> Scoped {
      var criteria = Criteria()
      criteria.after = values
      return Scoped(criteria: criteria)
    }
    #expect(place([.integer(1), .null]).hasShape(of: place([.text("x"), .null])))
    for other in [nil, [], [.integer(1)], [.null, .integer(1)], [.integer(1), .integer(1)]] as [[StoredValue]?] {
      #expect(!place([.integer(1), .null]).hasShape(of: place(other)) && !place(other).hasShape(of: place([.integer(1), .null])))
    }
    let set = Criteria.Use.update([Criteria.Change(a, .value("x"))])
    func words(_ kind: Criteria.Use) -> ShapeWords { CriteriaShape(kind, Criteria(), scope: .constant(true)).words }
    #expect(words(set) == words(.update([Criteria.Change(a, .value("y"))])))
    #expect(words(set) != words(.update([Criteria.Change(a, .value(.null))])) && words(set) != words(.delete))
  }
}

/// A query and the rows that its DAO lets be seen.
struct Scoped {
  var criteria = Criteria()
  var scope = Criteria.Condition.constant(true)

  func shape(_ kind: Criteria.Use) -> CriteriaShape { CriteriaShape(kind, criteria, scope: scope) }

  func hasShape(of other: Scoped) -> Bool { shape(.report).words == other.shape(.report).words }
}

/// Random criteria: the structure from one seed, the values from another.
struct Shapes {
  var structure: RandomSource
  var values: RandomSource

  init(structure: UInt64, values: UInt64) {
    self.structure = RandomSource(seed: structure)
    self.values = RandomSource(seed: values)
  }

  private mutating func pick(_ count: Int) -> Int { Int(structure.next() % UInt64(count)) }

  mutating func criteria() -> Scoped {
    let scope = pick(2) == 0 ? condition(1) : .constant(true)
    var criteria = Criteria()
    criteria.filter = condition(3)
    if pick(3) == 0 { criteria.columns = (0...pick(2)).map { Criteria.Column(term(), isGroup: pick(3) == 0, name: "c\($0)") } }
    if pick(3) == 0 {
      criteria.orders = [Criteria.Ordering(term(), pick(2) == 0 ? .ascending : .descending, nulls: pick(2) == 0 ? .first : .last)]
    }
    if pick(3) == 0 { criteria.limit = Int(values.next() % 3) }
    if pick(3) == 0 { criteria.offset = Int(values.next() % 9) + 1 }
    criteria.isDistinct = pick(6) == 0
    if pick(3) == 0 {
      criteria.after = (0...criteria.orders.count).map { _ in values.next() % 2 == 0 ? .null : .integer(Int64(values.next() % 9)) }
    }
    return Scoped(criteria: criteria, scope: scope)
  }

  private mutating func condition(_ depth: Int) -> Criteria.Condition {
    switch pick(depth > 0 ? 10 : 7) {
    case 0: .compare(term(), Criteria.Comparison.allCases[pick(6)], pick(2) == 0 ? term() : .value(scalar()))
    case 1: .between(term(), .value(scalar()), .value(scalar()))
    case 2: .among(term(), (0..<(values.next() % 4)).map { _ in scalar() })
    case 3: .isNull(term())
    case 4: .matches(term(), Criteria.TextComparison.allCases[pick(4)], text(), caseSensitive: pick(2) == 0)
    case 5: .constant(pick(2) == 0)
    case 6: .search(search())
    case 7: .all((0...pick(3)).map { _ in condition(depth - 1) })
    case 8: .any((0...pick(3)).map { _ in condition(depth - 1) })
    default: .not(condition(depth - 1))
    }
  }

  private mutating func term() -> Criteria.Term {
    let field = Criteria.Term.field(FieldPath(["a", "b", "n", "d"][pick(4)]))
    return switch pick(9) {
    case 0: .function(Function.allCases[pick(7)], [field])
    case 1: .aggregate([Aggregate.min, .max, .sum, .average, .count, .countDistinct, .groupConcat()][pick(7)], field)
    case 2: .function(.coalesce, [field, .value(scalar())])
    case 3: .search(.relevance, search())
    case 4: .search(.highlight(FieldPath(["a", "b"][pick(2)]), start: "<", end: ">"), search())
    case 5: .json(.field(FieldPath("j")), path(), as: [.text, .integer, .real, .bool][pick(4)])
    default: field
    }
  }

  private mutating func path() -> [JSONStep] {
    (0...pick(2)).map { _ in pick(2) == 0 ? .place(Int(values.next() % 3)) : .key(["", "a"][Int(values.next() % 2)]) }
  }

  private mutating func search() -> Criteria.Search {
    Criteria.Search(
      FieldPath(["", "a", "b"][pick(3)]), FullTextQuery(["", "a", "b c"][Int(values.next() % 3)], .any, prefix: values.next() % 2 == 0))
  }

  private mutating func text() -> Scalar { .text(["", "a", "b*", "%"][Int(values.next() % 4)]) }

  private mutating func scalar() -> Scalar {
    switch values.next() % 6 {
    case 0: .null
    case 1: .integer(Int64(values.next() % 9))
    case 2: .decimal(Decimal(Int(values.next() % 9)))
    case 3: .text("x\0")
    default: text()
    }
  }
}
