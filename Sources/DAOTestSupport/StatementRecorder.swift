import DAOKit
import Foundation

/// The statements that a factory's store runs, for tests.
///
/// ```swift
/// let statements = StatementRecorder()
/// let factory = try DAOFactory(store: .inMemory(), entities: Zone.self) { statements.record($0) }
/// let run = try statements.during { try factory.dao(ZoneDAO.init).inhabited(in: "SK") }
/// #expect(run.texts.count == 1 && run.result.count == 3)
/// ```
public final class StatementRecorder: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var statements: [(text: String, expanded: String?)] = []
  // How many are forgotten: a body that clears the recorder is recorded from then on.
  private var forgottenCount = 0

  /// A recorder without statements.
  public init() {}

  /// Records a statement; a factory's `trace` calls it with each.
  public func record(_ statement: StatementTrace) { append(statement.sql, expanded: nil) }

  /// Takes a statement, and how it is with its values.
  package func append(_ text: String, expanded: String?) { lock.withLock { statements.append((text, expanded)) } }

  /// Forgets all statements.
  public func clear() {
    lock.withLock {
      forgottenCount += statements.count
      statements = []
    }
  }

  /// The texts of all statements, with placeholders.
  public var texts: [String] { lock.withLock { statements.map(\.text) } }

  /// Records the statements that run during a body, on whichever thread.
  public func during<Result>(_ body: () throws -> Result) rethrows -> Recording<Result> {
    let start = count
    return recording(try body(), from: start)
  }

  /// Records the statements that run during a body, on whichever thread.
  public func during<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Recording<Result> {
    let start = count
    return recording(try await body(), from: start)
  }

  private var count: Int { lock.withLock { forgottenCount + statements.count } }

  private func recording<Result>(_ result: Result, from start: Int) -> Recording<Result> {
    let ran = lock.withLock { Array(statements.dropFirst(max(0, start - forgottenCount))) }
    return Recording(result: result, texts: ran.map(\.text), expanded: ran.filter { !$0.text.isSample }.compactMap(\.expanded))
  }
}

extension String {
  /// Whether it reads a few rows to choose the form of a statement.
  var isSample: Bool { hasSuffix(" AS " + SQLPlan.sampleName) }
}
