import Foundation
import GRDB
import Testing

@testable import WorldclockFixture

@Suite("The generator")
struct GeneratorTests {
  /// As a truth value: of two files that differ, `#expect(a == b)` would work out every edit between them, for many minutes.
  private func same(_ a: Data, _ b: Data) -> Bool { a == b }

  /// Runs the command as a person would.
  private func generate(_ zoneinfo: URL, _ output: URL) throws -> Data {
    try GenerateWorldclock.parse(["--zoneinfo", zoneinfo.path, "--output", output.path]).run()
    return try Data(contentsOf: output)
  }

  @Test func `gives the same bytes for the same data`() throws {
    try withFolder { folder in
      try ZoneinfoFolder().write(to: folder)
      let first = try generate(folder, folder.appendingPathComponent("first.sqlite"))
      let second = try generate(folder, folder.appendingPathComponent("second.sqlite"))
      #expect(same(first, second))
      // Over a file that is there, and over one that is no database.
      #expect(same(try generate(folder, folder.appendingPathComponent("first.sqlite")), first))
      try Data("not a database".utf8).write(to: folder.appendingPathComponent("third.sqlite"))
      #expect(same(try generate(folder, folder.appendingPathComponent("third.sqlite")), first))
    }
  }

  @Test(.enabled(if: Machine.hasZoneinfo, "needs time zone data"))
  func `gives the same bytes twice for this machine's data`() throws {
    try withFolder { folder in
      let first = try generate(Machine.zoneinfo, folder.appendingPathComponent("first.sqlite"))
      let second = try generate(Machine.zoneinfo, folder.appendingPathComponent("second.sqlite"))
      #expect(same(first, second))
    }
  }

  @Test(.enabled(if: try Machine.madeTheShipped(), "needs the tzdata and SQLite that Fixtures/README.md names"))
  func `gives the committed file's bytes for the versions that its README names`() throws {
    try withFolder { folder in
      let made = try generate(Machine.zoneinfo, folder.appendingPathComponent("made.sqlite"))
      let shipped = try Data(contentsOf: Shipped.url)
      #expect(same(made, shipped))
    }
  }

  @Test func `writes what the data says`() throws {
    try withFolder { folder in
      var data = ZoneinfoFolder()
      // A transition before 1970, one that changes nothing, one of the abbreviation alone, and one after 2037.
      data.files["Asia/Kolkata"] =
        TZif.kolkata.changed {
          $0.types.append(TZif.LocalTime(offset: 19_800, name: 4))
          $0.types.append(TZif.LocalTime(offset: 21_600, isDaylight: 1, name: 4))
          $0.names = "IST\0XST\0"
          $0.transitions = [(-1, 2), (0, 0), (1, 0), (2, 1), (2_145_916_799, 2), (2_145_916_800, 0)]
        }.bytes
      data.zones = data.zones.replacingOccurrences(of: "+2232+08822", with: "-223210+0882230")
      try data.write(to: folder)
      let output = folder.appendingPathComponent("world.sqlite")
      _ = try generate(folder, output)
      try DatabaseQueue(path: output.path).read { db in
        let changes = try StoredChange.fetchAll(db, sql: #"SELECT * FROM "transition" WHERE "zoneID" = 1 ORDER BY rowid"#)
        #expect(
          changes == [
            StoredChange(instant: 0, offsetBefore: 21_600, offsetAfter: 19_800, abbreviation: "IST", isDaylight: false),
            StoredChange(instant: 2, offsetBefore: 19_800, offsetAfter: 19_800, abbreviation: "XST", isDaylight: false),
            StoredChange(instant: 2_145_916_799, offsetBefore: 19_800, offsetAfter: 21_600, abbreviation: "XST", isDaylight: true),
          ])
        let south: Double = -81_130.0 / 3600
        let zones = try StoredZone.fetchAll(db, sql: #"SELECT * FROM "zone" ORDER BY "id""#)
        #expect(
          zones == [
            StoredZone(id: 1, name: "Asia/Kolkata", latitude: south, longitude: 88.375, comment: nil, standardOffset: 19_800),
            StoredZone(
              id: 2, name: "Europe/Prague", latitude: 180_300.0 / 3600, longitude: 51_960.0 / 3600, comment: "both", standardOffset: 3600),
          ])
        #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 0x5743_4C4B)
        #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 1)
        #expect(try Set(String.fetchAll(db, sql: "SELECT tbl FROM sqlite_stat1")) == ["country", "zone", "zone_country", "transition"])
        #expect(try String.fetchAll(db, sql: #"SELECT "code" FROM "country" ORDER BY rowid"#) == ["CZ", "IN", "SK"])
      }
    }
  }

  @Test func `leaves the old file and nothing else when it fails`() throws {
    try withFolder { folder in
      let output = folder.appendingPathComponent("world.sqlite")
      try Data("before".utf8).write(to: output)
      let coordinates = try #require(Coordinates("+0000+00000"))
      let row = ZoneRow(name: "A/B", countryCodes: ["XX"], coordinates: coordinates, comment: nil)
      let broken = World(countries: [], zones: [World.Zone(row: row, standardOffset: 0, changes: [])])
      #expect(throws: DatabaseError.self) { try WorldclockDatabase(world: broken).write(to: output) }
      #expect(try Data(contentsOf: output) == Data("before".utf8))

      let occupied = folder.appendingPathComponent("occupied", isDirectory: true)
      try FileManager.default.createDirectory(at: occupied, withIntermediateDirectories: false)
      let whole = WorldclockDatabase(world: World(countries: [], zones: []))
      let error = #expect(throws: InputError.self) { try whole.write(to: occupied) }
      #expect(error?.reason.hasPrefix("cannot be written") == true)
      let missing = #expect(throws: InputError.self) { try whole.write(to: folder.appendingPathComponent("missing/world.sqlite")) }
      #expect(missing?.reason == "is not a folder to write to")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["occupied", "world.sqlite"])
    }
  }

  @Test func `names the release of a folder that is not the system's`() throws {
    try withFolder { folder in
      #expect(timeZoneDataVersion(of: folder) == "unknown")
      try Data("2030c\n".utf8).write(to: folder.appendingPathComponent("+VERSION"))
      #expect(timeZoneDataVersion(of: folder) == "2030c")
      try Data("# version 2030d\n# more\n".utf8).write(to: folder.appendingPathComponent("tzdata.zi"))
      #expect(timeZoneDataVersion(of: folder) == "2030d")
    }
  }
}
