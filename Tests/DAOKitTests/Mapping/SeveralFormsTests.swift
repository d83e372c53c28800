import DAOKit
import Foundation
import GRDB
import Testing

/// Keys that several stored values stand for: seconds before 1985, and decimals as text. Other programs may have written any of them.
@Suite struct SeveralFormsTests {
  private static let seconds: [Double] = [0.1 + 0.2, 1e-9, -0.001, 315_532_800.3.nextUp, 86_400.000_001.nextDown, -62_135_596_799.99999, 1]
  private static let instants = EntityDescription(
    "event", key: .assigned(["at"]), attributes: [Attribute("at", .date(.unixSeconds)), Attribute("name", .text)])
  private static let prices = EntityDescription(
    "price", key: .assigned(["amount"]), attributes: [Attribute("amount", .decimal(.text)), Attribute("name", .text)])

  private static let amounts = EntityDescription(
    "amount", key: .assigned(["amount"]), attributes: [Attribute("amount", .decimal(.numeric(2))), Attribute("name", .text)])

  private func dao(_ entity: EntityDescription, _ values: [any DatabaseValueConvertible], withoutRowID: Bool) throws -> RuntimeDAO<
    DynamicEntity
  > { DAOFactory(over: EngineStore(try engine(entity, values, withoutRowID: withoutRowID))).runtimeDAO(entity) }

  private func engine(_ entity: EntityDescription, _ values: [any DatabaseValueConvertible], withoutRowID: Bool) throws -> SQLiteEngine {
    try SQLiteEngine(inMemory: { database in
      let (key, name) = (entity.attributes[0], entity.attributes[1])
      let type = key.type.declaredName.quotedDatabaseIdentifier
      try database.execute(
        sql: """
          CREATE TABLE \(entity.table) (\(key.column) \(type) NOT NULL PRIMARY KEY, \(name.column) TEXT NOT NULL) \
          \(withoutRowID ? "WITHOUT ROWID" : "")
          """)
      for value in values { try database.execute(sql: "INSERT INTO \(entity.table) VALUES (?, 'other')", arguments: [value]) }
    })
  }

  /// Finds, updates, upserts and deletes each row by the key that is read from it.
  /// - Parameter upserts: whether upserts meet rows that are written otherwise: a text's index does not know them.
  private func check(_ dao: RuntimeDAO<DynamicEntity>, _ key: String, upserts: Bool) throws {
    let rows = try dao.findAll()
    #expect(rows.count > 2)
    let count = rows.count
    for row in rows {
      let value = row[key] ?? .null
      #expect(try dao.find(value)["name"] == .text("other"))
      #expect(try dao.exists([value]))
      try dao.update(dao.make([key: value, "name": "updated"]))
      #expect(try dao.find(value)["name"] == .text("updated"))
      guard upserts else { continue }
      #expect(try dao.upsert(dao.make([key: value, "name": "updated"])).outcome == .unchanged)
      let upserted = try dao.upsert(dao.make([key: value, "name": "upserted"]))
      #expect(upserted.outcome == .updated && upserted.entity[key] == value)
      #expect(try dao.upsert(dao.make([key: value, "name": "upserted"]), on: [key]).outcome == .unchanged)
      #expect(try dao.find(value)["name"] == .text("upserted"))
    }
    #expect(try dao.count() == count)
    for row in rows {
      #expect(try dao.delete([row[key] ?? .null]))
      #expect(throws: DAOError.self) { try dao.find(row[key] ?? .null) }
    }
    #expect(try dao.count() == 0)
    let new = try dao.upsert(rows.map { try dao.make([key: $0[key] ?? .null, "name": "new"]) })
    #expect(new.allSatisfy { $0.outcome == .inserted })
  }

  @Test(arguments: [false, true])
  func `a row is found, changed and deleted by the instant that is read as its key`(withoutRowID: Bool) throws {
    try check(dao(Self.instants, Self.seconds, withoutRowID: withoutRowID), "at", upserts: true)
  }

  private static func entity(_ storage: AttributeType.DateStorage) -> EntityDescription {
    EntityDescription(
      "event", key: .assigned(["at"]), attributes: [Attribute("at", .date(storage)), Attribute("name", .text)])
  }

  @Test(arguments: [false, true])
  func `a row is found, changed and deleted by the date that is read from one of several numbers`(withoutRowID: Bool) throws {
    let numbers: [(AttributeType.DateStorage, [any DatabaseValueConvertible])] = [
      (.unixNanoseconds, [1, 1_000_000_099, 1_800_000_000_123_456_789, -9_000_000_000_123_456_789]),
      (.unixMicroseconds, [253_402_300_799_999_959, -62_135_596_799_999_999, 1_800_000_000_123_456]),
      (.julianDays, [2_440_587.500_000_000_5, 2_461_365.763_194_444_7, 1_721_425.6]),
    ]
    for (storage, values) in numbers { try check(dao(Self.entity(storage), values, withoutRowID: withoutRowID), "at", upserts: true) }
  }

  @Test(arguments: [false, true])
  func `a row is found, changed and deleted by the instant that is read from one of several texts`(withoutRowID: Bool) throws {
    let texts: [(DatePattern, [any DatabaseValueConvertible])] = [
      ("YYYY-MM-DD HH:MM:SS+HH:MM", ["2026-11-21 07:19:00+01:00", "2026-11-21 06:20:00-00:00", "2026-11-20 18:21:00-12:00"]),
      ("YYYY-MM-DDTHH:MM:SS.FFFFFFFZ", ["9999-12-31T23:59:59.9999999Z", "2026-11-21T06:19:00.1234567Z", "1700-01-01T00:00:00.0000001Z"]),
    ]
    for (pattern, values) in texts {
      try check(dao(Self.entity(.text(pattern)), values, withoutRowID: withoutRowID), "at", upserts: true)
    }
  }

  @Test(arguments: [false, true])
  func `a row is found, changed and deleted by the decimal that is read as its key`(withoutRowID: Bool) throws {
    try check(dao(Self.prices, ["1.0", "2", "03", "0.50", "-7.10"], withoutRowID: withoutRowID), "amount", upserts: false)
  }

  @Test(arguments: [false, true])
  func `a row is found, changed and deleted by the decimal that is read from one of several numbers`(withoutRowID: Bool) throws {
    let values: [any DatabaseValueConvertible] = [0.1 + 0.2, 1.989_999_999_999_999_8, 2.675, -0.125, 7, 9_007_199_254_740_993]
    for storage in [AttributeType.DecimalStorage.numeric(2), .numeric(1), .real(2)] {
      let entity = EntityDescription(
        "price", key: .assigned(["amount"]), attributes: [Attribute("amount", .decimal(storage)), Attribute("name", .text)])
      try check(dao(entity, values, withoutRowID: withoutRowID), "amount", upserts: true)
    }
  }

  /// The one that is written as the key is, else the smallest: reading, changing and deleting agree on it.
  @Test(arguments: [false, true])
  func `of rows whose keys are read as one, one is found, changed and deleted`(withoutRowID: Bool) throws {
    for (entity, values, own) in [
      (Self.instants, [0.3, 0.1 + 0.2, 7] as [any DatabaseValueConvertible], "0.3"), (Self.prices, ["1.50", "1.5", "01.5", "2"], "'1.5'"),
      (Self.prices, ["1.500", "1.50"], "'1.50'"), (Self.amounts, [1.989_999_999_999_999_8, 1.99, 7], "1.99"),
    ] {
      let engine = try engine(entity, values, withoutRowID: withoutRowID)
      let dao = DAOFactory(over: EngineStore(engine)).runtimeDAO(entity)
      let key = entity.key.attributes[0]
      let stored: () throws -> [String] = {
        try dao.query(SQL(stringLiteral: "SELECT quote(\(key)) || ' ' || name FROM \(entity.table) ORDER BY rowid")) { try $0.next() }
      }
      let shared = try #require(try dao.findAll().first?[key])
      // Whoever examines the store is told so.
      let findings = try StoreDoctor(describedBy: [entity]).examine(engine).findings.filter { $0.kind == .unfindableValue }
      let problem = entity === Self.instants ? "is read, and not found by what is read" : "is read as the key of another row"
      #expect(findings.contains { "\($0)".contains(problem) }, "\(findings)")
      for name in ["updated", "upserted"] {
        let row = try dao.make([key: shared, "name": .text(name)])
        if name == "updated" { try dao.update(row) } else if entity !== Self.prices { #expect(try dao.upsert(row).outcome == .updated) }
        #expect(try dao.find(shared)["name"] == dao.findAll().first { $0["name"] != "other" }?["name"])
        if !withoutRowID { #expect(try stored().filter { !$0.hasSuffix("other") }.map { $0.split(separator: " ")[0] } == [Substring(own)]) }
      }
      let count = try dao.count()
      #expect(try dao.delete([shared]))
      #expect(try dao.count() == count - 1)
    }
  }

  @Test(arguments: ["pair", "m"])
  func `each part of a key may be stored in several ways`(table: String) throws {
    let entity = EntityDescription(
      table, key: .assigned(["amount", "kind", "at"]),
      attributes: [
        Attribute("amount", .decimal(.text)), Attribute("kind", .integer), Attribute("at", .date(.unixSeconds)), Attribute("name", .text),
      ])
    let engine = try SQLiteEngine(inMemory: { database in
      try database.execute(
        sql: "CREATE TABLE \(table) (amount DECIMAL_TEXT, kind INTEGER, at DATETIME_SECONDS, name TEXT, PRIMARY KEY (amount, kind, at))")
      for (number, row) in [("1.0", 1, 0.1 + 0.2), ("1", 1, 0.3), ("1.0", 2, 0.3), ("1", 2, 7), ("2", 1, 0.1 + 0.2)].enumerated() {
        try database.execute(sql: "INSERT INTO \(table) VALUES (?, ?, ?, ?)", arguments: [row.0, row.1, row.2, "n\(number)"])
      }
    })
    let dao = DAOFactory(over: EngineStore(engine)).runtimeDAO(entity)
    let instant = Scalar.date(Date(timeIntervalSince1970: 0.3))
    for (key, name) in [
      ([.decimal(1), 1, instant], "n1"), ([.decimal(1), 2, instant], "n2"), ([.decimal(2), 1, instant], "n4"),
      ([.decimal(1), 2, .date(Date(timeIntervalSince1970: 7))], "n3"),
    ] as [([Scalar], String)] {
      #expect(try dao.find(key)["name"] == .text(name))
      try dao.update(dao.make(["amount": key[0], "kind": key[1], "at": key[2], "name": "changed"]))
      #expect(try dao.count(.where { $0.name == "changed" }) == 1)
      #expect(try dao.delete(key))
    }
    #expect(try dao.count() == 1)
  }

  @Test func `an instant's row is found by an index`() throws {
    let dao = try dao(Self.instants, Self.seconds, withoutRowID: false)
    let plan = try dao.query(
      "EXPLAIN QUERY PLAN SELECT * FROM event WHERE (at BETWEEN 7 - 1e-05 AND 7 + 1e-05 AND at - 978307200.0 = 7 - 978307200.0)"
    ) { row in
      _ = (try row.next() as Int, try row.next() as Int, try row.next() as Int)
      return try row.next() as String
    }
    #expect(plan.joined().contains("SEARCH event USING INDEX"))
  }
}
