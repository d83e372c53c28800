import DAOCriteria
import DAOSQL

/// A connection that is out of the pool until the lease goes away.
final class ReaderLease: ConnectionLease, @unchecked Sendable {
  private let engine: SQLiteEngine
  private let readers: ReaderPool
  // Set in `init` and `deinit` only.
  private var lane: Lane?

  init(from readers: ReaderPool, of engine: SQLiteEngine) throws {
    self.engine = engine
    self.readers = readers
    lane = try readers.take()
  }

  // The connection goes before the engine does, whose writer is to close last.
  deinit {
    if let lane { readers.giveBack(lane) }
    lane = nil
  }

  func run<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    guard let lane else { throw DAOError.misuse("a connection was used after its lease", use: "another lease") }
    return try lane.run(for: engine, body)
  }
}
