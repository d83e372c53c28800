import DAOSQL
import DAOSQLite
import Foundation

/// The operations on a store as a whole, from opening it again to removing it. ``DAOFactory`` offers it under the same names over each
/// engine that adopts it.
package protocol StoreLifeCycle: Sendable {
  /// Closes every connection.
  func close(within limit: Duration) throws
  /// Opens a closed store, as when it was made ready first.
  func reopen(within limit: Duration) throws -> BootstrapReport
  /// Closes the store and removes its files.
  func destroy(removingBackups: Bool, within limit: Duration) throws
  /// Creates the store again, from its seed or empty.
  func reset(within limit: Duration) throws -> BootstrapReport
  /// Frees the space that deleted rows left.
  func compact() throws -> Compaction
  /// Copies the store into a file, as one snapshot.
  func backUp(to url: URL, within limit: Duration, progress: (_ copied: Int64, _ total: Int64) throws -> Void) throws
  /// Examines the store.
  /// - Parameter entities: the types to examine; without any, the entities with which the store was opened.
  func examine(_ entities: [any Entity.Type], correctedBy corrections: SchemaCorrections) throws -> DoctorReport
  /// Ends what runs, releases every lock and refuses calls.
  func suspend(within limit: Duration) throws
  /// Lets calls in again.
  func resume()

  // Names of their own, since a method that blocks could stand for a requirement with `async`.
  /// ``suspend(within:)`` where it blocks no thread of Swift's concurrency.
  func performSuspension(within limit: Duration) async throws
  /// Runs a body that closes, opens, removes or resets the store where it blocks no thread of Swift's concurrency.
  func performMaintenance<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
}

extension SQLiteEngine: StoreLifeCycle {}

extension DAOFactory {
  /// The life cycle of the store.
  /// - Throws: ``DAOError/unsupported(_:)`` over a store without one, such as the evaluator.
  func lifeCycle() throws -> any StoreLifeCycle {
    guard let lifeCycle = (store as? EngineStore)?.engine as? any StoreLifeCycle else {
      throw DAOError.unsupported("only a SQLite store is closed, removed, reset, compacted, backed up, examined or suspended")
    }
    return lifeCycle
  }
}
