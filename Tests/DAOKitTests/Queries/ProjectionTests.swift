import CriteriaTesting
import DAOKit
import Testing

@Suite("Projections")
struct ProjectionTests {
  typealias Criteria = SearchCriteria<Zone>

  /// Runs a report as dictionaries and asserts its SQL.
  func report(
    _ criteria: Criteria, _ text: String, _ bindings: [StoredValue] = [], finds rows: [[String: Scalar]], in store: TestStore? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try store ?? .zones()
    let statement = try #require(try criteria.sql(for: .sqlite), sourceLocation: sourceLocation)
    #expect(statement.text == text && statement.bindings == bindings, "\(statement)", sourceLocation: sourceLocation)
    let run = try store.trace.during { try store.zones.dictionaries(criteria) }
    #expect(run.texts == [text] && run.expanded == [statement.expanded], sourceLocation: sourceLocation)
    #expect(run.result == rows, sourceLocation: sourceLocation)
  }

  @Test func `only what is projected is selected; dictionary keys are the attribute's name or function:attribute`() throws {
    try report(
      .where(\.offset == 0).project(.field(\.name), .upper(\.name), .length(\.comment), .coalesce(\.comment, "-")),
      #"SELECT "name", dao_upper("name"), dao_length("comment"), coalesce("comment", ?) FROM "zone" WHERE "offset" = ?"#,
      [.text("-"), .integer(0)],
      finds: [["name": "Europe/London", "upper:name": "EUROPE/LONDON", "length:comment": 13, "coalesce:comment": "UTC in winter"]])
  }

  @Test func `min, max, sum, average, count and count distinct`() throws {
    try report(
      .all.project(
        .min(\.offset), .max(\.offset), .sum(\.offset), .average(\.offset), .count, .count(\.comment), .count(distinct: \.offset)),
      #"""
      SELECT MIN("offset"), MAX("offset"), \#
      dao_sum("offset", 'INTEGER', 'zone', 'offset'), dao_average("offset", 'INTEGER', 'zone', 'offset'), \#
      COUNT(*), COUNT("comment"), COUNT(DISTINCT "offset") FROM "zone"
      """#,
      finds: [
        [
          "min:offset": -18000, "max:offset": 19800, "sum:offset": 19800, "average:offset": 3300.0, "count": 6, "count:comment": 4,
          "countDistinct:offset": 5,
        ]
      ])
  }

  @Test func `aggregates of functions, and texts in an order`() throws {
    try report(
      .where(\.offset >= 0).project(
        .sum(.abs(\.offset)), .count(distinct: .length(\.name)),
        .groupConcat(.lower(\.name), separator: "/", order: .descending(\.offset))),
      #"""
      SELECT dao_sum(dao_abs("offset"), 'INTEGER', 'zone', 'offset'), COUNT(DISTINCT dao_length("name")), \#
      dao_groupConcat(dao_lower("name"), ?, "offset", 'DESC NULLS LAST INTEGER') FROM "zone" WHERE "offset" >= ?
      """#,
      [.text("/"), .integer(0)],
      finds: [
        [
          "sum:abs:offset": 37800, "countDistinct:length:name": 4,
          "groupConcat:lower:name": "asia/kolkata/europe/minsk/europe/bratislava/ärzte/europe/london",
        ]
      ])
  }

  @Test func `an operand that is kept is a column too`() throws {
    let longest: Operand<Zone, Int?> = .max(.length(\.name))
    #expect(Projection.function(longest) == .max(.length(\.name)))
    try report(
      .all.project(.function(longest)), #"SELECT MAX(dao_length("name")) FROM "zone""#, finds: [["max:length:name": 17]])
  }

  @Test func `group by and having`() throws {
    try report(
      .where(\.offset >= 0).project(.group(by: \.offset), .max(\.name), .count).having(.count > 1).order(by: .descending(\.offset)),
      #"""
      SELECT "offset", MAX("name"), COUNT(*) FROM "zone" \#
      WHERE "offset" >= ? GROUP BY "offset" HAVING COUNT(*) > ? ORDER BY "offset" DESC NULLS LAST
      """#,
      [.integer(0), .integer(1)], finds: [["offset": 3600, "max:name": "Ärzte", "count": 2]])
    try report(
      .all.project(.group(by: .lower(\.comment)), .count).having { $0.id.count() > 1 },
      #"SELECT dao_lower("comment"), COUNT(*) FROM "zone" GROUP BY dao_lower("comment") HAVING COUNT("id") > ?"#, [.integer(1)],
      finds: [["lower:comment": .null, "count": 2]])
  }

  @Test func `having is two-valued like every filter`() throws {
    let store = try TestStore.zones()
    let groups = Criteria.all.project(.group(by: \.offset), .max(\.comment))
    let met = try store.zones.dictionaries(groups.having(.max(\.comment) < "V").order(by: \.offset)).map { $0["offset"] }
    let others = try store.zones.dictionaries(groups.having(!(.max(\.comment) < "V")).order(by: \.offset)).map { $0["offset"] }
    #expect(met == [-18000, 0, 10800] && others == [3600, 19800])
  }

  @Test func `groups can be ordered by aggregates, and a page of them ends in what they are grouped by`() throws {
    try report(
      .all.project(.group(by: \.offset), .count).order(by: .descending(.count)).limit(2),
      #"SELECT "offset", COUNT(*) FROM "zone" GROUP BY "offset" ORDER BY COUNT(*) DESC NULLS LAST, "offset" ASC NULLS FIRST LIMIT ?"#,
      [.integer(2)], finds: [["offset": 3600, "count": 2], ["offset": -18000, "count": 1]])
  }

  @Test func `distinct rows count once`() throws {
    let criteria = Criteria.where(\.offset > 0).project(.field(\.offset)).distinct().order(by: \.offset)
    try report(
      criteria, #"SELECT DISTINCT "offset" FROM "zone" WHERE "offset" > ? ORDER BY "offset" ASC NULLS FIRST"#, [.integer(0)],
      finds: [["offset": 3600], ["offset": 10800], ["offset": 19800]])
    #expect(try TestStore.zones().zones.count(criteria) == 3)
    try report(
      .all.project(.field(\.offset)).distinct().limit(2),
      #"SELECT DISTINCT "offset" FROM "zone" ORDER BY "offset" ASC NULLS FIRST LIMIT ?"#, [.integer(2)],
      finds: [["offset": -18000], ["offset": 0]])
  }

  @Test func `aggregates over a page speak of the page's rows`() throws {
    try report(
      .all.project(.sum(\.offset), .count).order(by: .descending(\.offset)).limit(2, offset: 1),
      #"""
      SELECT dao_sum("offset", 'INTEGER', 'zone', 'offset'), COUNT(*) \#
      FROM (SELECT "id", "name", "offset", "comment" FROM "zone" \#
      ORDER BY "offset" DESC NULLS LAST, "id" DESC NULLS LAST LIMIT ? OFFSET ?) AS "zone"
      """#,
      [.integer(2), .integer(1)], finds: [["sum:offset": 14400, "count": 2]])
  }

  @Test func `tuples, dictionaries, Decodable structs and rows read by hand have equal values`() throws {
    struct Line: Decodable, Equatable, Sendable {
      let offset: Int
      let most: String?
      let zones: Int
      enum CodingKeys: String, CodingKey {
        case offset, zones
        case most = "max:comment"
      }
    }
    let zones = try TestStore.zones().zones
    let criteria = Criteria.all.project(.group(by: \.offset), .max(\.comment), .count.named("zones")).order(by: \.offset)
    let decoded = try zones.project(criteria, as: Line.self)
    #expect(decoded.map(\.offset) == [-18000, 0, 3600, 10800, 19800] && decoded.map(\.zones) == [1, 1, 2, 1, 1])
    #expect(decoded.map(\.most) == [Zone.samples[3].comment, "UTC in winter", "ä", "", nil])
    let byHand = try zones.project(criteria) { row in Line(offset: try row.next(), most: try row.next(), zones: try row.next()) }
    let tuples = try zones.project(.group(by: \.offset), .max(\.comment), .count, matching: .all.order(by: \.offset))
    let dictionaries = try zones.dictionaries(criteria)
    #expect(byHand == decoded)
    #expect(tuples.map { Line(offset: $0.0, most: $0.1, zones: $0.2) } == decoded)
    #expect(
      dictionaries
        == decoded.map {
          ["offset": .integer(Int64($0.offset)), "max:comment": $0.most.map { .text($0) } ?? .null, "zones": .integer(Int64($0.zones))]
        })
  }

  @Test func `one projection is a plain value a row`() throws {
    let names: [String] = try TestStore.zones().zones.project(.field(\.name), matching: .all.order(by: \.name).limit(2))
    #expect(names == ["America/New_York", "Asia/Kolkata"])
  }

  @Test func `null in a projection that is not optional names entity, column and row`() throws {
    struct Strict: Decodable, Sendable { let comment: String }
    let zones = try TestStore.zones().zones
    let criteria = Criteria.all.project(.field(\.comment)).order(by: \.id).limit(3, offset: 1)
    func failure(_ body: () throws -> Void) -> String {
      do { try body() } catch DAOError.undecodable(let entity, let column, let row, _) { return "\(entity).\(column)[\(row)]" } catch {
        return "\(error)"
      }
      return "none"
    }
    #expect(failure { _ = try zones.project(criteria, as: Strict.self) } == "zone.comment[1]")
    #expect(failure { _ = try zones.project(criteria) { row in try row.next(String.self) } } == "zone.comment[1]")
    let projection = Projection<Zone, String>(DAOKit.Criteria.Column(.field(FieldPath("comment"))))
    #expect(failure { _ = try zones.project(projection, matching: .all.order(by: \.id)) } == "zone.comment[0]")
  }

  @Test func `a store refuses a report without projections, and projections where entities or others are asked for`() throws {
    #expect(problems { _ = try TestStore.zones().zones.dictionaries(.all) } == ["a report needs projections"])
    let zones = try TestStore.zones().zones
    #expect(problems { _ = try zones.findAll(.all.project(.count)) }.count == 1)
    #expect(misuse { _ = try zones.project(.count, matching: .all.project(.count)) } == "dictionaries(_:), or project(_:as:)")
  }
}
