import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// What holds of all filters, whatever they say.
struct FilterLawTests {
  private static let target = EntityTarget(Everything.entity)

  /// Calls a body with stores of random rows, and filters over them.
  private func forRandomFilters(_ body: (EngineStore, inout RandomCriteria) throws -> Void) throws {
    for batch in 0..<TestCases.count(20, inSuite: 2) {
      var random = RandomSource(seed: TestCases.seed &+ UInt64(batch))
      let rows = Everything.rows(12, &random)
      let store = try Stores.sqlite(rows)
      var generator = RandomCriteria(random: random, rows: rows)
      for _ in 0..<20 { try body(store, &generator) }
    }
  }

  private func keys(_ store: some EntityStore, _ filter: Criteria.Condition) throws -> Set<Int64> {
    var criteria = Criteria()
    criteria.filter = filter
    return Set(try store.findKeys(EverythingRow.self, in: Self.target, criteria))
  }

  @Test func `a filter and its negation part the rows`() throws {
    try forRandomFilters { store, generator in
      let filter = generator.filter()
      let (found, left) = (try keys(store, filter), try keys(store, .not(filter)))
      #expect(found.isDisjoint(with: left) && found.union(left).count == 12, "\(filter.text)")
    }
  }

  @Test func `the negation of a negation is the filter`() throws {
    try forRandomFilters { _, generator in
      let filter = generator.filter()
      #expect(Criteria.Condition.not(.not(filter)) == filter)
    }
  }

  @Test func `and and or are joined flat, whatever the order of joining`() throws {
    try forRandomFilters { _, generator in
      let (a, b, c) = (generator.filter(), generator.filter(), generator.filter())
      #expect(Criteria.Condition.all([.all([a, b]), c]) == .all([a, .all([b, c])]))
      #expect(Criteria.Condition.any([.any([a, b]), c]) == .any([a, .any([b, c])]))
      #expect(Criteria.Condition.all([a]) == a && Criteria.Condition.any([a]) == a)
      #expect(Criteria.Condition.all([a, .constant(true)]) == a && Criteria.Condition.any([a, .constant(false)]) == a)
    }
  }

  @Test func `and and or find what sets say`() throws {
    try forRandomFilters { store, generator in
      let (a, b, c) = (generator.filter(), generator.filter(), generator.filter())
      let (inA, inB, inC) = (try keys(store, a), try keys(store, b), try keys(store, c))
      #expect(try keys(store, .all([a, b])) == inA.intersection(inB))
      #expect(try keys(store, .any([a, b])) == inA.union(inB))
      #expect(try keys(store, .not(.all([a, b]))) == keys(store, .any([.not(a), .not(b)])))
      #expect(try keys(store, .not(.any([a, b]))) == keys(store, .all([.not(a), .not(b)])))
      #expect(try keys(store, .all([a, .any([b, c])])) == inA.intersection(inB.union(inC)))
      #expect(try keys(store, .any([a, .all([a, b])])) == inA)
    }
  }

  @Test func `composing changes no operand`() {
    let (left, right): (Filter<EverythingRow>, Filter<EverythingRow>) = (\.small > 1 && \.text != "a", \.small == 2)
    let (leftBefore, rightBefore) = ("\(left)", "\(right)")
    let criteria = SearchCriteria<EverythingRow>.where(left).order(by: \.small).limit(3)
    let before = "\(criteria)"
    #expect([left && right, left || right, !left].allSatisfy { $0 != left })
    #expect(criteria.filter(right).order(by: \.text).distinct().offset(1).having(right) != criteria)
    #expect("\(left)" == leftBefore && "\(right)" == rightBefore && "\(criteria)" == before)
  }

  @Test(arguments: [true, false])
  func `very many conditions in a row are one filter`(isAnd: Bool) throws {
    var random = RandomSource(seed: TestCases.seed)
    let rows = Everything.rows(6, &random)
    let parts = (0..<TestCases.count(10_000, inSuite: 1_500)).map { number in
      Criteria.Condition.compare(.field(FieldPath("small")), isAnd ? .notEqual : .equal, .value(.integer(Int64(number % 2_000) - 1)))
    }
    let filters = [isAnd ? Criteria.Condition.all(parts) : .any(parts), isAnd ? .not(.any(parts)) : .not(.all(parts))]
    for filter in filters { #expect(try keys(Stores.sqlite(rows), filter) == keys(Stores.array(rows), filter)) }
    // Joined one by one, each time they are copied.
    let some = parts.prefix(TestCases.count(10_000, inSuite: 500))
    let joined = some.reduce(isAnd ? Criteria.Condition.constant(true) : .constant(false)) { isAnd ? .all([$0, $1]) : .any([$0, $1]) }
    #expect(joined == (isAnd ? .all(Array(some)) : .any(Array(some))))
  }

  /// A filter of `levels` that alternate, with a leaf of every form in each.
  private func nested(_ levels: Int) -> Criteria.Condition {
    let leaves: [Criteria.Condition] = [
      .compare(.field(FieldPath("integer?")), .less, .field(FieldPath("small"))),
      .between(.field(FieldPath("real?")), .value(0.0), .field(FieldPath("quarter"))),
      .among(.field(FieldPath("text?")), ["a", .null]),
      .matches(.field(FieldPath("text?")), .beginsWith, "a", caseSensitive: true),
      .compare(.field(FieldPath("decimal?")), .greater, .aggregate(.min, .field(FieldPath("amount")))),
    ]
    return (1...levels).reduce(leaves[0]) { inner, level in
      switch level % 3 {
      case 0: .not(inner)
      case 1: .all([inner, leaves[level % leaves.count]])
      default: .any([leaves[level % leaves.count], inner])
      }
    }
  }

  @Test func `filters nest as deep as is promised, and no deeper`() throws {
    var random = RandomSource(seed: TestCases.seed)
    let rows = Everything.rows(20, &random)
    let (sqlite, array) = (try Stores.sqlite(rows), try Stores.array(rows))
    for levels in TestCases.some(1...Criteria.Condition.maximumDepth, every: 6) {
      let filter = nested(levels)
      #expect(try keys(sqlite, filter) == keys(array, filter))
      if levels < Criteria.Condition.maximumDepth { #expect(try keys(sqlite, .not(filter)) == keys(array, .not(filter))) }
    }
    #expect(Criteria.Condition.maximumDepth == 24)
    let error = #expect(throws: DAOError.self) { try keys(sqlite, nested(25)) }
    guard case .invalidCriteria(_, let problems)? = error else {
      Issue.record("\(String(describing: error)) is no problem of the criteria")
      return
    }
    #expect(
      problems.map(\.message) == [
        "the filter is nested more than 24 levels deep, goes through more than 8 relationships, or too much of both"
      ])
    #expect(throws: DAOError.self) { try keys(sqlite, nested(1_000)) }
  }

  @Test func `the SQL that is shown finds what the store finds`() throws {
    var sent = 0
    try forRandomFilters { store, generator in
      let criteria = generator.entities()
      let found = try store.find(EverythingRow.self, in: EntityTarget(Everything.entity), criteria)
      guard let statement = try SearchCriteria<EverythingRow>(criteria).sql(for: .sqlite) else {
        #expect(found.isEmpty)
        return
      }
      sent += 1
      let rows = try store.query(SQL(statement)) { row, _ in try EverythingRow(row: &row) }
      #expect(rows == found, "\(statement.text)")
    }
    #expect(sent > TestCases.count(100, inSuite: 10))
  }
}

extension String {
  /// The parts between the question marks that are in no quotes.
  fileprivate var splitAtPlaceholders: [Substring] {
    var (quote, parts) = (Character?.none, [Substring]())
    var start = startIndex
    for place in indices {
      switch self[place] {
      case "\"", "'": quote = quote == nil ? self[place] : quote == self[place] ? nil : quote
      case "?" where quote == nil:
        parts.append(self[start..<place])
        start = index(after: place)
      default: break
      }
    }
    return parts + [self[start...]]
  }
}

extension SQL {
  /// A statement as a person would have written it, with its values interpolated.
  fileprivate init(_ statement: SQLStatement) throws {
    var interpolation = SQL.Interpolation(literalCapacity: 0, interpolationCount: 0)
    for (index, text) in statement.text.splitAtPlaceholders.enumerated() {
      // `?3` is the third value, `?` the next.
      let number = text.prefix { index > 0 && $0.isNumber }
      if index > 0 { interpolation.appendInterpolation(try AttributeType.any.scalar(statement.bindings[(Int(number) ?? index) - 1])) }
      interpolation.appendLiteral(String(text.dropFirst(number.count)))
    }
    self.init(stringInterpolation: interpolation)
  }
}
