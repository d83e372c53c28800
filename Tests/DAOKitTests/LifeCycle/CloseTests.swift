import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Closing a store and opening it again")
struct CloseTests {
  let folder: StoreFolder
  let factory: DAOFactory
  let path: String
  /// A longer wait than a machine can be busy.
  private let hour = Duration.seconds(3600)
  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }

  init() throws {
    folder = try StoreFolder()
    path = folder.file("store").path
    // The second opening is what every start but an app's first does.
    _ = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self)
    factory = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self)
    try zones.insert(Zone.samples)
  }

  @Test func `every call on a closed store says so, and nothing is open or beside the file`() async throws {
    let dynamic = try factory.runtimeDAO("zone")
    let stream = zones.stream(.all)
    try await factory.close()
    #expect(folder.openFiles ?? [] == [])
    #expect(try folder.names == ["store"])
    #expect(try folder.zones("store") == Zone.samples.map(\.name))

    let (factory, zones) = (factory, zones)
    let calls: [() throws -> Void] = [
      { _ = try zones.findAll() }, { _ = try zones.find(1) }, { _ = try zones.count() }, { _ = try zones.page(size: 2) },
      { _ = try zones.withCursor(.all) { try $0.next() } }, { try zones.insert(Zone("x", 1)) }, { try zones.delete(1) },
      { _ = try zones.explain(.all) }, { _ = try zones.query("SELECT * FROM zone") }, { try zones.execute("DELETE FROM zone") },
      { _ = try dynamic.findAll() }, { _ = try factory.runtimeDAO("zone") }, { try factory.read { _ in } }, { try factory.write { _ in } },
      { try factory.backUp(to: folder.file("saved")) }, { try factory.compact() },
    ]
    for (number, call) in calls.enumerated() { #expect(closed(call) == path, "call \(number)") }
    await #expect(throws: DAOError.self) { try await zones.findAll() }
    await #expect(throws: DAOError.self) { for try await _ in stream {} }
    #expect(try folder.names == ["store"])
    // Once more is no error.
    try await factory.close()
  }

  @Test func `the same factory and DAOs go on when it is opened again`() throws {
    for _ in 0..<20 {
      try factory.close()
      #expect(closed { try zones.count() } == path)
      let report = try factory.reopen()
      guard case .reused = report.outcome else { return #expect(Bool(false), "\(report)") }
      #expect(try zones.count() == 6)
      #expect(try factory.runtimeDAO("zone").count() == 6)
      try zones.update(.where(\.id == 1), set: .set(\.offset, to: 1))
    }
    // One that is open is closed first.
    try factory.reopen()
    #expect(try zones.find(1).offset == 1)
  }

  @Test func `a file that has taken the store's name meanwhile is what is opened`() throws {
    try factory.close()
    try FileManager.default.removeItem(at: folder.file("store"))
    _ = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self).runtimeDAO(Zone.self).insert(Zone("other", 0))
    try factory.reopen()
    #expect(try zones.findAll().map(\.name) == ["other"])
    // And what does not fit is an error, after which it is closed as before.
    try factory.close()
    try FileManager.default.removeItem(at: folder.file("store"))
    _ = try StoreDescription.file(folder.file("store")).open([Land.entityDescription])
    #expect(throws: DAOError.self) { try factory.reopen() }
    #expect(closed { try zones.count() } == path)
  }

  @Test func `an open stream ends with an error, and its file is let go of, though its loop goes on`() async throws {
    try await zones.insert((0..<5000).map { Zone("n\($0)", $0) })
    var seen = 0
    do {
      for try await _ in zones.stream(.all) {
        seen += 1
        if seen == 3 {
          try await factory.close()
          #expect(folder.openFiles ?? [] == [])
        }
      }
      Issue.record("the stream went on")
    } catch DAOError.closed(let store) { #expect(store == path) }
    #expect(seen >= 3 && seen < 5000)
    try await factory.reopen()
    #expect(try await zones.count() == 5006)
  }

  @Test func `inside a closure of the store it is a misuse`() throws {
    let life: [() throws -> Void] = [
      { try factory.close() }, { try factory.reopen() }, { try factory.destroy() }, { try factory.resetToSeed() },
      { try factory.compact() },
      { try factory.backUp(to: folder.file("saved")) },
    ]
    for call in life {
      try factory.read { _ in #expect(misuse(call) != nil) }
      try factory.write { _ in #expect(misuse(call) != nil) }
      try zones.withCursor(.all) { _ in #expect(misuse(call) != nil) }
    }
    #expect(try zones.count() == 6)
    #expect(try folder.names.contains("saved") == false)
  }

  @Test(arguments: ["read", "write", "cursor"])
  func `calls that run come to their end first`(_ kind: String) throws {
    let (factory, zones) = (factory, zones)
    let sitting = Sitting { stay in
      switch kind {
      case "read": try factory.read { _ in stay() }
      case "cursor": try zones.withCursor(.all) { _ in stay() }
      default:
        try factory.write { session in
          stay()
          try session.runtimeDAO(Zone.self).insert(Zone("late", 0))
        }
      }
    }
    sitting.endSoon()
    try factory.close(within: hour)
    #expect(folder.openFiles ?? [] == [])
    #expect(try folder.zones("store").count == (kind == "write" ? 7 : 6))
  }

  @Test(arguments: ["read", "cursor"])
  func `what they used is closed when the store is`(_ kind: String) throws {
    let (factory, zones) = (factory, zones)
    for _ in 0..<100 {
      let sitting = Sitting { stay in try kind == "read" ? factory.read { _ in stay() } : zones.withCursor(.all) { _ in stay() } }
      sitting.endSoon(0.001)
      try factory.close(within: hour)
      #expect(folder.openFiles ?? [] == [])
      try factory.reopen()
    }
  }

  @Test(arguments: ["read", "write"])
  func `where they take too long, it says so and the store stays open`(_ kind: String) throws {
    let factory = factory
    let sitting = Sitting { stay in try kind == "read" ? factory.read { _ in stay() } : factory.write { _ in stay() } }
    for call in [{ try factory.close(within: .milliseconds(30)) }, { try factory.destroy(within: .milliseconds(30)) }]
      as [() throws -> Void]
    {
      let problem = fileProblem(call)
      #expect(problem?.kind == .locked && problem?.path == path)
      #expect(problem?.message.contains(kind == "read" ? "calls that read" : "a call that writes") == true)
      #expect(try zones.count() == 6)
    }
    sitting.end()
    try zones.insert(Zone("after", 0))
    try factory.close()
    #expect(folder.openFiles ?? [] == [])
  }

  @Test(arguments: [Duration.seconds(Int64.max), .zero, .seconds(-1), .seconds(3_000_000)])
  func `a limit may be as long or as short as one likes`(_ limit: Duration) throws {
    try factory.backUp(to: folder.file("saved"), within: limit)
    try factory.backUp(to: folder.file("saved"), within: limit)
    try factory.close(within: limit)
    try factory.reopen(within: limit)
    try factory.resetToSeed(within: limit)
    try factory.destroy(within: limit)
    #expect(try folder.names == ["saved"])
  }

  @Test func `many threads read, write and stream while it is closed and opened: each call is done or finds it closed`() async throws {
    let (factory, zones, hour) = (factory, zones, hour)
    let kept = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          var written = 0
          for round in 0..<60 {
            do {
              switch number % 4 {
              case 0:
                try await zones.insert(Zone("\(number)-\(round)", 0))
                written += 1
              case 1: _ = try await zones.findAll(.where(\.offset == 0))
              case 2: for try await _ in zones.stream(.all) {}
              default: try await factory.read { _ = try $0.runtimeDAO(Zone.self).count() }
              }
            } catch DAOError.closed {}
          }
          return written
        }
      }
      group.addTask {
        for _ in 0..<25 {
          try await factory.close(within: hour)
          try await factory.reopen(within: hour)
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(try await zones.count() == 6 + kept)
    try await factory.close()
    #expect(folder.openFiles ?? [] == [])
  }

  @Test func `a store in memory is gone when it is closed`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self)
    let zones = factory.runtimeDAO(Zone.self)
    try zones.insert(Zone.samples)
    let sitting = Sitting { stay in try factory.write { _ in stay() } }
    #expect(fileProblem { try factory.close(within: .milliseconds(30)) }?.kind == .locked)
    sitting.end()
    #expect(try zones.count() == 6)
    try factory.close()
    #expect(closed { try zones.count() } == "in memory")
    #expect(closed { try zones.insert(Zone("x", 1)) } == "in memory")
    #expect(refused { try factory.reopen() } == "unsupported")
    #expect(closed { try zones.count() } == "in memory")
    try factory.destroy()
  }

  @Test func `a seed that is used where it lies is closed and opened, and never changed`() throws {
    let seed = try folder.seed(["a", "b"])
    let bytes = try Data(contentsOf: seed)
    let factory = try DAOFactory(store: .inPlace(.file(seed)), entities: Zone.self)
    let zones = factory.runtimeDAO(Zone.self)
    #expect(refused { try factory.destroy() } == "read-only")
    #expect(refused { try factory.resetToSeed() } == "read-only")
    #expect(refused { try factory.compact() } == "read-only")
    #expect(refused { try StoreDescription.inPlace(.file(seed)).destroy() } == "read-only")
    #expect(try zones.count() == 2)
    try factory.backUp(to: folder.file("saved"))
    #expect(try folder.zones("saved") == ["a", "b"])
    try factory.close()
    #expect(closed { try zones.count() } != nil)
    try factory.reopen()
    #expect(try zones.count() == 2)
    #expect(try Data(contentsOf: seed) == bytes)
  }

  @Test func `the evaluator has no file`() throws {
    let factory = try DAOFactory(store: .evaluator, entities: Zone.self)
    try factory.runtimeDAO(Zone.self).insert(Zone("x", 1))
    for call in [
      { try factory.close() }, { try factory.reopen() }, { try factory.destroy() }, { try factory.resetToSeed() },
      { try factory.compact() },
      { try factory.backUp(to: folder.file("saved")) },
    ] as [() throws -> Void] { #expect(refused(call) == "unsupported") }
    #expect(refused { try StoreDescription.inMemory().destroy() } == "unsupported")
    #expect(try factory.runtimeDAO(Zone.self).count() == 1)
  }
}
