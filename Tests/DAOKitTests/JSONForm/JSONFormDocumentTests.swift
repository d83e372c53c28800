import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// The examples of `Documentation/criteria-json.md` are read from there; their Swift stands here too, word for word.
@Suite("The document of criteria in JSON")
struct JSONFormDocumentTests {
  private typealias Zone = Clock.Zone

  private static let criteria: [SearchCriteria<Zone>] = [
    SearchCriteria<Zone>.where(.like(\.name, "europe/*", caseSensitive: false) && \.standardOffset > 3600)
      .order(by: .descending(\.standardOffset), .ascending(\.comment, nulls: .last))
      .limit(20, offset: 40),
    SearchCriteria<Zone>.all
      .project(.group(by: \.comment), .max(\.standardOffset).named("eastmost"), .count)
      .having(.count > 1)
      .order(by: .descending(.count)),
    SearchCriteria<Zone>.all.project(.field(\.countryCode)).distinct(),
    SearchCriteria<Zone>.all.prefetch("country").prefetch(\.transitions, order: .descending(\.instant)),
    SearchCriteria<Zone>.where(.match(.any("europe asia")))
      .order(by: .relevance(of: FullTextMatch(.any("europe asia")))),
    SearchCriteria<Zone>.all.project(
      .highlight(\.name, FullTextMatch(\.name, "europe"), start: "<b>", end: "</b>"),
      .snippet(\.comment, FullTextMatch("europe"), start: "[", end: "]", ellipsis: "…", words: 8)),
  ]

  private static let filters: [Filter<Zone>] = {
    var filters: [Filter<Zone>] = []
    func add(_ filter: Filter<Zone>) { filters.append(filter) }
    add(\.standardOffset >= 3600)
    add(\.comment == nil)
    add(\.name != \.comment)
    add(.between(\.standardOffset, 0...3600))
    add(.in(\.countryCode, ["SK", "CZ", nil]))
    add(.in(\.name, []))
    add(.isNull(\.comment))
    add(.like(\.name, "europe/*", caseSensitive: false))
    add(.contains(\.comment, "50%"))
    add(.beginsWith(\.name, "Asia/"))
    add(.endsWith(\.name, "/Kiev"))
    add(.match(.all("Europe brat", prefix: true)))
    add(!.match(\.comment, .phrase("summer time")))
    add(\.standardOffset == 0 && (\.comment == nil || !.isNull(\.latitude)))
    add(.nothing)
    add(.any(\.transitions, \.offset == 7200))
    add(.all(\.transitions, \.offset != 0))
    add(.any(\.transitions))
    add(\.country.name == "Slovakia")
    add(.less(.field("latitude"), 48))
    add(.lower(\.name) == "europe/bratislava")
    add(.length(.trim(\.name)) > 20)
    add(.upper(\.name) == "UTC" || .abs(\.standardOffset) < 3600 || .round(\.latitude) == 48)
    add(.coalesce(\.comment, "none") == "none")
    add(.round(\.latitude, digits: 1) == 48.1 && .concat(\.name, \.comment, separator: ": ") == "UTC: none")
    add(.any(\.transitions, .year(\.instant, utcOffset: 3600) == 2026))
    add(.json(\.country.details, "capital", "name", as: String.self) == "Bratislava")
    add(.json(\.country.details, "people", 0, as: Int.self) > 5_000_000 && .json(\.country.details, "isIsland", as: Bool.self) != true)
    add(.json(.coalesce(\.country.details, "{}"), "capital", "name", as: String.self) == nil)
    add(\.standardOffset == .max(\.standardOffset))
    add(.count(\.transitions, where: \.offset > 0) >= 3)
    add(.max(\.transitions, \.instant) < Date(timeIntervalSince1970: 1_700_000_000))
    return filters
  }()

  /// One example: its Swift, its JSON, and the SQL that it becomes.
  private struct Example: Sendable {
    let swift: String
    let json: String
    let sql: String

    var isWhole: Bool { json.contains("\"version\"") }
    var data: Data { Data((isWhole ? json : "{\"version\":1,\"entity\":\"zone\",\"filter\":\(json)}").utf8) }
  }

  private static func examples() throws -> [Example] {
    let document = try text()
    // Every second part is a block of code.
    let blocks = document.components(separatedBy: "\n```").dropFirst().enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    func written(in language: String) -> [String] {
      blocks.filter { $0.hasPrefix(language + "\n") }.map { String($0.dropFirst(language.count + 1)) }
    }
    let (swift, json, sql) = (written(in: "swift"), written(in: "json"), written(in: "sql"))
    try #require(
      swift.count == json.count && json.count == sql.count, "\(swift.count) in Swift, \(json.count) in JSON, \(sql.count) in SQL")
    return zip(swift, zip(json, sql)).map { Example(swift: $0, json: $1.0, sql: $1.1) }
  }

  private static func text() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("Documentation/criteria-json.md"), encoding: .utf8)
  }

  private static func store() throws -> TestStore {
    let store = try TestStore(Clock.entities)
    try store.factory.runtimeDAO(Clock.Country.self).insert([
      Clock.Country("SK", "Slovakia", #"{"capital":{"name":"Bratislava"},"people":[5400000]}"#), Clock.Country("CZ", "Czechia"),
    ])
    try store.factory.runtimeDAO(Zone.self).insert([
      Zone("Europe/Bratislava", 3600, 48.15, in: "SK"), Zone("Europe/Prague", 3600, 50.08, "50% of it", in: "CZ"),
      Zone("Asia/Kolkata", 19800), Zone("UTC", 0, nil, "none"),
    ])
    let instants = (0..<4).map { Date(timeIntervalSince1970: 1_600_000_000 + Double($0) * 15_000_000) }
    try store.factory.runtimeDAO(Clock.Transition.self).insert(instants.map { Clock.Transition(1, $0, 7200) })
    return store
  }

  @Test func `says what its Swift says, and becomes the SQL that stands beside it`() throws {
    let examples = try Self.examples()
    var (criteria, filters) = (Self.criteria[...], Self.filters[...])
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let written = source.filter { !$0.isWhitespace }
    for example in examples {
      #expect(written.contains(example.swift.filter { !$0.isWhitespace }), "\(example.swift) is not in this file")
      guard let swift = example.isWhole ? criteria.popFirst() : filters.popFirst().map({ .where($0) }) else {
        Issue.record("no Swift for \(example.json)")
        continue
      }
      let read = try CriteriaDecoder(allowing: .everything).decode(SearchCriteria<Zone>.self, from: example.data)
      #expect(read == swift, "\(example.json)")
      let statement = try read.sql()
      let sql = statement.map { statement in
        example.isWhole
          ? statement.text : String(statement.text.components(separatedBy: " WHERE ").dropFirst().joined(separator: " WHERE "))
      }
      #expect(example.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") == sql ?? "-- nothing is sent")
    }
    #expect(criteria.isEmpty && filters.isEmpty)
  }

  @Test func `states the limits that hold`() throws {
    let text = try Self.text()
    let limits = CriteriaDecoder.Limits()
    for (name, value) in [
      ("bytes", limits.bytes), ("depth", limits.depth), ("nodes", limits.nodes), ("listLength", limits.listLength),
      ("textBytes", limits.textBytes), ("words", limits.words), ("hops", limits.hops), ("relationshipCost", limits.relationshipCost),
      ("prefetches", limits.prefetches),
    ] {
      #expect(text.contains("| `\(name)` | \(Self.grouped(value)) |"), "\(name): \(value)")
    }
    for (what, value) in [
      ("levels of `all`, `any`, `not`, `some`", Criteria.Condition.maximumDepth),
      ("relationships in one another", Criteria.Condition.maximumHops),
      ("functions and aggregates in one another", Criteria.Term.maximumDepth), ("steps of a path into JSON", JSONStep.maximumCount),
      ("terms of a `coalesce`", 127), ("terms of `project`, or of `order`", 2_000), ("orders of a page, the key's included", 100),
      ("bytes of a pattern of `like`, or of a text that `match` searches for", 20_000),
      ("words of a snippet", 64), ("problems in one error", 100),
      ("characters of a number, with its sign, point and exponent", 400),
    ] {
      #expect(text.contains("| \(what) | \(Self.grouped(value)) |"), "\(what): \(value)")
    }
    // Those that are no public constants hold too.
    let store = try TestStore(Clock.entities)
    let zones = store.factory.runtimeDAO(Zone.self)
    func isRefused(_ criteria: Criteria) -> Bool { (try? zones.dictionaries(SearchCriteria(criteria))) == nil }
    func coalesce(_ count: Int) -> Criteria {
      var criteria = Criteria()
      criteria.columns = [
        Criteria.Column(.function(.coalesce, Array(repeating: .field(FieldPath("name")), count: count)), name: "a")
      ]
      return criteria
    }
    #expect(!isRefused(coalesce(127)) && isRefused(coalesce(128)))
    func columns(_ count: Int) -> Criteria {
      var criteria = Criteria()
      criteria.columns = (0..<count).map { Criteria.Column(.field(FieldPath("name")), name: "\($0)") }
      return criteria
    }
    #expect(!isRefused(columns(2_000)) && isRefused(columns(2_001)))
    for (count, isTaken) in [(20_000, true), (20_001, false)] {
      let pattern = String(repeating: "a", count: count)
      #expect(((try? zones.count(.where(.like(\.name, pattern)))) != nil) == isTaken)
      #expect(((try? zones.count(.where(.match(\.name, .all(pattern))))) != nil) == isTaken)
    }
  }

  private static func grouped(_ value: Int) -> String {
    let digits = String(value)
    return value < 1_000
      ? digits
      : String(digits.reversed().enumerated().flatMap { $0 > 0 && $0 % 3 == 0 ? [",", $1] : [$1] }.reversed())
  }

  @Test func `runs`() throws {
    let store = try Self.store()
    let zones = store.factory.runtimeDAO(Zone.self)
    for example in try Self.examples() {
      let criteria = try CriteriaDecoder(allowing: .everything).decode(SearchCriteria<Zone>.self, from: example.data)
      let again = try decoded(try criteria.json())
      if criteria.criteria.columns.isEmpty {
        #expect(try zones.findAll(criteria).map(\.id) == zones.findAll(again).map(\.id))
      } else {
        #expect(try zones.dictionaries(criteria) == zones.dictionaries(again))
      }
    }
  }
}
