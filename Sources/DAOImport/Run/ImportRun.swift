import DAOKit
import DAORecords
import Foundation

/// An import from its first batch to its last. It belongs to one call, which makes its steps one after the other.
final class ImportRun<E: Entity>: @unchecked Sendable {
  /// How many records are looked up together, at most, with so many rows or so many bytes. SQLite copies each page that changes in such a
  /// part once, so that its writes could be taken back: with 500 records that took a sixth of the time.
  private static var chunk: (records: Int, nodes: Int, values: Int, bytes: Int) { (10_000, 20_000, 1 << 18, 4 << 20) }

  let store: any EntityStore
  let plan: RecordPlan
  let options: ImportOptions
  let absent: Filter<E>?
  var reader: FeedReader
  private var mapper: RecordMapper
  var report = ImportReport()
  var openLinks = OpenLinks()
  /// Rows that lists no longer have.
  var orphans = Orphans()
  /// The keys of the rows that the feed has, where others are to be deleted.
  var present: Set<RowIdentity> = []
  private let notesPresent: Bool
  /// The records whose rows are stored without others that they name.
  var unlinkedRecords: Set<Int> = []
  /// Whether a step has failed: what the run knows is no longer what the store has.
  private var isBroken = false

  /// - Parameter absent: the rows that are deleted where the feed does not have them; nil for none.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/misuse(_:use:)``, ``DAOError/readOnly(entity:reason:)``, or
  ///   Foundation's error where the feed can't be opened.
  init(_ dao: DAO<E>, _ source: ImportSource, _ mapping: ImportMapping<E>, absent: Filter<E>?, _ options: ImportOptions) throws {
    if dao.entity.isReadOnly { throw DAOError.readOnly(entity: dao.entity.name, reason: "its rows come from a view") }
    if let batch = options.batch, batch < 1 {
      throw DAOError.misuse("an import in batches of \(batch) records", use: "ImportOptions(batch: 1_000)")
    }
    if absent != nil, options.mark != nil {
      throw DAOError.misuse("deletingAbsent with a mark: an import that goes on does not read the records before", use: "no mark")
    }
    store = dao.context.store
    plan = try RecordPlan(dao.target, mapping.parts)
    self.options = options
    self.absent = absent
    if options.mark != nil, plan.deletesOrphansOfItself {
      throw DAOError.misuse(
        "a mark, and lists that delete rows of \(dao.entity.name): an import that goes on does not know which the feed has", use: "no mark")
    }
    notesPresent = absent != nil || plan.deletesOrphansOfItself
    reader = try source.reader()
    report.totalBytes = source.byteCount
    mapper = RecordMapper(plan)
  }

  /// Whether there is no step left.
  var isOver: Bool { report.isComplete || isBroken }

  /// Stores the records that one transaction takes.
  /// - Returns: false when the feed is over.
  /// - Throws: ``ImportFailure``, ``DAOError``.
  func step() throws -> Bool {
    if isOver { return false }
    let before = report
    isBroken = true
    do {
      try store.withSession(.write) {
        if report.records == 0 { try goBehindMark() }
        try readTransaction()
        if options.isDryRun { throw DryRunEnd() }
      }
    } catch is DryRunEnd {} catch let stop as ImportStop {
      defer { report = before }
      throw ImportFailure(problems: report.problems + stop.problems, report: before)
    } catch {
      report = before
      throw error
    }
    isBroken = false
    return !report.isComplete
  }

  /// Reads and stores the records of a transaction, in parts.
  private func readTransaction() throws {
    // A dry run sees what it would have stored only in one transaction.
    var left = options.isDryRun ? .max : options.batch ?? .max
    while left > 0, !report.isComplete {
      let count = report.records
      report.isComplete = try !read(min(left, Self.chunk.records))
      report.bytes = reader.readCount
      let (batch, skipped) = mapper.takeBatch()
      report.add(skipped)
      try write(batch)
      left -= report.records - count
    }
    if report.isComplete { try finish() }
    if let mark = options.mark { try note(mark) }
  }

  // MARK: Reading

  /// Reads records into the mapper.
  /// - Returns: false when the feed is over.
  private func read(_ count: Int) throws -> Bool {
    let start = reader.readCount
    // Its storage is used again. As a property it would be retained for each record.
    var record = Record()
    for _ in 0..<count {
      do {
        guard try reader.next(&record) else { return false }
      } catch let problem as RecordProblem {
        report.records = reader.count
        let origin = reader.origin(problem.position)
        try refuse([plan.problem(problem.message, origin)], endsImport: !reader.goesOn)
        continue
      }
      report.records = reader.count
      let problems = try mapper.add(record, reader.origin(record.position))
      if !problems.isEmpty { try refuse(problems) }
      let (nodes, values) = (mapper.batch.nodes.count, mapper.batch.valueCount)
      if nodes >= Self.chunk.nodes || values >= Self.chunk.values || reader.readCount - start >= Self.chunk.bytes { break }
    }
    return true
  }

  /// Notes that a record is refused.
  /// - Throws: ``ImportStop`` where that ends the import.
  func refuse(_ problems: [ImportProblem], endsImport: Bool = false) throws {
    guard case .skip(let limit) = options.failures, !endsImport else { throw ImportStop(problems: problems) }
    let entity = plan.entities[0].entity.name
    report.counts[entity, default: ImportCounts()].failed += 1
    if report[entity].failed + unlinkedRecords.count > limit { throw ImportStop(problems: problems) }
    report.problems += problems
  }

  // MARK: Storing

  private func write(_ batch: ImportBatch) throws {
    var left = LeftRecords()
    try write(Array(batch.roots.indices), of: batch, &left)
    // One may have named a row of another that came later.
    for record in left.records.sorted() { if let problem = try saveAlone(record, of: batch) { try refuse([problem]) } }
  }

  /// Stores records of a batch together. Where that is refused, each tenth of them by itself, down to single records: of many, few are
  /// refused.
  private func write(_ records: [Int], of batch: ImportBatch, _ left: inout LeftRecords) throws {
    // What a later record says of a row is not to be overwritten by an earlier one.
    let records = left.rows.isEmpty ? records : records.filter { !left.takes($0, identity(of: $0, in: batch)) }
    switch records.count {
    case 0: return
    case 1: if try saveAlone(records[0], of: batch) != nil { left.add(records[0], identity(of: records[0], in: batch)) }
    case let count:
      if try save(count == batch.roots.count ? batch : batch.only(records)) == nil { return }
      let size = (count + 9) / 10
      for start in stride(from: 0, to: count, by: size) {
        try write(Array(records[start..<min(start + size, count)]), of: batch, &left)
      }
    }
  }

  private func identity(of record: Int, in batch: ImportBatch) -> RowIdentity? {
    plan.entities[0].identity(of: batch.roots[record], in: batch)
  }

  private func saveAlone(_ record: Int, of batch: ImportBatch) throws -> ImportProblem? {
    let single = batch.roots.count == 1 ? batch : batch.only([record])
    guard let problem = try save(single) else { return nil }
    // A new row may take over a unique value of one that its list leaves out.
    return plan.replacesRows ? try save(single, endsFirst: true) : problem
  }

  /// Stores a batch, whole or not at all.
  /// - Returns: the problem, where a record of it is refused.
  private func save(_ batch: ImportBatch, endsFirst: Bool = false) throws -> ImportProblem? {
    var writer = BatchWriter(batch, plan, store)
    writer.tracksLinks = !openLinks.isEmpty
    writer.endsFirst = endsFirst
    do {
      try store.withSession(.write) { try writer.write() }
    } catch let refusal as RefusedNode {
      return writer.batch.problem(refusal.node, plan, refusal.attribute, refusal.message)
    } catch let error as DAOError where error.isOfRecord {
      return plan.problem("\(error)", batch.origins[0], subject: error.subject)
    }
    report.add(writer.counts)
    orphans.follow(writer)
    if notesPresent { notePresent(writer) }
    try follow(writer)
    return nil
  }

  /// Notes the keys of all rows of the feed's entity.
  private func notePresent(_ writer: BatchWriter) {
    let entity = plan.entities[0]
    for (node, row) in zip(writer.batch.nodes, writer.rowOfNode) where node.plan == 0 {
      if let row, let key = RowIdentity(writer.rows[row], at: entity.keyPositions, as: entity.entity.types) { present.insert(key) }
    }
  }
}

/// Records of a batch that were refused, or come after one that was and is of the same row. They are stored behind the others.
private struct LeftRecords {
  private(set) var records: [Int] = []
  private(set) var rows: Set<RowIdentity> = []

  mutating func add(_ record: Int, _ row: RowIdentity?) {
    records.append(record)
    if let row { rows.insert(row) }
  }

  /// Adds a record that is of the same row as another.
  /// - Returns: whether it is.
  mutating func takes(_ record: Int, _ row: RowIdentity?) -> Bool {
    guard let row, rows.contains(row) else { return false }
    records.append(record)
    return true
  }
}

/// Ends a transaction whose effect was only asked for.
private struct DryRunEnd: Error {}

extension RecordPlan {
  /// A problem with a record as a whole.
  func problem(
    _ message: String, _ origin: RecordOrigin, subject: (entity: String, attribute: String?)? = nil
  ) -> ImportProblem {
    ImportProblem(
      record: origin.number, line: origin.position.line, column: origin.position.column, pointer: origin.path.jsonPointer,
      entity: subject?.entity ?? entities[0].entity.name, attribute: subject?.attribute, message: message)
  }

  /// Whether lists delete rows, or end their relationships.
  fileprivate var replacesRows: Bool { entities.contains { $0.relationships.contains { $0.mapping.many != .add } } }

  /// Whether lists delete rows of the feed's own entity.
  fileprivate var deletesOrphansOfItself: Bool {
    entities.contains { $0.relationships.contains { $0.mapping.many == .replaceDeletingOrphans && $0.target == 0 } }
  }
}
