import DAOKit
import Foundation
import GRDB
import Testing

@Suite("A schema that another connection changes")
struct SchemaChangeTests {
  @Test func `kept statements go on after it, fail where a column is gone, and work again when it is back`() throws {
    let store = try FileStore()
    let zones = store.zones
    let other = try DatabaseQueue(path: store.url.path)
    func change(_ sql: String) throws { try other.writeWithoutTransaction { try $0.execute(sql: sql) } }
    func use(_ name: String) throws {
      let saved = try zones.save(Zone(name, 1))
      #expect(try zones.find(try #require(saved.id)) == saved)
      #expect(try zones.upsert([saved, Zone(id: saved.id, name, 2)]).map(\.outcome) == [.unchanged, .updated])
      #expect(try zones.findAll(.where(\.name == name)) == [Zone(id: saved.id, name, 2)])
      try zones.update(saved)
      #expect(try zones.count(.where(\.name == name && \.offset == 1)) == 1)
    }
    try use("a")
    try change("ALTER TABLE zone ADD COLUMN more TEXT DEFAULT 'm'")
    try use("b")
    try change("CREATE INDEX zone_on_offset ON zone (offset); VACUUM")
    try use("c")
    try change(#"DROP INDEX zone_on_offset; ALTER TABLE zone RENAME COLUMN "offset" TO shift"#)
    #expect(throws: DAOError.self) { try zones.find(1) }
    #expect(throws: DAOError.self) { try zones.insert(Zone("d", 1)) }
    #expect(throws: DAOError.self) { try zones.upsert([Zone("d", 1), Zone("e", 1)]) }
    try change(#"ALTER TABLE zone RENAME COLUMN shift TO "offset""#)
    try use("d")
    #expect(try zones.count() == 4)
  }

  @Test func `a dynamic entity that is asked for anew leads to others as they are now`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE country (id INTEGER PRIMARY KEY, old TEXT);
        INSERT INTO country VALUES (1, 'x');
        CREATE TABLE city (id INTEGER PRIMARY KEY, country_id INTEGER REFERENCES country);
        INSERT INTO city VALUES (1, 1);
        """)
    func country() throws -> DynamicEntity? {
      try store.factory.runtimeDAO("city").find([1], prefetch: "country").related("country").first
    }
    #expect(try country()?["old"] == "x")
    let before = try store.factory.runtimeDAO("city").entity
    #expect(try store.factory.runtimeDAO("city").entity === before)
    _ = try store.store.execute("ALTER TABLE country RENAME COLUMN old TO new")
    #expect(try country()?["new"] == "x")
  }
}
