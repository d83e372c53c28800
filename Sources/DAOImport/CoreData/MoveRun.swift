import DAOKit
import DAORecords
import Foundation

/// An import of a Core Data store, within one transaction.
final class MoveRun {
  /// How many rows are stored together, at most, with so many bytes.
  private static var chunk: (rows: Int, bytes: Int) { (500, 4 << 20) }

  private let connection: any Connection
  let plan: MovePlan
  let store: any EntityStore
  private let files: ExternalData
  private let dropsBrokenLinks: Bool
  private let problemLimit: Int
  var report = ImportReport()
  /// The keys of the rows that are stored, for each entity of the plan.
  private var keys: [KeyMap]
  /// The entities whose rows are all stored.
  private var finished: Set<Int> = []
  /// The rows that were refused, by their tables: others that refer to them are no problems of their own.
  private var refused: Set<Row> = []

  private struct Row: Hashable {
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
    let columns = ["Z_PK", "Z_ENT"] + entity.columns.map(\.attribute.column) + entity.links.map(\.column.column)
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

    init(_ entity: MovedEntity) { self.entity = entity }
  }

  private func read(_ row: inout RowReader, _ entity: MovedEntity, into batch: inout Batch) throws {
    let (number, kind) = (try row.takeStored(), try row.takeStored())
    guard case .integer(let key) = number else {
      return try refuse(entity.source.name, number, "Z_PK", entity: entity.target.entity.name, nil, "has a Z_PK that is no integer")
    }
    var members = [JSONNode.Member(name: "z_pk", value: .number("\(key)"))]
    if case .integer(let kind) = kind, let name = entity.names[kind] { members.append(JSONNode.Member(name: "z_ent", value: .text(name))) }
    var isRefused = false
    for (position, column) in entity.columns.enumerated() where column.name != "z_pk" && column.name != "z_ent" {
      do {
        let stored = try CoreDataRows.stored(&row, position + 2)
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
    batch = Batch(entity)
    if rows.isEmpty { return }
    var reader = JSONRecordReader(ByteSource(lines), .lines, window: max(1, min(lines.count, 1 << 17)), longest: .max)
    var record = Record()
    for row in rows {
      guard try reader.next(&record) else { break }
      let path = [entity.source.name, "\(row.number)"]
      let problems = try mapper.add(record, RecordOrigin(number: Int(row.number), position: TextPosition(line: 0, column: 0), path: path))
      for problem in problems { try refuse(problem.ofRow) }
      if !problems.isEmpty { note(refused: row.number, entity) }
    }
    let (read, skipped) = mapper.takeBatch()
    report.add(skipped)
    let links = Dictionary(rows.map { ($0.number, $0.links) }, uniquingKeysWith: { first, _ in first })
    let (batch, left) = try relate(read, number, links)
    if left.isEmpty { return }
    if left.count == batch.roots.count, left.count > 1, try save(batch, number) == nil { return }
    // A record by itself shows which of the batch is refused.
    for record in left {
      let single = batch.only(record)
      guard let problem = try save(single, number) else { continue }
      try refuse(problem.ofRow)
      note(refused: Int64(single.origins[0].number), entity)
    }
  }

  /// Gives records the keys of the rows that they refer to.
  /// - Returns: the batch, and the numbers of its records that are stored: others refer to rows that are not there.
  private func relate(
    _ batch: ImportBatch, _ number: Int, _ links: [Int64: [StoredValue]]
  ) throws -> (batch: ImportBatch, left: [Int]) {
    if plan.entities[number].links.isEmpty { return (batch, Array(batch.roots.indices)) }
    let entity = plan.entities[number]
    var batch = batch
    var left: [Int] = []
    for (record, root) in batch.roots.enumerated() {
      let row = Int64(batch.origins[record].number)
      var isRefused = false
      for (link, value) in zip(entity.links, links[row] ?? []) {
        var key: [StoredValue]?
        switch value {
        case .null: break
        case .integer(let other):
          key = self.key(of: other, link)
          if key == nil {
            isRefused = try !mayBeOpen(link, to: other, of: row, number) || isRefused
          }
        default:
          isRefused = true
          try refuse(row, entity, link.column.name, link.name, "is a reference, but the row holds \(value.shown)")
        }
        if key == nil, value.isNull, !link.isOptional {
          isRefused = true
          try refuse(row, entity, link.column.name, link.name, "can't be null")
        }
        for (place, position) in link.positions.enumerated() { batch.nodes[root].values[position] = key?[place] ?? .null }
      }
      if isRefused { note(refused: row, entity) } else { left.append(record) }
    }
    return (batch, left)
  }

  /// The key of the row that a reference leads to; nil where it is not stored.
  private func key(of row: Int64, _ link: MovedEntity.Link) -> [StoredValue]? {
    for target in link.targets { if let key = keys[target][row] { return key } }
    return nil
  }

  /// Whether a row is stored although another that it refers to is not there, or not yet.
  private func mayBeOpen(_ link: MovedEntity.Link, to other: Int64, of row: Int64, _ number: Int) throws -> Bool {
    let entity = plan.entities[number]
    let isFinal = link.targets.allSatisfy(finished.contains)
    if !isFinal, link.isOptional { return true }
    // That row's problem is reported already, and nothing will be stored.
    if isRefused(other, link) { return link.isOptional }
    if isFinal, link.isOptional, dropsBrokenLinks {
      report.counts[entity.target.entity.name, default: ImportCounts()].unlinked += 1
      return true
    }
    let target = plan.entities[link.targets[0]].source.name
    let name = plan.entities[link.targets[0]].target.entity.name
    try refuse(
      row, entity, link.column.name, link.name,
      isFinal
        ? "leads to \(target) \(other), which is not there or does not become \(name)"
        : "leads to \(target) \(other), which is stored later or is not there, and can't be null until then")
    return false
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
      keys[number].note(Int64(batch.origins[record].number), entity.target.keyPositions.map { values[$0] })
    }
    return nil
  }

  // MARK: References to rows that came later

  private func storeOpenLinks(of number: Int) throws {
    let entity = plan.entities[number]
    // Those to entities that came before were closed at once.
    let before = Set(plan.order.prefix { $0 != number })
    let open = entity.links.filter { link in link.isOptional && !link.targets.allSatisfy(before.contains) }
    if open.isEmpty { return }
    let columns = ["Z_PK"] + open.map(\.column.column)
    let condition = open.map { "\($0.column.column.asSQLName) IS NOT NULL" }.joined(separator: " OR ")
    var rows: [(number: Int64, key: [StoredValue], links: [StoredValue])] = []
    let sql = CoreDataRows.sql(entity.source.table, columns, of: entity.numbers, where: "(\(condition))")
    try connection.each(sql) { row in
      guard case .integer(let key) = try row.takeStored(), let own = keys[number][key] else { return }
      rows.append((key, own, try open.map { _ in try row.takeStored() }))
      if rows.count >= Self.chunk.rows {
        try close(rows, open, entity, number)
        rows = []
      }
    }
    try close(rows, open, entity, number)
  }

  private func close(
    _ rows: [(number: Int64, key: [StoredValue], links: [StoredValue])], _ links: [MovedEntity.Link], _ entity: MovedEntity, _ number: Int
  ) throws {
    if rows.isEmpty { return }
    let target = entity.target
    let types = target.keyPositions.map { target.entity.types[$0] }
    let found = try store.find(
      ImportedRow.self, in: target.target, keys: try rows.map { row in try zip(types, row.key).map { try $0.scalar($1) } })
    let known = Dictionary(
      found.map { (row: ImportedRow) in (target.keyPositions.map { row.values[$0] }, row) }, uniquingKeysWith: { a, _ in a })
    var changed: [(row: ImportedRow, number: Int64)] = []
    for row in rows {
      guard var new = known[row.key] else { continue }
      let old = new.values
      for (link, value) in zip(links, row.links) {
        // A value that is no integer was refused before.
        guard case .integer(let other) = value else { continue }
        guard let key = key(of: other, link) else {
          _ = try mayBeOpen(link, to: other, of: row.number, number)
          continue
        }
        for (position, part) in zip(link.positions, key) { new.values[position] = part }
      }
      if new.values != old { changed.append((new, row.number)) }
    }
    func update(_ rows: ArraySlice<(row: ImportedRow, number: Int64)>) throws -> DAOError? {
      do {
        try store.withSession(.write) { _ = try store.update(rows.map(\.row), in: target.target) }
        return nil
      } catch let error as DAOError where error.isOfRecord { return error }
    }
    if changed.isEmpty { return }
    if try update(changed[...]) == nil { return }
    for index in changed.indices {
      if let error = try update(changed[index...index]) {
        try refuse(changed[index].number, entity, nil, error.subject?.attribute, "is refused: \(error)")
      }
    }
  }

  // MARK: Pairs

  private func store(_ pairs: MovedPairs) throws {
    let columns = [pairs.by.column, pairs.to.column] + (pairs.order == nil ? [] : [pairs.to.order].compactMap(\.self))
    let names = columns.map(\.asSQLName).joined(separator: ", ")
    var rows: [ImportedRow] = []
    var origins: [String] = []
    try connection.each("SELECT \(names) FROM \(pairs.join.table.asSQLName) ORDER BY 1, 2") { row in
      report.records += 1
      let (one, other) = (try row.takeStored(), try row.takeStored())
      let origin = "\(one.shown)-\(other.shown)"
      // Sub-entities that become other entities have the relationship in the same table.
      if case .integer(let number) = one, isOfAnother(number, than: pairs.sources) { return }
      let (by, to) = (try key(one, pairs.sources, pairs, origin), try key(other, pairs.targets, pairs, origin))
      guard let by, let to else { return }
      var values = pairs.defaults
      for (position, value) in zip(pairs.byPositions, by) { values[position] = value }
      for (position, value) in zip(pairs.toPositions, to) { values[position] = value }
      if let order = pairs.order {
        do {
          let stored = try row.takeStored()
          guard case .integer(let place) = stored else {
            guard stored.isNull, pairs.entity.attributes[order].isOptional else {
              throw ValueProblem("expects a position, but the row holds \(stored.shown)")
            }
            values[order] = .null
            rows.append(ImportedRow(values, of: pairs.entity))
            return origins.append(origin)
          }
          values[order] = try pairs.entity.attributes[order].type.stored(.integer(place))
        } catch let problem as ValueProblem {
          return try refuse(pairs, origin, pairs.entity.attributes[order].name, "\(problem)")
        }
      }
      rows.append(ImportedRow(values, of: pairs.entity))
      origins.append(origin)
      if rows.count >= Self.chunk.rows {
        try insert(rows, origins, pairs)
        (rows, origins) = ([], [])
      }
    }
    try insert(rows, origins, pairs)
  }

  /// Whether a row became one of other entities than these, which have the same table.
  private func isOfAnother(_ row: Int64, than entities: [Int]) -> Bool {
    guard let table = entities.first.map({ plan.entities[$0].source.table }) else { return false }
    return plan.entities.indices.contains { plan.entities[$0].source.table == table && !entities.contains($0) && keys[$0][row] != nil }
  }

  /// The key of a row of a pair; nil where it is not there.
  private func key(_ value: StoredValue, _ entities: [Int], _ pairs: MovedPairs, _ origin: String) throws -> [StoredValue]? {
    if case .integer(let number) = value {
      for entity in entities { if let key = keys[entity][number] { return key } }
      if let first = entities.first, refused.contains(Row(table: plan.entities[first].source.table, number: number)) { return nil }
      if dropsBrokenLinks {
        report.counts[pairs.entity.name, default: ImportCounts()].unlinked += 1
        return nil
      }
    }
    let (source, name) = entities.first.map { (plan.entities[$0].source.name, plan.entities[$0].target.entity.name) } ?? ("", "")
    try refuse(pairs, origin, nil, "names \(source) \(value.shown), which is not there or does not become \(name)")
    return nil
  }

  private func insert(_ rows: [ImportedRow], _ origins: [String], _ pairs: MovedPairs) throws {
    if rows.isEmpty { return }
    let target = EntityTarget(pairs.entity)
    func insert(_ rows: ArraySlice<ImportedRow>) throws -> DAOError? {
      do {
        try store.withSession(.write) { _ = try store.insert(Array(rows), in: target) }
        report.counts[pairs.entity.name, default: ImportCounts()].inserted += rows.count
        return nil
      } catch let error as DAOError where error.isOfRecord { return error }
    }
    if try insert(rows[...]) == nil { return }
    for index in rows.indices {
      if let error = try insert(rows[index...index]) { try refuse(pairs, origins[index], error.subject?.attribute, "is refused: \(error)") }
    }
  }

  // MARK: Problems

  private func note(refused number: Int64, _ entity: MovedEntity) { refused.insert(Row(table: entity.source.table, number: number)) }

  private func isRefused(_ number: Int64, _ link: MovedEntity.Link) -> Bool {
    link.targets.contains { refused.contains(Row(table: plan.entities[$0].source.table, number: number)) }
  }

  private func refuse(_ row: Int64, _ entity: MovedEntity, _ column: String?, _ attribute: String?, _ message: String) throws {
    try refuse(entity.source.name, .integer(row), column, entity: entity.target.entity.name, attribute, message)
  }

  private func refuse(_ pairs: MovedPairs, _ origin: String, _ attribute: String?, _ message: String) throws {
    try refuse(
      ImportProblem(
        record: 0, line: 0, column: 0, pointer: [pairs.join.table, origin].jsonPointer, entity: pairs.entity.name, attribute: attribute,
        message: message))
  }

  private func refuse(
    _ source: String, _ row: StoredValue, _ column: String?, entity: String, _ attribute: String?, _ message: String
  ) throws {
    let number = if case .integer(let number) = row { Int(number) } else { 0 }
    let path = [source, row.shown] + [column].compactMap(\.self)
    try refuse(
      ImportProblem(
        record: number, line: 0, column: 0, pointer: path.jsonPointer, entity: entity, attribute: attribute, message: message))
  }

  /// - Throws: ``TooManyProblems`` where no more are reported.
  private func refuse(_ problem: ImportProblem) throws {
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

extension MovedEntity {
  /// The attribute that reads a column; nil where none does.
  fileprivate func attribute(of column: CoreDataColumn) -> String? {
    target.attributes.first { $0.paths.contains(RecordPath([column.name])) }?.attribute.name
  }
}
