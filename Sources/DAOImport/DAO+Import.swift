import DAOKit

extension DAO {
  /// Imports the records of a feed: a record whose row is there updates it where it has other values, any other is inserted.
  ///
  /// ```swift
  /// let report = try people.import(.json(url))
  /// print(report["person"].inserted)
  /// ```
  ///
  /// The mapping is that of the entity's description, with the changes and hooks of `mapping`. For each group of at most 10,000 records
  /// (20,000 objects, 4 MB) and each entity that they have there is a query, `SELECT … WHERE "id" IN (…)`, and `INSERT` and `UPDATE` for
  /// the rows that are new and those that change.
  ///
  /// Rows outside of the DAO's ``DAO/scope`` are not found. ``DAO/insert(_:)-([E])`` and the other functions of the DAO are not called:
  /// rules of business belong into the hooks of the mapping.
  /// - Parameters:
  ///   - source: the feed.
  ///   - mapping: changes to the mapping that the entity declares, and hooks.
  ///   - absent: the rows that are deleted where the feed does not have them, when it has been read to its end and no record was refused.
  ///     A record that a hook skips counts as absent.
  ///   - options: how the import runs.
  /// - Throws: ``ImportFailure`` where records can't be stored; ``DAOError/invalidDescription(entity:problems:)`` with every problem of
  ///   the mapping, before anything is read; Foundation's error where the feed can't be read; ``DAOError``.
  @discardableResult
  public final func `import`(
    _ source: ImportSource, _ mapping: ImportMapping<E> = ImportMapping(), deletingAbsent absent: Filter<E>? = nil,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    let run = try ImportRun(self, source, mapping, absent: absent, options)
    while try run.step() {}
    return run.report
  }

  /// Runs `import` on the store's queue, transaction by transaction: others may write between two. A task that is cancelled leaves whole
  /// batches; without ``ImportOptions/batch`` it leaves nothing.
  @discardableResult
  public final func `import`(
    _ source: ImportSource, _ mapping: ImportMapping<E> = ImportMapping(), deletingAbsent absent: Filter<E>? = nil,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport {
    let run = try ImportRun(self, source, mapping, absent: absent, options)
    while try await context.store.perform(.write, { try run.step() }) {}
    return run.report
  }

  /// An import that a loop runs, transaction by transaction, and whose report it gets after each:
  ///
  /// ```swift
  /// for try await report in people.importing(.jsonLines(url), options: ImportOptions(batch: 1_000)) {
  ///   progress.completedUnitCount = Int64(report.bytes)          // of report.totalBytes
  /// }
  /// ```
  ///
  /// A loop that ends before leaves whole batches, as a cancelled import does.
  /// - Parameters: as for `import`.
  public final func importing(
    _ source: ImportSource, _ mapping: ImportMapping<E> = ImportMapping(), deletingAbsent absent: Filter<E>? = nil,
    options: ImportOptions = ImportOptions()
  ) -> ImportUpdates<E> {
    ImportUpdates(dao: self, source: source, mapping: mapping, absent: absent, options: options)
  }
}
