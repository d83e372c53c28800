import DAOKit
import Foundation
import Testing

/// The texts of a group in an order, on the evaluator and on SQLite.
struct GroupConcatTests {
  private static let player = EntityDescription(
    "player", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, optional: true), Attribute("rank", .integer, optional: true),
      Attribute("fee", .decimal(.text), optional: true), Attribute("teamID", .integer, optional: true),
    ])
  private static let team = EntityDescription(
    "team", key: .generated("id"), attributes: [Attribute("id", .integer)], relationships: [.toMany("players", player, by: "teamID")])

  private static func field(_ name: String) -> Criteria.Term { .field(FieldPath(name)) }

  private func store(_ which: Both) throws -> any EntityStore {
    let store = try which.store(for: [Self.team, Self.player])
    _ = try store.insert((0..<3).map { _ in try DynamicEntity(Self.team, [:]) }, in: EntityTarget(Self.team))
    func fee(_ text: String) -> Scalar { Decimal(string: text).map { .decimal($0) } ?? .null }
    let rows: [[String: Scalar]] = [
      ["name": "b", "rank": 2, "fee": fee("9.5"), "teamID": 1], ["name": "a", "rank": 3, "fee": fee("10"), "teamID": 1],
      ["name": .null, "rank": 1, "teamID": 1], ["name": "é", "rank": .null, "fee": fee("9.50"), "teamID": 1],
      ["name": "b", "rank": 2, "fee": fee("-1"), "teamID": 1], ["name": .null, "teamID": 2],
    ]
    _ = try store.insert(rows.map { try DynamicEntity(Self.player, $0) }, in: EntityTarget(Self.player))
    return store
  }

  private static func list(_ separator: String, _ orders: Criteria.Ordering...) -> Aggregate {
    .groupConcat(separator: separator, order: orders)
  }

  private static let lists: [(Aggregate, String, json: String)] = [
    (list(","), "a,b,b,é", #""separator": ",""#), (list(", "), "a, b, b, é", ""),
    (list("", Criteria.Ordering(field("rank"))), "ébba", #""separator": "", "order": [{"by": "rank"}]"#),
    (list("", Criteria.Ordering(field("rank"), nulls: .last)), "bbaé", #""separator": "", "order": [{"by": "rank", "nulls": "last"}]"#),
    (
      list("/", Criteria.Ordering(field("rank"), .descending), Criteria.Ordering(field("name"))), "a/b/b/é",
      #""separator": "/", "order": [{"by": "rank", "direction": "descending"}, {"by": "name"}]"#
    ),
    // As numbers: -1, 9.5 and 9.50, 10.
    (list(" ", Criteria.Ordering(field("fee"))), "b b é a", #""separator": " ", "order": [{"by": "fee"}]"#),
    (
      list(" ", Criteria.Ordering(.function(.length, [field("name")])), Criteria.Ordering(field("id"), .descending)), "b é a b",
      #""separator": " ", "order": [{"by": {"length": "name"}}, {"by": "id", "direction": "descending"}]"#
    ),
  ]

  @Test(arguments: Both.allCases, lists.indices)
  func `texts are joined in an order, in groups, over all rows and over a relationship`(which: Both, number: Int) throws {
    let (store, (list, expected, members)) = (try store(which), Self.lists[number])
    var report = Criteria()
    report.columns = [
      Criteria.Column(Self.field("teamID"), isGroup: true),
      Criteria.Column(.aggregate(list, Self.field("name")), name: "names"),
    ]
    report.orders = [Criteria.Ordering(Self.field("teamID"))]
    let groups = try store.report(in: EntityTarget(Self.player), report) { row -> [Scalar] in [try row.takeScalar(), try row.takeScalar()] }
    #expect(groups == [[1, .text(expected)], [2, .null]])
    report.columns.removeFirst()
    report.orders = []
    #expect(try store.report(in: EntityTarget(Self.player), report) { try $0.takeScalar() } == [.text(expected)])

    let related = Criteria.Term.related(list, FieldPath("players"), Self.field("name"), .constant(true))
    var teams = Criteria()
    teams.columns = [Criteria.Column(related, name: "names")]
    teams.orders = [Criteria.Ordering(Self.field("id"))]
    #expect(try store.report(in: EntityTarget(Self.team), teams) { try $0.takeScalar() } == [.text(expected), .null, .null])
    #expect(try store.keys(.compare(related, .equal, .value(.text(expected))), of: Self.team) == [1])
    #expect(
      try store.keys(.compare(.aggregate(list, Self.field("name")), .equal, .value(.text(expected))), of: Self.player).count == 6)

    let comma = members.isEmpty ? "" : ", "
    let json = #"{"version": 1, "entity": "team", "filter": {"isNull": {"groupConcat": "name", "over": "players"\#(comma + members)}}}"#
    let read = try CriteriaDecoder(allowing: .everything).decode(Data(json.utf8), of: [Self.team, Self.player]).criteria
    #expect(read.filter == .isNull(related))
    let again = try CriteriaDecoder(allowing: .everything).decode(Data(read.json(of: Self.team).utf8), of: [Self.team, Self.player])
    #expect(again.criteria.filter == read.filter)
  }

  @Test(arguments: Both.costly)
  func `more than 100 million bytes are an overflow, and no text is a problem`(which: Both) throws {
    let store = try store(which)
    let players = try (0..<120).map { _ in try DynamicEntity(Self.player, ["name": "c"]) }
    _ = try store.insert(players, in: EntityTarget(Self.player))
    func result(_ separator: String, _ name: String) throws -> [Scalar] {
      var report = Criteria()
      report.columns = [Criteria.Column(.aggregate(Self.list(separator), Self.field(name)))]
      return try store.report(in: EntityTarget(Self.player), report) { try $0.takeScalar() }
    }
    #expect {
      _ = try result(String(repeating: "-", count: 1_000_000), "name")
    } throws: {
      if case DAOError.overflow("player", _) = $0 { true } else { false }
    }
    #expect {
      _ = try result(",", "rank")
    } throws: {
      if case DAOError.invalidCriteria(_, let problems) = $0 {
        problems.map(\.message) == ["groupConcat is for text, not for integer"]
      } else {
        false
      }
    }
  }

  @Test(arguments: Both.allCases)
  func `an order that fails of a row fails, though the row has no text`(which: Both) throws {
    let store = try which.store(for: [Self.team, Self.player])
    _ = try store.insert([DynamicEntity(Self.player, ["name": .null, "rank": .integer(.min)])], in: EntityTarget(Self.player))
    var report = Criteria()
    let order = Criteria.Ordering(.function(.abs, [Self.field("rank")]))
    report.columns = [Criteria.Column(.aggregate(Self.list(",", order), Self.field("name")))]
    #expect {
      _ = try store.report(in: EntityTarget(Self.player), report) { try $0.takeScalar() }
    } throws: {
      if case DAOError.overflow("player", _) = $0 { true } else { false }
    }
  }

  /// The statement of a list is kept for other separators, and for no other order.
  @Test(arguments: Both.allCases)
  func `one list after the other has its own separator and order`(which: Both) throws {
    let store = try store(which)
    for _ in 0..<2 {
      for (list, expected, _) in Self.lists {
        var report = Criteria()
        report.columns = [Criteria.Column(.aggregate(list, Self.field("name")))]
        #expect(try store.report(in: EntityTarget(Self.player), report) { try $0.takeScalar() } == [.text(expected)])
      }
    }
  }
}
