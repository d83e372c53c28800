import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("A cursor")
struct CursorTests {
  struct Stop: Error {}
  let file: FileStore
  let memory: TestStore
  var factories: [DAOFactory] { [file.factory, memory.factory] }

  init() throws {
    file = try FileStore()
    memory = try TestStore()
    for factory in factories { try factory.runtimeDAO(Zone.self).insert((1...2400).map { Zone("\($0)", $0 % 7, $0 % 3 == 0 ? nil : "x") }) }
  }

  /// All entities of a cursor.
  func all<E: Entity>(_ cursor: EntityCursor<E>) throws -> [E] {
    var all: [E] = []
    while let next = try cursor.next() { all.append(next) }
    return all
  }

  @Test(arguments: [0, 1, 63, 64, 65, 191, 192, 193, 2400])
  func `has the rows of findAll in their order, batches full or not, and nil after them`(_ count: Int) throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      for criteria in StreamTests.criteria(count) {
        let found = try zones.withCursor(criteria) { cursor in
          let found = try all(cursor)
          #expect(try cursor.next() == nil && cursor.next() == nil)
          return found
        }
        #expect(try found == zones.findAll(criteria))
      }
      let page = SearchCriteria<Zone>.all.limit(count)
      #expect(try zones.withCursor(page, all).count == count)
    }
  }

  @Test func `a dynamic entity`() throws {
    let zones = try file.factory.runtimeDAO("zone")
    #expect(try zones.withCursor(.where { $0.offset == 3 }, all) == zones.findAll(.where { $0.offset == 3 }))
  }

  @Test(arguments: [0, 1, 64, 2400])
  func `after its closure it is a typed error, whether rows were left or not`(_ taken: Int) throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      let use = "withCursor, and the cursor inside its closure"
      let cursor = try zones.withCursor { cursor in
        for _ in 0..<taken { _ = try cursor.next() }
        return cursor
      }
      #expect(misuse { _ = try cursor.next() } == use)
      let inner = try factory.read { (session) throws in
        let inner = try session.runtimeDAO(Zone.self).withCursor { $0 }
        #expect(misuse { _ = try inner.next() } == use)
        return inner
      }
      #expect(misuse { _ = try inner.next() } == use)
      #expect(try zones.count() == 2400)
    }
  }

  @Test func `a body that leaves early or throws leaves the statement fit for the next`() throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      for _ in 0..<3 {
        #expect(try zones.withCursor { try $0.next()?.id } == 1)
        #expect(throws: Stop.self) {
          try zones.withCursor { cursor in
            _ = try cursor.next()
            throw Stop()
          }
        }
      }
      // A statement mid-way would keep a table from being dropped.
      try factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        #expect(try zones.withCursor { try $0.next()?.id } == 1)
        try zones.execute("CREATE TABLE other (id INTEGER PRIMARY KEY)")
        try zones.execute("DROP TABLE other")
      }
      #expect(try zones.count() == 2400)
    }
  }

  @Test func `cursors of one session can be nested, those of the same criteria too, and the session goes on between rows`() throws {
    for factory in factories {
      let pairs = try factory.read { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        let criteria = SearchCriteria<Zone>.where(\.id <= 1200).order(by: \.id)
        return try zones.withCursor(criteria) { outer in
          try zones.withCursor(criteria) { inner in
            try zones.withCursor(SearchCriteria().order(by: .descending(\.id))) { last in
              var pairs: [[Int64?]] = []
              while let zone = try outer.next() {
                pairs.append([zone.id, try inner.next()?.id, try last.next()?.id])
                if zone.id == 600 { #expect(try zones.findAll(criteria).count == 1200) }
              }
              return pairs
            }
          }
        }
      }
      #expect(pairs == (1...1200).map { [$0, $0, 2401 - $0] })
    }
  }

  @Test func `a plain DAO inside the body of one names session.dao`() throws {
    for factory in factories {
      let zones = factory.runtimeDAO(Zone.self)
      try zones.withCursor { cursor in
        _ = try cursor.next()
        #expect(misuse { _ = try zones.count() } == "session.dao(…) there")
        #expect(misuse { try zones.withCursor { _ in } } == "session.dao(…) there")
        #expect(try cursor.next()?.id == 2)
      }
    }
  }

  @Test func `rows are changed in the session that reads them`() throws {
    for factory in factories {
      try factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        try zones.withCursor(SearchCriteria().order(by: \.id)) { cursor in
          while var zone = try cursor.next() {
            zone.comment = "seen"
            try zones.update(zone)
          }
        }
      }
      #expect(try factory.runtimeDAO(Zone.self).count(.where(\.comment == "seen")) == 2400)
    }
  }

  @Test func `it sees one snapshot while another thread writes`() throws {
    let zones = file.zones
    let ids = try zones.withCursor(SearchCriteria().order(by: \.id)) { cursor in
      var ids = [try cursor.next()?.id]
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? zones.delete(.where(\.id > 100))
        done.signal()
      }
      done.wait()
      while let zone = try cursor.next() { ids.append(zone.id) }
      return ids
    }
    #expect(ids.count == 2400)
    #expect(try zones.count() == 100)
  }

  @Test func `a session's cursor outside the session is refused`() throws {
    let dao = try file.factory.read { $0.runtimeDAO(Zone.self) }
    #expect(misuse { try dao.withCursor { _ in } } == "factory.dao(…), which lives as long as you like")
  }

  @Test func `a row that can't be read is named by its number, to the body too, and is the end`() throws {
    let store = try TestStore([], sql: "CREATE TABLE zone (id INTEGER PRIMARY KEY, name, offset, comment)")
    _ = try store.store.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1600) \
      INSERT INTO zone SELECT i, '', iif(i = 1201, 'bad', i), NULL FROM n
      """
    )
    let error = StreamTests.undecodable
    #expect { try store.zones.withCursor { try all($0) } } throws: { "\($0)" == error }
    try store.zones.withCursor { cursor in
      for _ in 0..<64 { _ = try cursor.next() }
      #expect { while try cursor.next() != nil {} } throws: { "\($0)" == error }
      #expect(try cursor.next() == nil)
    }
  }

  @Test func `a query that does not fit is an error before the body runs`() throws {
    let found = problems { try file.zones.withCursor(.where(.field("ofset") == 1)) { _ in _ = Issue.record("the body ran") } }
    #expect(found == ["ofset: zone has no attribute 'ofset'; did you mean 'offset'?"])
  }
}
