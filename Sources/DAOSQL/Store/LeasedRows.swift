import DAOCriteria
import Foundation

/// The entities that a query finds, read batch by batch over a connection that is held from the first to the last.
final class LeasedRows<E: Entity>: @unchecked Sendable {
  private let engine: any Engine
  private let target: EntityTarget
  private let criteria: Criteria
  private let lock = NSLock()
  // Guarded by the lock. The lease holds the rows, which go with the connection.
  private var lease: (any ConnectionLease)?
  private var isEnded = false

  init(_ engine: any Engine, in target: EntityTarget, _ criteria: Criteria) {
    self.engine = engine
    self.target = target
    self.criteria = criteria
  }

  /// The rows that follow. An engine without a connection to spare reads all of them at once: nobody could write while they are read.
  func next() throws -> EntityBatch<E> {
    try lock.withLock {
      if isEnded { return EntityBatch([], isLast: true) }
      do {
        lease = try lease ?? engine.lease()
        guard let lease else {
          isEnded = true
          return EntityBatch(try EngineStore(engine).find(E.self, in: target, criteria), isLast: true)
        }
        let batch = try lease.run { connection in
          let rows = try lease.held as? OpenRows<E> ?? OpenRows(connection, in: target, criteria)
          lease.held = rows
          return try criteria.prefetches.isEmpty ? rows.next() : nextPrefetching(rows, connection)
        }
        if batch.isLast { end() }
        return batch
      } catch {
        end()
        throw error
      }
    }
  }

  /// The rows that follow with what the criteria prefetch. Between batches the statement holds the snapshot; here it may come to its end
  /// before the other rows are fetched.
  private func nextPrefetching(_ rows: OpenRows<E>, _ connection: any Connection) throws -> EntityBatch<E> {
    try connection.transaction(.read) {
      let session = ConnectionSession(connection, .read) { true }
      return try EngineStore(session: session).prefetching(rows.next(), in: target, criteria)
    }
  }

  /// Gives the connection back.
  func close() { lock.withLock { end() } }

  private func end() {
    isEnded = true
    lease = nil
  }
}
