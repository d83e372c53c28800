import CriteriaTesting
import DAOKit
import DAOTestSupport
import Foundation
import Testing

private struct Refused: Error {}

/// Moves seconds from one zone's offset to another's.
private final class MovingDAO: DAO<Zone>, @unchecked Sendable {
  /// - Parameter fails: whether it throws halfway.
  func move(_ seconds: Int, from: Int64, to: Int64, fails: Bool = false) throws {
    try write {
      var source = try find(from)
      source.offset -= seconds
      try update(source)
      if fails { throw Refused() }
      var target = try find(to)
      target.offset += seconds
      try update(target)
    }
  }

  func move(_ seconds: Int, from: Int64, to: Int64, fails: Bool = false) async throws {
    try await write { try self.move(seconds, from: from, to: to, fails: fails) }
  }

  /// The sum of all offsets, by two queries.
  func sums() throws -> [Int?] { try read { try [project(.sum(\.offset)).first.flatMap { $0 }, findAll().reduce(0) { $0 + $1.offset }] } }
  func sums() async throws -> [Int?] { try await read { try self.sums() } }

  func offsets() throws -> [Int] { try findAll(.all.order(by: \.id)).map(\.offset) }
}

@Suite("Functions of a custom DAO that are atomic")
struct AtomicDAOTests {
  private let file: FileStore

  init() throws { file = try FileStore() }

  private static let start = [3600, 0, 19800, -18000, 10800, 3600]

  /// A store in memory, a file and the evaluator, each with the sample zones.
  private func factories() throws -> [DAOFactory] {
    let factories = [try TestStore().factory, file.factory, try DAOFactory(store: .evaluator, entities: Zone.self)]
    for factory in factories { try factory.runtimeDAO(Zone.self).insert(Zone.samples) }
    return factories
  }

  @Test func `by themselves, with await too`() async throws {
    for factory in try factories() {
      let zones = factory.dao(MovingDAO.init)
      #expect(throws: Refused.self) { try zones.move(60, from: 1, to: 2, fails: true) }
      #expect(try syncly { try zones.offsets() } == Self.start)
      await #expect(throws: Refused.self) { try await zones.move(60, from: 1, to: 2, fails: true) }
      #expect(try syncly { try zones.offsets() } == Self.start)
      try syncly { try zones.move(60, from: 1, to: 2) }
      try await zones.move(40, from: 1, to: 2)
      #expect(try syncly { try zones.offsets() } == [3500, 100] + Self.start.dropFirst(2))
    }
  }

  @Test func `in a session, whose other changes stay when they fail and go when the session does`() throws {
    for factory in try factories() {
      try factory.write { session in
        let zones = session.dao(MovingDAO.init)
        try zones.delete(6)
        #expect(throws: Refused.self) { try zones.move(60, from: 1, to: 2, fails: true) }
        #expect(try zones.offsets() == Self.start.dropLast())
        try zones.move(60, from: 1, to: 2)
      }
      let zones = factory.dao(MovingDAO.init)
      #expect(try zones.offsets() == [3540, 60, 19800, -18000, 10800])
      #expect(throws: Refused.self) {
        try factory.write { session in
          try session.dao(MovingDAO.init).move(60, from: 1, to: 2)
          throw Refused()
        }
      }
      #expect(try zones.offsets() == [3540, 60, 19800, -18000, 10800])
    }
  }

  @Test func `inside of each other, where all DAOs of the store join, and whatever they call`() throws {
    for factory in try factories() {
      let (zones, others) = (factory.dao(MovingDAO.init), factory.runtimeDAO(Zone.self))
      try zones.write {
        try zones.move(100, from: 1, to: 2)
        #expect(throws: Refused.self) { try zones.move(7, from: 1, to: 2, fails: true) }
        #expect(throws: Refused.self) {
          try others.write {
            try others.delete(.where(\.id > 2))
            throw Refused()
          }
        }
        #expect(try others.count() == 6)
        try others.insert([Zone("a", 1), Zone("b", 1)])
        #expect(try others.page(size: 2).next != nil)
        #expect(
          try others.withCursor(.all.order(by: \.id)) { cursor in try others.find(try #require(try cursor.next()?.id)).offset } == 3500)
        #expect(try zones.sums() == [19802, 19802])
        #expect(try factory.read { try $0.runtimeDAO(Zone.self).count() } == 8)
        try factory.write { session in try session.dao(MovingDAO.init).move(1, from: 7, to: 8) }
        #expect(throws: Refused.self) {
          try factory.write { session in
            try session.runtimeDAO(Zone.self).delete(1)
            throw Refused()
          }
        }
      }
      #expect(try zones.offsets() == [3500, 100, 19800, -18000, 10800, 3600, 0, 2])
      #expect(throws: Refused.self) {
        try zones.write {
          try others.delete(.where(\.id > 2))
          throw Refused()
        }
      }
      #expect(try others.count() == 8)
    }
  }

  @Test func `what is prefetched inside of one is of its transaction`() throws {
    for factory in [
      try TestStore([Nation.entityDescription, Town.entityDescription, Lake.entityDescription, NationLake.entityDescription]).factory,
      try DAOFactory(store: .evaluator, entities: Nation.self, Town.self, Lake.self, NationLake.self),
    ] {
      let (nations, towns) = (factory.runtimeDAO(Nation.self), factory.runtimeDAO(Town.self))
      try towns.write {
        try nations.insert(Nation("SK", "Slovakia"))
        try towns.insert(Town("Bratislava", 1, in: "SK"))
        #expect(try towns.findAll(SearchCriteria().prefetch(\.nation.towns)).map { try $0.nation.get().towns.get().count } == [1])
      }
    }
  }

  @Test func `many at once, over which no reader sees a half`() async throws {
    for factory in try factories() {
      let zones = factory.dao(MovingDAO.init)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for round in 0..<10 {
              try? await zones.move(task + 1, from: Int64(task % 6 + 1), to: Int64((task + round) % 6 + 1), fails: round == 5)
              let sums = try await zones.sums()
              #expect(sums == [19800, 19800])
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `one that reads writes nothing, and one that writes inside of it is told so`() throws {
    for factory in try factories() {
      let zones = factory.dao(MovingDAO.init)
      try zones.read {
        for call in [{ try zones.move(1, from: 1, to: 2) }, { _ = try zones.delete(1) as Bool }] {
          do {
            try call()
            Issue.record("it wrote")
          } catch DAOError.readOnly {} catch { Issue.record(error) }
        }
        let offsets = try zones.offsets()
        #expect(offsets == Self.start)
      }
    }
  }

  @Test func `a DAO of the factory joins no session, and a session's is not called with await`() async throws {
    for factory in try factories() {
      let zones = factory.dao(MovingDAO.init)
      try syncly {
        try factory.write { _ in #expect(misuse { try zones.move(1, from: 1, to: 2) } == "session.dao(…) there") }
        try factory.read { _ in #expect(misuse { _ = try zones.sums() } == "session.dao(…) there") }
        try zones.withCursor { _ in #expect(misuse { try zones.write {} } == "session.dao(…) there") }
      }
      let kept = try syncly { try factory.write { $0.dao(MovingDAO.init) } }
      #expect(misuse { try kept.move(1, from: 1, to: 2) } == "factory.dao(…), which lives as long as you like")
      await #expect(throws: DAOError.self) { try await kept.move(1, from: 1, to: 2) }
    }
  }

  @Test func `a session's own lets no DAO of the factory join`() throws {
    for factory in try factories() {
      let zones = factory.dao(MovingDAO.init)
      #expect {
        try factory.write { session in
          let own = session.dao(MovingDAO.init)
          try own.write { try zones.move(60, from: 1, to: 2) }
        }
      } throws: {
        if case DAOError.misuse = $0 { true } else { false }
      }
      #expect(try zones.offsets() == Self.start)
    }
  }

  @Test func `on another thread, calls of the store are not of the transaction`() throws {
    try file.zones.insert(Zone.samples)
    let zones = file.zones
    let seen = try zones.write {
      try zones.delete(1)
      return try onThread { try zones.count() }
    }
    #expect(try seen == 6 && zones.count() == 5)
  }

  @Test func `a trace that calls a DAO in the middle of a statement joins nothing`() throws {
    try file.zones.insert(Zone.samples)
    let calls = TracedCalls()
    let traced = try DAOFactory(store: .file(file.url), entities: Zone.self) { _ in calls.call() }
    let zones = traced.runtimeDAO(Zone.self)
    calls.dao = zones
    try zones.write { try zones.insert(Zone("x", 1)) }
    #expect(!calls.uses.isEmpty && calls.uses.allSatisfy { $0 == "session.dao(…) there" })
  }

  @Test func `each is one transaction, and a savepoint inside of another`() throws {
    let store = try TestStore.zones()
    let zones = store.factory.dao(MovingDAO.init)
    func controls(_ body: () throws -> Void) throws -> [String] {
      try store.trace.during { try body() }.texts.filter { !$0.hasPrefix("SELECT") && !$0.hasPrefix("UPDATE") }
    }
    let alone = try controls { try zones.move(1, from: 1, to: 2) }
    #expect(alone == ["BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION"])
    let twice = try controls { try zones.write { for _ in 0..<2 { try zones.move(1, from: 1, to: 2) } } }
    let savepoint = ["SAVEPOINT dao", "RELEASE SAVEPOINT dao"]
    #expect(twice == ["BEGIN IMMEDIATE TRANSACTION"] + savepoint + savepoint + ["COMMIT TRANSACTION"])
  }
}

/// Calls a DAO and notes what use the misuse names. Used by one thread at a time.
private final class TracedCalls: @unchecked Sendable {
  var dao: RuntimeDAO<Zone>?
  private(set) var uses: [String?] = []

  func call() {
    guard let dao else { return }
    uses.append(misuse { _ = try dao.count() })
  }
}

/// What a body returns on a thread of its own.
private func onThread(_ body: @escaping @Sendable () throws -> Int) throws -> Int {
  let (box, done) = (ThreadOutcome(), DispatchSemaphore(value: 0))
  Thread {
    box.result = Result { try body() }
    done.signal()
  }.start()
  done.wait()
  return try #require(box.result).get()
}

/// Written by one thread, then read by another.
private final class ThreadOutcome: @unchecked Sendable { var result: Result<Int, any Error>? }
