import DAOKit
import Foundation
import GRDB
import Testing

/// Decimal numbers in columns of the types that other programs declare.
@Suite struct ForeignNumberTests {
  struct Line: Entity, Hashable {
    var id: Int64?
    var price: Decimal
    var weight: Decimal?

    static let entityDescription = EntityDescription(
      "line", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("price", .decimal(.numeric(2))), Attribute("weight", .decimal(.real(3)), optional: true),
      ])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var id: Field<Int64?> { path.field("id") }
      var price: Field<Decimal> { path.field("price") }
      var weight: Field<Decimal?> { path.field("weight") }
    }

    var primaryKey: Int64? { id }
    mutating func setGeneratedKey(_ key: Int64) { id = key }

    init(_ price: Decimal, _ weight: Decimal? = nil) { (self.price, self.weight) = (price, weight) }

    init(row: inout RowReader) throws {
      id = try row.next()
      price = try row.next()
      weight = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(id)
      try row.write(price)
      try row.write(weight)
    }
  }

  // What arithmetic left of 1.99 and 0.30, a whole number, more than 2^53, and halves.
  private static let table = """
    CREATE TABLE line (id INTEGER PRIMARY KEY, price NUMERIC(10,2) NOT NULL, weight DOUBLE);
    CREATE INDEX line_price ON line (price);
    INSERT INTO line VALUES (1, 1.99, 0.1 + 0.2), (2, 1.9899999999999998, 0.3), (3, 5, NULL), (4, 9007199254740993, 2), (5, 0.125, -0.0005),
      (6, 2.675, 0.5), (7, -0.005, 1e20)
    """

  private let store: TestStore
  private let lines: RuntimeDAO<Line>
  private let factory: DAOFactory

  init() throws {
    store = try TestStore([], sql: Self.table)
    factory = DAOFactory(over: store.store)
    lines = factory.runtimeDAO(Line.self)
  }

  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  private func quoted() throws -> [String] {
    try lines.query("SELECT typeof(price) || ' ' || quote(price) || ' ' || quote(weight) FROM line ORDER BY id") { try $0.next() }
  }

  private func ids(_ criteria: SearchCriteria<Line>) throws -> [Int64] { try lines.findAllIDs(criteria).compactMap { $0 } }

  @Test func `a double is read as its exact value rounded to the stated digits, an integer as it is`() throws {
    #expect(
      try lines.findAll().map(\.price.description) == ["1.99", "1.99", "5", "9007199254740993", "0.13", "2.67", "-0.01"])
    #expect(
      try lines.findAll().map { $0.weight?.description } == ["0.3", "0.3", nil, "2", "-0.001", "0.5", "100000000000000000000"])
  }

  @Test func `what is written is the double that other programs write, and an integer where it is whole`() throws {
    let before = try quoted()
    for (price, stored) in [
      ("1.99", "real 1.99"), ("0.1", "real 0.1"), ("100", "integer 100"), ("-0.29", "real -0.29"), ("1.50", "real 1.5"),
    ] {
      let line = try lines.insert(Line(decimal(price), decimal("0.1")))
      #expect(try quoted().last == stored + " 0.1")
      #expect(try lines.find(#require(line.id)) == line)
      try lines.delete(line)
    }
    let large = try lines.insert(Line(decimal("9007199254740993")))
    #expect(try quoted().last == "integer 9007199254740993 NULL")
    try lines.delete(large)
    #expect(try quoted() == before)
  }

  @Test func `what no double is read as, or has more digits, is refused with the attribute's name, and nothing is written`() throws {
    for (line, message) in [
      (Line(try decimal("1.995")), "line.price holds 2 digits after the point; 1.995 has more"),
      (Line(try decimal("12345678901234567.12")), "line.price holds doubles, and no double is read as 12345678901234567.12"),
      (Line(1, try decimal("9007199254740993")), "line.weight holds doubles, and no double is read as 9007199254740993"),
      (Line(.nan), "line.price can't hold NaN"),
    ] {
      let error = #expect(throws: DAOError.self) { try lines.insert(line) }
      #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    }
    #expect(try lines.count() == 7)
    #expect(throws: DAOError.self) { try lines.findAll(.where { $0.price > Decimal(string: "1.995") ?? 0 }) }
  }

  @Test func `what is read and written again stays as it was, byte by byte`() throws {
    let before = try quoted()
    try lines.update(try lines.findAll())
    #expect(try lines.upsert(try lines.findAll()).allSatisfy { $0.outcome == .unchanged })
    let work = try factory.unitOfWork()
    try work.runtimeDAO(Line.self).update(try work.runtimeDAO(Line.self).findAll())
    try work.commit()
    #expect(try quoted() == before)
    var line = try lines.find(2)
    line.weight = 1
    try lines.update(line)
    #expect(try quoted()[1] == before[1].dropLast(3) + "1.0" && before[1].hasPrefix("real 1.989999"))
  }

  @Test func `filters, orders, groups and sums follow the numbers that are read`() throws {
    let price = try decimal("1.99")
    #expect(try ids(.where { $0.price == price }.order(by: \.id)) == [1, 2])
    #expect(try ids(.where { $0.price != price }.order(by: \.id)) == [3, 4, 5, 6, 7])
    #expect(try ids(.where { $0.price < price }.order(by: \.id)) == [5, 7])
    #expect(try ids(.where { $0.price <= price }.order(by: \.id)) == [1, 2, 5, 7])
    #expect(try ids(.where { $0.price > price }.order(by: \.id)) == [3, 4, 6])
    #expect(try ids(.where { .in($0.price, [price, 5]) }.order(by: \.id)) == [1, 2, 3])
    #expect(try ids(.where { !.in($0.price, [price, 5]) }.order(by: \.id)) == [4, 5, 6, 7])
    #expect(try ids(.where { .between($0.price, price, 5) }.order(by: \.id)) == [1, 2, 3, 6])
    #expect(try ids(.where { $0.price == $0.price }.order(by: \.id)) == [1, 2, 3, 4, 5, 6, 7])
    // Equal numbers are ordered by what comes next.
    #expect(try ids(.all.order(by: .ascending(\.price), .descending(\.id))) == [7, 5, 2, 1, 6, 3, 4])
    #expect(try ids(.all.order(by: .descending(\.price), .descending(\.id))) == [4, 3, 6, 2, 1, 5, 7])
    let groups = try lines.project(.group(by: \.price), .count, matching: .where { $0.price < 4 }.order(by: \.price))
    #expect(groups.map { "\($0.0) \($0.1)" } == ["-0.01 1", "0.13 1", "1.99 2", "2.67 1"])
    #expect(try lines.sum(of: \.price, matching: .where { $0.price < 9 }) == decimal("11.77"))
    #expect(try lines.average(of: \.price, matching: .where { $0.price == price }) == price)
    #expect(try lines.sum(of: \.weight, matching: .where { $0.price == price }) == decimal("0.6"))
    #expect(try lines.minimum(of: \.price) == decimal("-0.01") && lines.maximum(of: \.price) == decimal("9007199254740993"))
    #expect(try lines.project(.count(distinct: \.price)) == [6])
    let sums = try lines.project(.group(by: \.weight), .sum(\.price), matching: .all.having(.sum(\.price) > 3))
    #expect(Set(sums.map { "\($0.1 ?? 0)" }) == ["3.98", "5", "9007199254740993"])
  }

  @Test func `pages go on after numbers that are read as one`() throws {
    let order = SearchCriteria<Line>.all.order(by: \.price)
    for size in 1...3 {
      var seen: [Int64?] = []
      var page = try lines.page(order, size: size)
      while true {
        seen += page.items.map(\.id)
        guard let next = page.next else { break }
        page = try lines.page(order, size: size, after: next)
      }
      #expect(seen == [7, 5, 1, 2, 6, 3, 4])
    }
    let falling = SearchCriteria<Line>.all.order(by: .descending(\.price), .descending(\.id))
    let first = try lines.page(falling, size: 4)
    #expect(first.items.map(\.id) == [4, 3, 6, 2])
    #expect(try lines.page(falling, size: 9, after: first.next).items.map(\.id) == [1, 5, 7])
  }

  @Test func `an index finds equal numbers, ranges, the first and the last`() throws {
    let price = try decimal("1.99")
    for criteria in [
      SearchCriteria<Line>.where { $0.price == price }, .where { $0.price > price }, .where { .between($0.price, 1, price) },
    ] {
      let plan = try lines.explain(criteria)
      #expect(plan.usedIndexes == ["line_price"] && plan.fullScans.isEmpty && plan.missingIndexes.isEmpty, "\(plan)")
    }
    let plan = try store.store.explain(
      .report, SearchCriteria<Line>.all.project(.max(\.price)).criteria, in: EntityTarget(Line.entityDescription))
    #expect(plan.usedIndexes == ["line_price"], "\(plan)")
    // One that is missing is advised where it would be used.
    let weight = try decimal("0.5")
    #expect(try lines.explain(.where { $0.weight == weight }).missingIndexes.count == 1)
    #expect(try lines.explain(.where { $0.weight > weight }).missingIndexes.count == 1)
    let least = SearchCriteria<Line>.all.project(.min(\.weight)).criteria
    #expect(try store.store.explain(.report, least, in: EntityTarget(Line.entityDescription)).missingIndexes.count == 1)
    #expect(try lines.explain(.where { .in($0.weight, [weight]) }).missingIndexes.isEmpty)
    // An order is that of a function, and no index would help.
    #expect(try lines.explain(.all.order(by: \.price)).missingIndexes.isEmpty)
  }

  @Test func `rounded and without a sign they stay decimals`() throws {
    #expect(
      try lines.project(.round(\.price, digits: 1), matching: .where { $0.price < 4 }.order(by: \.id)).map(\.description) == [
        "2", "2", "0.1", "2.7", "0",
      ])
    #expect(try ids(.where { $0.price.magnitude() == Decimal(string: "0.01") ?? 0 }) == [7])
  }

  @Test func `values of another form are errors that name them, and the doctor's findings`() throws {
    let engine = try SQLiteEngine(inMemory: { db in
      try db.execute(
        sql: """
          CREATE TABLE line (id INTEGER PRIMARY KEY, price NUMERIC, weight REAL);
          INSERT INTO line VALUES (1, '1,234.50', 1), (2, '12 EUR', 1), (3, 1e999, 1), (4, 1.994, 1), (5, 1.9899999999999998, 1),
            (6, x'01', 1)
          """)
    })
    let lines = DAOFactory(over: EngineStore(engine)).runtimeDAO(Line.self)
    let messages: [(Int64, String)] = [
      (1, "not '1,234.50', which has separators"), (2, "not '12 EUR'"), (3, "not inf"), (6, "not x'01'"),
    ]
    for (id, message) in messages {
      let error = #expect(throws: DAOError.self) { try lines.find(id) }
      #expect(error.map { "\($0)" }.map { $0.contains("price") && $0.contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
    }
    #expect(throws: DAOError.self) { try lines.sum(of: \.price) }
    let findings = try StoreDoctor(entities: Line.self).examine(engine).findings.filter { $0.attribute == "price" && $0.kind != .drift }
    #expect(
      Set(findings.filter { $0.kind == .unreadableValue }.flatMap(\.examples).map(\.key)) == [
        [.integer(1)], [.integer(2)], [.integer(3)], [.integer(6)],
      ])
    let lost = try #require(findings.first { $0.kind == .spelling })
    #expect(lost.examples.map(\.key) == [[.integer(4)]] && "\(lost)".contains("1.994"))
  }

  @Test func `two columns compare as the numbers that are read`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE pair (id INTEGER PRIMARY KEY, a NUMERIC, b NUMERIC);
        INSERT INTO pair VALUES (1, 1.99, 1.9899999999999998), (2, 0.1 + 0.2, 0.3), (3, 1, 1.004), (4, 1, 1.006), (5, NULL, 1)
        """)
    let form = AttributeType.decimal(.numeric(2))
    func rows(_ types: [String: AttributeType]) throws -> RuntimeDAO<DynamicEntity> {
      try DAOFactory(over: store.store, corrections: SchemaCorrections(types: ["pair": types])).runtimeDAO("pair")
    }
    let pairs = try rows(["a": form, "b": form])
    func ids(_ filter: Filter<DynamicEntity>) throws -> [Scalar?] {
      try pairs.findAll(.where(filter).order(by: .ascending(.field("id")))).map { $0["id"] }
    }
    #expect(try ids(.field("a") == .field("b")) == [1, 2, 3])
    #expect(try ids(.field("a") != .field("b")) == [4, 5])
    #expect(try ids(.field("a") < .field("b")) == [4])
    #expect(try ids(.field("a") >= .field("b")) == [1, 2, 3])
    // Beside a column whose form nobody stated, that column's numbers are what they are.
    let equal = try rows(["a": form]).findAll(.where(.field("a") == .field("b")))
    #expect(equal.map { $0["id"] } == [2])
  }

  @Test func `rows are found by keys of several numbers, beyond those that a double counts too`() throws {
    let form = AttributeType.decimal(.numeric(2))
    let entity = EntityDescription("pair", key: .assigned(["a", "b"]), attributes: [Attribute("a", form), Attribute("b", form)])
    let pairs = try DAOFactory(store: .inMemory(), describedBy: [entity]).runtimeDAO(entity)
    let numbers = [
      "9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808", "1.99", "-0.01", "0", "92233720368547.75",
    ]
    for a in numbers {
      for b in numbers {
        let row = try pairs.insert(try pairs.make(["a": .decimal(decimal(a)), "b": .decimal(decimal(b))]))
        let key = try #require(row.primaryKey)
        #expect(try pairs.find(key).values == row.values, "\(key)")
        try pairs.update(row)
      }
    }
    #expect(try pairs.count() == numbers.count * numbers.count)
  }

  @Test func `numbers in texts are said to be texts`() throws {
    let untyped = try TestStore(
      [],
      sql: """
        CREATE TABLE line (id INTEGER PRIMARY KEY, price, weight REAL);
        INSERT INTO line VALUES (1, '1.99', 1), (2, '1e5', 1), (3, '1.995', 1), (4, '7', 1), (5, '1,5', 1)
        """)
    let lines = DAOFactory(over: untyped.store).runtimeDAO(Line.self)
    for (id, end) in [(1, "not '1.99', which is a text"), (2, "which has an exponent")] as [(Int64, String)] {
      let error = #expect(throws: DAOError.self) { try lines.find(id) }
      #expect(error.map { "\($0)" }?.hasSuffix(end) == true, "\(error.map { "\($0)" } ?? "")")
    }
    // A repair makes numbers of those that are read whole.
    let repairs = try StoreDoctor(entities: Line.self).examine(untyped.engine).repairSQL.filter { $0.hasPrefix("UPDATE") }
    for statement in repairs { _ = try untyped.store.execute(SQL(stringLiteral: statement)) }
    #expect(
      try lines.query("SELECT typeof(price) FROM line ORDER BY id") { try $0.next(String.self) } == [
        "real", "text", "text", "integer", "text",
      ])
  }

  @Test func `a dynamic entity reads them once their form is stated`() throws {
    let plain = try factory.entity(named: "line")
    #expect(try factory.runtimeDAO(plain).find(2)["price"] == .real(1.989_999_999_999_999_8))
    func lines(_ types: [String: AttributeType]) throws -> RuntimeDAO<DynamicEntity> {
      try DAOFactory(over: factory.store, corrections: SchemaCorrections(types: ["line": types])).runtimeDAO("line")
    }
    #expect(try lines(["price": .decimal(.numeric(2)), "weight": .decimal(.real(3))]).find(2)["price"] == .decimal(decimal("1.99")))
    #expect(throws: DAOError.self) { try lines(["price": .decimal(.numeric(1))]) }
  }

  @Test func `a store of the library's own keeps them, in STRICT tables too`() throws {
    let own = try DAOFactory(store: .inMemory(), entities: Line.self).runtimeDAO(Line.self)
    let line = try own.insert(Line(decimal("19.90"), decimal("0.125")))
    #expect(try own.find(#require(line.id)) == line)
    #expect(
      try own.query("SELECT sql FROM sqlite_schema WHERE name = 'line'") { try $0.next(String.self) }[0].contains("DECIMAL_NUMERIC(2)"))
    let strict = try TestStore([], sql: "CREATE TABLE line (id INTEGER PRIMARY KEY, price ANY NOT NULL, weight REAL) STRICT")
    let lines = DAOFactory(over: strict.store).runtimeDAO(Line.self)
    let large = try lines.insert(Line(decimal("9007199254740993"), 2))
    #expect(try lines.find(#require(large.id)) == large)
  }

  @Test func `decimals in texts say why they are none`() throws {
    let entity = EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("n", .decimal(.text))])
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
        INSERT INTO t VALUES (1, '1e5'), (2, '1,234.50'), (3, '1 234'), (4, '1,5'), (5, 'abc'), (6, '1.50'), (7, '1.2.3'),
          (8, '12345678901234567890123456789012345678901'), (9, '1' || printf('%.50c', '0') || '.5'),
          (10, '1.50000000000000000000000000000000000000000'),
          (11, printf('%.2000000c', '7') || 'e5')
        """)
    let rows = DAOFactory(over: store.store).runtimeDAO(entity)
    for (id, end) in [
      (1, "which has an exponent"), (2, "or a comma for the point"),
      (3, "which has separators between its digits, or a comma for the point"),
      (4, "or a comma for the point"), (5, "not 'abc'"), (7, "or a comma for the point"), (8, "which has more digits than a Decimal holds"),
      (9, "which has more digits than a Decimal holds"),
    ] as [(Int64, String)] {
      let error = #expect(throws: DAOError.self) { try rows.find(.integer(id)) }
      #expect(error.map { "\($0)" }?.contains(end) == true, "\(error.map { "\($0)" } ?? "")")
    }
    #expect(try rows.find(10)["n"] == .decimal(1.5))
    // However long it is.
    #expect(throws: DAOError.self) { try rows.find(11) }
    #expect(throws: DAOError.self) { try rows.aggregate(.sum, of: "n") }
    // The spelling of a text stays too.
    try rows.update(try rows.find(6))
    #expect(try rows.query("SELECT n FROM t WHERE id = 6") { try $0.next(String.self) } == ["1.50"])
  }
}
