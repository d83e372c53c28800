import DAOKit
import Foundation

extension CoreDataStore {
  /// Imports entities of the store: all their rows, in one transaction, or none.
  ///
  /// ```swift
  /// let mappings: [CoreDataMapping] = [.entity(Note.self, from: "CDNote"), .entity(Folder.self, from: "CDFolder")]
  /// let report = try old.import(into: factory, mappings, once: "Core Data")
  /// if report.isRepeated { print("imported before") }
  /// ```
  ///
  /// Each row becomes a new row; none is looked up, so a row that is there with the same key or unique value is a problem. Keys that the
  /// store generates are new ones, unless the mapping has `z_pk`, or another column, for the key's attribute. References, pairs and, where
  /// `orders` asks for them, positions are kept. A reference to a row that comes later is closed at the end, if it may be null until then.
  ///
  /// One row of the old store is in memory at a time beside a batch of the new one: 500 rows, or 4 MB. The keys of the rows are kept to the
  /// end; those that count up with the old ones, as generated keys do, take no memory.
  /// - Parameters:
  ///   - factory: the factory of the store that takes the rows.
  ///   - mappings: the entities. Others stay behind, and relationships that lead to them must be excluded.
  ///   - name: a name by which the store notes that the import is done: a second one does nothing, and its report says so
  ///     (``ImportReport/isRepeated``). The entity ``ImportMark`` has to be among those of the factory. Nil to import each time.
  ///   - dropsBrokenLinks: whether references and pairs that lead to no row are left out, and counted as ``ImportCounts/unlinked``, where
  ///     they may be null; by default they are problems. References and pairs that lead to rows which a hook leaves out need no permission.
  ///   - problems: how many problems are reported at most.
  /// - Returns: the rows of each entity, and ``ImportReport/leftOut``, the columns, pairs and entities that nothing reads.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` with every problem of the mappings, before anything is written;
  ///   ``ImportFailure`` with the problems of the rows; ``DAOError/bootstrap(_:)`` where the old store can't be read; ``DAOError``. Nothing
  ///   is stored then.
  @discardableResult
  public func `import`(
    into factory: DAOFactory, _ mappings: [CoreDataMapping], once name: String? = nil, droppingBrokenLinks dropsBrokenLinks: Bool = false,
    problems: Int = 100
  ) throws -> ImportReport {
    let store = factory.store
    return try store.withSession(.write) {
      let marks = EntityTarget(ImportMark.entityDescription)
      if let name, let mark = try store.find(ImportMark.self, in: marks, keys: [.ofMove(name), ImportMark.PrimaryKey(name)]).first {
        guard mark.primaryKey == .ofMove(name) else { throw ImportMark.isTaken(name) }
        var report = ImportReport()
        report.isRepeated = true
        return report
      }
      let report = try Self.reading(url) { connection, schema in
        let plan = try MovePlan(mappings, schema, connection, store: url.lastPathComponent)
        let run = MoveRun(connection, plan, store, of: url, dropsBrokenLinks: dropsBrokenLinks, problems: problems)
        try run.run()
        return run.report
      }
      if let name { _ = try store.insert([ImportMark(ofMove: name, records: report.records)], in: marks) }
      return report
    }
  }

  /// Runs `import` on the store's queue. A task that is cancelled leaves nothing.
  @discardableResult
  public func `import`(
    into factory: DAOFactory, _ mappings: [CoreDataMapping], once name: String? = nil, droppingBrokenLinks dropsBrokenLinks: Bool = false,
    problems: Int = 100
  ) async throws -> ImportReport {
    try await factory.store.perform(.write) {
      try self.import(into: factory, mappings, once: name, droppingBrokenLinks: dropsBrokenLinks, problems: problems)
    }
  }
}
