import Foundation

/// The store as a whole. These need a SQLite store; over another, such as the evaluator, they throw ``DAOError/unsupported(_:)``. None
/// may be called inside a closure of the store, for whose end it would wait: that is ``DAOError/misuse(_:use:)``. A wait for others ends
/// with ``withDeadline(_:_:)-(_,()->Result)``, and with `await` when the task is cancelled; the store goes on as it was.
extension DAOFactory {
  /// Closes the store: when the call returns, no connection is open, and the file's last commits are in the file itself, unless somebody
  /// else has it open. The data of a store in memory is lost.
  ///
  /// ```swift
  /// try factory.close()
  /// try zones.findAll()            // throws DAOError.closed; so does a stream that was open, with its next batch
  /// try factory.reopen()           // the same factory and DAOs go on
  /// ```
  ///
  /// Calls that run come to their end first; those that come later are refused. There is no need to close a store: it closes with the last
  /// factory and DAO that hold it.
  /// - Parameter limit: how long to wait for the calls that run.
  /// - Throws: ``DAOError/bootstrap(_:)`` of ``DAOError/BootstrapProblem/Kind/locked`` where calls are still running then. The store stays
  ///   open; only streams may have ended.
  public final func close(within limit: Duration = .seconds(5)) throws {
    try lifeCycle().close(within: limit)
    log?.logger.info("closed")
  }

  /// Opens a store that was closed or destroyed, as when the factory was made: it is made ready, from its seed where it is missing, and
  /// checked. A store that is open is closed first.
  /// - Returns: the report on making it ready.
  /// - Throws: as the factory's initialiser, and the store stays closed; ``DAOError/unsupported(_:)`` for a store in memory, whose data is
  ///   lost.
  @discardableResult
  public final func reopen(within limit: Duration = .seconds(5)) throws -> BootstrapReport {
    try logged { try lifeCycle().reopen(within: limit) }
  }

  /// Closes the store and removes it with every file that belongs to it (`-wal`, `-shm`, `-journal`, files left by a killed start),
  /// permanently when the call returns. It writes nothing: a full disk does not prevent it. ``reopen(within:)`` creates the store again.
  ///
  /// If the process is killed meanwhile, the next start finds the store with all its commits, or none.
  /// - Parameters:
  ///   - removingBackups: also removes files that hold an earlier state of the store: the backups that a replacement made, stores that were
  ///     erased (``StoreDescription/MismatchPolicy``), and the store as it was before a migration.
  ///   - limit: how long to wait for the calls that run, and for others that have the store open: another factory, or another process.
  /// - Throws: ``DAOError/bootstrap(_:)`` of ``DAOError/BootstrapProblem/Kind/locked`` where somebody has the store open still; it then
  ///   stays open here too. ``DAOError/readOnly(entity:reason:)`` for a seed used where it lies.
  public final func destroy(removingBackups: Bool = false, within limit: Duration = .seconds(5)) throws {
    try lifeCycle().destroy(removingBackups: removingBackups, within: limit)
    log?.logger.info("destroyed")
  }

  /// Creates the store again from its seed or, without one, empty from the entities. Its contents are lost; the factory and its DAOs
  /// continue to work.
  ///
  /// The new store is made and checked while the old one is in use, which stays whatever happens until the new one takes its name: a seed
  /// that is missing or does not fit is an error and no loss.
  /// - Parameter limit: how long to wait for the calls that run, and for others that have the store open, when the new one is complete.
  /// - Throws: as the factory's initialiser, and ``close(within:)``; ``DAOError/readOnly(entity:reason:)`` for a seed used where it lies.
  @discardableResult
  public final func resetToSeed(within limit: Duration = .seconds(5)) throws -> BootstrapReport {
    try logged { try lifeCycle().reset(within: limit) }
  }

  /// Rewrites the store without the space that deleted rows left: `VACUUM`.
  ///
  /// Readers keep the old snapshot meanwhile; writers wait. It needs as much free space as the store takes up, and takes effect as a whole
  /// or not at all. Row ids of tables that have neither a key nor an index may change.
  /// - Returns: the space that it has freed.
  /// - Throws: ``DAOError/readOnly(entity:reason:)`` for a seed used where it lies; ``DAOError/engine(_:)`` on a full disk, and where
  ///   another process writes for longer than five seconds.
  @discardableResult
  public final func compact() throws -> Compaction {
    let freed = try lifeCycle().compact()
    log?.logger.info("compacted", metadata: ["from": "\(freed.sizeBefore)", "to": "\(freed.size)"])
    return freed
  }

  /// Logs how the store was opened, or why not.
  private func logged(_ open: () throws -> BootstrapReport) throws -> BootstrapReport {
    do {
      let report = try open()
      log?.note(opened: report)
      return report
    } catch {
      log?.note(notOpened: error)
      throw error
    }
  }
}

// MARK: With await

extension DAOFactory {
  /// ``close(within:)`` where it blocks no thread of Swift's concurrency.
  public final func close(within limit: Duration = .seconds(5)) async throws {
    let lifeCycle = try lifeCycle()
    try await lifeCycle.performMaintenance { try self.close(within: limit) }
  }

  /// ``reopen(within:)`` where it blocks no thread of Swift's concurrency.
  @discardableResult
  public final func reopen(within limit: Duration = .seconds(5)) async throws -> BootstrapReport {
    let lifeCycle = try lifeCycle()
    return try await lifeCycle.performMaintenance { try self.reopen(within: limit) }
  }

  /// ``destroy(removingBackups:within:)`` where it blocks no thread of Swift's concurrency.
  public final func destroy(removingBackups: Bool = false, within limit: Duration = .seconds(5)) async throws {
    let lifeCycle = try lifeCycle()
    try await lifeCycle.performMaintenance { try self.destroy(removingBackups: removingBackups, within: limit) }
  }

  /// ``resetToSeed(within:)`` where it blocks no thread of Swift's concurrency.
  @discardableResult
  public final func resetToSeed(within limit: Duration = .seconds(5)) async throws -> BootstrapReport {
    let lifeCycle = try lifeCycle()
    return try await lifeCycle.performMaintenance { try self.resetToSeed(within: limit) }
  }

  /// ``compact()`` where it blocks no thread of Swift's concurrency.
  @discardableResult
  public final func compact() async throws -> Compaction {
    try await store.perform(.write) { try self.compact() }
  }
}
