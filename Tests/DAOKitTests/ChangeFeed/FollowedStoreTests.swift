import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// A file that is followed while other things happen to it.
@Suite("A followed store")
struct FollowedStoreTests {
  @Test func `a commit of another connection is noticed by itself, and asks to reload`() async throws {
    let store = try FileStore()
    let other = try DAOFactory(store: .file(store.url), entities: Zone.self)
    var changes = try store.factory.changes(of: Zone.self).makeAsyncIterator()
    try syncly { try other.runtimeDAO(Zone.self).insert(Zone("Europe/Paris", 3600)) }
    #expect(try #require(await changes.next())[Zone.self].needsReload)
    #expect(try syncly { try store.zones.count() } == 1)
    // Before the first write of one's own, and after it.
    try syncly { try store.zones.insert(Zone("Europe/Rome", 3600)) }
    #expect(await changes.next()?[Zone.self].inserted == [2])
    try syncly { try other.runtimeDAO(Zone.self).delete(1) }
    #expect(try #require(await changes.next())[Zone.self].needsReload)
  }

  @Test func `a commit of another connection before a write is reported before the write`() async throws {
    let store = try FileStore()
    let other = try DAOFactory(store: .file(store.url), entities: Zone.self)
    var changes = try store.factory.changes(of: Zone.self).makeAsyncIterator()
    for number in 0..<20 {
      try syncly { try other.runtimeDAO(Zone.self).insert(Zone("other \(number)", number)) }
      try syncly { try store.zones.insert(Zone("own \(number)", number)) }
      #expect(try #require(await changes.next())[Zone.self].needsReload)
      #expect(await changes.next()?[Zone.self].inserted.count == 1)
    }
  }

  @Test(arguments: [false, true])
  func `whoever begins to follow while a session writes is asked to reload when it commits`(isFollowed: Bool) async throws {
    let store = try FileStore()
    var others = isFollowed ? try store.factory.changes(of: Zone.self).makeAsyncIterator() : nil
    let changes = try syncly {
      try store.factory.write { session in
        try session.runtimeDAO(Zone.self).insert(Zone("Europe/Paris", 3600))
        // From another thread, since a closure of the store takes no calls of the factory.
        let changes = try onSmallStack { [factory = store.factory] in try factory.changes(of: Zone.self) }
        try session.runtimeDAO(Zone.self).insert(Zone("Europe/Rome", 3600))
        return changes
      }
    }
    var loop = changes.makeAsyncIterator()
    #expect(try #require(await loop.next())[Zone.self].needsReload)
    try syncly { try store.zones.insert(Zone("Europe/Oslo", 3600)) }
    #expect(await loop.next()?[Zone.self].inserted == [3])
    // One who had begun before knows the rows.
    if isFollowed { #expect(await others?.next()?[Zone.self].inserted == [1, 2]) }
  }

  @Test func `after a suspension, a reset and a closing the followers reload and go on`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let factory = try DAOFactory(store: .file(folder.appendingPathComponent("zones.sqlite")), entities: Zone.self)
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes().makeAsyncIterator()
    func goesOn(_ name: String, _ changes: inout ChangeSequence.Iterator) async throws {
      #expect(try #require(await changes.next(), "\(name)")[Zone.self].needsReload, "\(name)")
      let zone = try syncly { try zones.insert(Zone(name, 0)) }
      var set = try #require(await changes.next())
      // The check after the opening may ask once more.
      while set[Zone.self].needsReload { set = try #require(await changes.next()) }
      #expect(set[Zone.self].inserted == [zone.id])
    }
    try syncly { try factory.suspend() }
    try syncly { try factory.resume() }
    try await goesOn("suspended", &changes)
    try syncly { try factory.close() }
    #expect(try #require(await changes.next())[Zone.self].needsReload)
    #expect(throws: DAOError.self) { try syncly { try zones.findAll() } }
    _ = try syncly { try factory.reopen() }
    try await goesOn("closed", &changes)
    _ = try syncly { try factory.resetToSeed() }
    try await goesOn("reset", &changes)
  }

  @Test(arguments: [false, true])
  func `rows are noted by the columns that the schema has now, and has again after a rollback`(byTriggers: Bool) async throws {
    let store = try TestStore([], sql: "CREATE TABLE item (code TEXT NOT NULL PRIMARY KEY, value)", notesByTriggers: byTriggers)
    let item = try #require(try store.factory.store.entities().first)
    let dao = store.factory.runtimeDAO(item)
    var changes = try store.factory.changes(of: [item], attributes: true).makeAsyncIterator()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try syncly {
        try store.factory.write { session in
          let dao = session.runtimeDAO(item)
          try dao.execute("DROP TABLE item")
          try dao.execute("CREATE TABLE item (value, other, code TEXT NOT NULL PRIMARY KEY)")
          try dao.execute("INSERT INTO item VALUES (1, 2, 'lost')")
          throw Stop()
        }
      }
    }
    try syncly { try dao.execute("INSERT INTO item VALUES ('a', 1)") }
    #expect(await changes.next()?[item].inserted == [["a"]])
    try syncly { try dao.execute("ALTER TABLE item RENAME TO old") }
    try syncly { try dao.execute("CREATE TABLE item (value, code TEXT NOT NULL PRIMARY KEY)") }
    // Rows under the old name are rows of another table.
    for _ in 0..<2 { #expect(try #require(await changes.next())[item].needsReload) }
    try syncly { try dao.execute("INSERT INTO item VALUES (1, 'b')") }
    #expect(await changes.next()?[item].inserted == [["b"]])
    try syncly { try dao.execute("UPDATE item SET value = 2") }
    let set = try #require(await changes.next())[item]
    #expect(set.updated == [["b"]] && set.updatedAttributes == [["value"]])
    try syncly { try dao.execute("DELETE FROM old") }
    try syncly { try dao.execute("UPDATE item SET code = 'c'") }
    let moved = try #require(await changes.next())[item]
    #expect(moved.deleted == [["b"]] && moved.inserted == [["c"]])
  }

  @Test func `after the store was compacted each change is that of its own table`() async throws {
    let store = try FileStore()
    let names = (0..<8).map { "table\($0)" }
    try syncly { for name in names { try store.zones.execute(SQL(stringLiteral: "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, a)")) } }
    let entities = try store.factory.store.entities().filter { names.contains($0.name) }
    var changes = try store.factory.changes(of: entities).makeAsyncIterator()
    for round in 1...5 {
      for entity in round % 2 == 0 ? entities : entities.reversed() {
        try syncly {
          _ = try store.factory.compact()
          try store.factory.runtimeDAO(entity).execute(SQL(stringLiteral: "INSERT INTO \(entity.name) (id) VALUES (\(round))"))
        }
        let set = try #require(await changes.next())
        #expect(set.entities == [entity] && set[entity].inserted == [[.integer(Int64(round))]])
      }
    }
  }

  @Test func `after another process has changed the schema, rows are noted by the new one`() async throws {
    let store = try FileStore()
    let other = try DAOFactory(store: .file(store.url), entities: Zone.self)
    try syncly { try store.zones.execute("CREATE TABLE item (note TEXT, code TEXT NOT NULL PRIMARY KEY)") }
    let item = try #require(try store.factory.store.entities().first { $0.name == "item" })
    var changes = try store.factory.changes(of: [item], attributes: true).makeAsyncIterator()
    try syncly {
      let others = other.runtimeDAO(Zone.self)
      try store.zones.execute("INSERT INTO item VALUES ('n', 'c')")
      // As many columns as before, in another order.
      try others.execute("ALTER TABLE item DROP COLUMN note")
      try others.execute("ALTER TABLE item ADD COLUMN note TEXT")
      try store.zones.execute("INSERT INTO item (note, code) VALUES ('m', 'd')")
      try store.zones.execute("UPDATE item SET note = 'o' WHERE code = 'd'")
    }
    #expect(await changes.next()?[item].inserted == [["c"]])
    var set = try #require(await changes.next())[item]
    #expect(set.needsReload)
    while set.needsReload { set = try #require(await changes.next())[item] }
    #expect(set.inserted == [["d"]])
    #expect(await changes.next()?[item].updatedAttributes == [["note"]])
  }

  @Test func `of a view, and of a table whose columns can't be told apart, only that rows changed is known`() async throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE base (id INTEGER PRIMARY KEY, value);
        CREATE TABLE other (id INTEGER PRIMARY KEY);
        CREATE VIEW shown AS SELECT id, value FROM base WHERE value > 1;
        CREATE TABLE computed (v AS (w + 1), w, code TEXT NOT NULL, PRIMARY KEY (code)) WITHOUT ROWID;
        CREATE TABLE last (code TEXT NOT NULL PRIMARY KEY, w, v AS (w + 1)) WITHOUT ROWID;
        """)
    let entities = try store.factory.store.entities()
    func entity(_ name: String) throws -> EntityDescription { try #require(entities.first { $0.name == name }) }
    let (shown, computed, other, last) = (try entity("shown"), try entity("computed"), try entity("other"), try entity("last"))
    var changes = try store.factory.changes(of: [shown, computed, last]).makeAsyncIterator()
    let dao = store.factory.runtimeDAO(other)
    try syncly { try dao.execute("INSERT INTO other VALUES (1)") }
    try syncly { try dao.execute("INSERT INTO base VALUES (1, 2)") }
    let first = try #require(await changes.next())
    #expect(first[shown].needsReload && first[computed].isEmpty)
    try syncly { try dao.execute("INSERT INTO computed (w, code) VALUES (1, 'a')") }
    let second = try #require(await changes.next())
    #expect(second[computed].needsReload && second[shown].isEmpty)
    try syncly { try dao.execute("INSERT INTO last (code, w) VALUES ('a', 1)") }
    #expect(try #require(await changes.next())[last].needsReload)
  }
}
