import Foundation
import GRDB
import TestCases
import Testing

@Suite("The shipped database: the facts")
struct ShippedFactsTests {
  /// A zone's changes in order.
  static func changes(_ db: Database, zone: String) throws -> [StoredChange] {
    try StoredChange.fetchAll(
      db, sql: #"SELECT t.* FROM "transition" t JOIN "zone" z ON z."id" = t."zoneID" WHERE z."name" = ? ORDER BY t."instant""#,
      arguments: [zone])
  }

  @Test func `every zone has a country, and the zones are numbered by name`() throws {
    try Shipped.read { db in
      #expect(try Int.fetchOne(db, sql: #"SELECT count(*) FROM "zone" WHERE "id" NOT IN (SELECT "zoneID" FROM "zone_country")"#) == 0)
      let names = try String.fetchAll(db, sql: #"SELECT "name" FROM "zone" ORDER BY "id""#)
      #expect(names == names.sorted())
      #expect(try Int.fetchAll(db, sql: #"SELECT "id" FROM "zone" ORDER BY "id""#) == Array(1...names.count))
      #expect(try Int.fetchOne(db, sql: #"SELECT count(*) FROM "zone" WHERE abs("latitude") > 90 OR abs("longitude") > 180"#) == 0)
    }
  }

  @Test func `Slovakia shares Prague's zone, at its place, with the Czech Republic first`() throws {
    try Shipped.read { db in
      let zones = try StoredZone.fetchAll(
        db,
        sql: "SELECT z.* FROM zone z JOIN zone_country c ON c.zoneID = z.id WHERE c.countryCode = 'SK'")
      #expect(zones.map(\.name) == ["Europe/Prague"])
      #expect(zones.map(\.latitude) == [180_300.0 / 3600])
      #expect(zones.map(\.longitude) == [51_960.0 / 3600])
      #expect(zones.map(\.standardOffset) == [3600])
      let countries = try String.fetchAll(
        db,
        sql: """
          SELECT y.name FROM zone_country c JOIN country y ON y.code = c.countryCode
          WHERE c.zoneID = (SELECT id FROM zone WHERE name = 'Europe/Prague') ORDER BY c.rowid
          """)
      #expect(countries == ["Czech Republic", "Slovakia"])
    }
  }

  @Test func `Bratislava's clocks change on 29 March and 25 October 2026 at 01:00 UTC`() throws {
    let changes = try Shipped.read { try Self.changes($0, zone: "Europe/Prague") }.filter { 1_767_225_600..<1_798_761_600 ~= $0.instant }
    #expect(changes.map(\.instant) == [1_774_746_000, 1_792_890_000])
    #expect(changes.map(\.offsetBefore) == [3600, 7200])
    #expect(changes.map(\.offsetAfter) == [7200, 3600])
    #expect(changes.map(\.abbreviation) == ["CEST", "CET"])
    #expect(changes.map(\.isDaylight) == [true, false])
  }

  @Test func `Kolkata's clocks have not changed since 1970`() throws {
    try Shipped.read { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT standardOffset FROM zone WHERE name = 'Asia/Kolkata'") == 19_800)
      #expect(try Self.changes(db, zone: "Asia/Kolkata").isEmpty)
    }
  }

  @Test func `a zone's changes make a chain: each begins where the one before ended, and changes something`() throws {
    try Shipped.read { db in
      var followed = 0
      for name in try String.fetchAll(db, sql: "SELECT name FROM zone") {
        let changes = try Self.changes(db, zone: name)
        for (before, after) in zip(changes, changes.dropFirst()) {
          #expect(before.offsetAfter == after.offsetBefore, "\(name) at \(after.instant)")
          let same =
            (before.offsetAfter, before.abbreviation, before.isDaylight) == (after.offsetAfter, after.abbreviation, after.isDaylight)
          #expect(!same, "\(name) at \(after.instant)")
          followed += 1
        }
        #expect(changes.allSatisfy { 0..<2_145_916_800 ~= $0.instant })
      }
      #expect(followed > 17_000)
    }
  }

  @Test func `gives the offsets that Foundation gives, at random instants of random zones`() throws {
    var random = RandomSource(seed: 20_370_101)
    try Shipped.read { db in
      let zones = try Row.fetchAll(db, sql: "SELECT id, name, standardOffset FROM zone").map { row -> (Int, String, Int) in
        (row[0], row[1], row[2])
      }
      let after = try db.makeStatement(
        sql: "SELECT offsetAfter FROM \"transition\" WHERE zoneID = ? AND instant <= ? ORDER BY instant DESC LIMIT 1")
      let before = try db.makeStatement(
        sql: "SELECT offsetBefore FROM \"transition\" WHERE zoneID = ? AND instant > ? ORDER BY instant LIMIT 1")
      var compared = 0
      for _ in 0..<5000 {
        guard let (id, name, standard) = zones.randomElement(using: &random), let zone = TimeZone(identifier: name) else { continue }
        let instant = Int.random(in: 0..<2_145_916_800, using: &random)
        let offset = try Int.fetchOne(after, arguments: [id, instant]) ?? Int.fetchOne(before, arguments: [id, instant]) ?? standard
        #expect(offset == zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))), "\(name) at \(instant)")
        compared += 1
      }
      #expect(compared > 4000)
    }
  }
}
