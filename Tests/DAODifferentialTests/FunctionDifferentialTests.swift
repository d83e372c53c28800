import DAOKit
import Foundation
import Testing

/// What each function makes of known values: in projections, filters, groups and orders, from closures, by name and from JSON, on the
/// evaluator and on SQLite.
struct FunctionDifferentialTests {
  /// A function of the attribute `x` of rows, with what it makes of their values.
  struct Example: CustomTestStringConvertible {
    let type: AttributeType
    let term: Criteria.Term
    let json: String
    let values: [(given: Scalar, made: Scalar)]

    init(_ type: AttributeType, _ term: Criteria.Term, _ json: String, _ values: [(given: Scalar, made: Scalar)]) {
      (self.type, self.term, self.json, self.values) = (type, term, json, values)
    }

    var testDescription: String { "\(json) of \(type)" }
  }

  private static let x = Criteria.Term.field(FieldPath("x"))

  private func ids(_ store: any EntityStore, _ entity: EntityDescription, _ change: (inout Criteria) -> Void) throws -> [Int64] {
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("id")))]
    change(&criteria)
    return try store.find(DynamicEntity.self, in: EntityTarget(entity), criteria).map { row in
      if case .integer(let id) = row["id"] { id } else { 0 }
    }
  }

  @Test(arguments: Both.allCases, examples)
  func `a function means the same in every part of a query`(which: Both, _ example: Example) throws {
    let entity = EntityDescription(
      "row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", example.type, optional: true)])
    let store = try which.store(for: [entity])
    _ = try store.insert(example.values.map { try DynamicEntity(entity, ["x": $0.given]) }, in: EntityTarget(entity))
    let made = example.values.map(\.made)

    var report = Criteria()
    report.columns = [Criteria.Column(example.term, name: "made")]
    report.orders = [Criteria.Ordering(.field(FieldPath("id")))]
    #expect(try store.report(in: EntityTarget(entity), report) { try $0.takeScalar() } == made)

    for value in Set(made) {
      let expected = made.indices.filter { made[$0] == value }.map { Int64($0 + 1) }
      let filter: Criteria.Condition = value.isNull ? .isNull(example.term) : .compare(example.term, .equal, .value(value))
      #expect(try ids(store, entity) { $0.filter = filter } == expected, "\(value)")
      #expect(try ids(store, entity) { $0.filter = .not(filter) }.count == made.count - expected.count, "\(value)")
    }

    report.columns = [
      Criteria.Column(example.term, isGroup: true, name: "made"), Criteria.Column(.aggregate(.count, nil)),
    ]
    report.orders = [Criteria.Ordering(example.term)]
    let groups = try store.report(in: EntityTarget(entity), report) { row -> (Scalar, Scalar) in
      (try row.takeScalar(), try row.takeScalar())
    }
    let counts = Dictionary(made.map { ($0, 1) }) { $0 + $1 }.mapValues { Scalar.integer(Int64($0)) }
    #expect(Dictionary(uniqueKeysWithValues: groups) == counts)
    let ordered = try ids(store, entity) { $0.orders.insert(Criteria.Ordering(example.term), at: 0) }
    #expect(ordered == groups.flatMap { group in made.indices.filter { made[$0] == group.0 }.map { Int64($0 + 1) } })

    let json = #"{"version": 1, "entity": "row", "filter": {"not": {"isNull": \#(example.json)}}}"#
    let read = try CriteriaDecoder().decode(Data(json.utf8), of: [entity]).criteria
    #expect(read.filter == .not(.isNull(example.term)))
    #expect(try CriteriaDecoder().decode(Data(read.json(of: entity).utf8), of: [entity]).criteria.filter == read.filter)
    #expect(try ids(store, entity) { $0.filter = read.filter }.count == made.count { !$0.isNull })
  }

  static let examples: [Example] = rounding + texts + dates

  // MARK: Texts

  private static func substring(_ options: Int64...) -> Criteria.Term { .function(.substring, [x] + options.map { .value(.integer($0)) }) }

  private static func concat(_ texts: Criteria.Term..., separator: Scalar) -> Criteria.Term {
    .function(.concat, texts + [.value(separator)])
  }
  private static func replace(_ part: Scalar, _ other: Scalar) -> Criteria.Term { .function(.replace, [x, .value(part), .value(other)]) }

  private static let texts: [Example] = [
    Example(
      .text, concat(x, .value("-"), x, separator: ", "), #"{"concat": ["x", {"value": "-"}, "x"], "separator": ", "}"#,
      [("a", "a, -, a"), ("", ", -, "), ("\0", "\0, -, \0"), (.null, "-")]),
    Example(.text, concat(x, separator: "/"), #"{"concat": ["x"], "separator": "/"}"#, [("a", "a"), ("", ""), (.null, "")]),
    Example(.text, concat(x, x, separator: ""), #"{"concat": ["x", "x"]}"#, [("a", "aa"), ("", ""), (.null, "")]),
    Example(
      .any, concat(x, .value("b"), separator: "-"), #"{"concat": ["x", {"value": "b"}], "separator": "-"}"#, [("a", "a-b"), (1, "b")]),
    Example(
      .text, replace("aa", "b"), #"{"replace": "x", "part": "aa", "with": "b"}"#,
      [("aaaa", "bb"), ("aaa", "ba"), ("xaay", "xby"), ("a", "a"), ("", ""), ("a\0aa", "a\0b"), (.null, .null)]),
    Example(
      .text, replace("é", ""), #"{"replace": "x", "part": "é", "with": ""}"#, [("né", "n"), ("ne\u{301}", "ne\u{301}"), (.null, .null)]),
    Example(.text, replace("", "x"), #"{"replace": "x", "part": "", "with": "x"}"#, [("ab", "ab"), ("", ""), (.null, .null)]),
    Example(.text, replace("a", "aa"), #"{"replace": "x", "part": "a", "with": "aa"}"#, [("ab", "aab"), ("ba", "baa"), ("aa", "aaaa")]),
    Example(
      .text, substring(1, 2), #"{"substring": "x", "from": 1, "size": 2}"#,
      [("abcd", "bc"), ("ab", "b"), ("a", ""), ("", ""), ("e\u{301}öx", "\u{301}ö"), ("a\0bc", "\0b"), (.null, .null)]),
    Example(.text, substring(2), #"{"substring": "x", "from": 2}"#, [("abcd", "cd"), ("🇸🇰!", "!"), ("ab", ""), (.null, .null)]),
    Example(
      .text, substring(0, .max), #"{"substring": "x", "from": 0, "size": 9223372036854775807}"#,
      [("abc", "abc"), ("", ""), (.null, .null)]),
    Example(.any, substring(0, 1), #"{"substring": "x", "from": 0, "size": 1}"#, [("ab", "a"), (12, .null), (.null, .null)]),
  ]

  @Test(arguments: Both.costly)
  func `a text that grows beyond 100 million bytes is an overflow`(which: Both) throws {
    let entity = EntityDescription("row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .text)])
    let store = try which.store(for: [entity])
    _ = try store.insert([DynamicEntity(entity, ["x": .text(String(repeating: "a", count: 100))])], in: EntityTarget(entity))
    func length(_ factor: Int) throws -> [Scalar] {
      let longer = Criteria.Term.function(.replace, [Self.x, .value("a"), .value(.text(String(repeating: "a", count: 1000)))])
      let longest = Criteria.Term.function(.replace, [longer, .value("a"), .value(.text(String(repeating: "b", count: factor)))])
      var criteria = Criteria()
      criteria.columns = [Criteria.Column(.function(.length, [longest]))]
      return try store.report(in: EntityTarget(entity), criteria) { try $0.takeScalar() }
    }
    #expect(try length(30) == [3_000_000])
    #expect {
      _ = try length(1010)
    } throws: {
      if case DAOError.overflow("row", _) = $0 { true } else { false }
    }
  }

  /// Each long text makes more than 100 million bytes. A row that is not asked for, and a value that no row has, make none.
  @Test(arguments: Both.costly)
  func `no row fails of a long text that is not asked for`(which: Both) throws {
    let parent = EntityDescription(
      "parent", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .text, optional: true)])
    let child = EntityDescription(
      "child", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("x", .text, optional: true), Attribute("n", .integer, optional: true),
        Attribute("parentID", .integer, optional: true),
      ], relationships: [.toOne("parent", parent, by: "parentID")])
    let long = Scalar.text(String(repeating: "a", count: 2_000))
    func longer(_ text: Criteria.Term, _ factor: Int) -> Criteria.Term {
      .function(.replace, [text, .value("a"), .value(.text(String(repeating: "b", count: factor)))])
    }
    func big(_ text: Criteria.Term) -> Criteria.Condition {
      .compare(.function(.length, [longer(text, 60_000)]), .greater, .value(0))
    }
    func joined(_ text: Criteria.Term) -> Criteria.Condition {
      let parts = [Criteria.Term](repeating: longer(text, 1_000), count: 60)
      return .compare(.function(.length, [.function(.concat, parts + [.value("")])]), .greater, .value(0))
    }
    let n = Criteria.Condition.compare(.field(FieldPath("n")), .equal, .value(7))
    for store in [try which.store(for: [parent, child]), try which.store(for: [parent, child])].enumerated() {
      if store.offset == 1 {
        _ = try store.element.insert(
          [["x": "ok"], ["x": long]].map { try DynamicEntity(parent, $0) }, in: EntityTarget(parent))
        _ = try store.element.insert([DynamicEntity(child, ["x": "c", "parentID": 1])], in: EntityTarget(child))
      } else {
        #expect(try store.element.keys(big(.value(long)), of: child) == [])
      }
      for filter in [[n, big(.value(long))], store.offset == 1 ? [n, n] : [big(.value(long)), n]] {
        #expect(try store.element.keys(.all(filter), of: child) == [])
      }
      for failing in [big(Self.x), joined(Self.x)] {
        for isEqual in [Criteria.Condition.compare(Self.x, .equal, .value(long)), .compare(.value(long), .equal, Self.x)] {
          #expect(try store.element.keys(.all([isEqual, failing]), of: child) == [])
          #expect(try store.element.keys(.all([failing, isEqual]), of: child) == [])
        }
      }
      let expected: [Int64] = store.offset == 1 ? [1] : []
      #expect(try store.element.keys(big(.field(FieldPath("parent.x"))), of: child) == expected)
      #expect(try store.element.keys(.some(FieldPath("parent"), big(Self.x)), of: child) == expected)
      #expect(try store.element.keys(.not(.some(FieldPath("parent"), big(Self.x))), of: child) == [])
    }
  }

  // MARK: Dates

  private static func date(_ text: String) -> Scalar {
    // Foundation has the Julian calendar before 1582.
    if text.hasPrefix("0001-01-01") { return .date(Date(timeIntervalSince1970: -62_135_596_800)) }
    return (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))).map { .date($0) } ?? .null
  }

  private static func calendar(_ function: Function, _ options: Int64...) -> Criteria.Term {
    .function(function, [x] + options.map { .value(.integer($0)) })
  }

  /// The same dates in each form.
  private static let dates: [Example] = [AttributeType.DateStorage.iso8601, .unixSeconds, .unixMilliseconds].flatMap {
    storage -> [Example] in
    func example(_ function: Function, _ offset: Int64?, _ made: [Scalar]) -> Example {
      let given = [
        "2026-11-26T04:30:00.500Z", "2024-02-29T23:59:59.999Z", "1969-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z",
        "2023-12-31T12:00:00.000Z", "2000-03-01T00:00:00.000Z", "1900-02-28T23:00:00.000Z", "0001-01-01T00:00:00.000Z",
      ].map(date)
      return Example(
        .date(storage), offset.map { calendar(function, $0) } ?? calendar(function),
        #"{"\#(function.rawValue)": "x"\#(offset.map { #", "utcOffset": \#($0)"# } ?? "")}"#,
        zip(given, made).map { ($0, $1) } + [(.null, .null)])
    }
    func starts(_ texts: [String]) -> [Scalar] { texts.map { date($0.count == 10 ? $0 + "T00:00:00.000Z" : $0 + ":00.000Z") } }
    return [
      example(.year, nil, [2026, 2024, 1969, 2026, 2023, 2000, 1900, 1]),
      example(.year, 3600, [2026, 2024, 1970, 2026, 2023, 2000, 1900, 1]),
      example(.year, -1, [2026, 2024, 1969, 2025, 2023, 2000, 1900, 0]),
      example(.month, 0, [11, 2, 12, 1, 12, 3, 2, 1]),
      example(.month, 3600, [11, 3, 1, 1, 12, 3, 3, 1]),
      example(.day, nil, [26, 29, 31, 1, 31, 1, 28, 1]),
      example(.day, 3600, [26, 1, 1, 1, 31, 1, 1, 1]),
      example(.weekday, nil, [4, 4, 3, 4, 7, 3, 3, 1]),
      example(.weekday, 3600, [4, 5, 4, 4, 7, 3, 4, 1]),
      example(.hour, nil, [4, 23, 23, 0, 12, 0, 23, 0]),
      example(.hour, -19_800, [23, 18, 18, 18, 6, 18, 17, 18]),
      example(
        .startOfDay, nil,
        starts(["2026-11-26", "2024-02-29", "1969-12-31", "2026-01-01", "2023-12-31", "2000-03-01", "1900-02-28", "0001-01-01"])),
      example(
        .startOfDay, 3600,
        starts([
          "2026-11-25T23:00", "2024-02-29T23:00", "1969-12-31T23:00", "2025-12-31T23:00", "2023-12-30T23:00", "2000-02-29T23:00",
          "1900-02-28T23:00",
          // Before the year 1, which no value of a query is.
        ]) + [.null]),
      example(
        .startOfWeek, nil,
        starts(["2026-11-23", "2024-02-26", "1969-12-29", "2025-12-29", "2023-12-25", "2000-02-28", "1900-02-26", "0001-01-01"])),
      example(
        .startOfMonth, nil,
        starts(["2026-11-01", "2024-02-01", "1969-12-01", "2026-01-01", "2023-12-01", "2000-03-01", "1900-02-01", "0001-01-01"])),
      example(
        .startOfYear, nil,
        starts(["2026-01-01", "2024-01-01", "1969-01-01", "2026-01-01", "2023-01-01", "2000-01-01", "1900-01-01", "0001-01-01"])),
    ]
  }

  /// Another program may have stored any double, and a date has fewer bits for the fraction before 1985.
  @Test func `a date has the hour of what it is read as`() throws {
    let entity = EntityDescription(
      "row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .date(.unixSeconds))])
    let engine = try SQLiteEngine(inMemory: { database in
      for statement in try SchemaSQL.statements(for: [entity]) { try database.execute(sql: statement) }
      try database.execute(sql: "INSERT INTO row (x) VALUES (3599.99999999999), (3599.5), (3600)")
    })
    var report = Criteria()
    report.columns = [Criteria.Column(Self.x), Criteria.Column(Self.calendar(.hour))]
    report.orders = [Criteria.Ordering(.field(FieldPath("id")))]
    let rows = try EngineStore(engine).report(in: EntityTarget(entity), report) { row in (try row.takeScalar(), try row.takeScalar()) }
    #expect(rows.map(\.0) == [3600.0, 3599.5, 3600.0].map { .date(Date(timeIntervalSince1970: $0)) })
    #expect(rows.map(\.1) == [1, 0, 1])
  }

  // MARK: Numbers

  private static func round(_ digits: Int64) -> Criteria.Term { .function(.round, [x, .value(.integer(digits))]) }
  private static func decimal(_ text: String) -> Scalar { Decimal(string: text).map { .decimal($0) } ?? .null }

  private static let rounding: [Example] = [
    Example(
      .real, round(2), #"{"round": "x", "digits": 2}"#,
      [
        (2.675, 2.68), (-2.675, -2.68), (1.005, 1.01), (0.004, 0.0), (-0.004, 0.0), (1e15, 1e15), (1e300, 1e300), (1e-300, 0.0),
        (0.1, 0.1), (9_007_199_254_740_991.5, 9_007_199_254_740_992.0), (.null, .null),
      ]),
    Example(.real, round(0), #"{"round": "x", "digits": 0}"#, [(0.5, 1.0), (-0.5, -1.0), (0.49999999999999994, 0.0), (.null, .null)]),
    Example(.real, round(15), #"{"round": "x", "digits": 15}"#, [(0.1, 0.1), (0.3333333333333333, 0.333333333333333), (5e-16, 1e-15)]),
    Example(.integer, round(2), #"{"round": "x", "digits": 2}"#, [(7, 7), (.integer(.min), .integer(.min)), (.null, .null)]),
    Example(.any, round(1), #"{"round": "x", "digits": 1}"#, [(7, 7.0), (0.25, 0.3), ("0.25", .null), (.null, .null)]),
    Example(
      .decimal(.scaled(3)), round(1), #"{"round": "x", "digits": 1}"#,
      [
        (decimal("1.249"), decimal("1.2")), (decimal("1.250"), decimal("1.3")), (decimal("-1.250"), decimal("-1.3")),
        (decimal("-0.049"), decimal("0")), (decimal("9223372036854775.749"), decimal("9223372036854775.7")), (.null, .null),
      ]),
    Example(
      .decimal(.scaled(3)), round(0), #"{"round": "x", "digits": 0}"#,
      [
        (decimal("9223372036854775.499"), decimal("9223372036854775")), (decimal("9223372036854775.807"), .null),
        (decimal("-9223372036854775.5"), .null), (.null, .null),
      ]),
    Example(.decimal(.scaled(2)), round(4), #"{"round": "x", "digits": 4}"#, [(decimal("1.25"), decimal("1.25")), (.null, .null)]),
    Example(
      .decimal(.text), round(2), #"{"round": "x", "digits": 2}"#,
      [
        (decimal("2.675"), decimal("2.68")), (decimal("-2.675"), decimal("-2.68")), (decimal("0.004"), decimal("0")),
        (decimal("12345678901234567890.125"), decimal("12345678901234567890.13")), (.null, .null),
      ]),
  ]

  @Test(arguments: Both.allCases)
  func `what another program has stored in an integer attribute is rounded as the number that it is`(which: Both) throws {
    let entity = EntityDescription(
      "row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", .integer, optional: true)])
    let store = try which.store([.real(0.5), .text("x"), .integer(7), .null], in: entity)
    let rounded = Criteria.Term.function(.round, [.field(FieldPath("value")), .value(0)])
    #expect(try store.keys(.compare(rounded, .equal, .value(1)), of: entity) == [1])
    #expect(try store.keys(.isNull(rounded), of: entity) == [2, 4])
    #expect(try store.keys(.compare(rounded, .equal, .value(7)), of: entity) == [3])
  }

  @Test(arguments: [
    #"{"concat": ["x"], "separator": "\#(String(repeating: "-", count: 2001))"}"#,
    #"{"replace": "x", "part": "\#(String(repeating: "-", count: 2001))", "with": ""}"#,
    #"{"groupConcat": "x", "separator": "\#(String(repeating: "-", count: 2001))"}"#,
  ])
  func `a text of an option is as short as others in untrusted JSON`(term: String) throws {
    let entity = EntityDescription("row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .text)])
    func read(_ term: String) throws {
      _ = try CriteriaDecoder().decode(Data(#"{"version": 1, "entity": "row", "filter": {"isNull": \#(term)}}"#.utf8), of: [entity])
    }
    #expect {
      try read(term)
    } throws: {
      if case DAOError.invalidCriteria(_, let problems) = $0 {
        problems.map(\.message) == ["has 2001 bytes; 2000 are allowed"]
      } else {
        false
      }
    }
    #expect(throws: Never.self) { try read(term.replacing("--", with: "-")) }
  }
}
