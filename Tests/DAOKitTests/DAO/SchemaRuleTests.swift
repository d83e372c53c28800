import DAOKit
import Foundation
import Testing

@Suite("Writes beside triggers and rules of the schema")
struct SchemaRuleTests {
  @Test func `triggers that write to other tables change neither outcomes nor keys nor counts`() throws {
    let store = try TestStore(
      sql: """
        CREATE TABLE log (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO log VALUES (1000, 'first');
        CREATE TRIGGER added AFTER INSERT ON zone BEGIN INSERT INTO log (name) VALUES (new.name), ('added'); END;
        CREATE TRIGGER changed BEFORE UPDATE ON zone BEGIN INSERT INTO log (name) VALUES (new.name), ('changed'); END;
        CREATE TRIGGER gone AFTER DELETE ON zone BEGIN DELETE FROM log WHERE name = old.name; END;
        """)
    let zones = store.zones
    #expect(try zones.insert([Zone("a", 1), Zone("b", 2)]).map(\.id) == [1, 2])
    for (number, scope) in [Filter<Zone>.everything, \.offset < 100].enumerated() {
      let dao = store.factory.dao { ScopedZoneDAO($0, scope) }
      let upserted = try dao.upsert([Zone(id: 1, "a", 1), Zone(id: 2, "b", 10 + number), Zone("c\(number)", 3)])
      #expect(upserted.map(\.outcome) == [.unchanged, .updated, .inserted])
      let last = try zones.findAllIDs().max()
      #expect(upserted.map(\.entity.id) == [1, 2, last])
    }
    try zones.update([Zone(id: 1, "x", 1), Zone(id: 2, "y", 1)])
    #expect(try zones.delete([1, 2, 99]) == 2)
  }

  @Test func `triggers that keep a full-text index, which sets keys of its own, change neither outcomes nor keys`() throws {
    let zones = try TestStore(
      sql: """
        CREATE VIRTUAL TABLE words USING fts5(name, content = 'zone', content_rowid = 'id');
        CREATE TRIGGER added AFTER INSERT ON zone BEGIN INSERT INTO words (rowid, name) VALUES (new.id + 1000, new.name); END;
        CREATE TRIGGER changed AFTER UPDATE ON zone BEGIN
          INSERT INTO words (words, rowid, name) VALUES ('delete', old.id + 1000, old.name);
          INSERT INTO words (rowid, name) VALUES (new.id + 1000, new.name);
        END;
        """
    ).zones
    #expect(try zones.insert([Zone("a", 1), Zone("b", 1)]).map(\.id) == [1, 2])
    let upserted = try zones.upsert([Zone("c", 1), Zone(id: 1, "x", 1), Zone(id: 2, "b", 1), Zone("d", 1)])
    #expect(upserted.map(\.outcome) == [.inserted, .updated, .unchanged, .inserted])
    #expect(upserted.map(\.entity.id) == [3, 1, 2, 4])
  }

  @Test(
    arguments: [
      "CREATE TRIGGER no BEFORE INSERT ON Zone WHEN new.name = 'no' BEGIN SELECT RAISE(IGNORE); END",
      #"DROP TABLE zone; CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT IGNORE, "offset" INTEGER, comment TEXT);"#
        + "INSERT INTO zone VALUES (90, 'no', 0, NULL)",
    ])
  func `an upsert that the store ignored is an error, as an insert is, and not a row that is there`(_ sql: String) throws {
    let store = try TestStore(sql: sql)
    let zones = store.zones
    let count = try zones.count()
    for id in [nil, 7] as [Int64?] {
      #expect(throws: DAOError.self) { try zones.upsert([Zone("yes", 1), Zone(id: id, "no", 1)]) }
      #expect(throws: DAOError.self) { try zones.save(Zone(id: id, "no", 1)) }
    }
    #expect(try zones.count() == count)
    #expect(try zones.upsert([Zone(id: 1, "yes", 1), Zone(id: 1, "yes", 1)]).map(\.outcome) == [.inserted, .unchanged])
  }

  @Test func `a text that differs in what its column's collation passes over is another value`() throws {
    let zones = try TestStore(
      [],
      sql: #"CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, "offset" INTEGER, comment TEXT COLLATE RTRIM)"#
    ).factory.runtimeDAO("zone")
    var zone = try zones.insert(zones.make(["name": "a", "offset": 1, "comment": "b"]))
    for (name, comment) in [("A", "b"), ("A", "b ")] {
      (zone["name"], zone["comment"]) = (.text(name), .text(comment))
      #expect(try zones.upsert(zone).outcome == .updated)
      #expect(try zones.refresh(zone) == zone)
      #expect(try zones.upsert(zone).outcome == .unchanged)
    }
  }

  @Test func `a key that several rows have in another spelling deletes one of them at a time`() throws {
    let entity = EntityDescription("price", key: .assigned(["amount"]), attributes: [Attribute("amount", .decimal(.text))])
    let store = try TestStore([entity], sql: "INSERT INTO price VALUES ('1.5'), ('1.50'), ('2')")
    let prices = try store.factory.runtimeDAO("price")
    #expect(try prices.delete([[.decimal(1.5)], [.decimal(3)]]) == 1)
    #expect(try prices.find(.decimal(1.5))["amount"] == .decimal(1.5))
    #expect(try prices.delete([[.decimal(1.5)], [.decimal(1.5)]]) == 1)
    #expect(try prices.findAllIDs() == [[.decimal(2)]])
  }

  private final class ScopedZoneDAO: DAO<Zone>, @unchecked Sendable {
    private let filter: Filter<Zone>
    init(_ context: DAOContext, _ filter: Filter<Zone>) {
      self.filter = filter
      super.init(context)
    }
    override var scope: Filter<Zone> { filter }
  }
}
