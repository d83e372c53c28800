import DAOKit
import DAORecords
import Foundation

/// An import from its first batch to its last. It belongs to one call, which makes its steps one after the other.
final class ImportRun<E: Entity>: @unchecked Sendable {
  /// How many records are looked up together.
  private static var chunk: Int { 500 }

  private let store: any EntityStore
  private let plan: ImportPlan
  private let options: ImportOptions
  private let absent: Filter<E>?
  private var reader: FeedReader
  private var record = Record()
  private var mapper: RecordMapper
  private(set) var report = ImportReport()
  private var openLinks: [OpenLink] = []
  /// The keys of the rows that the feed has, where others are to be deleted.
  private var present: Set<[StoredValue]> = []

  /// - Parameter absent: the rows that are deleted where the feed does not have them; nil for none.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/misuse(_:use:)``, or Foundation's error where the feed can't be
  ///   opened.
  init(_ dao: DAO<E>, _ source: ImportSource, _ mapping: ImportMapping<E>, absent: Filter<E>?, _ options: ImportOptions) throws {
    if let batch = options.batch, batch < 1 {
      throw DAOError.misuse("an import in batches of \(batch) records", use: "ImportOptions(batch: 1_000)")
    }
    if absent != nil, options.mark != nil {
      throw DAOError.misuse("deletingAbsent with a mark: an import that goes on does not read the records before", use: "no mark")
    }
    store = dao.context.store
    plan = try ImportPlan(dao.target, mapping.parts)
    self.options = options
    self.absent = absent
    reader = try source.reader()
    report.totalBytes = source.byteCount
    mapper = RecordMapper(plan)
  }

  /// Stores the records that one transaction takes.
  /// - Returns: false when the feed is over.
  /// - Throws: ``ImportFailure``, ``DAOError``.
  func step() throws -> Bool {
    if report.isComplete { return false }
    let before = report
    do {
      try store.withSession(.write) {
        if report.records == 0 { try skipMarked() }
        try readTransaction()
        if options.isDryRun { throw DryRunEnd() }
      }
    } catch is DryRunEnd {} catch let stop as ImportStop {
      throw ImportFailure(problems: report.problems + stop.problems, report: before)
    }
    return !report.isComplete
  }

  /// Reads and stores the records of a transaction, in parts.
  private func readTransaction() throws {
    // A dry run sees what it would have stored only in one transaction.
    var left = options.isDryRun ? .max : options.batch ?? .max
    while left > 0, !report.isComplete {
      try Task.checkCancellation()
      let count = min(left, Self.chunk)
      report.isComplete = try !read(count)
      report.bytes = reader.readCount
      let (batch, skipped) = mapper.takeBatch()
      report.add(skipped)
      try write(batch)
      left -= count
    }
    if report.isComplete { try finish() }
    if let mark = options.mark { try note(mark) }
  }

  // MARK: Reading

  /// Reads records into the mapper.
  /// - Returns: false when the feed is over.
  private func read(_ count: Int) throws -> Bool {
    for _ in 0..<count {
      do {
        guard try reader.next(&record) else { return false }
      } catch let problem as RecordProblem {
        report.records = reader.count
        let origin = reader.origin(problem.position)
        try refuse([plan.problem(problem.message, origin, problem.position)], endsImport: !reader.goesOn)
        continue
      }
      report.records = reader.count
      let problems = mapper.add(record, reader.origin(record.position))
      if !problems.isEmpty { try refuse(problems) }
    }
    return true
  }

  /// Notes that a record is refused.
  /// - Throws: ``ImportStop`` where that ends the import.
  private func refuse(_ problems: [ImportProblem], endsImport: Bool = false) throws {
    guard case .skip(let limit) = options.failures, !endsImport else { throw ImportStop(problems: problems) }
    let entity = plan.entities[0].entity.name
    report.counts[entity, default: ImportCounts()].failed += 1
    if report[entity].failed > limit { throw ImportStop(problems: problems) }
    report.problems += problems
  }

  // MARK: Storing

  private func write(_ batch: ImportBatch) throws {
    if batch.roots.isEmpty { return }
    // A record by itself shows which of the batch is refused.
    if try batch.roots.count > 1 && save(batch) == nil { return }
    for record in batch.roots.indices {
      let single = batch.roots.count == 1 ? batch : batch.only(record)
      if let problem = try save(single) { try refuse([problem]) }
    }
  }

  /// Stores a batch, whole or not at all.
  /// - Returns: the problem, where a record of it is refused.
  private func save(_ batch: ImportBatch) throws -> ImportProblem? {
    var writer = BatchWriter(batch, plan, store)
    do {
      var (left, closed): ([OpenLink], [String: ImportCounts]) = ([], [:])
      try store.withSession(.write) {
        try writer.write()
        (left, closed) = try BatchWriter.close(writer.openLinks, plan, store)
      }
      openLinks += left
      report.add(writer.counts)
      report.add(closed)
    } catch let refusal as RefusedNode {
      return writer.batch.problem(refusal.node, plan, refusal.attribute, at: nil, refusal.message)
    } catch let error as DAOError where error.isOfRecord {
      return plan.problem("\(error)", batch.origins[0], subject: error.subject)
    }
    if absent != nil {
      let keys = plan.entities[0].keyPositions
      for root in writer.batch.roots {
        if let row = writer.rowOfNode[root] { present.insert(keys.map { writer.rows[row].values[$0] }) }
      }
    }
    return nil
  }

  // MARK: The end

  private func finish() throws {
    try closeLinks()
    for link in openLinks { try refuse([link.problem]) }
    try deleteAbsent()
  }

  /// Relates rows to those that have come since.
  private func closeLinks() throws {
    let (left, counts) = try BatchWriter.close(openLinks, plan, store)
    report.add(counts)
    openLinks = left
  }

  /// Deletes the rows that the feed does not have. Where a record was refused, nobody knows whose row it is.
  private func deleteAbsent() throws {
    let entity = plan.entities[0]
    guard let absent, report[entity.entity.name].failed == 0 else { return }
    var criteria = Criteria()
    criteria.filter = absent.condition
    let types = entity.entity.keyTypes
    let keys = try store.findKeys(ImportedRow.self, in: entity.target, criteria).filter { key in
      !present.contains(try zip(key, types).map { try $1.stored($0) })
    }
    report.counts[entity.entity.name, default: ImportCounts()].deleted += try store.delete(ImportedRow.self, keys: keys, in: entity.target)
  }

  // MARK: Marks

  private var marks: EntityTarget { EntityTarget(ImportMark.entityDescription) }

  /// Goes behind the records that an interrupted import has stored.
  private func skipMarked() throws {
    guard let name = options.mark, let mark = try store.find(ImportMark.self, in: marks, keys: [name]).first else { return }
    for _ in 0..<mark.records {
      do { if try !reader.next(&record) { break } } catch let problem as RecordProblem where reader.goesOn { _ = problem }
    }
    report.records = reader.count
  }

  private func note(_ name: String) throws {
    if report.isComplete {
      _ = try store.delete(ImportMark.self, keys: [name], in: marks)
      return
    }
    try closeLinks()
    // A record whose rows are not all there yet is read again.
    let records = openLinks.map(\.problem.record).min() ?? report.records
    _ = try store.upsert([ImportMark(name, records: records)], UpsertRule(), in: marks)
  }
}

/// Ends a transaction whose effect was only asked for.
private struct DryRunEnd: Error {}

/// Ends an import.
private struct ImportStop: Error {
  let problems: [ImportProblem]
}

extension ImportPlan {
  /// A problem with a record as a whole.
  fileprivate func problem(
    _ message: String, _ origin: RecordOrigin, _ position: TextPosition? = nil, subject: (entity: String, attribute: String?)? = nil
  ) -> ImportProblem {
    let position = position ?? origin.position
    return ImportProblem(
      record: origin.number, line: position.line, column: position.column, pointer: origin.path.jsonPointer,
      entity: subject?.entity ?? entities[0].entity.name, attribute: subject?.attribute, message: message)
  }
}
