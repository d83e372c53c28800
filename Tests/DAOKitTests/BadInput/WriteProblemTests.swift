import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Writes that do not fit, and results that do not")
struct WriteProblemTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws {
    store = try TestStore([Zone.entityDescription, Transition.entityDescription, Country.entityDescription])
    try store.zones.insert(Zone.samples)
  }

  @Test func `a duplicate key`() throws {
    #expect(constraint { try zones.insert(Zone(id: 1, "new", 1)) } == "primary key zone id")
    let countries = store.factory.runtimeDAO(Country.self)
    try countries.insert(Country("SK", "Slovakia"))
    #expect(constraint { try countries.insert(Country("SK", "other")) } == "primary key country code")
    let transitions = store.factory.runtimeDAO(Transition.self)
    try transitions.insert(Transition(1, 1, 1))
    #expect(constraint { try transitions.insert(Transition(1, 1, 2)) } == "primary key transition zoneID,instant")
    #expect(try zones.count() == 6 && countries.count() == 1 && transitions.count() == 1)
  }

  @Test func `values that another row has, named by attribute where the column is called otherwise`() throws {
    #expect(constraint { try zones.insert(Zone("Europe/London", 1)) } == "unique zone name")
    #expect(constraint { try zones.update(Zone(id: 1, "Europe/London", 1)) } == "unique zone name")
    #expect(constraint { try zones.update(.where(\.offset == 3600), set: .set(\.name, to: "same")) } == "unique zone name")
    let countries = store.factory.runtimeDAO(Country.self)
    try countries.insert(Country("SK", "Slovakia"))
    #expect(constraint { try countries.insert(Country("XX", "Slovakia")) } == "unique country name")
    #expect(try zones.find(1).name == "Europe/Bratislava" && zones.count() == 6)
  }

  @Test func `a foreign key to nothing, on insert and update`() throws {
    let transitions = store.factory.runtimeDAO(Transition.self)
    #expect(constraint { try transitions.insert(Transition(99, 1, 1)) } == "foreign key transition zoneID")
    #expect(constraint { try transitions.insert([Transition(1, 1, 1), Transition(99, 1, 1)]) } == "foreign key transition zoneID")
    #expect(try transitions.count() == 0)
  }

  @Test func `a row that others point to, on delete`() throws {
    let store = try TestStore(
      [Zone.entityDescription], sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zone (id))")
    try store.zones.insert(Zone.samples)
    let visits = try store.factory.runtimeDAO("visit")
    try visits.insert(visits.make(["zone": 2]))
    #expect(constraint { try store.zones.delete(2) } == "foreign key zone id")
    #expect(constraint { try store.zones.delete([1, 2]) } == "foreign key zone id")
    #expect(constraint { try store.zones.delete(.where(\.offset >= 0)) } == "foreign key zone id")
    #expect(constraint { try visits.update(.where(.field("zone") == 2), set: .set("zone", to: 9)) } == "foreign key visit zone")
    #expect(try store.zones.count() == 6)
    #expect(try visits.delete([[1]]) == 1)
    #expect(try store.zones.delete(2))
  }

  @Test func `a foreign key that is checked at the commit`() throws {
    let store = try TestStore(
      [Zone.entityDescription],
      sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED)")
    #expect(
      constraint {
        try store.factory.write { session in
          let visits = try session.runtimeDAO("visit")
          try visits.insert(visits.make(["zone": 9]))
        }
      } == "foreign key visit zone")
    #expect(try store.factory.runtimeDAO("visit").count() == 0)
    try store.factory.write { session in
      let visits = try session.runtimeDAO("visit")
      try visits.insert(visits.make(["zone": 1]))
      try session.runtimeDAO(Zone.self).insert(Zone("later", 1))
    }
    #expect(try store.factory.runtimeDAO("visit").count() == 1)
  }

  @Test func `of two keys that are checked at the commit the broken one is named, and none where rows of before break another`() throws {
    func error(old: String) throws -> String? {
      let store = try TestStore(
        [Zone.entityDescription],
        sql: """
          PRAGMA foreign_keys = OFF;
          CREATE TABLE earlier (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id)); \(old);
          CREATE TABLE visit (id INTEGER PRIMARY KEY, first INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED,
            second INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED, \
          third INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED);
          PRAGMA foreign_keys = ON
          """)
      try store.zones.insert(Zone("one", 1))
      return constraint {
        try store.factory.write { session in
          let visits = try session.runtimeDAO("visit")
          try visits.insert(visits.make(["first": 1, "second": 9, "third": 1]))
        }
      }
    }
    #expect(try error(old: "") == "foreign key visit second")
    #expect(try error(old: "INSERT INTO earlier VALUES (1, 777)") == "foreign key the store ")
  }

  @Test func `a value that is missing`() throws {
    let zones = try store.factory.runtimeDAO("zone")
    #expect(constraint { try zones.insert(zones.make(["name": "x"])) } == "not null zone offset")
    #expect(problems { try zones.update(.where(.field("id") == 1), set: .set("name", to: .null)) } == ["name: can't be nil"])
    #expect(constraint { try zones.execute("UPDATE zone SET name = NULL") } == "not null the store ")
  }

  @Test func `a check of the schema`() throws {
    let store = try TestStore([], sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER CHECK (a > 0))")
    let dao = try store.factory.runtimeDAO("t")
    #expect(constraint { try dao.insert(dao.make(["a": 0])) } == "check t ")
  }

  @Test func `a store that is used where it lies can only be read`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: url) }
    _ = try StoreBootstrapper(seed: .empty, entities: [Zone.entityDescription]).bootstrap(url)
    let factory = DAOFactory(over: EngineStore(try SQLiteEngine(readingUnchanging: url)))
    let zones = factory.runtimeDAO(Zone.self)
    #expect(try zones.count() == 0)
    #expect(readOnly { try zones.insert(Zone("a", 1)) } == "store")
    #expect(readOnly { try zones.update(Zone(id: 1, "a", 1)) } == "store")
    #expect(readOnly { try zones.upsert(Zone("a", 1)) } == "store")
    #expect(readOnly { try zones.delete(1) } == "store")
    #expect(readOnly { try zones.delete(.all, allowUnfiltered: true) } == "store")
    #expect(readOnly { try zones.execute("DELETE FROM zone") } == "store")
    #expect(readOnly { try factory.write { _ in } } == "store")
    #expect(try factory.read { try $0.runtimeDAO(Zone.self).exists() } == false)
  }

  @Test func `a sum and an absolute value that do not fit are errors, never rounded`() throws {
    let dao = store.factory.runtimeDAO(Zone.self)
    try dao.insert([Zone("max", .max), Zone("min", .min)])
    func overflows(_ body: () throws -> Void) -> Bool {
      do { try body() } catch DAOError.overflow(let entity, _) { return entity == "zone" } catch { Issue.record(error) }
      return false
    }
    #expect(overflows { _ = try dao.project(.sum(\.offset), matching: .where(\.offset > 0)) })
    #expect(overflows { _ = try dao.findAll(.where(.sum(\.offset) > 1 && .sum(\.offset) > 2).filter(.abs(\.offset) > 0)) })
    #expect(overflows { _ = try dao.findAll(.where(.abs(\.offset) == 1)) })
    #expect(overflows { _ = try dao.project(.function(.abs(\.offset)), matching: .where(\.name == "min")) })
    #expect(overflows { _ = try dao.update(.where(\.name == "min"), set: .set(\.offset, to: .abs(\.offset))) })
    #expect(try dao.findAll(.where(\.name == "min")).map(\.offset) == [.min])
  }

  @Test func `errors name no values`() throws {
    do { try zones.insert(Zone("Europe/London", 1, "secret")) } catch {
      #expect(!"\(error)".contains("secret") && "\(error)".contains("name"))
    }
  }
}
