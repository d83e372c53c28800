import DAODifferential
import DAOKit
import Foundation
import Testing

/// Criteria that differ in one word alone, one after the other on one connection: where the word was left out of the shape, the second
/// would run the statement of the first.
struct ShapeWordTests {
  private static let row: EntityDescription = EntityDescription(
    "row", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("a", .text, optional: true, searchable: true),
      Attribute("b", .text, optional: true, searchable: true), Attribute("t", .date(.unixSeconds), optional: true),
      Attribute("n", .integer, optional: true), Attribute("x", .real, optional: true), Attribute("j", .json, optional: true),
      Attribute("w", .any, optional: true), Attribute("upID", .integer, optional: true), Attribute("sideID", .integer, optional: true),
    ],
    relationships: [
      .toOne("up", row, by: "upID"), .toOne("side", row, by: "sideID"), .toMany("downs", row, by: "upID"),
      .toMany("ups", row, by: "sideID"),
    ])

  private static let rows: [[String: Scalar]] = [
    [
      "a": "Ab", "b": "AB", "n": 1, "w": 1, "t": .date(Date(timeIntervalSince1970: 0.1)), "x": 1.5, "j": .text(#"{"k":"1","l":["x",2]}"#),
      "sideID": 2,
    ],
    ["a": "ab", "b": " ab ", "n": -2, "w": "2", "x": -2.5, "j": .text(#"{"k":2,"l":"y"}"#), "upID": 1, "sideID": 1],
    [
      "a": "ba", "b": "ab", "n": 3, "x": 0.5, "w": "1", "t": .date(Date(timeIntervalSince1970: 1_800_000_000)), "j": .text(#"{"k":true}"#),
      "upID": 1,
    ],
    ["a": .null, "b": "c", "n": .null, "w": .real(1.5), "t": .date(Date(timeIntervalSince1970: -1)), "x": .null, "upID": 2, "sideID": 3],
    ["a": "Cab", "b": .null, "n": 1, "x": 2, "j": .text(#"{"k":1.5,"l":[]}"#), "upID": 3, "sideID": 2],
    ["a": "ab", "b": "ab", "n": 9, "x": 7.5, "w": .integer(.max), "upID": 3, "sideID": 5],
  ]

  private static func field(_ path: String) -> Criteria.Term { .field(FieldPath(path)) }
  private static let (a, b, n, x) = (field("a"), field("b"), field("n"), field("x"))

  private static func filter(_ condition: Criteria.Condition) -> Criteria { made { $0.filter = condition } }

  private static func made(_ change: (inout Criteria) -> Void) -> Criteria {
    var criteria = Criteria()
    change(&criteria)
    return criteria
  }

  private static func ordered(_ term: Criteria.Term, _ direction: Criteria.Ordering.Direction, _ nulls: Nulls) -> Criteria {
    made { $0.orders = [Criteria.Ordering(term, direction, nulls: nulls), Criteria.Ordering(field("id"))] }
  }

  private static func report(_ terms: [(Criteria.Term, isGroup: Bool)], _ change: (inout Criteria) -> Void = { _ in }) -> Criteria {
    made {
      $0.columns = terms.enumerated().map { Criteria.Column($1.0, isGroup: $1.isGroup, name: "c\($0)") }
      change(&$0)
    }
  }

  /// Lists of criteria, each of which differs in one word from the others of its list.
  private static let lists: [(String, [Criteria])] = [
    (
      "the comparison",
      [Criteria.Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].map { filter(.compare(n, $0, .value(1))) }
    ),
    ("the side", [filter(.compare(n, .less, .value(1))), filter(.compare(.value(1), .less, n))]),
    ("the attribute", [filter(.compare(a, .equal, .value("ab"))), filter(.compare(b, .equal, .value("ab")))]),
    ("the relationship", ["up", "side"].map { filter(.compare(field("\($0).n"), .equal, .value(1))) }),
    ("its length", [filter(.isNull(field("up.a"))), filter(.isNull(field("up.up.a"))), filter(.isNull(a))]),
    (
      "the bounds",
      [filter(.between(n, .value(1), .value(3))), filter(.between(.value(1), n, .value(3))), filter(.between(.value(1), .value(0), n))]
    ),
    ("not", [filter(.isNull(a)), filter(.not(.isNull(a)))]),
    (
      "null in a list",
      [filter(.among(a, ["ab"])), filter(.among(a, ["ab", .null])), filter(.not(.among(a, ["ab"]))), filter(.among(a, []))]
    ),
    ("the match", Criteria.TextComparison.allCases.map { filter(.matches(a, $0, .text($0 == .like ? "a?" : "b"), caseSensitive: true)) }),
    ("case", [true, false].map { filter(.matches(a, .like, "ab", caseSensitive: $0)) }),
    (
      "and, or",
      [filter(.all([.isNull(a), .isNull(n)])), filter(.any([.isNull(b), .isNull(n)])), filter(.not(.any([.isNull(b), .isNull(n)])))]
    ),
    ("the constant", [filter(.constant(true)), filter(.constant(false))]),
    ("the quantifier's relationship", ["downs", "up", "side"].map { filter(.some(FieldPath($0), .compare(n, .less, .value(2)))) }),
    (
      "the function",
      [Function.lower, .upper, .trim].map { filter(.compare(.function($0, [b]), .equal, .value("ab"))) }
        + [filter(.compare(.function(.coalesce, [a, b]), .equal, .value("ab")))]
    ),
    (
      "the order of terms",
      [
        filter(.compare(.function(.coalesce, [a, b]), .equal, .value("ab"))),
        filter(.compare(.function(.coalesce, [b, a]), .equal, .value("ab"))),
      ]
    ),
    (
      "rounding and magnitude",
      [Function.abs, .round].map { filter(.compare(.function($0, [x]), .equal, .value(.real(2.5)))) }
        + [filter(.compare(x, .greater, .value(2.5)))]
    ),
    ("the JSON type", [AttributeType.text, .integer, .real, .bool].map { filter(.not(.isNull(.json(field("j"), ["k"], as: $0)))) }),
    (
      "the JSON step's kind",
      [filter(.not(.isNull(.json(field("j"), ["l"], as: .text)))), filter(.not(.isNull(.json(field("j"), ["l", 0], as: .text))))]
    ),
    (
      "the aggregate of related rows",
      [Aggregate.min, .max, .sum, .count].map {
        filter(.compare(.related($0, FieldPath("downs"), n, .constant(true)), .less, .value(2)))
      }
    ),
    (
      "the relationship of related rows",
      ["downs", "ups"].map { filter(.compare(.related(.count, FieldPath($0), nil, .constant(true)), .less, .value(2))) }
    ),
    (
      "the term of related rows",
      [n, x].map { filter(.compare(.related(.max, FieldPath("downs"), $0, .constant(true)), .less, .value(3))) }
    ),
    ("an integer in a list that no double is equal to", [[1], [.integer(.max)]].map { filter(.among(field("w"), $0)) }),
    ("what is counted", [n, nil].map { filter(.compare(.related(.count, FieldPath("downs"), $0, .constant(true)), .equal, .value(1))) }),
    (
      "its condition",
      [
        filter(.compare(.related(.count, FieldPath("downs"), nil, .isNull(n)), .equal, .value(1))),
        filter(.compare(.related(.count, FieldPath("downs"), nil, .not(.isNull(n))), .equal, .value(1))),
      ]
    ),
    ("the aggregate", [Aggregate.min, .max, .average, .sum, .count, .countDistinct].map { report([(.aggregate($0, n), false)]) }),
    (
      "direction and nulls",
      [Criteria.Ordering.Direction.ascending, .descending].flatMap { direction in [Nulls.first, .last].map { ordered(a, direction, $0) } }
    ),
    ("what is ordered by", [a, b, n, .function(.lower, [a]), field("up.n")].map { ordered($0, .ascending, .first) }),
    (
      "a further order",
      [
        made { $0.orders = [Criteria.Ordering(n, .ascending, nulls: .first), Criteria.Ordering(field("id"), .descending)] },
        ordered(n, .ascending, .first),
      ]
    ),
    ("groups", [report([(a, true), (.aggregate(.count, nil), false)]), report([(b, true), (.aggregate(.count, nil), false)])]),
    ("isGroup", [report([(a, true)]), report([(a, false)])]),
    ("isDistinct", [true, false].map { isDistinct in report([(a, false)]) { $0.isDistinct = isDistinct } }),
    (
      "having",
      [
        report([(a, true)]), report([(a, true)]) { $0.having = .compare(.aggregate(.count, nil), .greater, .value(1)) },
        report([(a, true)]) { $0.having = .compare(.aggregate(.count, nil), .equal, .value(1)) },
      ]
    ),
    ("the order of columns", [report([(a, false), (b, false)]), report([(b, false), (a, false)])]),
    (
      "where words are looked for",
      ["a", "b", "up.a", nil].map { filter(.search(Criteria.Search($0.map { FieldPath($0) } ?? .root, .any("ba c")))) }
    ),
    (
      "what a search tells",
      [
        .highlight(FieldPath("a"), start: "<", end: ">"), .highlight(FieldPath("b"), start: "<", end: ">"),
        .snippet(FieldPath("a"), start: "(", end: ")", ellipsis: "", words: 1),
      ].map { report([(.search($0, Criteria.Search("ab")), false)]) }
    ),
    (
      "whether it fits",
      [Criteria.Search(FieldPath("a"), "ab"), Criteria.Search(FieldPath("b"), "ab")].map {
        filter(.isNull(.search(.relevance, $0)))
      }
    ),
    (
      "the kind of a value",
      [.integer(1), .text("1"), .real(1.5)].map { filter(.compare(field("w"), .equal, .value($0))) }
    ),
    ("a text that spells a number", ["x", "1"].map { filter(.compare(field("w"), .less, .value(.text($0)))) }),
    ("a text that spells a number, in a list", [["x"], ["2"]].map { filter(.among(field("w"), $0)) }),
    ("a NUL in a list", [["ab"], ["a\0b"]].map { filter(.among(a, $0)) }),
    (
      "a date before 1985",
      [-1, 0.1, 1_800_000_000].map { filter(.compare(field("t"), .equal, .value(.date(Date(timeIntervalSince1970: $0))))) }
    ),
    (
      "a date before 1985, in a list",
      [1_800_000_000, 0.1].map { filter(.among(field("t"), [.date(Date(timeIntervalSince1970: $0))])) }
    ),
    (
      "a null in a place",
      [[StoredValue.null, .integer(4)], [.text("ab"), .integer(2)]].map { after in
        made {
          $0.orders = [Criteria.Ordering(a, nulls: .first), Criteria.Ordering(field("id"))]
          $0.after = after
        }
      }
    ),
    (
      "whether there is a place",
      [nil, [StoredValue.integer(3)]].map { after in
        made {
          $0.orders = [Criteria.Ordering(field("id"))]
          $0.after = after
        }
      }
    ),
    ("limit and offset", [Criteria(), made { $0.limit = 2 }, made { $0.limit = 0 }, made { ($0.limit, $0.offset) = (2, 1) }]),
  ]

  /// Lists of changes, each of which differs in one word from the others of its list.
  private static let changes: [(String, [[Criteria.Change]])] = [
    ("the attribute that changes", [[Criteria.Change(a, .value("new"))], [Criteria.Change(b, .value("new"))]]),
    ("its value", [[Criteria.Change(a, b)], [Criteria.Change(a, .function(.lower, [b]))], [Criteria.Change(a, .value(.null))]]),
    ("how many change", [[Criteria.Change(a, .value("new"))], [Criteria.Change(a, .value("new")), Criteria.Change(n, .value(7))]]),
    (
      "their order",
      [[Criteria.Change(a, b), Criteria.Change(b, .value("new"))], [Criteria.Change(b, a), Criteria.Change(a, .value("new"))]]
    ),
  ]

  @Test(arguments: changes.indices)
  func `changes that differ in one word have effects of their own on one connection`(number: Int) throws {
    struct TakenBack: Error {}
    func effect(_ store: any EntityStore, _ changes: [Criteria.Change]) throws -> [String] {
      var rows: [String] = []
      do {
        try store.write { store in
          _ = try store.update(in: EntityTarget(Self.row), Self.filter(.compare(Self.field("id"), .less, .value(5))), set: changes)
          rows = try store.find(DynamicEntity.self, in: EntityTarget(Self.row), Criteria()).map { "\($0)" }.sorted()
          throw TakenBack()
        }
      } catch is TakenBack {}
      return rows
    }
    let (name, list) = Self.changes[number]
    let effects = try list.map { try effect(try store(.evaluator), $0) }
    #expect(Set(effects).count == list.count, "\(name)")
    for first in list.indices {
      let store = try store(.sqlite)
      for place in [first] + list.indices {
        #expect(try effect(store, list[place]) == effects[place], "\(name), number \(place) after \(first)")
      }
    }
  }

  @Test func `statements of several kinds have answers of their own on one connection`() throws {
    let criteria = Self.filter(.compare(Self.n, .less, .value(2)))
    func answers(_ store: any EntityStore) -> [() throws -> String] {
      let target = EntityTarget(Self.row)
      return [
        { "\(try store.count(in: target, criteria))" }, { "\(try store.exists(in: target, criteria))" },
        { "\(try store.findKeys(DynamicEntity.self, in: target, criteria).sorted { "\($0)" < "\($1)" })" }, { answer(store, criteria) },
      ]
    }
    let expected = try answers(store(.evaluator)).map { try $0() }
    #expect(Set(expected).count == expected.count)
    for first in expected.indices {
      let calls = answers(try store(.sqlite))
      for place in [first] + expected.indices { #expect(try calls[place]() == expected[place], "number \(place) after \(first)") }
    }
  }

  private func answer(_ store: any EntityStore, _ criteria: Criteria) -> String {
    let target = EntityTarget(Self.row)
    do {
      guard criteria.columns.isEmpty else {
        let rows = try store.report(in: target, criteria) { row in try (0..<row.columnCount).map { _ in "\(try row.takeScalar())" } }
        // Groups come in any order.
        return "\(rows.map { $0.joined(separator: ",") }.sorted())"
      }
      var criteria = criteria
      if criteria.orders.isEmpty { criteria.orders = [Criteria.Ordering(Self.field("id"))] }
      return "\(try store.find(DynamicEntity.self, in: target, criteria).map { "\($0["id"] ?? .null)" })"
    } catch { return "\(error)" }
  }

  @Test(arguments: lists.indices)
  func `criteria that differ in one word have answers of their own on one connection`(number: Int) throws {
    let (name, list) = Self.lists[number]
    let answers = try list.map { criteria in
      let answer = answer(try store(.evaluator), criteria)
      // Of a search only SQLite tells more than the rows: on a connection that runs nothing else.
      return answer.hasPrefix("the evaluator can't answer") ? self.answer(try store(.sqlite), criteria) : answer
    }
    // Otherwise nothing would show.
    #expect(Set(answers).count == list.count, "\(name): \(answers)")
    // Whichever comes first leaves its statement to the others.
    for first in list.indices {
      let store = try store(.sqlite)
      for place in [first] + list.indices + list.indices.reversed() {
        #expect(answer(store, list[place]) == answers[place], "\(name), number \(place) after \(first)")
      }
    }
  }

  private func store(_ which: Both) throws -> any EntityStore {
    let store = try which.store(for: [Self.row])
    _ = try store.insert(
      try Self.rows.map { row in try DynamicEntity(Self.row, row.filter { $0.key != "upID" && $0.key != "sideID" }) },
      in: EntityTarget(Self.row))
    for (place, row) in Self.rows.enumerated() {
      for name in ["upID", "sideID"] where row[name] != nil {
        let one = Criteria.Condition.compare(Self.field("id"), .equal, .value(.integer(Int64(place + 1))))
        _ = try store.update(
          in: EntityTarget(Self.row), Self.filter(one), set: [Criteria.Change(Self.field(name), .value(row[name] ?? .null))])
      }
    }
    return store
  }

  /// Of a date far from today several microseconds are read as one, and of a near one none beside it.
  @Test func `a date is told from one that is read from several microseconds`() throws {
    let entity = EntityDescription(
      "moment", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("at", .date(.unixMicroseconds))])
    let target = EntityTarget(entity)
    let store = EngineStore(
      try SQLiteEngine(inMemory: {
        try $0.execute(
          sql: """
            CREATE TABLE moment (id INTEGER PRIMARY KEY, at DATETIME_MICROSECONDS NOT NULL); \
            INSERT INTO moment VALUES (1, 1800000000000000), (2, 253402300799999999)
            """)
      }))
    let dates = try store.find(DynamicEntity.self, in: target, Criteria()).compactMap { $0["at"] }
    for makes in [{ Criteria.Condition.compare(Self.field("at"), .equal, .value($0)) }, { .among(Self.field("at"), [$0]) }]
      as [(Scalar) -> Criteria.Condition]
    {
      for (date, key) in zip(dates, [1, 2] as [Int64]) {
        #expect(try store.find(DynamicEntity.self, in: target, Self.filter(makes(date))).map { $0["id"] } == [.integer(key)])
      }
    }
  }
}
