import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Calls in the wrong place")
struct MisuseTests {
  static let readOrWrite: [SessionMode] = [.read, .write]

  let store: TestStore
  var factory: DAOFactory { store.factory }

  init() throws { store = try .zones() }

  func inside(_ mode: SessionMode, of factory: DAOFactory, _ body: (Session) throws -> Void) throws {
    switch mode {
    case .read: try factory.read(body)
    case .write: try factory.write(body)
    }
  }

  @Test(arguments: readOrWrite, readOrWrite)
  func `factory.read and factory.write inside either's closure name the session's call`(_ outer: SessionMode, _ inner: SessionMode) throws {
    let file = try FileStore()
    for factory in [factory, file.factory] {
      var ran = false
      try inside(outer, of: factory) { (session) throws in
        let use = misuse { try inside(inner, of: factory) { _ in ran = true } }
        #expect(use == (inner == .read ? "the session that the closure has" : "session.write, which is a savepoint"))
        _ = try session.runtimeDAO(Zone.self).count()
      }
      #expect(!ran)
    }
  }

  @Test(arguments: readOrWrite)
  func `a plain DAO inside the closures names session.dao, for reads and writes`(_ mode: SessionMode) throws {
    let file = try FileStore()
    try file.zones.insert(Zone.samples)
    for (factory, zones) in [(factory, store.zones), (file.factory, file.zones)] {
      try inside(mode, of: factory) { (session) throws in
        let calls: [() throws -> Void] = [
          { _ = try zones.findAll() }, { _ = try zones.find(1) }, { _ = try zones.find([1]) }, { _ = try zones.count() },
          { _ = try zones.exists() }, { _ = try zones.page(size: 1) },
          { _ = try zones.page(size: 1, total: .exact) },
          { _ = try zones.dictionaries(.all.project(.count)) }, { _ = try zones.query("SELECT * FROM zone") },
          { try zones.insert(Zone("x", 1)) },
          { try zones.insert([Zone("x", 1), Zone("y", 1)]) }, { try zones.update(Zone(id: 1, "x", 1)) }, { try zones.save(Zone("x", 1)) },
          { try zones.upsert(Zone("x", 1)) }, { try zones.delete(1) }, { try zones.delete(.where(\.offset == 0)) },
          { try zones.update(.where(\.offset == 0), set: .set(\.offset, to: 1)) }, { try zones.execute("DELETE FROM zone") },
          { _ = try factory.runtimeDAO("zone") },
        ]
        for (number, call) in calls.enumerated() { #expect(misuse(call) == "session.dao(…) there", "call \(number)") }
        #expect(try session.runtimeDAO(Zone.self).count() == 6)
      }
      #expect(try zones.count() == 6)
    }
  }

  @Test func `a DAO inside the closure that reads its own rows names session.dao`() throws {
    let zones = store.zones
    let criteria = SearchCriteria<Zone>.all.project(.field(\.name))
    let names = try zones.project(criteria) { (row) throws in
      #expect(misuse { _ = try zones.count() } == "session.dao(…) there")
      #expect(misuse { try zones.insert(Zone("x", 1)) } == "session.dao(…) there")
      #expect(misuse { try factory.read { _ in } } == "the session that the closure has")
      #expect(misuse { try factory.write { _ in } } == "session.write, which is a savepoint")
      return try row.next(String.self)
    }
    #expect(names.count == 6)
    let queried = try zones.query("SELECT 1") { (row) throws in
      #expect(misuse { _ = try zones.count() } == "session.dao(…) there")
      return try row.next(Int.self)
    }
    #expect(queried == [1])
    #expect(try zones.count() == 6)
  }

  @Test(arguments: readOrWrite)
  func `a session's DAO after the session's end names factory.dao`(_ mode: SessionMode) throws {
    let file = try FileStore()
    for factory in [factory, file.factory] {
      let kept = Kept()
      try inside(mode, of: factory) { (session) throws in
        kept.dao = session.runtimeDAO(Zone.self)
        if mode == .write { try session.write { kept.inner = $0.runtimeDAO(Zone.self) } }
      }
      let dao = try #require(kept.dao)
      let use = "factory.dao(…), which lives as long as you like"
      #expect(misuse { _ = try dao.count() } == use)
      #expect(misuse { try dao.insert(Zone("x", 1)) } == use)
      #expect(misuse { try dao.delete([1, 2]) } == use)
      #expect(misuse { _ = try dao.query("SELECT 1") { try $0.next(Int.self) } } == use)
      if let inner = kept.inner { #expect(misuse { _ = try inner.count() } == use) }
      #expect(onAnotherThread { misuse { _ = try dao.count() } } == "factory.dao(…), or session.dao(…) inside the closure")
      #expect(throws: DAOError.self) { try factory.write { _ in _ = try dao.count() } }
    }
  }

  @Test func `a session that ended with a throw is over too`() throws {
    struct Stop: Error {}
    let kept = Kept()
    #expect(throws: Stop.self) {
      try factory.write { (session) throws in
        kept.dao = session.runtimeDAO(Zone.self)
        throw Stop()
      }
    }
    #expect(misuse { _ = try kept.dao?.count() } == "factory.dao(…), which lives as long as you like")
  }

  @Test(arguments: readOrWrite)
  func `a session's DAO on another thread, while the session is open, is refused`(_ mode: SessionMode) throws {
    let file = try FileStore()
    for factory in [factory, file.factory] {
      try inside(mode, of: factory) { (session) throws in
        let dao = session.runtimeDAO(Zone.self)
        #expect(onAnotherThread { misuse { _ = try dao.count() } } == "factory.dao(…), or session.dao(…) inside the closure")
        #expect(onAnotherThread { misuse { try dao.insert(Zone("x", 1)) } } == "factory.dao(…), or session.dao(…) inside the closure")
      }
    }
  }

  @Test func `a session's DAO with await is refused`() async throws {
    let kept = Kept()
    try await factory.write { kept.dao = $0.runtimeDAO(Zone.self) }
    let dao = try #require(kept.dao)
    await #expect {
      _ = try await dao.count()
    } throws: {
      if case DAOError.misuse(_, "its synchronous functions; a session stays in its closure") = $0 { true } else { false }
    }
  }

  @Test func `a DAO made in a savepoint goes on working in its session, since the transaction is the same`() throws {
    try factory.write { (session) throws in
      let inner = try session.write { $0.runtimeDAO(Zone.self) }
      #expect(try inner.count() == 6)
    }
  }

  /// Keeps DAOs beyond their session.
  final class Kept: @unchecked Sendable {
    // Set and read on the test's thread, one after the other.
    var dao: RuntimeDAO<Zone>?
    var inner: RuntimeDAO<Zone>?
  }

  func onAnotherThread<Result>(_ body: @escaping () -> Result) -> Result? {
    let box = Box(body)
    Thread { box.run() }.start()
    box.done.wait()
    return box.result
  }

  private final class Box<Result>: @unchecked Sendable {
    // Run on the other thread, read when that has finished.
    private let body: () -> Result
    private(set) var result: Result?
    let done = DispatchSemaphore(value: 0)
    init(_ body: @escaping () -> Result) { self.body = body }
    func run() {
      result = body()
      done.signal()
    }
  }
}
