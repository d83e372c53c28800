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

  private func dao(_ entity: EntityDescription, _ values: [any DatabaseValueConvertible], withoutRowID: Bool) throws -> RuntimeDAO<
    DynamicEntity
  > {
    let engine = try SQLiteEngine(inMemory: { database in
      let (key, name) = (entity.attributes[0], entity.attributes[1])
      try database.execute(
        sql: """
          CREATE TABLE \(entity.table) (\(key.column) \(key.type.declaredName) NOT NULL PRIMARY KEY, \(name.column) TEXT NOT NULL) \
          \(withoutRowID ? "WITHOUT ROWID" : "")
          """)
      for value in values { try database.execute(sql: "INSERT INTO \(entity.table) VALUES (?, 'other')", arguments: [value]) }
    })
    return DAOFactory(over: SQLEntityStore(engine)).runtimeDAO(entity)
  }

  /// Finds, updates, upserts and deletes each row by the key that is read from it.
  private func check(_ dao: RuntimeDAO<DynamicEntity>, _ key: String) throws {
    let rows = try dao.findAll()
    #expect(rows.count > 2)
    let count = rows.count
    for row in rows {
      let value = row[key] ?? .null
      #expect(try dao.find(value)["name"] == .text("other"))
      #expect(try dao.exists([value]))
      try dao.update(dao.make([key: value, "name": "updated"]))
      #expect(try dao.find(value)["name"] == .text("updated"))
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
    try check(dao(Self.instants, Self.seconds, withoutRowID: withoutRowID), "at")
  }

  @Test(arguments: [false, true])
  func `a row is found, changed and deleted by the decimal that is read as its key`(withoutRowID: Bool) throws {
    try check(dao(Self.prices, ["1.0", "2", "03", "0.50", "-7.10"], withoutRowID: withoutRowID), "amount")
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
