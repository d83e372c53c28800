import DAOKit
import Foundation

/// The statements that a factory's closure receives.
final class TracedStatements: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var statements: [StatementTrace] = []

  func add(_ statement: StatementTrace) { lock.withLock { statements.append(statement) } }

  func removeAll() -> [StatementTrace] {
    lock.withLock {
      defer { statements = [] }
      return statements
    }
  }
}
