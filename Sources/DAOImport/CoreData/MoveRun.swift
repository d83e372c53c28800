import DAOKit
import DAORecords
import Foundation

/// An import of a Core Data store, within one transaction.
final class MoveRun {
  /// How many rows are stored together, at most, with so many bytes.
  static var chunk: (rows: Int, bytes: Int) { (500, 4 << 20) }

  let connection: any Connection
  let plan: MovePlan
  let store: any EntityStore
  private let files: ExternalData
  let dropsBrokenLinks: Bool
  private let problemLimit: Int
  var report = ImportReport()
  /// The keys of the rows that are stored, for each entity of the plan.
  var keys: [KeyMap]
  /// The entities whose rows are all stored.
  var finished: Set<Int> = []
  /// The rows that were refused, by their tables: others that refer to them are no problems of their own.
  var refused: Set<Row> = []
  /// The rows that hooks left out, by their tables.
  var skipped: Set<Row> = []

  struct Row: Hashable {
    let table: String
    let number: Int64
  }

  init(_ connection: any Connection, _ plan: MovePlan, _ store: any EntityStore, of url: URL, dropsBrokenLinks: Bool, problems: Int) {
    self.connection = connection
    self.plan = plan
    self.store = store
    files = ExternalData(of: url)
    self.dropsBrokenLinks = dropsBrokenLinks
    problemLimit = max(1, problems)
    keys = plan.entities.map { _ in KeyMap() }
    report.leftOut = plan.leftOut
  }

  /// Stores all rows.
  /// - Throws: ``ImportFailure`` with all problems, as many as may be reported; ``DAOError``.
  func run() throws {
    do {
      try checkEntities()
      for number in plan.order {
        try store(number)
        finished.insert(number)
      }
      for number in plan.order { try storeOpenLinks(of: number) }
      for pairs in plan.pairs { try store(pairs) }
    } catch is TooManyProblems {}
    if !report.problems.isEmpty { throw ImportFailure(problems: report.problems, report: ImportReport()) }
    report.isComplete = true
  }

  /// Refuses rows of no entity that is known.
  private func checkEntities() throws {
    for table in Set(plan.entities.map(\.source.table)).sorted() {
      let own = plan.schema.entities.filter { $0.table == table }
      let names = own.map { "\($0.number)" }.joined(separator: ", ")
      let sql =
        "SELECT Z_PK, Z_ENT FROM \(table.asSQLName) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(names)) ORDER BY Z_PK LIMIT \(problemLimit + 1)"
      try connection.each(sql) { row in
        let (number, entity) = (try row.takeStored(), try row.takeStored())
        try refuse(
          own.first?.name ?? table, number, "Z_ENT", entity: own.first?.name ?? table, nil,
          "has a row of the entity \(entity.shown), which Z_PRIMARYKEY does not have in \(table)")
      }
    }
  }

  // MARK: Rows

  /// Stores the rows of an entity.
  private func store(_ number: Int) throws {
    let entity = plan.entities[number]
    var batch = Batch(entity)
    var mapper = RecordMapper(entity.plan)
    let columns = ["Z_PK", "Z_ENT"] + entity.columns.map(\.attribute.column.asSQLName) + entity.links.map(\.value)
    try connection.each(CoreDataRows.sql(entity.source.table, columns, of: entity.numbers)) { row in
      report.records += 1
      try read(&row, entity, into: &batch)
      if batch.rows.count >= Self.chunk.rows || batch.lines.count >= Self.chunk.bytes { try write(&batch, number, &mapper) }
    }
    try write(&batch, number, &mapper)
  }

  /// Rows that are stored together: a record each, and the references that it has.
  private struct Batch {
    let entity: MovedEntity
    var lines = Data()
    var rows: [(number: Int64, links: [StoredValue])] = []
    /// The Z_PK of the last row, also of one before the batch.
    var last: Int64?

    init(_ entity: MovedEntity) { self.entity = entity }
  }

  private func read(_ row: inout RowReader, _ entity: MovedEntity, into batch: inout Batch) throws {
    let (number, kind) = (try row.takeStored(), try row.takeStored())
    guard case .integer(let key) = number else {
      return try refuse(entity.source.name, number, "Z_PK", entity: entity.target.entity.name, nil, "has a Z_PK that is no integer")
    }
    if key == batch.last {
      return try refuse(entity.source.name, number, "Z_PK", entity: entity.target.entity.name, nil, "has the Z_PK of another row")
    }
    batch.last = key
    var members = [JSONNode.Member(name: "z_pk", value: .number("\(key)"))]
    if case .integer(let kind) = kind, let name = entity.names[kind] { members.append(JSONNode.Member(name: "z_ent", value: .text(name))) }
    var isRefused = false
    for (position, column) in entity.columns.enumerated() where column.name != "z_pk" && column.name != "z_ent" {
      do {
        let stored = try CoreDataRows.stored(&row, position + 2)
        if stored.isNull, column.fallsThrough { continue }
        members.append(JSONNode.Member(name: column.name, value: try column.node(column.scalar(stored, files))))
      } catch let problem as ValueProblem {
        isRefused = true
        try refuse(
          entity.source.name, number, column.name, entity: entity.target.entity.name, entity.attribute(of: column), "\(problem)")
      }
    }
    if isRefused { return note(refused: key, entity) }
    let first = 2 + entity.columns.count
    let links = try entity.links.indices.map { try row.stored(at: first + $0) }
    batch.lines += Data(JSONNode.object(members).json.utf8)
    batch.lines.append(UInt8(ascii: "\n"))
    batch.rows.append((key, links))
  }

  /// Stores the rows of a batch, and notes their keys.
  private func write(_ batch: inout Batch, _ number: Int, _ mapper: inout RecordMapper) throws {
    let (entity, rows, lines) = (batch.entity, batch.rows, batch.lines)
    (batch.lines, batch.rows) = (Data(), [])
    if rows.isEmpty { return }
    var reader = JSONRecordReader(ByteSource(lines), .lines, window: max(1, min(lines.count, 1 << 17)), longest: .max)
    var record = Record()
    for row in rows {
      guard try reader.next(&record) else { break }
      let path = [entity.source.name, "\(row.number)"]
      let before = mapper.batch.roots.count
      let problems = try mapper.add(
        record, RecordOrigin(number: Int(clamping: row.number), position: TextPosition(line: 0, column: 0), path: path))
      for problem in problems { try refuse(problem.ofRow) }
      if !problems.isEmpty {
        note(refused: row.number, entity)
      } else if mapper.batch.roots.count == before {
        note(skipped: row.number, entity)
      }
    }
    let (read, skipped) = mapper.takeBatch()
    report.add(skipped)
    let links = Dictionary(rows.map { ($0.number, $0.links) }, uniquingKeysWith: { first, _ in first })
    let (batch, left) = try relate(read, number, links)
    if left.isEmpty { return }
    if left.count == batch.roots.count, left.count > 1, try save(batch, number) == nil { return }
    // A record by itself shows which of the batch is refused.
    for record in left {
      let single = batch.only([record])
      guard let problem = try save(single, number) else { continue }
      try refuse(problem.ofRow)
      note(refused: single.origins[0].rowNumber, entity)
    }
  }

  /// Stores a batch, whole or not at all.
  /// - Returns: the problem, where a record of it is refused.
  private func save(_ batch: ImportBatch, _ number: Int) throws -> ImportProblem? {
    let entity = plan.entities[number]
    var writer = BatchWriter(batch, entity.plan, store)
    do { try store.withSession(.write) { try writer.write() } } catch let refusal as RefusedNode {
      return writer.batch.problem(refusal.node, entity.plan, refusal.attribute, refusal.message)
    } catch let error as DAOError where error.isOfRecord {
      let (origin, subject) = (batch.origins[0], error.subject)
      return ImportProblem(
        record: origin.number, line: 0, column: 0, pointer: origin.path.jsonPointer, entity: subject?.entity ?? entity.target.entity.name,
        attribute: subject?.attribute, message: "is refused: \(error)")
    }
    report.add(writer.counts)
    for (record, node) in batch.roots.enumerated() {
      guard let row = writer.rowOfNode[node] else { continue }
      let values = writer.rows[row].values
      keys[number].note(batch.origins[record].rowNumber, entity.target.keyPositions.map { values[$0] })
    }
    return nil
  }

  /// Stores rows together or, where one of them is refused, each by itself, so that the refused ones are known.
  /// - Parameter refuse: gets the number of each refused row.
  func storeTogether<Row>(
    _ rows: [Row], by store: (ArraySlice<Row>) throws -> Void, refusing refuse: (Int, DAOError) throws -> Void
  ) throws {
    func problem(_ rows: ArraySlice<Row>) throws -> DAOError? {
      do {
        try self.store.withSession(.write) { try store(rows) }
        return nil
      } catch let error as DAOError where error.isOfRecord { return error }
    }
    if try rows.isEmpty || problem(rows[...]) == nil { return }
    for number in rows.indices { if let error = try problem(rows[number...number]) { try refuse(number, error) } }
  }

  // MARK: Problems

  func note(refused number: Int64, _ entity: MovedEntity) { refused.insert(Row(table: entity.source.table, number: number)) }

  private func note(skipped number: Int64, _ entity: MovedEntity) { skipped.insert(Row(table: entity.source.table, number: number)) }

  /// Whether a row of one of the entities is among others, which were refused or skipped.
  func has(_ number: Int64, of entities: [Int], in rows: Set<Row>) -> Bool {
    if rows.isEmpty { return false }
    return entities.contains { rows.contains(Row(table: plan.entities[$0].source.table, number: number)) }
  }

  /// Counts a reference or a pair that is left out.
  func countUnlinked(_ entity: EntityDescription) { report.counts[entity.name, default: ImportCounts()].unlinked += 1 }

  func refuse(_ row: Int64, _ entity: MovedEntity, _ column: String?, _ attribute: String?, _ message: String) throws {
    try refuse(entity.source.name, .integer(row), column, entity: entity.target.entity.name, attribute, message)
  }

  func refuse(_ pairs: MovedPairs, _ origin: String, _ attribute: String?, _ message: String) throws {
    try refuse(
      ImportProblem(
        record: 0, line: 0, column: 0, pointer: [pairs.join.table, origin].jsonPointer, entity: pairs.entity.name, attribute: attribute,
        message: message))
  }

  func refuse(
    _ source: String, _ row: StoredValue, _ column: String?, entity: String, _ attribute: String?, _ message: String
  ) throws {
    let number = if case .integer(let number) = row { Int(clamping: number) } else { 0 }
    let path = [source, row.shown] + [column].compactMap(\.self)
    try refuse(
      ImportProblem(
        record: number, line: 0, column: 0, pointer: path.jsonPointer, entity: entity, attribute: attribute, message: message))
  }

  /// - Throws: ``TooManyProblems`` where no more are reported.
  func refuse(_ problem: ImportProblem) throws {
    report.problems.append(problem)
    if report.problems.count >= problemLimit { throw TooManyProblems() }
  }
}

/// Ends an import that has had as many problems as are reported.
private struct TooManyProblems: Error {}

extension ImportProblem {
  /// The problem of a row, which stands in no text.
  fileprivate var ofRow: ImportProblem {
    ImportProblem(record: record, line: 0, column: 0, pointer: pointer, entity: entity, attribute: attribute, message: message)
  }
}

extension RecordOrigin {
  /// The Z_PK of a row, which ``number`` may be too small for.
  var rowNumber: Int64 { path.count > 1 ? Int64(path[1]) ?? 0 : 0 }
}

extension MovedEntity {
  /// The attribute that reads a column; nil where none does.
  fileprivate func attribute(of column: CoreDataColumn) -> String? {
    target.attributes.first { $0.paths.contains(RecordPath([column.name])) }?.attribute.name
  }
}
