import Foundation

extension DAOFactory {
  /// Copies the store into a file while others read and write: one snapshot of it, with all that was committed when the copy began.
  ///
  /// ```swift
  /// try await factory.backUp(to: folder.appendingPathComponent("notes.sqlite")) { copied, total in … }
  /// ```
  ///
  /// The copy is a database of its own, not in WAL mode. It gets its name when it is complete, checked (`quick_check`) and synced; until
  /// then, and if the copy fails, the name keeps leading to the earlier file. An older backup, or any store that nobody has open, is
  /// overwritten in this way; a file that is no database is not. Beside it `.incoming` and `.lock` are used, as beside a store. The WAL of
  /// the store grows with all writes until the copy ends.
  ///
  /// A store in memory is copied in one step, while its other calls wait.
  /// - Parameters:
  ///   - url: the file; missing folders are created.
  ///   - limit: how long to wait for others that have that file open.
  ///   - progress: receives the bytes copied so far and the bytes to copy, every megabyte, on the thread that copies. An error that it
  ///     throws ends the backup.
  /// - Throws: ``DAOError/bootstrap(_:)`` with the file and the reason, such as ``DAOError/BootstrapProblem/Kind/diskFull``;
  ///   ``DAOError/misuse(_:use:)`` where the file is the store itself or belongs to it; ``DAOError/closed(store:)`` where the store was
  ///   closed meanwhile; ``DAOError/unsupported(_:)`` for a store that is not a SQLite store; what `progress` throws.
  public final func backUp(
    to url: URL, within limit: Duration = .seconds(5), progress: (_ copied: Int64, _ total: Int64) throws -> Void = { _, _ in }
  ) throws {
    try lifeCycle().backUp(to: url, within: limit, progress: progress)
    log?.logger.info("backed up", metadata: ["to": "\(url.path)"])
  }

  /// Copies the store without blocking a thread of Swift's concurrency. It ends with `CancellationError` where the task is cancelled.
  public final func backUp(
    to url: URL, within limit: Duration = .seconds(5),
    progress: @escaping @Sendable (_ copied: Int64, _ total: Int64) throws -> Void = { _, _ in }
  ) async throws {
    try await store.perform(.read) { try self.backUp(to: url, within: limit, progress: progress) }
  }
}
