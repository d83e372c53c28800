import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import InMemoryLogging
import Logging
import Testing

/// Section 1A.9 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordLoggingRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  private let messages = InMemoryLogHandler()
  /// The messages, as `error rows=1 SELECT …`.
  private var lines: [String] {
    messages.entries.map { entry in
      ([entry.level.rawValue] + entry.metadata.map { "\($0.key)=\($0.value)" } + ["\(entry.message)"]).joined(separator: " ")
    }
  }

  private func log(_ level: Logger.Level) -> StoreLog {
    var logger = Logger(label: "people") { _ in messages }
    logger.logLevel = level
    return StoreLog(logger)
  }

  @Test func `1A.9 Levels, run-time setting, compile-time switch, sink`() throws {
    // Without a log there is none.
    try DAOFactory(store: .inMemory(), entities: Person.self, Company.self).close()
    #expect(lines.isEmpty)

    let quiet = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self, log: log(.info)))
    #expect(lines.count == 1 && lines[0].hasPrefix("info"))
    #expect(throws: DAOError.self) { try quiet.runtimeDAO(Person.self).insert(person) }
    #expect(lines.count == 1)

    let traced = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self, log: log(.trace)))
    #expect(try traced.runtimeDAO(Person.self).count(.where { $0.email == email }) == 1)
    let line = try #require(lines.last)
    #expect(line.hasPrefix("trace") && line.contains("rows=1") && line.contains("SELECT COUNT(*)"))
    #expect(!lines.contains { $0.contains(email) })

    // The level is that of the logger when the store opens.
    let silent = lines.count
    var later = log(.error)
    let opened = try DAOFactory(store: .inMemory(), entities: Person.self, Company.self, log: later)
    later.logger.logLevel = .trace
    #expect(try opened.runtimeDAO(Person.self).count() == 0)
    #expect(lines.count == silent)
    setenv("DAO_LOG_OF_MOVERS", "trace", 1)
    #expect(StoreLog.environment(label: "people", variable: "DAO_LOG_OF_MOVERS")?.logger.logLevel == .trace)
    #expect(StoreLog.environment(label: "people", variable: "DAO_LOG_OF_NOBODY") == nil)
    // DAO_LOG decides, which nobody sets here.
    let fromEnvironment = try DAOFactory(store: .inMemory(), entities: Person.self, Company.self, log: .environment(label: "people"))
    #expect(try fromEnvironment.runtimeDAO(Person.self).count() == 0)

    let number = lines.count
    try Data("no database".utf8).write(to: url)
    #expect(throws: DAOError.self) { try DAOFactory(store: .file(url), entities: Person.self, log: log(.error)) }
    #expect(lines.count == number + 1 && lines[number].hasPrefix("error"))

    try FileManager.default.removeItem(at: url)
    try makeOldStore()
    #expect(try DAOFactory(store: .file(url, mismatch: .erase), entities: Person.self, Company.self, log: log(.warning)).report != nil)
    #expect(lines.count == number + 2 && lines[number + 1].hasPrefix("warning"))
  }
}
