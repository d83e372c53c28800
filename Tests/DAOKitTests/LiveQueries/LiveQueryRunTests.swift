import DAOKit
import Dispatch
import Foundation
import Testing

/// One loop over a live query, run by run: which commits mark it.
@Suite("Runs of a live query")
struct LiveQueryRunTests {
  private func run(over store: EngineStore) throws -> LiveQueryRun { LiveQueryRun(try #require(store.changeFeed)) }

  private func store(_ url: URL, _ entities: [EntityDescription]) throws -> EngineStore {
    EngineStore(try StoreDescription.file(url).open(entities).engine)
  }

  /// Runs a body elsewhere: this thread has a snapshot.
  private func elsewhere(_ body: @escaping @Sendable () throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread {
      #expect(throws: Never.self) { try body() }
      done.signal()
    }.start()
    done.wait()
  }

  private func criteria(_ offset: Int) -> Criteria { SearchCriteria<Zone>.where(\.offset == offset).criteria }
  private let zones = EntityTarget(Zone.entityDescription)
  private let note = EntityDescription(
    "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text)])

  @Test func `an entity that is met for the first time is read from a snapshot that begins after it is followed`() throws {
    let file = try FileStore([Zone.entityDescription, note])
    let store = try store(file.url, [Zone.entityDescription, note])
    let run = try run(over: store)
    var isFirst = true
    let count = try run.run(over: store) { observed in
      _ = try observed.count(in: zones, Criteria())
      // The snapshot has begun, and nobody follows notes.
      if isFirst { elsewhere { _ = try store.execute("INSERT INTO note (text) VALUES ('new')") } }
      isFirst = false
      return try observed.count(in: EntityTarget(note), Criteria())
    }
    #expect(count == 1 && !run.state.isMarked)
  }

  @Test func `a commit before a query is met, and after the snapshot began, marks it`() throws {
    let file = try FileStore()
    let store = try store(file.url, [Zone.entityDescription])
    let run = try run(over: store)
    _ = try run.run(over: store) { try $0.count(in: zones, criteria(1)) }
    let count = try run.run(over: store) { observed in
      _ = try observed.count(in: zones, criteria(1))
      elsewhere { _ = try store.insert([Zone("new", 2)], in: EntityTarget(Zone.entityDescription)) }
      return try observed.count(in: zones, criteria(2))
    }
    #expect(count == 0 && run.state.isMarked)
  }

  @Test func `a commit while the snapshot begins is in it, or its rows are kept, but not both`() throws {
    let file = try FileStore()
    let (zones, calls) = (file.zones, Calls())
    // The snapshot is that of the statement after BEGIN.
    let factory = try DAOFactory(store: .file(file.url), entities: Zone.self) { statement in
      guard statement.sql.hasPrefix("BEGIN DEFERRED"), calls.isFirst() else { return }
      elsewhere { _ = try calls.factory?.runtimeDAO(Zone.self).insert(Zone("new", 1)) }
    }
    calls.factory = factory
    defer { calls.factory = nil }
    let store = try #require(factory.store as? EngineStore)
    let query = try FetchedQuery<Zone>(
      SearchCriteria<Zone>.all.order(by: \.name).criteria, in: self.zones, sections: nil, mostChanges: 50)
    let run = try run(over: store)
    let list = try run.run(over: store, keepingRowsOf: try #require(query.followed)) { try query.read(from: $0, run) }
    #expect(!calls.isFirst() && list.map(\.name) == ["new"])
    #expect(run.state.takeRows()?.isEmpty == true)
    _ = try zones.count()
  }

  private final class Calls: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var factory: DAOFactory?

    func isFirst() -> Bool {
      lock.withLock {
        count += 1
        return count == 1
      }
    }
  }

  @Test func `a query that is not run any more marks nothing`() throws {
    let store = try TestStore.zones().store
    let run = try run(over: store)
    for offset in [1, 2] { _ = try run.run(over: store) { try $0.count(in: zones, criteria(offset)) } }
    _ = try store.insert([Zone("one", 1)], in: zones)
    #expect(!run.state.isMarked)
    _ = try store.insert([Zone("two", 2)], in: zones)
    #expect(run.state.isMarked)
  }

  @Test func `the count of a report is that of its groups`() throws {
    let store = try TestStore.zones().store
    let run = try run(over: store)
    let groups = SearchCriteria<Zone>.all.project(.group(by: \.offset), .count).criteria
    let count = try run.run(over: store) { try $0.count(in: zones, groups) }
    _ = try store.update(
      in: zones, SearchCriteria<Zone>.where(\.id == 1).criteria, set: [.init(.field(FieldPath("offset")), .value(.integer(77)))])
    #expect(run.state.isMarked)
    #expect(try run.run(over: store) { try $0.count(in: zones, groups) } == count + 1)
  }

  @Test func `a change of an attribute that the result does not show marks nothing`() throws {
    let store = try TestStore.zones().store
    let run = try run(over: store)
    _ = try run.run(over: store) { observed in
      _ = try observed.findKeys(Zone.self, in: zones, SearchCriteria<Zone>.where(\.offset > 0).order(by: \.name).criteria)
      return try observed.count(in: zones, criteria(19800))
    }
    _ = try store.update(in: zones, criteria(19800), set: [.init(.field(FieldPath("comment")), .value(.text("new")))])
    #expect(!run.state.isMarked)
    _ = try store.update(in: zones, criteria(19800), set: [.init(.field(FieldPath("name")), .value(.text("new")))])
    #expect(run.state.isMarked)
  }

  /// Whether a change of the store marks a query, which must then have another result.
  private func isMarked<Value: Equatable>(
    _ test: TestStore, _ query: (any EntityStore) throws -> Value, by change: () throws -> Void
  ) throws -> Bool {
    let run = try run(over: test.store)
    let before = try run.run(over: test.store, query)
    try change()
    let after = try query(test.store)
    return run.state.isMarked && before != after
  }

  @Test func `orders by relevance depend on all rows of the table`() throws {
    let note = EntityDescription(
      "note", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("kind", .text), Attribute("text", .text, searchable: true)])
    let test = try TestStore([note])
    let notes = test.factory.runtimeDAO(note)
    func insert(_ kind: String, _ texts: [String]) throws {
      for text in texts { _ = try notes.insert(try DynamicEntity(note, ["kind": .text(kind), "text": .text(text)])) }
    }
    try insert("mine", ["alpha alpha beta", "beta beta alpha"])
    let words = Criteria.Search(FieldPath("text"), FullTextQuery("alpha beta", .any))
    var ranked = SearchCriteria<DynamicEntity>.where(.field("kind") == "mine").criteria
    ranked.filter = .all([ranked.filter, .search(words)])
    ranked.orders = [Criteria.Ordering(.search(.relevance, words), .ascending)]
    let target = EntityTarget(note)
    #expect(
      try isMarked(test) {
        try $0.findKeys(DynamicEntity.self, in: target, ranked)
      } by: {
        try insert("other", Array(repeating: "alpha", count: 20))
      })
  }

  @Test func `a count after a position depends on the orders`() throws {
    let test = try TestStore.zones()
    var later = SearchCriteria<Zone>.all.order(by: \.name).criteria
    later.after = [.text("M"), .integer(0)]
    #expect(
      try isMarked(test) {
        try $0.count(in: zones, later)
      } by: {
        try test.zones.update(.where(\.id == Zone.kolkata), set: .set(\.name, to: "Z"))
      })
  }

  @Test func `a key may be stored in several forms`() throws {
    let price = EntityDescription(
      "price", key: .assigned(["amount"]), attributes: [Attribute("amount", .decimal(.text)), Attribute("note", .text)])
    let test = try TestStore([price], sql: "INSERT INTO price VALUES ('1.00', 'a')")
    let key = try #require(DynamicEntity(price, ["amount": .decimal(1), "note": .text("")]).primaryKey)
    #expect(
      try isMarked(test) {
        try $0.find(DynamicEntity.self, in: EntityTarget(price), key: key)["note"]
      } by: {
        _ = try test.store.execute("UPDATE price SET note = 'b'")
      })
  }

  @Test func `several rows may have a key that is null`() throws {
    let test = try TestStore(
      [], sql: "CREATE TABLE tag (name TEXT PRIMARY KEY, size INTEGER NOT NULL); INSERT INTO tag VALUES (NULL, 1)")
    let tag = try #require(try test.store.entities().first)
    var sizes = Criteria()
    sizes.columns = [Criteria.Column(.field(FieldPath("size")))]
    #expect(
      try isMarked(test) {
        try $0.report(in: EntityTarget(tag), sizes) { try $0.next(Int.self) }
      } by: {
        try test.store.write { session in
          let session = try #require(session as? EngineStore)
          _ = try session.execute("INSERT INTO tag VALUES (NULL, 2)")
          _ = try session.execute("DELETE FROM tag WHERE size = 1")
        }
      })
  }

  @Test func `a virtual table is read again`() throws {
    let test = try TestStore(
      [], sql: "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)")
    let box = EntityDescription(
      "boxes", key: .assigned(["id"]), attributes: [Attribute("id", .any), Attribute("low", .any, optional: true)])
    #expect(
      try isMarked(test) {
        try $0.count(in: EntityTarget(box), Criteria())
      } by: {
        _ = try test.store.execute("INSERT INTO boxes VALUES (1, 2, 3)")
      })
  }

  @Test func `rows that are fetched along are ordered by others`() throws {
    let entities = [Land.entityDescription, City.entityDescription, River.entityDescription, CityOnRiver.entityDescription]
    let test = try TestStore(entities)
    let lands = test.factory.runtimeDAO(Land.self)
    try lands.insert(Land("SK", "Slovakia"))
    let run = try run(over: test.store)
    var rivers = Criteria()
    rivers.prefetches = [Criteria.Prefetch(FieldPath("cities"), orders: [Criteria.Ordering(.field(FieldPath("land.name")))])]
    _ = try run.run(over: test.store) { try $0.find(DynamicEntity.self, in: EntityTarget(River.entityDescription), rivers) }
    try lands.update(.where(\.code == "SK"), set: .set(\.name, to: "Slovensko"))
    #expect(run.state.isMarked)
  }

  @Test func `doubles that are whole numbers are compared as doubles`() throws {
    let test = try TestStore([], sql: "CREATE TABLE weight (id INTEGER PRIMARY KEY, value REAL)")
    let entity = try #require(try test.store.entities().first)
    let run = try run(over: test.store)
    let heavy = SearchCriteria<DynamicEntity>.where(.field("value") > 2.5).criteria
    _ = try run.run(over: test.store) { try $0.count(in: EntityTarget(entity), heavy) }
    _ = try test.store.execute("INSERT INTO weight (value) VALUES (2)")
    #expect(!run.state.isMarked)
    _ = try test.store.execute("UPDATE weight SET value = 3")
    #expect(run.state.isMarked)
  }
}
