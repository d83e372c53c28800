import Foundation
import GRDB
import Testing

@Suite("The shipped database: the file")
struct ShippedFileTests {
  @Test func `is sound, with every foreign key met`() throws {
    try Shipped.read { db throws in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
      #expect(try Int.fetchOne(db, sql: "PRAGMA freelist_count") == 0)
    }
  }

  @Test func `says in its header what it is, and is not in WAL mode`() throws {
    let bytes = [UInt8](try Data(contentsOf: Shipped.url))
    func number(_ offset: Int, _ width: Int) -> Int { bytes[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) } }
    #expect(bytes.prefix(16).elementsEqual(Array("SQLite format 3".utf8) + [0]))
    #expect(number(16, 2) == 4096)
    #expect((bytes[18], bytes[19]) == (1, 1))
    #expect(number(24, 4) == number(92, 4), "the change counter and the version it is valid for")
    #expect(number(28, 4) * 4096 == bytes.count)
    #expect(number(52, 4) == 0, "no auto-vacuum")
    #expect(number(60, 4) == 1, "user_version")
    #expect(bytes[68..<72].elementsEqual("WCLK".utf8))
    #expect(bytes.count < 3_000_000)
    let sqlite = number(96, 4)
    #expect(try Shipped.readmeValue("sqlite") == "\(sqlite / 1_000_000).\(sqlite / 1000 % 1000).\(sqlite % 1000)")
  }

  @Test func `has the tables, columns and declared types that the example's entities name`() throws {
    let columns = try Shipped.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name AS "table", c.name, c.type, c."notnull", c.pk
          FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
          WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid
          """
      ).map { row -> String in
        let (table, name, type): (String, String, String) = (row[0], row[1], row[2])
        let (notNull, key): (Bool, Int) = (row[3], row[4])
        return "\(table).\(name) \(type)\(notNull ? "" : "?")\(key > 0 ? " key \(key)" : "")"
      }
    }
    #expect(
      columns == [
        "country.code TEXT key 1", "country.name TEXT",
        "note.id UUID_BLOB key 1", "note.zoneID INTEGER", "note.text TEXT", "note.created DATETIME_MILLISECONDS",
        "transition.zoneID INTEGER key 1", "transition.instant DATETIME_SECONDS key 2", "transition.offsetBefore INTEGER",
        "transition.offsetAfter INTEGER", "transition.abbreviation TEXT", "transition.isDaylight BOOLEAN",
        "zone.id INTEGER key 1", "zone.name TEXT", "zone.latitude REAL", "zone.longitude REAL", "zone.comment TEXT?",
        "zone.standardOffset INTEGER",
        "zone_country.zoneID INTEGER key 1", "zone_country.countryCode TEXT key 2",
      ])
  }

  @Test func `has its foreign keys and indexes declared`() throws {
    try Shipped.read { db in
      let keys = try String.fetchAll(
        db,
        sql: """
          SELECT m.name || '.' || k."from" || ' ' || k."table" || '.' || k."to" || ' ' || k.on_delete
          FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table' ORDER BY 1
          """)
      #expect(
        keys == [
          "note.zoneID zone.id CASCADE", "transition.zoneID zone.id CASCADE", "zone_country.countryCode country.code CASCADE",
          "zone_country.zoneID zone.id CASCADE",
        ])
      let indexes = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
      #expect(indexes == ["note_on_zoneID", "zone_country_on_countryCode", "zone_on_name"])
      #expect(throws: DatabaseError.self, "the index on the name is unique") {
        try DatabaseQueue.inMemoryCopy(fromPath: Shipped.url.path).write { copy in
          try copy.execute(sql: #"UPDATE "zone" SET "name" = 'Europe/Prague' WHERE "id" = 1"#)
        }
      }
    }
  }

  @Test func `holds statistics of every table that has rows`() throws {
    let counts = try Shipped.readmeCounts().filter { $0.value > 0 }
    let analysed = try Shipped.read { db in
      try Row.fetchAll(db, sql: "SELECT tbl, stat FROM sqlite_stat1").map { row -> (String, Int?) in
        let (table, stat): (String, String) = (row[0], row[1])
        return (table, stat.split(separator: " ").first.flatMap { Int($0) })
      }
    }
    #expect(Set(analysed.map(\.0)) == Set(counts.keys))
    for (table, rows) in analysed { #expect(rows == counts[table], "\(table)") }
  }

  @Test func `has as many rows as its README says`() throws {
    let counts = try Shipped.readmeCounts()
    #expect(Set(counts.keys) == ["country", "zone", "zone_country", "transition", "note"])
    try Shipped.read { db throws in
      for (table, count) in counts {
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)") == count, "\(table)")
      }
    }
    #expect(17_000...19_000 ~= counts["transition"] ?? 0)
    #expect(counts["note"] == 0)
  }

  @Test func `the view has each zone beside its countries' names`() throws {
    let rows = try Shipped.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM country_zone WHERE countryCode = 'SK'").map { row in
        (row["zoneID"] as Int, row["country"] as String, row["zone"] as String, row["standardOffset"] as Int)
      }
    }
    #expect(rows.map(\.1) == ["Slovakia"] && rows.map(\.2) == ["Europe/Prague"] && rows.map(\.3) == [3600])
    #expect(try Shipped.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM country_zone") } == 423)
  }

  @Test func `the second release's is of version 2, and its zones have the keys of the first`() throws {
    func zones(_ url: URL) throws -> [Int64: String] {
      var configuration = Configuration()
      configuration.readonly = true
      return try DatabaseQueue(path: url.path, configuration: configuration).read { db in
        let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM zone")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] as Int64, $0["name"] as String) })
      }
    }
    let second = Shipped.folder.appendingPathComponent("worldclock-2026f.sqlite")
    #expect(try zones(second) == zones(Shipped.url))
    let versions = try DatabaseQueue(path: ":memory:").writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS second", arguments: [second.path])
      return try ["user_version", "application_id"].map { try Int64.fetchOne(db, sql: "PRAGMA second.\($0)") }
    }
    #expect(versions == [2, 0x5743_4C4B])
  }

  @Test func `stands alone, without a journal or WAL beside it`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shipped.folder.path)
    #expect(
      files.filter { !$0.hasPrefix(".DS") }.sorted() == [
        "README.md", "WorldclockSeed.swift", "notes.json", "worldclock-2026f.sqlite", "worldclock.sqlite",
      ])
  }
}
