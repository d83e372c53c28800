import CriteriaTesting
import DAOKit
import Foundation
import Testing

private struct Stop: Error {}

@Suite("Sessions")
struct SessionTests {
  let store: TestStore
  var factory: DAOFactory { store.factory }
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws { store = try TestStore([Zone.entityDescription, Transition.entityDescription]) }

  @Test func `all DAOs of a session share one transaction`() throws {
    let run = try store.trace.during { () throws in
      try factory.write { (session) throws in
        let zone = try session.runtimeDAO(Zone.self).insert(Zone("a", 1))
        try session.runtimeDAO(Transition.self).insert(Transition(zone.id ?? 0, 1, 2))
        #expect(try session.runtimeDAO("zone").count() == 1)
        return try session.dao(ZoneDAO.init).count()
      }
    }
    #expect(run.result == 1)
    #expect(run.texts.filter { $0.hasPrefix("BEGIN") || $0.hasPrefix("COMMIT") } == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
    #expect(run.texts.first == "BEGIN IMMEDIATE TRANSACTION" && run.texts.last == "COMMIT TRANSACTION")
  }

  @Test func `a throw rolls everything back`() throws {
    try zones.insert(Zone("kept", 1))
    #expect(throws: Stop.self) {
      try factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        try zones.insert([Zone("a", 1), Zone("b", 1)])
        try zones.delete(1)
        try zones.update(.where(\.name == "a"), set: .set(\.offset, to: 9))
        #expect(try zones.count() == 2)
        throw Stop()
      }
    }
    #expect(try zones.findAll().map(\.name) == ["kept"])
    try factory.write { try $0.runtimeDAO(Zone.self).insert(Zone("next", 1)) }
    #expect(try zones.count() == 2)
  }

  @Test func `what one call wrote before it failed goes, and the session goes on`() throws {
    try factory.write { (session) throws in
      let zones = session.runtimeDAO(Zone.self)
      try zones.insert(Zone("a", 1))
      #expect(throws: DAOError.self) { try zones.insert([Zone("b", 1), Zone("a", 1)]) }
      #expect(try zones.count() == 1)
      try zones.insert(Zone("c", 1))
    }
    #expect(try zones.findAll().map(\.name) == ["a", "c"])
  }

  @Test func `where SQLite rolls back by itself, nothing more is written, though the error was caught`() throws {
    let store = try TestStore(
      sql: "CREATE TRIGGER no BEFORE INSERT ON zone WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    func write() throws {
      try store.factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        try zones.insert(Zone("a", 1))
        #expect(throws: DAOError.self) { try zones.insert(Zone("bad", 1)) }
        #expect(misuse { try zones.insert(Zone("b", 1)) } == "a new session")
        #expect(misuse { _ = try zones.count() } == "a new session")
      }
    }
    #expect(throws: DAOError.self) { try write() }
    #expect(try store.zones.count() == 0)
    try store.zones.insert(Zone("c", 1))
    #expect(try store.zones.count() == 1)
  }

  @Test func `session.write inside is a savepoint that rolls back alone, at any depth`() throws {
    let run = try store.trace.during { () throws in
      try factory.write { (session) throws in
        try session.runtimeDAO(Zone.self).insert(Zone("a", 1))
        try session.write { (inner) throws in
          try inner.runtimeDAO(Zone.self).insert(Zone("b", 1))
          #expect(throws: Stop.self) {
            try inner.write { (innermost) throws in
              try innermost.runtimeDAO(Zone.self).insert(Zone("c", 1))
              // The outer sessions' DAOs are in the same transaction.
              #expect(try session.runtimeDAO(Zone.self).count() == 3)
              throw Stop()
            }
          }
          #expect(try inner.runtimeDAO(Zone.self).count() == 2)
        }
        #expect(throws: Stop.self) {
          try session.write { (inner) throws in
            try inner.runtimeDAO(Zone.self).delete(.all, allowUnfiltered: true)
            throw Stop()
          }
        }
        #expect(try session.runtimeDAO(Zone.self).count() == 2)
      }
    }
    #expect(run.texts.filter { $0.contains("TRANSACTION") } == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
    #expect(try zones.findAll().map(\.name) == ["a", "b"])
  }

  @Test func `a throw after a savepoint takes the savepoint's work with it`() throws {
    #expect(throws: Stop.self) {
      try factory.write { (session) throws in
        try session.write { try $0.runtimeDAO(Zone.self).insert(Zone("a", 1)) }
        throw Stop()
      }
    }
    #expect(try zones.count() == 0)
  }

  @Test func `a read session sees one snapshot and can't write`() throws {
    let file = try FileStore()
    let plain = file.zones
    try plain.insert(Zone("a", 1))
    try file.factory.read { (session) throws in
      let zones = session.runtimeDAO(Zone.self)
      #expect(try zones.count() == 1)
      let other = Thread { _ = try? plain.insert(Zone("b", 1)) }
      other.start()
      while !other.isFinished { Thread.sleep(forTimeInterval: 0.001) }
      #expect(try zones.count() == 1)
      #expect(readOnly { try zones.insert(Zone("c", 1)) } == "store")
      #expect(readOnly { try zones.update(Zone(id: 1, "c", 1)) } == "store")
      #expect(readOnly { try zones.upsert(Zone("c", 1)) } == "store")
      #expect(readOnly { try zones.delete(1) } == "store")
      #expect(readOnly { try zones.delete(.where(\.offset == 1)) } == "store")
      #expect(readOnly { try zones.update(.where(\.offset == 1), set: .set(\.offset, to: 2)) } == "store")
      #expect(readOnly { try zones.execute("DELETE FROM zone") } == "store")
      #expect(readOnly { try session.write { _ in } } == "store")
    }
    #expect(try plain.findAll().map(\.name) == ["a", "b"])
  }

  @Test func `sessions with await, and what they return and throw`() async throws {
    let inserted = try await factory.write { try $0.runtimeDAO(Zone.self).insert(Zone("a", 1)) }
    #expect(inserted.id == 1)
    #expect(try await factory.read { try $0.runtimeDAO(Zone.self).count() } == 1)
    await #expect(throws: Stop.self) {
      try await factory.write { (session) throws in
        try session.runtimeDAO(Zone.self).insert(Zone("b", 1))
        throw Stop()
      }
    }
    #expect(try await zones.count() == 1)
  }

  @Test func `closures of two stores can be nested`() throws {
    let other = try TestStore()
    try factory.write { (session) throws in
      try session.runtimeDAO(Zone.self).insert(Zone("here", 1))
      try other.zones.insert(Zone("plain", 1))
      try other.factory.write { (inner) throws in
        try inner.runtimeDAO(Zone.self).insert(Zone("there", 1))
        try session.runtimeDAO(Zone.self).insert(Zone("here too", 1))
        // This store's closure is still open, further out.
        #expect(misuse { _ = try zones.count() } == "session.dao(…) there")
      }
    }
    #expect(try zones.count() == 2 && other.zones.count() == 2)
  }

  @Test func `a statement can be used again while its rows are being read`() throws {
    try zones.insert((1...50).map { Zone("\($0)", $0) })
    try factory.read { (session) throws in
      let zones = session.runtimeDAO(Zone.self)
      let criteria = SearchCriteria<Zone>.where(\.offset > 40).project(.field(\.offset)).order(by: \.offset)
      let nested = try zones.project(criteria) { (row) throws in
        let offset = try row.next(Int.self)
        let others = try zones.project(.where(\.offset > offset).project(.field(\.offset)).order(by: \.offset)) { try $0.next(Int.self) }
        #expect(try zones.find(Int64(offset)).offset == offset)
        return others.count
      }
      #expect(nested == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    }
  }

  @Test func `more shapes than are kept still give the right rows`() throws {
    try zones.insert((0..<20).map { Zone("\($0)", $0) })
    for _ in 0..<2 {
      for shape in 0..<700 {
        // Each bit is a condition of one of two forms, of which one finds a row.
        let filter = Filter<Zone>.any((0..<10).map { shape >> $0 & 1 == 1 ? \.offset == $0 : \.offset < 0 - $0 })
        #expect(try zones.count(.where(filter)) == shape.nonzeroBitCount)
      }
    }
  }
}

final class ZoneDAO: DAO<Zone>, @unchecked Sendable {
  func at(_ offset: Int) throws -> [Zone] { try findAll(.where(\.offset == offset).order(by: \.name)) }
}
