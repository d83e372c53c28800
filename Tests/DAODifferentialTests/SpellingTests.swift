import DAOKit
import Foundation
import Testing

/// Functions and aggregates are written alike by key path, in closures and by name, in every part of a query, and mean the same on the
/// evaluator and on SQLite.
struct SpellingTests {
  /// A day of 2026.
  private static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + Double(number - 1) * 86_400) }

  private func factory(_ which: Both) throws -> DAOFactory {
    let factory = try which.factory(for: [Team.entityDescription, Player.entityDescription])
    try factory.runtimeDAO(Team.self).insert([Team(1), Team(2)])
    try factory.runtimeDAO(Player.self).insert([
      Player(" b ", rank: 2, fee: 1.5, joinedAt: Self.day(15), of: 1), Player("a", rank: 1, fee: 2.5, joinedAt: Self.day(20), of: 1),
      Player("a", rank: -5, fee: nil, joinedAt: Self.day(40), of: 1), Player("é", rank: nil, fee: 10, joinedAt: Self.day(41), of: 2),
      Player(nil, rank: 3, fee: nil, joinedAt: nil, of: 2),
    ])
    return factory
  }

  // MARK: Projections

  /// A column of a report in its spellings, which are one value, with its SQL and what it makes of all players or teams.
  struct Column: CustomTestStringConvertible {
    let spellings: [Criteria.Column]
    let sql: String
    let made: [Scalar]
    let entity: EntityDescription

    init<V>(_ path: Projection<Player, V>, named: [Criteria.Column], _ sql: String, _ made: Scalar...) {
      (spellings, self.sql, self.made, entity) = ([path.column] + named, sql, made, Player.entityDescription)
    }

    init<V>(ofTeams path: Projection<Team, V>, named: [Criteria.Column], _ sql: String, _ made: Scalar...) {
      (spellings, self.sql, self.made, entity) = ([path.column] + named, sql, made, Team.entityDescription)
    }

    var testDescription: String { sql }
  }

  private static func named<V>(_ projection: Projection<DynamicEntity, V>) -> Criteria.Column { projection.column }

  @Test(arguments: Both.allCases, aggregates + functions + related)
  func `a projection is written as in filters, by key path and by name`(which: Both, _ column: Column) throws {
    #expect(Set(column.spellings).count == 1)
    var criteria = Criteria()
    criteria.columns = [try #require(column.spellings.first)]
    if !criteria.columns[0].term.hasAggregate { criteria.orders = [Criteria.Ordering(.field(FieldPath("id")))] }
    let target = EntityTarget(column.entity)
    let sql = try SearchCriteria<DynamicEntity>(criteria).sql(in: target)?.text
    #expect(sql?.replacing(#" ORDER BY "id" ASC NULLS FIRST"#, with: "") == "SELECT \(column.sql) FROM \"\(column.entity.table)\"")
    let dao = try factory(which).runtimeDAO(column.entity)
    #expect(try dao.dictionaries(SearchCriteria(criteria)).map { $0[criteria.columns[0].name] } == column.made)
  }

  static let aggregates: [Column] = [
    Column(
      .groupConcat(\.name), named: [named(.aggregate(.groupConcat(), "name")), named(.groupConcat(.field("name")))],
      #"dao_groupConcat("name", ?)"#, " b , a, a, é"),
    Column(
      .groupConcat(\.name, separator: "/", order: .descending(\.rank), .ascending(\.id)),
      named: [
        named(
          .aggregate(
            .groupConcat(
              separator: "/",
              order: [Criteria.Ordering(.field(FieldPath("rank")), .descending), Criteria.Ordering(.field(FieldPath("id")))]),
            "name")),
        named(.groupConcat(.field("name"), separator: "/", order: .descending(.field("rank")), .ascending(.field("id")))),
      ],
      #"dao_groupConcat("name", ?, "rank", 'DESC NULLS LAST INTEGER', "id", 'ASC NULLS FIRST INTEGER')"#, " b /a/a/é"),
    Column(
      .groupConcat(.upper(.trim(\.name)), order: .ascending(.abs(\.rank), nulls: .last)),
      named: [named(.groupConcat(.upper(.trim(.field("name"))), order: .ascending(.abs(.field("rank")), nulls: .last)))],
      #"dao_groupConcat(dao_upper(dao_trim("name")), ?, dao_abs("rank"), 'ASC NULLS LAST INTEGER')"#, "A, B, A, É"),
    Column(
      .sum(.round(\.fee)), named: [named(.sum(.round(.field("fee"))))],
      #"dao_sum(dao_round("fee", 'DECIMAL_TEXT'), 'DECIMAL_TEXT', 'player', 'fee')"#, .decimal(15)),
    Column(
      .sum(\.fee), named: [named(.aggregate(.sum, "fee")), named(.sum(.field("fee")))], #"dao_sum("fee", 'DECIMAL_TEXT', 'player', 'fee')"#,
      .decimal(14)),
    Column(
      .average(.abs(\.rank)), named: [named(.average(.abs(.field("rank"))))], #"dao_average(dao_abs("rank"), 'INTEGER', 'player', 'rank')"#,
      2.75),
    Column(.min(.abs(\.rank)), named: [named(.min(.abs(.field("rank"))))], #"MIN(dao_abs("rank"))"#, 1),
    Column(.max(.length(\.name)), named: [named(.max(.length(.field("name"))))], #"MAX(dao_length("name"))"#, 3),
    Column(
      .count(.year(\.joinedAt)), named: [named(.count(.year(.field("joinedAt"))))],
      #"COUNT(dao_year("joinedAt", 'DATETIME_TEXT', ?))"#, 4),
    Column(
      .count(distinct: .startOf(.month, \.joinedAt)), named: [named(.count(distinct: .startOf(.month, .field("joinedAt"))))],
      #"COUNT(DISTINCT dao_startOfMonth("joinedAt", 'DATETIME_TEXT', ?))"#, 2),
    Column(.count(distinct: \.name), named: [named(.count(distinct: .field("name")))], #"COUNT(DISTINCT "name")"#, 3),
    Column(
      .round(.average(\.rank), digits: 1), named: [named(.round(.average(.field("rank")), digits: 1))],
      #"dao_round(dao_average("rank", 'INTEGER', 'player', 'rank'), 'REAL', ?)"#, 0.3),
  ]

  static let functions: [Column] = [
    Column(.lower(\.name), named: [named(.lower(.field("name")))], #"dao_lower("name")"#, " b ", "a", "a", "é", .null),
    Column(.upper(\.name), named: [named(.upper(.field("name")))], #"dao_upper("name")"#, " B ", "A", "A", "É", .null),
    Column(.trim(\.name), named: [named(.trim(.field("name")))], #"dao_trim("name")"#, "b", "a", "a", "é", .null),
    Column(.length(\.name), named: [named(.length(.field("name")))], #"dao_length("name")"#, 3, 1, 1, 1, .null),
    Column(
      .substring(\.name, from: 1, size: 1), named: [named(.substring(.field("name"), from: 1, size: 1))],
      #"dao_substring("name", ?, ?)"#, "b", "", "", "", .null),
    Column(
      .replace(\.name, "a", with: "x"), named: [named(.replace(.field("name"), "a", with: "x"))], #"dao_replace("name", ?, ?)"#, " b ", "x",
      "x", "é", .null),
    Column(
      .concat(\.name, \.name, separator: "-"), named: [named(.concat(.field("name"), .field("name"), separator: "-"))],
      #"dao_concat("name", "name", ?)"#, " b - b ", "a-a", "a-a", "é-é", ""),
    Column(
      .concat(.field(\.name), .upper(\.name)), named: [named(.concat(.field("name"), .upper(.field("name"))))],
      #"dao_concat("name", dao_upper("name"), ?)"#, " b  B ", "aA", "aA", "éÉ", ""),
    Column(.abs(\.rank), named: [named(.abs(.field("rank")))], #"dao_abs("rank")"#, 2, 1, 5, .null, 3),
    Column(
      .round(\.fee), named: [named(.round(.field("fee")))], #"dao_round("fee", 'DECIMAL_TEXT')"#, .decimal(2), .decimal(3), .null,
      .decimal(10), .null),
    Column(
      .round(\.fee, digits: 1), named: [named(.round(.field("fee"), digits: 1))], #"dao_round("fee", 'DECIMAL_TEXT', ?)"#,
      .decimal(1.5), .decimal(2.5), .null, .decimal(10), .null),
    Column(
      .year(\.joinedAt), named: [named(.year(.field("joinedAt")))], #"dao_year("joinedAt", 'DATETIME_TEXT', ?)"#, 2026, 2026, 2026, 2026,
      .null),
    Column(
      .month(\.joinedAt, utcOffset: -3600), named: [named(.month(.field("joinedAt"), utcOffset: -3600))],
      #"dao_month("joinedAt", 'DATETIME_TEXT', ?)"#, 1, 1, 2, 2, .null),
    Column(.day(\.joinedAt), named: [named(.day(.field("joinedAt")))], #"dao_day("joinedAt", 'DATETIME_TEXT', ?)"#, 15, 20, 9, 10, .null),
    Column(
      .weekday(\.joinedAt), named: [named(.weekday(.field("joinedAt")))], #"dao_weekday("joinedAt", 'DATETIME_TEXT', ?)"#, 4, 2, 1, 2,
      .null),
    Column(.hour(\.joinedAt), named: [named(.hour(.field("joinedAt")))], #"dao_hour("joinedAt", 'DATETIME_TEXT', ?)"#, 0, 0, 0, 0, .null),
    Column(
      .startOf(.year, \.joinedAt), named: [named(.startOf(.year, .field("joinedAt")))],
      #"dao_startOfYear("joinedAt", 'DATETIME_TEXT', ?)"#,
      .date(day(1)), .date(day(1)), .date(day(1)), .date(day(1)), .null),
    Column(.coalesce(\.rank, 0), named: [named(.coalesce(.field("rank"), 0))], #"coalesce("rank", ?)"#, 2, 1, -5, 0, 3),
    Column(
      .coalesce(.trim(\.name), "-"), named: [named(.coalesce(.trim(.field("name")), "-"))], #"coalesce(dao_trim("name"), ?)"#, "b", "a",
      "a",
      "é", "-"),
    Column(
      .coalesce(\.rank, \.teamID), named: [named(.coalesce(.field("rank"), .field("teamID")))], #"coalesce("rank", "teamID")"#, 2, 1, -5, 2,
      3),
    Column(
      .coalesce(.abs(\.rank), .field(\.teamID)), named: [named(.coalesce(.abs(.field("rank")), .field("teamID")))],
      #"coalesce(dao_abs("rank"), "teamID")"#, 2, 1, 5, 2, 3),
  ]

  private static let from = #"FROM "player" AS "t1" WHERE "t1"."teamID" = "team"."id""#

  static let related: [Column] = [
    Column(
      ofTeams: .count(\.players), named: [named(.aggregate(.count, over: "players"))], "(SELECT COUNT(*) \(from))", 3, 2),
    Column(
      ofTeams: .max(\.players, \.rank, where: \.fee == nil),
      named: [named(.aggregate(.max, over: "players", "rank", where: .field("fee") == nil))],
      #"(SELECT MAX("t1"."rank") \#(from) AND "t1"."fee" IS NULL)"#, -5, 3),
    Column(ofTeams: .min(\.players, .abs(\.rank)), named: [], #"(SELECT MIN(dao_abs("t1"."rank")) \#(from))"#, 1, 3),
    Column(ofTeams: .max(\.players, .abs(\.rank)), named: [], #"(SELECT MAX(dao_abs("t1"."rank")) \#(from))"#, 5, 3),
    Column(
      ofTeams: .sum(\.players, .round(\.fee)), named: [],
      #"(SELECT dao_sum(dao_round("t1"."fee", 'DECIMAL_TEXT'), 'DECIMAL_TEXT', 'player', 'fee') \#(from))"#, .decimal(5),
      .decimal(10)),
    Column(
      ofTeams: .average(\.players, .length(\.name)), named: [],
      #"(SELECT dao_average(dao_length("t1"."name"), 'INTEGER', 'player', 'name') \#(from))"#,
      1.6666666666666667, 1.0),
    Column(
      ofTeams: .groupConcat(\.players, .upper(\.name), separator: "/", order: .ascending(\.rank)), named: [],
      #"(SELECT dao_groupConcat(dao_upper("t1"."name"), ?, "t1"."rank", 'ASC NULLS FIRST INTEGER') \#(from))"#, "A/A/ B ", "É"),
    Column(
      ofTeams: .groupConcat(\.players, \.name, order: .descending(\.id)),
      named: [
        named(.aggregate(.groupConcat(order: [Criteria.Ordering(.field(FieldPath("id")), .descending)]), over: "players", "name"))
      ],
      #"(SELECT dao_groupConcat("t1"."name", ?, "t1"."id", 'DESC NULLS LAST INTEGER') \#(from))"#, "a, a,  b ", "é"),
  ]

  // MARK: Having

  /// A filter of groups in its spellings, with its SQL and the teams whose players it is true of.
  struct Having: CustomTestStringConvertible {
    let spellings: [Criteria.Condition]
    let sql: String
    let teams: [Scalar]

    init(
      _ path: Filter<Player>, _ closure: (Player.Fields) -> Filter<Player>, named: Filter<DynamicEntity>,
      _ namedClosure: (DynamicEntity.Fields) -> Filter<DynamicEntity>, _ sql: String, _ teams: Scalar...
    ) {
      spellings = [
        path.condition, closure(Player.Fields(path: .root)).condition, named.condition,
        namedClosure(DynamicEntity.Fields(path: .root)).condition,
      ]
      (self.sql, self.teams) = (sql, teams)
    }

    var testDescription: String { sql }
  }

  @Test(arguments: Both.allCases, havings)
  func `a filter of groups is written by key path, in a closure and by name`(which: Both, _ having: Having) throws {
    #expect(Set(having.spellings).count == 1)
    var criteria = SearchCriteria<DynamicEntity>.all.project(.group(by: "teamID")).order(by: .ascending(.field("teamID"))).criteria
    criteria.having = having.spellings[0]
    #expect(
      try SearchCriteria<DynamicEntity>(criteria).sql(in: EntityTarget(Player.entityDescription))?.text == """
        SELECT "teamID" FROM "player" GROUP BY "teamID" HAVING \(having.sql) ORDER BY "teamID" ASC NULLS FIRST
        """)
    let dao = try factory(which).runtimeDAO("player")
    #expect(try dao.dictionaries(SearchCriteria(criteria)).map { $0["teamID"] } == having.teams)
  }

  static let havings: [Having] = [
    Having(
      .sum(.round(\.fee)) > 5, { $0.fee.rounded().sum() > 5 }, named: .sum(.round(.field("fee"))) > .decimal(5),
      { $0.fee.rounded().sum() > .decimal(5) },
      #"dao_sum(dao_round("fee", 'DECIMAL_TEXT'), 'DECIMAL_TEXT', 'player', 'fee') COLLATE dao_decimal > ?"#, 2),
    Having(
      .count(distinct: .startOf(.month, \.joinedAt)) == 2, { $0.joinedAt.startOf(.month).countDistinct() == 2 },
      named: .count(distinct: .startOf(.month, .field("joinedAt"))) == 2, { $0.joinedAt.startOf(.month).countDistinct() == 2 },
      #"COUNT(DISTINCT dao_startOfMonth("joinedAt", 'DATETIME_TEXT', ?)) = ?"#, 1),
    Having(
      .groupConcat(.upper(\.name), separator: "", order: .descending(\.rank, nulls: .first), .ascending(.trim(\.name))) == " B AA",
      {
        $0.name.uppercased().groupConcat(separator: "", order: $0.rank.descending(nulls: .first), $0.name.trimmed().ascending())
          == " B AA"
      },
      named: .groupConcat(
        .upper(.field("name")), separator: "", order: .descending(.field("rank"), nulls: .first), .ascending(.trim(.field("name"))))
        == " B AA",
      {
        $0.name.uppercased().groupConcat(separator: "", order: $0.rank.descending(nulls: .first), $0.name.trimmed().ascending())
          == " B AA"
      },
      """
      dao_groupConcat(dao_upper("name"), ?, "rank", 'DESC NULLS FIRST INTEGER', dao_trim("name"), 'ASC NULLS FIRST TEXT') = ?
      """, 1),
    Having(
      .max(.coalesce(\.rank, \.teamID)) < 3, { $0.rank.coalesce($0.teamID).max() < 3 },
      named: .max(.coalesce(.field("rank"), .field("teamID"))) < 3, { $0.rank.coalesce($0.teamID).max() < 3 },
      #"MAX(coalesce("rank", "teamID")) < ?"#, 1),
    Having(
      .min(.substring(\.name, from: 0, size: 1)) == "é", { $0.name.substring(from: 0, size: 1).min() == "é" },
      named: .min(.substring(.field("name"), from: 0, size: 1)) == "é", { $0.name.substring(from: 0, size: 1).min() == "é" },
      #"MIN(dao_substring("name", ?, ?)) = ?"#, 2),
  ]

  // MARK: Orders

  @Test(arguments: Both.allCases)
  func `groups are ordered by aggregates of functions and by name`(which: Both) throws {
    let orders: [(path: Order<Player>, named: Order<DynamicEntity>, sql: String, teams: [Scalar])] = [
      (
        .ascending(.sum(.round(\.fee))), .ascending(.sum(.round(.field("fee")))),
        #"dao_sum(dao_round("fee", 'DECIMAL_TEXT'), 'DECIMAL_TEXT', 'player', 'fee') COLLATE dao_decimal"#, [1, 2]
      ),
      (.ascending(.count(\.id)), .ascending(.aggregate(.count, "id")), #"COUNT("id")"#, [2, 1]),
      (
        .ascending(.groupConcat(\.name, order: .descending(\.id))),
        .ascending(.groupConcat(.field("name"), order: .descending(.field("id")))),
        #"dao_groupConcat("name", ?, "id", 'DESC NULLS LAST INTEGER')"#, [1, 2]
      ),
      (
        .ascending(.max(.startOf(.month, \.joinedAt, utcOffset: 86_399))),
        .ascending(.max(.startOf(.month, .field("joinedAt"), utcOffset: 86_399))),
        #"MAX(dao_startOfMonth("joinedAt", 'DATETIME_TEXT', ?))"#, [1, 2]
      ),
    ]
    let factory = try factory(which)
    for (path, named, sql, teams) in orders {
      #expect(path.ordering == named.ordering)
      let typed = SearchCriteria<Player>.all.project(.group(by: \.teamID)).order(by: path, .ascending(\.teamID))
      let dynamic = SearchCriteria<DynamicEntity>.all.project(.group(by: "teamID")).order(by: named, .ascending(.field("teamID")))
      #expect(
        try typed.sql()?.text == """
          SELECT "teamID" FROM "player" GROUP BY "teamID" ORDER BY \(sql) ASC NULLS FIRST, "teamID" ASC NULLS FIRST
          """)
      #expect(try factory.runtimeDAO(Player.self).dictionaries(typed).map { $0["teamID"] } == teams)
      #expect(try factory.runtimeDAO("player").dictionaries(dynamic).map { $0["teamID"] } == teams)
    }
  }

  // MARK: Types

  @Test(arguments: Both.allCases)
  func `a report has the types that its spellings say`(which: Both) throws {
    let factory = try factory(which)
    let months: [(Date?, Decimal?, Int, String?, Double?)] = try factory.runtimeDAO(Player.self).project(
      .group(by: .startOf(.month, \.joinedAt)), .sum(.round(\.fee)), .count(distinct: .lower(\.name)),
      .groupConcat(.upper(\.name), separator: "+", order: .descending(\.rank), .ascending(\.id)), .average(.length(\.name)),
      matching: .where(\.teamID == 1).order(by: .ascending(.startOf(.month, \.joinedAt))))
    #expect(months.map(\.0) == [Self.day(1), Self.day(32)] && months.map(\.1) == [5, nil] && months.map(\.2) == [2, 1])
    #expect(months.map(\.3) == [" B +A", "A"] && months.map(\.4) == [2, 1])
    let teams: [(Int, Int, String?)] = try factory.runtimeDAO(Team.self).project(
      .field(\.id), .count(\.players, where: \.fee != nil), .groupConcat(\.players, \.name), matching: .all.order(by: \.id))
    #expect(teams.map(\.0) == [1, 2] && teams.map(\.1) == [2, 1] && teams.map(\.2) == [" b , a, a", "é"])
  }
}
