import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Results that follow the commits")
struct LiveQueryTests {
  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `entities come at first, and after each commit that changes them`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var results = zones.observe(.where(\.offset == 19800).order(by: \.name)).makeAsyncIterator()
    #expect(try await results.next()?.map(\.name) == ["Asia/Kolkata"])
    let paris = try syncly { try zones.insert(Zone("Europe/Paris", 19800)) }
    #expect(try await results.next()?.map(\.name) == ["Asia/Kolkata", "Europe/Paris"])
    // It leaves the result, comes back under another name, and is deleted.
    try syncly { try zones.update(.where(\.id == paris.id), set: .set(\.offset, to: 0)) }
    #expect(try await results.next()?.map(\.name) == ["Asia/Kolkata"])
    try syncly { try zones.update(Zone(id: paris.id, "Europe/Madrid", 19800)) }
    #expect(try await results.next()?.map(\.name) == ["Asia/Kolkata", "Europe/Madrid"])
    try syncly { try zones.delete(paris.id ?? 0) }
    #expect(try await results.next()?.map(\.name) == ["Asia/Kolkata"])
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `commits that leave the result as it is are passed over`(kind: ChangeFeedTests.Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var results = zones.observe(.where(\.offset == 19800).order(by: \.name)).makeAsyncIterator()
    var counts = zones.observeCount(.where(\.offset == 19800)).makeAsyncIterator()
    _ = try await results.next()
    #expect(try await counts.next() == 1)
    try syncly {
      try zones.insert(Zone("Asia/Tokyo", 32400))
      // There and back in one commit, and one that is rolled back.
      try factory.write { session in
        let zones = session.runtimeDAO(Zone.self)
        try zones.update(.where(\.id == 3), set: .set(\.offset, to: 7))
        try zones.update(.where(\.id == 3), set: .set(\.offset, to: 19800))
      }
      try? factory.write { session in
        try session.runtimeDAO(Zone.self).delete(3)
        throw DAOError.unsupported("this change")
      }
      try zones.update(.where(\.id == 3), set: .set(\.comment, to: "last"))
    }
    #expect(try await results.next()?.map(\.comment) == ["last"])
    try syncly { try zones.insert(Zone("Europe/Paris", 19800)) }
    #expect(try await counts.next() == 2)
  }

  @Test func `a search in the rows that a relationship leads to follows them`() async throws {
    let store = try TestStore.notes()
    var results = store.notes.observe(.where(.match(\.folder.name, "zones")).order(by: \.id)).makeAsyncIterator()
    #expect(try await results.next()?.map(\.id) == [1, 2])
    _ = try syncly { try store.factory.runtimeDAO(Folder.self).update(.where(\.id == 2), set: .set(\.name, to: "Zones of cars")) }
    #expect(try await results.next()?.map(\.id) == [1, 2, 3])
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `a slow loop gets the newest result`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var results = zones.observeCount(.where(\.offset < 100)).makeAsyncIterator()
    let first = try #require(try await results.next())
    try syncly { for number in 0..<5 { try zones.insert(Zone("new \(number)", number)) } }
    #expect(try await results.next() == first + 5)
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `a row by its key comes, changes and goes`(kind: ChangeFeedTests.Kind) async throws {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    var row = zones.observe(7).makeAsyncIterator()
    #expect(try await row.next() == .some(nil))
    try syncly { try zones.update(.where(\.id == 3), set: .set(\.comment, to: "another row")) }
    let paris = try syncly { try zones.insert(Zone("Europe/Paris", 19800)) }
    #expect(try await row.next() == paris)
    try syncly { try zones.delete(7) }
    #expect(try await row.next() == .some(nil))
  }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  func `several queries come from one snapshot`(kind: ChangeFeedTests.Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    let totals = factory.observe { session in
      let zones = session.runtimeDAO(Zone.self)
      return [try zones.count(.where(\.offset < 0)), try zones.count(.where(\.offset >= 0))]
    }
    var results = totals.makeAsyncIterator()
    let first = try #require(try await results.next())
    // From one to the other.
    try syncly { try zones.update(.where(\.id == 3), set: .set(\.offset, to: -1)) }
    #expect(try await results.next() == [first[0] + 1, first[1] - 1])
  }

  @Test func `queries that the body comes to later are followed too`() async throws {
    let store = try TestStore.zones()
    let results = store.factory.observe { session in
      let zones = session.runtimeDAO(Zone.self)
      let first = try zones.find(3)
      return try zones.findAll(.where(\.offset == first.offset).order(by: \.name)).map { "\($0.name) \($0.offset)" }
    }
    var iterator = results.makeAsyncIterator()
    _ = try await iterator.next()
    try syncly { try store.zones.update(.where(\.id == 3), set: .set(\.offset, to: 99)) }
    #expect(try await iterator.next() == ["Asia/Kolkata 99"])
    try syncly { try store.zones.insert(Zone("Another", 99)) }
    #expect(try await iterator.next() == ["Another 99", "Asia/Kolkata 99"])
  }

  @Test func `a commit of other rows has no query run`() async throws {
    let store = try TestStore.zones()
    var results = store.zones.observe(.where(\.offset == 19800)).makeAsyncIterator()
    _ = try await results.next()
    store.trace.clear()
    try syncly {
      try store.zones.insert(Zone("Asia/Tokyo", 32400))
      try store.zones.insert(Zone("Europe/Paris", 19800))
    }
    _ = try await results.next()
    #expect(store.trace.texts.filter { $0.hasPrefix("SELECT") }.count == 1)
  }

  @Test func `text is compared by the rules of its column`() async throws {
    let store = try TestStore([], sql: "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE)")
    let tags = try store.factory.runtimeDAO("tag")
    var counts = tags.observeCount(.where(.field("name") == "red")).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    _ = try syncly { try store.store.execute("INSERT INTO tag (name) VALUES ('RED')") }
    #expect(try await counts.next() == 1)
  }

  @Test func `a default that was added to a table counts as what the rows had before`() async throws {
    let store = try TestStore([], sql: "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO tag (name) VALUES ('a')")
    _ = try syncly { try store.store.execute("ALTER TABLE tag ADD COLUMN size INTEGER NOT NULL DEFAULT 5") }
    let tags = try store.factory.runtimeDAO("tag")
    var counts = tags.observeCount(.where(.field("size") == 5)).makeAsyncIterator()
    #expect(try await counts.next() == 1)
    _ = try syncly { try store.store.execute("UPDATE tag SET size = 6") }
    #expect(try await counts.next() == 0)
  }

  @Test func `a commit of many rows has the query run`() async throws {
    let store = try TestStore.zones()
    var counts = store.zones.observeCount(.where(\.offset == 3)).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try syncly { try store.zones.insert((0..<2000).map { Zone("many \($0)", $0 % 4) }) }
    #expect(try await counts.next() == 500)
  }

  @Test func `commits of another factory are noticed`() async throws {
    let store = try FileStore()
    let other = DAOFactory(over: EngineStore(try StoreDescription.file(store.url).open([Zone.entityDescription]).engine))
    var counts = store.zones.observeCount().makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try syncly { try other.runtimeDAO(Zone.self).insert(Zone("Europe/Paris", 19800)) }
    #expect(try await counts.next() == 1)
  }

  /// Runs a body when other tasks have had their turn, so that most likely a loop waits.
  private func later<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) -> Task<Result, any Error> {
    Task {
      for _ in 0..<200 { await Task.yield() }
      return try body()
    }
  }

  @Test func `a store that is suspended is read when it is resumed, even for the first time`() async throws {
    let store = try FileStore()
    let zones = store.zones
    var counts = zones.observeCount().makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try syncly {
      try zones.insert(Zone("Europe/Paris", 3600))
      try store.factory.suspend()
    }
    let first = Task { try await zones.observeCount().makeAsyncIterator().first() }
    let factory = store.factory
    let resuming = later { try factory.resume() }
    #expect(try await counts.next() == 1)
    #expect(try await first.value == 1)
    try await resuming.value
  }

  @Test func `a store that is reset is read again`() async throws {
    let store = try FileStore()
    var counts = store.zones.observeCount().makeAsyncIterator()
    try syncly { try store.zones.insert(Zone("Europe/Paris", 3600)) }
    #expect(try await counts.next() == 1)
    try syncly { _ = try store.factory.resetToSeed() }
    #expect(try await counts.next() == 0)
  }

  @Test func `a store that was closed is read when it is open again; a loop that begins meanwhile has the error`() async throws {
    let store = try FileStore()
    let zones = store.zones
    var counts = zones.observeCount().makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try syncly {
      try zones.insert(Zone("Europe/Paris", 3600))
      try store.factory.close()
    }
    await #expect(throws: DAOError.self) { try await zones.observeCount().makeAsyncIterator().first() }
    let factory = store.factory
    let reopening = later { try factory.reopen() }
    #expect(try await counts.next() == 1)
    _ = try await reopening.value
  }

  @Test func `a statement timeout does not end a query that waits for a connection`() async throws {
    let file = try FileStore()
    let factory = try DAOFactory(store: .file(file.url), entities: Zone.self, statementTimeout: .milliseconds(20))
    let (isHeld, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // More than there are connections that read: the last of them wait as well, and end.
    let holders = (0..<64).map { _ in
      Task {
        try? await factory.read { _ in
          isHeld.signal()
          goesOn.wait()
        }
      }
    }
    syncly { isHeld.wait() }
    let zones = factory.runtimeDAO(Zone.self)
    let count = Task { try await zones.observeCount().makeAsyncIterator().first() }
    // Longer than the timeout; that it is over is all the same.
    try await Task.sleep(for: .milliseconds(100))
    for _ in holders { goesOn.signal() }
    #expect(try await count.value == 0)
    for holder in holders { await holder.value }
  }

  // MARK: Its end

  @Test func `it ends with its task`() async throws {
    let store = try TestStore.zones()
    let zones = store.zones
    let (values, continuation) = AsyncStream<Int>.makeStream()
    let task = Task {
      for try await count in zones.observeCount() { continuation.yield(count) }
      continuation.finish()
    }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 6)
    task.cancel()
    try await task.value
    #expect(await iterator.next() == nil)
  }

  @Test func `an error of the query ends it`() async throws {
    let store = try TestStore.zones()
    var results = store.zones.observe(.where(\.offset == 19800)).makeAsyncIterator()
    _ = try await results.next()
    _ = try syncly { try store.store.execute("UPDATE zone SET \"offset\" = 'no number' WHERE id = 3") }
    _ = try syncly { try store.store.execute("DROP TABLE zone") }
    await #expect(throws: DAOError.self) { try await results.next() }
    #expect(try await results.next() == nil)
  }

  @Test func `a session, a unit and a write in the body are refused`() async throws {
    let store = try TestStore.zones()
    let unit = try store.factory.unitOfWork()
    var ofUnit = unit.runtimeDAO(Zone.self).observe().makeAsyncIterator()
    await #expect(throws: DAOError.self) { try await ofUnit.next() }
    var writing = store.factory.observe { session in try session.runtimeDAO(Zone.self).delete(3) }.makeAsyncIterator()
    await #expect(throws: DAOError.self) { try await writing.next() }
    #expect(try syncly { try store.zones.exists(3) })
  }

  @Test func `a loop may be the last to hold its store`() async throws {
    func first() async throws -> Int? {
      for try await count in try TestStore.zones().zones.observeCount() { return count }
      return nil
    }
    #expect(try await first() == 6)
    func firstKept() async throws -> Int? {
      var iterator = try TestStore.zones().zones.observeCount().makeAsyncIterator()
      return try await iterator.next()
    }
    #expect(try await firstKept() == 6)
  }

  @Test func `nothing is noted any more when the last loop is over`() async throws {
    let store = try TestStore.zones()
    do {
      var results = store.zones.observe().makeAsyncIterator()
      _ = try await results.next()
      #expect(store.store.changeFeed?.isFollowed == true)
    }
    #expect(store.store.changeFeed?.isFollowed == false)
  }
}

extension LiveQuery.Iterator {
  /// The next result, of an iterator that nobody keeps.
  fileprivate consuming func first() async throws -> Value? {
    var iterator = self
    return try await iterator.next()
  }
}
