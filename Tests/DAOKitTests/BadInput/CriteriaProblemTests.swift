import CriteriaTesting
import DAOKit
import Testing

@Suite("Criteria that do not fit")
struct CriteriaProblemTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws { store = try .zones() }

  /// Filters of each kind that does not fit; DAOCriteriaTests/Checking has all of them.
  static let unfit: [(Filter<Zone>, [String])] = [
    (.field("ofset") == 1, ["ofset: zone has no attribute 'ofset'; did you mean 'offset'?"]),
    (.in(.field("offset"), [1, "x", true]), [#"offset: expects integer, not "x""#, "offset: expects integer, not true"]),
    (.like(\.offset, "1*"), ["offset: like is for text, not for integer"]),
    (.abs(\.name) == "x", ["name: abs is for numbers, and not for decimals kept as text"]),
    (.less(\.offset, nil), ["offset: can't be ordered against nil; use isNull or isNotNull"]),
    (.in(\.offset, []) && .field("ofset") == 1, ["ofset: zone has no attribute 'ofset'; did you mean 'offset'?"]),
  ]

  @Test(arguments: unfit)
  func `a filter that does not fit is refused by every call, and no statement is sent`(_ filter: Filter<Zone>, _ expected: [String]) throws
  {
    let sent = try store.trace.during { () throws in
      #expect(problems { _ = try zones.findAll(.where(filter)) } == expected)
      #expect(problems { _ = try zones.count(.where(!filter)) } == expected)
      #expect(problems { _ = try zones.delete(.where(filter)) } == expected)
      #expect(problems { _ = try SearchCriteria.where(filter).sql() } == expected)
    }
    #expect(sent.texts == [])
  }

  @Test func `distinct and having without projections, whatever is asked, on SQLite and in memory`() throws {
    let memory = try DAOFactory(store: .evaluator, entities: Zone.self)
    let distinct = "distinct needs projections, as no two rows are equal; use project"
    let having = "having needs projections to group by"
    for (isMemory, zones) in [(false, zones), (true, memory.runtimeDAO(Zone.self))] {
      for (criteria, expected) in [
        (SearchCriteria<Zone>.all.distinct(), [distinct]), (.all.having(.count > 1), [having]),
        (.where { $0.offset > 1 }.distinct().having { $0.offset > 2 }, [distinct, having]),
      ] {
        let calls: [() throws -> Void] = [
          { _ = try zones.findAll(criteria) }, { _ = try zones.findAllIDs(criteria) }, { _ = try zones.findFirst(criteria) },
          { _ = try zones.count(criteria) }, { _ = try zones.exists(criteria) }, { _ = try zones.page(criteria, size: 2) },
          { try zones.withCursor(criteria) { _ = try $0.next() } }, { try zones.delete(criteria, allowUnfiltered: true) },
          { try zones.update(criteria, set: .set(\.offset, to: 1), allowUnfiltered: true) },
        ]
        for (number, call) in calls.enumerated() { #expect(problems(call) == expected, "call \(number)") }
      }
      #expect(try zones.dictionaries(.all.project(.field(\.offset)).distinct()).count == (isMemory ? 0 : 5))
    }
  }

  @Test func `a pattern that is too long is refused where a sound one of the same shape came before`() throws {
    let long = String(repeating: "a", count: 20_001)
    #expect(try zones.findAll(.where(.like(\.name, "a"))).isEmpty, "a sound pattern of the same shape")
    #expect(problems { _ = try zones.findAll(.where(.like(\.name, long))) } == ["name: has a pattern of more than 20000 bytes"])
    #expect(try zones.findAll(.where(.contains(\.name, long))).isEmpty)
    #expect(try zones.findAll(.where(.like(\.name, String(long.dropLast())))).isEmpty)
    #expect(try zones.findAll(.where(.like(\.name, String(repeating: "%", count: 20_000), caseSensitive: false))).isEmpty)
  }

  @Test func `an alternation of 24 levels still runs, on a small stack too`() throws {
    var filter: Filter<Zone> = \.offset == 0
    for level in 0..<23 { filter = level % 2 == 0 ? filter && \.offset != 2 : filter || \.offset == -level }
    let (zones, deep) = (zones, filter)
    #expect(try onSmallStack { try zones.count(.where(deep)) } == 1)
  }
}
