import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("The feed of a store's commits")
struct ChangeFeedTests {
  /// A store of each kind with the sample zones.
  enum Kind: CaseIterable {
    case hook, triggers, evaluator

    func factory() throws -> DAOFactory {
      let factory =
        switch self {
        case .hook: try TestStore().factory
        case .triggers: try TestStore(notesByTriggers: true).factory
        case .evaluator: try DAOFactory(store: .evaluator, entities: Zone.self)
        }
      try factory.runtimeDAO(Zone.self).insert(Zone.samples)
      return factory
    }
  }

  @Test(arguments: Kind.allCases)
  func `each commit is one change set, with the keys of new, changed and deleted rows`(kind: Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    let paris = try syncly { try zones.insert(Zone("Europe/Paris", 3600)) }
    let others = try syncly { try zones.insert([Zone("Asia/Tokyo", 32400), Zone("Asia/Seoul", 32400)]) }
    try syncly { try zones.update(.where(\.offset == 3600), set: .set(\.comment, to: "winter")) }
    try syncly { try zones.delete(2) }
    try syncly { try zones.delete(.where(\.offset == 32400)) }

    let first = try #require(await changes.next())
    #expect(first[Zone.self].inserted == [paris.id])
    #expect(first[Zone.self].updated.isEmpty && first[Zone.self].deleted.isEmpty && !first.needsReload)
    #expect(first.entities == [Zone.entityDescription])
    let second = try #require(await changes.next())
    #expect(second[Zone.self].inserted == others.map(\.id) && second.number > first.number)
    #expect(await changes.next()?[Zone.self].updated == [1, 6, 7])
    #expect(await changes.next()?[Zone.self].deleted == [2])
    #expect(await changes.next()?[Zone.self].deleted == [8, 9])
  }

  @Test(arguments: Kind.allCases)
  func `an attribute that had several values within a commit is named`(kind: Kind) async throws {
    let factory = try kind.factory()
    var changes = try factory.changes(of: Zone.self, attributes: true).makeAsyncIterator()
    try syncly {
      try factory.write { session in
        let zones = session.runtimeDAO(Zone.self)
        let first = try zones.find(1)
        try zones.update(.where(\.id == 1), set: .set(\.offset, to: 77))
        try zones.update(first)
        let second = try zones.find(2)
        try zones.delete(2)
        try zones.insert(second)
      }
    }
    let zones = try #require(await changes.next())[Zone.self]
    #expect(zones.updated == [1, 2])
    #expect(zones.updatedAttributes == [["offset"], Set(Zone.entityDescription.attributes.map(\.name))])
  }

  @Test(arguments: Kind.allCases)
  func `a session is one change set with its net effect`(kind: Kind) async throws {
    let factory = try kind.factory()
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    try syncly {
      try factory.write { session in
        let zones = session.runtimeDAO(Zone.self)
        var new = try zones.insert(Zone("Europe/Paris", 3600))
        new.offset = 7200
        try zones.update(new)
        let brief = try zones.insert(Zone("Nowhere", 0))
        try zones.delete(brief)
        var london = try zones.find(2)
        try zones.delete(2)
        london.comment = "back"
        _ = try zones.insert([london])
        var kolkata = try zones.find(3)
        kolkata.offset = 1
        try zones.update(kolkata)
        try zones.delete(3)
      }
    }
    let set = try #require(await changes.next())[Zone.self]
    #expect(set.inserted == [7] && set.updated == [2] && set.deleted == [3])
  }

  @Test(arguments: Kind.allCases)
  func `nothing is reported of what is rolled back, in a session or a savepoint, or fails`(kind: Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try syncly {
        try factory.write { session in
          try session.runtimeDAO(Zone.self).insert(Zone("Europe/Paris", 3600))
          throw Stop()
        }
      }
    }
    #expect(throws: DAOError.self) { try syncly { try zones.insert([Zone("Europe/Rome", 3600), Zone("Europe/London", 0)]) } }
    #expect(throws: DAOError.self) { try syncly { try zones.insert(Zone("Europe/London", 0)) } }
    try syncly {
      try factory.write { session in
        let zones = session.runtimeDAO(Zone.self)
        try zones.update(.where(\.id == 1), set: .set(\.comment, to: "kept"))
        #expect(throws: Stop.self) {
          try session.write { inner in
            try inner.runtimeDAO(Zone.self).delete(2)
            throw Stop()
          }
        }
        #expect(throws: DAOError.self) { try zones.insert(Zone("Europe/London", 0)) }
        #expect(throws: DAOError.self) { try zones.update(.all, set: .set(\.name, to: "same"), allowUnfiltered: true) }
      }
    }
    let set = try #require(await changes.next())[Zone.self]
    #expect(set.updated == [1] && set.inserted.isEmpty && set.deleted.isEmpty && !set.needsReload)
  }

  @Test(arguments: Kind.allCases)
  func `the attributes that changed are named where they are asked for, and rows that stay the same are not reported`(kind: Kind)
    async throws
  {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes(of: Zone.self, attributes: true).makeAsyncIterator()
    var keys = try factory.changes(of: Zone.self).makeAsyncIterator()
    let london = try syncly { try zones.find(2) }
    try syncly { try zones.update(london) }
    try syncly { try zones.update([Zone(id: 1, "Europe/Bratislava", 7200, "summer"), london]) }
    let set = try #require(await changes.next())[Zone.self]
    #expect(set.updated == [1] && set.updatedAttributes == [["offset", "comment"]])
    let other = try #require(await keys.next())[Zone.self]
    #expect(other.updatedAttributes == nil && other.updated == [1])
  }

  @Test func `a delete of all rows, by a statement that was there before, is reported row by row`() async throws {
    let factory = try Kind.hook.factory()
    let zones = factory.runtimeDAO(Zone.self)
    try syncly { try zones.delete(.all, allowUnfiltered: true) }
    try syncly { try zones.insert(Zone.samples) }
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    try syncly { try zones.delete(.all, allowUnfiltered: true) }
    #expect(await changes.next()?[Zone.self].deleted.count == Zone.samples.count)
    try syncly { try zones.insert(Zone.samples) }
    _ = await changes.next()
    try syncly { try zones.execute("DELETE FROM zone") }
    #expect(await changes.next()?[Zone.self].deleted.count == Zone.samples.count)
  }

  @Test func `own SQL is reported, with REPLACE, and what FAIL leaves half done asks to reload`() async throws {
    let factory = try Kind.hook.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    try syncly { try zones.execute("INSERT OR REPLACE INTO zone (id, name, offset) VALUES (40, 'Europe/London', 1)") }
    let replaced = try #require(await changes.next())[Zone.self]
    #expect(replaced.inserted == [40] && replaced.deleted == [2])
    #expect(throws: DAOError.self) {
      try syncly { try zones.execute("INSERT OR FAIL INTO zone (name, offset) VALUES ('new', 1), ('Europe/London', 2)") }
    }
    let failed = try #require(await changes.next())[Zone.self]
    #expect(failed.needsReload)
    #expect(try syncly { try zones.count(.where(\.name == "new")) } == 1)
    try syncly { try zones.execute("UPDATE zone SET id = 100 WHERE id = 1") }
    let moved = try #require(await changes.next())[Zone.self]
    #expect(moved.deleted == [1] && moved.inserted == [100])
  }

  @Test(arguments: Kind.allCases)
  func `a consumer that does not read is asked to reload, and goes on from there`(kind: Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    var slow = try factory.changes(of: Zone.self, buffering: 3).makeAsyncIterator()
    var quick = try factory.changes(of: Zone.self, buffering: 10).makeAsyncIterator()
    for number in 0..<5 { try syncly { try zones.insert(Zone("zone \(number)", number)) } }
    let first = try #require(await slow.next())
    #expect(first.needsReload && first[Zone.self].needsReload)
    #expect(await slow.next()?[Zone.self].inserted == [11])
    for key in 7...11 { #expect(await quick.next()?[Zone.self].inserted == [Int64(key)]) }
  }

  @Test(arguments: Kind.allCases)
  func `a loop ends with its task, and with the store`(kind: Kind) async throws {
    var factory: DAOFactory? = try kind.factory()
    let changes = try #require(try factory?.changes(of: Zone.self))
    let cancelled = Task { for await _ in changes { Issue.record("nothing was committed") } }
    cancelled.cancel()
    await cancelled.value
    let ended = Task {
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    try syncly { try factory?.runtimeDAO(Zone.self).insert(Zone("last", 0)) }
    factory = nil
    #expect(await ended.value == 1)
  }

  @Test(arguments: Kind.allCases)
  func `a closure is called after each commit, in their order, until it is cancelled`(kind: Kind) async throws {
    let factory = try kind.factory()
    let zones = factory.runtimeDAO(Zone.self)
    let (stream, continuation) = AsyncStream.makeStream(of: [Int64].self)
    let observer = try factory.onChange(of: Zone.self) { changes in
      // It may call the store.
      continuation.yield(changes[Zone.self].inserted.compactMap { try? zones.find($0) }.compactMap(\.id))
    }
    for number in 0..<20 { try syncly { try zones.insert(Zone("zone \(number)", number)) } }
    var received: [Int64] = []
    for await keys in stream {
      received += keys
      if received.count == 20 { break }
    }
    #expect(received == Array(7...26))
    observer.cancel()
    let (later, laterContinuation) = AsyncStream.makeStream(of: ChangeSet.self)
    let other = try factory.onChange(of: Zone.self) { laterContinuation.yield($0) }
    for number in 0..<20 { try syncly { try zones.insert(Zone("after \(number)", 0)) } }
    received = []
    for await changes in later {
      received += changes[Zone.self].inserted
      if received.count == 20 { break }
    }
    #expect(received == Array(27...46))
    continuation.finish()
    for await keys in stream { Issue.record("a cancelled observer was called with \(keys)") }
    withExtendedLifetime(other) {}
  }

  @Test func `an entity that the feed was not asked for is not known, one that does not fit the store is an error`() async throws {
    let factory = try Kind.hook.factory()
    var changes = try factory.changes(of: Zone.self).makeAsyncIterator()
    try syncly { try factory.runtimeDAO(Zone.self).delete(1) }
    let set = try #require(await changes.next())
    #expect(set[Mark.self].needsReload && !set[Zone.self].needsReload)
    #expect(throws: DAOError.self) { try factory.changes(of: Land.self) }
    try syncly {
      try factory.read { session in
        #expect(throws: DAOError.self) { try factory.changes(of: Zone.self) }
      }
    }
  }
}
