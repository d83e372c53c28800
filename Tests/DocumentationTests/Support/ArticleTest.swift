import DAOMacros
import DAOTestSupport
import Foundation

/// A suite with the code of one article.
protocol ArticleTest {
  var article: Article { get }
}

extension ArticleTest {
  /// Records the SQL of the factories that the article's code makes.
  var statements: StatementRecorder { article.statements }

  /// Takes a value that the article's code prints; it hides Swift's `print`.
  func print(_ value: some CustomStringConvertible) { article.takePrinted(value.description) }

  /// Takes an error that the article's code prints.
  func print(_ error: any Error) { article.takePrinted("\(error)") }

  /// A factory over the sample rows, in memory.
  func worldFactory() throws -> DAOFactory {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self, Country.self) { statements.record($0) }
    try factory.runtimeDAO(Country.self).insert(Country.samples)
    try factory.runtimeDAO(Zone.self).insert(Zone.samples)
    return factory
  }

  /// Runs a body with a new folder, which is removed afterwards.
  func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-documentation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  /// Runs a body with a new folder, which is removed afterwards.
  func withFolder<Result: Sendable>(_ body: @Sendable (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-documentation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}
