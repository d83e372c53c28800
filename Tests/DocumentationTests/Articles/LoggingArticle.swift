import DAOMacros
import Foundation
import InMemoryLogging
import Logging
import Testing

/// The code of Documentation/logging.md.
@Suite struct LoggingArticle: ArticleTest {
  let article = Article("Documentation/logging.md")

  @Test func `the code of logging.md runs and prints its output`() throws {
    try withFolder { folder in
      let url = folder.appendingPathComponent("clock.sqlite")
      try logging(url)
      try environment(url)
    }
    try statements()
    try article.expectSQLAndOutput()
  }

  private func logging(_ url: URL) throws {
    var logger = Logger(label: "clock")
    logger.logLevel = .info
    let factory = try DAOFactory(store: .file(url), entities: Zone.self, Country.self, log: StoreLog(logger))
    #expect(factory.report != nil)
    let log = StoreLog(logger, slowerThan: .milliseconds(50), showsValues: true)
    #expect(log.showsValues && log.slowerThan == .milliseconds(50))

    let messages = InMemoryLogHandler()
    var tracer = Logger(label: "clock") { _ in messages }
    tracer.logLevel = .trace
    let traced = try DAOFactory(store: .inMemory(), entities: Zone.self, Country.self, log: StoreLog(tracer))
    try traced.runtimeDAO(Country.self).insert(Country.samples)
    try traced.runtimeDAO(Zone.self).insert(Zone.samples)
    #expect(try traced.runtimeDAO(Zone.self).findAll(.where { $0.standardOffset > 40_000 }).count == 2)
    for entry in messages.entries {
      let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      print("\(entry.level) clock: \(metadata) \(entry.message)")
    }
  }

  private func environment(_ url: URL) throws {
    let factory = try DAOFactory(store: .file(url), entities: Zone.self, Country.self, log: .environment(label: "clock"))
    #expect(factory.report != nil)
  }

  private func statements() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self, Country.self) { statement in
      print("\(statement.sql): \(statement.rowCount ?? 0) rows")
    }
    #expect(try factory.runtimeDAO(Zone.self).count() == 0)
  }
}
