import CriteriaTesting
import DAORandomSessions
import Foundation
import InMemoryLogging
import Logging
import TestCases
import Testing

@testable import DAOKit

/// What a store logs beside its statements, at which level, and what it never logs.
struct StoreLogTests {
  private let log = InMemoryLogHandler()

  @Test func `The life cycle is logged as it goes`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StoreLogTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let factory = try log.factory(.info, .file(folder.appendingPathComponent("log.sqlite")))
    #expect(log.removeAll().map(\.text).joined().contains("created"))
    try syncly {
      try factory.suspend()
      try factory.resume()
      try factory.compact()
      try factory.backUp(to: folder.appendingPathComponent("copy.sqlite"))
      try factory.close()
      try factory.reopen()
    }
    var messages = log.removeAll()
    #expect(messages.allSatisfy { $0.level == .info })
    #expect(messages.map(\.text).dropLast() == ["suspended", "resumed", "compacted", "backed up", "closed"])
    #expect(messages.last?.text.contains("reused") == true)
    try await factory.resetToSeed()
    try await factory.compact()
    try await factory.backUp(to: folder.appendingPathComponent("copy.sqlite"))
    try await factory.close()
    try await factory.reopen()
    try await factory.destroy()
    messages = log.removeAll()
    #expect(messages.map(\.text).filter { $0.count < 12 } == ["compacted", "backed up", "closed", "destroyed"], "\(messages)")

    try Data("no database at all, but of some length".utf8).write(to: folder.appendingPathComponent("log.sqlite"))
    #expect(throws: DAOError.self) { try syncly { try factory.reopen() } }
    #expect(throws: DAOError.self) { try log.factory(.info, .file(folder.appendingPathComponent("log.sqlite"))) }
    messages = log.removeAll()
    #expect(
      messages.count == 2 && messages.allSatisfy { $0.level == .error && $0.text.contains("the store was not opened") }, "\(messages)")
  }

  @Test func `A statement that fails is logged by what is at fault`() throws {
    let zones = try log.factory(.debug).runtimeDAO(Zone.self)
    try zones.insert(Zone("a", 1))
    _ = log.removeAll()
    #expect(throws: DAOError.self) { try zones.insert(Zone("a", 2)) }
    #expect(throws: DAOError.self) { try zones.query(#"SELECT * FROM "nowhere""#) }
    let messages = log.removeAll()
    #expect(messages.map(\.level) == [.debug, .debug], "\(messages)")
    #expect(
      messages.first?.text == "the unique constraint of zone does not hold"
        && messages.first?.metadata["attributes"]?.description == #"["name"]"#)
    StoreLog(log.logger(.error)).note(.failed(.engine(DAOError.EngineFailure(code: 11, message: "database disk image is malformed"))))
    #expect(log.removeAll().map(\.level) == [.error])
  }

  @Test func `An opening that was cancelled is no error, with values or without`() throws {
    for showsValues in [false, true] {
      var storeLog = StoreLog(log.logger(.debug))
      storeLog.showsValues = showsValues
      storeLog.note(notOpened: CancellationError())
      storeLog.note(notOpened: DAOError.closed(store: "zones"))
      storeLog.note(notOpened: DAOError.invalidDescription(entity: "zone", problems: ["no key"]))
      let messages = log.removeAll()
      #expect(messages.map(\.level) == [.debug, .debug, .error], "\(messages)")
      #expect(messages.first?.text.contains("CancellationError") == showsValues)
    }
  }

  @Test func `A failure that only answers a question of the library's is not logged`() throws {
    let file = try FileStore()
    let factory = try log.factory(.debug, .file(file.url))
    let zones = factory.runtimeDAO(Zone.self)
    func failures() -> [String] { log.removeAll().filter { $0.level == .debug }.map(\.text) }
    try zones.insert([Zone("a", 1), Zone("b", 2)])
    // Rows that exchange unique values are tried in the order of their edits.
    let work = try factory.unitOfWork()
    let edited = work.runtimeDAO(Zone.self)
    _ = failures()
    for (id, name) in [(1, "b"), (2, "a")] as [(Int64, String)] {
      var zone = try edited.find(id)
      zone.name = name
      try edited.update(zone)
    }
    try work.commit()
    #expect(try zones.findAll(.all.order(by: \.id)).map(\.name) == ["b", "a"])
    #expect(failures().isEmpty)
    // What fails in the end is one failure.
    try edited.insert(Zone("c", 3))
    try zones.insert(Zone("c", 4))
    #expect(try work.preview().problem != nil)
    #expect(failures().isEmpty)
    #expect(throws: DAOError.self) { try work.commit() }
    #expect(failures() == ["the unique constraint of zone does not hold"])
    // Which columns are missing is asked for each.
    _ = try file.zones.execute("ALTER TABLE zone RENAME COLUMN comment TO remark")
    #expect(throws: DAOError.self) { try zones.findAll() }
    let messages = failures()
    #expect(messages.count == 1 && messages.first?.contains("SELECT") == true, "\(messages)")
  }

  @Test func `A lock that another connection holds is logged when it is waited for, and when in vain`() async throws {
    let file = try FileStore()
    let factory = try log.factory(.debug, .file(file.url))
    _ = log.removeAll()
    let held = AsyncStream<Void>.makeStream()
    let (other, givenUp) = (file.factory, DispatchSemaphore(value: 0))
    func has(_ part: String) -> Bool { log.entries.contains { $0.text.contains(part) } }
    // Until the other has given up, after its five seconds.
    async let holding: Void = onThread {
      try other.write { _ in
        held.continuation.finish()
        givenUp.wait()
      }
    }
    for await _ in held.stream {}
    await #expect(throws: DAOError.self) { try await factory.runtimeDAO(Zone.self).insert(Zone("a", 1)) }
    givenUp.signal()
    try await holding
    #expect(has("waits for a lock") && has("for longer than the busy timeout"))
    #expect(log.entries.filter { $0.text.contains("waits for a lock") }.map(\.level) == [.debug])
  }

  @Test func `Values in the reports of upgrades and in what refuses an opening are not logged`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StoreLogTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let secret = "s3cret"
    func seed(_ name: String, _ comment: String, _ version: Int32) throws -> URL {
      let url = folder.appendingPathComponent(name)
      let maker = try DAOFactory(store: .inMemory(version: version), entities: Zone.self)
      try maker.runtimeDAO(Zone.self).insert(Zone(id: 1, "zone", 1, comment))
      try syncly { try maker.backUp(to: url) }
      return url
    }
    let (old, new) = (try seed("old.sqlite", "first", 1), try seed("new.sqlite", "second", 2))
    let store = folder.appendingPathComponent("store.sqlite")
    func open(_ seed: URL, _ version: Int32, showsValues: Bool = false) throws -> DAOFactory {
      try log.factory(
        .trace, showsValues: showsValues, .file(store, seed: .file(seed), policy: .upgrade(conflicts: .keepMine), version: version))
    }
    let first = try open(old, 1)
    try first.runtimeDAO(Zone.self).update(.where(\.id == 1), set: .set(\.comment, to: secret))
    try syncly { try first.close() }
    let upgraded = try open(new, 2)
    let report = try #require(upgraded.report)
    #expect("\(report)".contains(secret), "\(report)")
    #expect(log.entries.contains { $0.text.contains("1 conflicts") } && !"\(log.entries)".contains(secret), "\(log.entries)")
    try syncly { try upgraded.close() }

    let stricter = EntityDescription(
      "zone", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("name", .text), Attribute("offset", .integer), Attribute("comment", .integer, optional: true),
      ])
    let error = #expect(throws: (any Error).self) {
      try DAOFactory(
        store: .file(store, migration: .automatic), describedBy: [stricter], log: StoreLog(log.logger(.trace), showsValues: false))
    }
    #expect(error != nil && log.entries.last?.level == .error && !"\(log.entries)".contains(secret), "\(log.entries)")
  }

  @Test func `A factory of your own logs what is done to its store`() throws {
    final class OwnFactory: DAOFactory, @unchecked Sendable {}
    let store = try DAOFactory(store: .inMemory(), entities: Zone.self).store
    let own = OwnFactory(over: store, log: StoreLog(log.logger(.info)))
    try syncly { try own.suspend() }
    try own.resume()
    try syncly { try own.compact() }
    #expect(log.removeAll().map(\.text) == ["compacted"])
  }

  @Test func `No value is logged, whatever is asked and whatever fails`() throws {
    let secret = "s3cret"
    for showsValues in [false, true] {
      let factory = try log.factory(.trace, slowerThan: .zero, showsValues: showsValues)
      let zones = factory.runtimeDAO(Zone.self)
      try zones.insert(Zone(secret, 1, secret))
      _ = try? zones.insert(Zone(secret, 2))
      _ = try zones.findAll(.where { $0.name == secret || .like($0.name, "*\(secret)*") || .in($0.name, [secret, "b"]) })
      try zones.update(.where { $0.name == secret }, set: .set(\.comment, to: secret + "2"))
      _ = try zones.delete(.where { $0.comment == secret + "2" })
      _ = try? zones.execute("INSERT INTO zone (name, \"offset\") VALUES (\(secret), 'east')")
      _ = try? zones.query("SELECT json_extract(\(secret), '$') AS name")
      _ = try? zones.query("SELECT id, name, \(secret) AS \"offset\", comment FROM zone")
      let messages = log.removeAll().filter { "\($0)".contains(secret) }
      #expect(messages.isEmpty == !showsValues, "\(messages)")
    }
  }

  @Test func `A program takes its log from the environment`() throws {
    let handler: (String) -> any LogHandler = { [log] _ in log }
    let none = [StoreLog.environment(label: "x", variable: "DAO_LOG_THAT_NOBODY_SETS"), StoreLog.from("Off", "x", "DAO_LOG", handler)]
    #expect(none.allSatisfy { $0 == nil })
    let (trace, loud) = (StoreLog.from("Trace", "x", "DAO_LOG", handler), StoreLog.from("loud", "x", "DAO_LOG", handler))
    let (traced, wrong) = (try #require(trace), try #require(loud))
    #expect(traced.logger.logLevel == .trace && traced.slowerThan == .seconds(1) && !traced.showsValues)
    #expect(wrong.logger.logLevel == .info)
    #expect(log.removeAll().map(\.text) == ["DAO_LOG is no level; it takes one of trace, debug, info, notice, warning, error, critical"])
  }
}
