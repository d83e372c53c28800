import DAOKit
import Testing

@Suite("Units of work beside others")
struct UnitConflictTests {
  private func zones() throws -> (factory: DAOFactory, work: UnitOfWork) {
    let factory = try TestStore.zones().factory
    return (factory, try factory.unitOfWork())
  }

  private func isConflict(_ body: () throws -> some Any) -> Bool {
    do { _ = try body() } catch DAOError.conflict { return true } catch {}
    return false
  }

  @Test func `an edit that is redone is still compared with what others have committed`() throws {
    let (factory, work) = try zones()
    let zones = work.runtimeDAO(Zone.self)
    try zones.update(Zone(id: 1, "Europe/Bratislava", 1))
    try work.undo()
    try factory.runtimeDAO(Zone.self).update(Zone(id: 1, "Europe/Bratislava", 2))
    // An edit of nothing, which makes no step.
    try zones.delete(.where(\.offset == 77))
    try work.redo()
    #expect(isConflict { try work.commit() })
  }

  @Test func `deletes and upserts are based on what was read, too`() throws {
    let (factory, work) = try zones()
    let (zones, outside) = (work.runtimeDAO(Zone.self), factory.runtimeDAO(Zone.self))
    let london = try zones.find(2)
    try outside.update(Zone(id: 2, "Europe/London", 5))
    try zones.delete(london)
    #expect(isConflict { try work.commit() })
    try work.rollback()
    _ = try zones.find(2)
    try outside.update(Zone(id: 2, "Europe/London", 6))
    try zones.save(Zone(id: 2, "Europe/London", 7))
    #expect(isConflict { try work.commit() })
    // Two who count up from the same row.
    try work.rollback()
    let row = try zones.find(2)
    try outside.update(Zone(id: 2, row.name, row.offset + 1))
    try zones.update(Zone(id: 2, row.name, row.offset + 1))
    #expect(isConflict { try work.commit() })
    // Undone, it is known still what was read.
    try work.undo()
    try zones.update(Zone(id: 2, row.name, row.offset + 2))
    #expect(isConflict { try work.commit() })
  }

  @Test func `a row that was read is known by a key in other case`() throws {
    let store = try TestStore([], sql: "CREATE TABLE room (name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, size INTEGER)")
    let rooms = try store.factory.runtimeDAO("room")
    try rooms.insert(rooms.make(["name": "Hall", "size": 1]))
    let work = try store.factory.unitOfWork()
    let own = try work.runtimeDAO("room")
    _ = try own.findAll()
    try rooms.update(.where(.field("name") == "Hall"), set: .set("size", to: 2))
    let key: [Scalar] = ["HALL"]
    try own.delete([key])
    #expect(isConflict { try work.commit() })
  }

  @Test func `views and columns that others change meanwhile`() throws {
    let store = try TestStore(
      [], sql: "CREATE TABLE room (id INTEGER PRIMARY KEY, size INTEGER); CREATE VIEW large AS SELECT id FROM room WHERE size > 5")
    let rooms = try store.factory.runtimeDAO("room")
    try rooms.insert([1, 5, 9].map { try rooms.make(["size": $0]) })
    let work = try store.factory.unitOfWork()
    let own = try work.runtimeDAO("room")
    try own.update(.where(.field("size") == 9), set: .set("size", to: 6))
    let large: SQL = "SELECT id FROM large ORDER BY id"
    #expect(try own.query(large) { try $0.next(Int.self) } == [3])
    try rooms.execute("DROP VIEW large")
    try rooms.execute("CREATE VIEW large AS SELECT id FROM room WHERE size IN (5, 6)")
    #expect(try own.query(large) { try $0.next(Int.self) } == [2, 3])
    try rooms.execute("DROP VIEW large")
    try rooms.execute("ALTER TABLE room RENAME COLUMN size TO width")
    for ends in [{ _ = try work.commit() }, { _ = try work.preview() }, { _ = try own.count() }] {
      do {
        try ends()
        Issue.record("the column is not there any more")
      } catch DAOError.misuse(let message, _) { #expect(message.contains("room")) }
    }
    try work.rollback()
    #expect(try work.runtimeDAO("room").count() == 3)
  }

  @Test func `a refresh keeps mine with a version above theirs`() throws {
    let factory = try TestStore([Account.entityDescription]).factory
    let accounts = factory.runtimeDAO(Account.self)
    try accounts.insert(Account("Anna", 1))
    let work = try factory.unitOfWork()
    try work.runtimeDAO(Account.self).update(Account(id: 1, "Anna", 2))
    try accounts.update(Account(id: 1, "Anne", 1))
    try accounts.update(Account(id: 1, "Anne", 1, version: 1))
    try work.refresh(keeping: .mine)
    try work.commit()
    #expect(try accounts.find(1) == Account(id: 1, "Anne", 2, version: 3))
  }

  @Test func `a child knows what its parent did meanwhile`() throws {
    let (factory, parent) = try zones()
    let child = parent.child()
    let (above, below) = (parent.runtimeDAO(Zone.self), child.runtimeDAO(Zone.self))
    // The child reads, the parent edits, the child edits what it has read.
    let london = try below.find(2)
    try above.update(Zone(id: 2, "Europe/London", 5, "UTC in winter"))
    try below.update(Zone(id: 2, london.name, london.offset, "GMT"))
    #expect(try child.preview().conflicts.map(\.key) == [[2]])
    #expect(try above.find(2).comment == "UTC in winter")
    #expect(isConflict { try child.commit() })
    #expect(try child.preview(resolving: .byAttribute).isClean)
    try child.commit(resolving: .byAttribute)
    #expect(try above.find(2) == Zone(id: 2, "Europe/London", 5, "GMT"))
    // The parent takes an edit back that the child has gone on with.
    let tokyo = try above.insert(Zone("Asia/Tokyo", 9))
    try below.update(Zone(id: tokyo.id, "Asia/Tokyo", 10))
    try parent.undo()
    #expect(isConflict { try child.commit() })
    try child.rollback()
    try parent.redo()
    // The child deletes a new row that the parent edits.
    try below.delete(try #require(tokyo.id))
    try above.update(Zone(id: tokyo.id, "Asia/Tokyo", 11))
    #expect(isConflict { try child.commit() })
    try child.commit(resolving: .keepMine)
    #expect(try !above.exists(try #require(tokyo.id)))
    // The parent is committed under a child with edits.
    try below.update(Zone(id: 3, "Asia/Kolkata", 1))
    try above.update(Zone(id: 4, "America/New_York", 1))
    #expect(try below.count() == 6)
    try parent.commit()
    do {
      try child.commit()
      Issue.record("the child was committed")
    } catch DAOError.misuse {}
    try child.rollback()
    #expect(try below.findAll(.all.order(by: \.id)) == factory.runtimeDAO(Zone.self).findAll(.all.order(by: \.id)))
  }

  @Test func `keys that are given and keys that are generated do not meet`() throws {
    let (factory, work) = try zones()
    let zones = work.runtimeDAO(Zone.self)
    try zones.insert(Zone("generated", 1))
    try zones.insert(Zone(id: 7, "given", 2))
    let moved = try zones.insert(Zone("moved", 3))
    #expect(try zones.execute("UPDATE zone SET id = 20 WHERE id = \(moved.id ?? 0)") == 1)
    try work.commit()
    let rows = try factory.runtimeDAO(Zone.self).findAll(.where(\.id > 6).order(by: \.id)).map { "\($0.id ?? 0) \($0.name)" }
    #expect(rows == ["7 given", "20 moved", "21 generated"])
  }

  @Test func `keys of new rows reach columns that lead to them through other tables`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE artist (id INTEGER PRIMARY KEY REFERENCES person (id), style TEXT);
        CREATE TABLE album (artist INTEGER NOT NULL REFERENCES artist (id), number INTEGER NOT NULL, PRIMARY KEY (artist, number));
        CREATE TABLE song (artist INTEGER, number INTEGER, title TEXT, id INTEGER PRIMARY KEY,
          FOREIGN KEY (artist, number) REFERENCES album (artist, number));
        INSERT INTO person VALUES (5, 'x');
        """)
    let work = try store.factory.unitOfWork()
    let (persons, artists) = (try work.runtimeDAO("person"), try work.runtimeDAO("artist"))
    let (albums, songs) = (try work.runtimeDAO("album"), try work.runtimeDAO("song"))
    let person = try persons.insert(persons.make(["name": "Ella"]))["id"] ?? .null
    try songs.insert(songs.make(["artist": person, "number": 1, "title": "a"]))
    try albums.insert(albums.make(["artist": person, "number": 1]))
    try artists.insert(artists.make(["id": person, "style": "jazz"]))
    try work.commit()
    let rows = try store.store.query("SELECT artist || title || (SELECT style FROM artist WHERE id = song.artist) FROM song") { row, _ in
      try row.next(String.self)
    }
    #expect(rows == ["6ajazz"])
  }

  @Test func `one dynamic row is refreshed, and its neighbour stays a conflict`() throws {
    let (factory, work) = try zones()
    let (zones, outside) = (try work.runtimeDAO("zone"), factory.runtimeDAO(Zone.self))
    try zones.update(.where { $0.id < 3 }, set: .set(\.comment, to: "x"))
    for id in [1, 2] as [Int64] { try outside.update(Zone(id: id, "\(id)", 5)) }
    try work.refresh(try zones.find(1), keeping: .mine)
    #expect(try work.preview().conflicts.map(\.key) == [[2]])
  }

  @Test func `a view of the file that calls a function of the library is not made for the unit`() throws {
    let store = try TestStore(
      sql: "CREATE VIEW trap AS SELECT dao_touch(0, 1) AS x, name FROM zone; CREATE VIEW plain AS SELECT name FROM zone")
    let work = try store.factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    try zones.insert(Zone("Asia/Tokyo", 9))
    #expect(throws: DAOError.self) { try zones.query("SELECT x FROM trap") { row in try row.next(Int.self) } }
    #expect(try zones.query("SELECT name FROM plain") { row in try row.next(String.self) } == ["Asia/Tokyo"])
  }

  @Test func `a key that may be null tells rows apart, but for those where it is`() throws {
    let store = try TestStore(
      [], sql: "CREATE TABLE t (id TEXT PRIMARY KEY, n INT); INSERT INTO t VALUES ('a', 1), (NULL, 2), (NULL, 3), ('b', 4)")
    let work = try store.factory.unitOfWork()
    let rows = try work.runtimeDAO("t")
    #expect(try rows.execute("UPDATE t SET n = n + 10 WHERE id IS NOT NULL") == 2)
    #expect(throws: DAOError.self) { try rows.execute("UPDATE t SET n = 0") }
    #expect(throws: DAOError.self) { try rows.execute("DELETE FROM t WHERE n = 2") }
    #expect(try rows.query("SELECT n FROM t ORDER BY n") { row in try row.next(Int.self) } == [2, 3, 11, 14])
    try work.commit()
    #expect(try store.store.query("SELECT sum(n) FROM t") { row, _ in try row.next(Int.self) } == [30])
  }

  @Test func `a constraint that ends the transaction leaves nothing behind`() throws {
    let store = try TestStore(
      [], sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT UNIQUE ON CONFLICT ROLLBACK); INSERT INTO t VALUES (1, 1)")
    let work = try store.factory.unitOfWork()
    let rows = try work.runtimeDAO("t")
    for n in [2, 1, 3] { try rows.insert(rows.make(["n": .integer(Int64(n))])) }
    #expect(try !work.preview().isClean)
    #expect(throws: DAOError.self) { try work.commit() }
    #expect(try store.factory.runtimeDAO("t").count() == 1)
    #expect(try rows.count() == 4)
  }

  @Test func `many rows that each take the unique value of the next are committed`() throws {
    let store = try TestStore()
    try store.zones.insert((0..<2_000).map { Zone("\($0 + 10_000)", $0) })
    let work = try store.factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    try zones.update(try zones.findAll().map { Zone(id: $0.id, "\($0.offset + 10_001)", $0.offset) })
    store.trace.clear()
    try work.commit()
    #expect(store.trace.texts.filter { $0.hasPrefix("UPDATE") }.count < 8_000)
    #expect(try store.zones.findAll(.where(\.name == "10001")).map(\.offset) == [0])
  }
}
