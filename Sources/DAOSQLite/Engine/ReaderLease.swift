import DAOCriteria
import DAOSQL
import Foundation

/// A connection that is out of the pool until the lease goes away.
final class ReaderLease: ConnectionLease, @unchecked Sendable {
  private let engine: SQLiteEngine
  private let readers: ReaderPool
  // Set in `init` and `deinit` only.
  private var lane: Lane?
  // Threads take turns. A call inside a call is one of the same thread.
  private let lock = NSRecursiveLock()

  init(from readers: ReaderPool, of engine: SQLiteEngine) throws {
    self.engine = engine
    self.readers = readers
    lane = try readers.take(for: engine)
  }

  // The connection goes before the engine does, whose writer is to close last.
  deinit {
    if let lane { readers.giveBack(lane) }
    lane = nil
  }

  func run<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    guard let lane else { throw DAOError.misuse("a connection was used after its lease", use: "another lease") }
    return try lock.withLock { try lane.run(for: engine, body) }
  }
}
