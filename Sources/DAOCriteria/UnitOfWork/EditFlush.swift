/// The commit of a unit's edits into a store: which rows are written, and in which order.
///
/// New rows come first, those that others point to before those that point; then changed rows; then rows go, in the opposite order.
/// A row that a constraint refuses is written again after the others: two rows that exchange a unique value, or a row that takes the one of
/// a row that goes, are in nobody's way. Conflicts are looked for before the first write, so that what the commit's own writes set off
/// (cascades, triggers) is none.
package struct EditFlush {
  private let tables: [EditedTable]
  private let writer: any EditWriter
  private var conflicts: EditConflicts
  private var waiting: [EditWrite] = []
  /// The rows written, in the order of their edits. Keys of new rows are those of the store.
  private var written: [EditWrite] = []
  /// The keys that provisional ones have become.
  private var keys: [SchemaName: [Int64: Int64]] = [:]

  /// What a flush has done.
  package struct Outcome {
    /// The rows written, in the order of their edits.
    package let written: [EditWrite]
    /// The conflicts that the policy refuses. Where there are any, nothing was written.
    package let conflicts: [DAOError.Conflict]
    /// The keys that the store has instead of provisional ones, by table.
    package let keys: [SchemaName: [Int64: Int64]]
  }

  private init(_ tables: [EditedTable], _ writer: any EditWriter, _ conflicts: EditConflicts) {
    self.tables = tables
    self.writer = writer
    self.conflicts = conflicts
  }

  /// Writes edits.
  /// - Parameter isUnchanged: whether the store is known to be as it was before the first edit, so that there is no conflict.
  /// - Throws: the error of a row that can't be written.
  package static func run(
    _ edits: [(id: EditID, row: EditedRow)], of tables: [EditedTable], into writer: any EditWriter, _ conflicts: EditConflicts,
    isUnchanged: Bool = false
  ) throws -> Outcome {
    var flush = EditFlush(tables, writer, conflicts)
    let settled = try isUnchanged ? edits : flush.settled(edits)
    guard flush.conflicts.refused.isEmpty else { return Outcome(written: [], conflicts: flush.conflicts.refused, keys: [:]) }
    try flush.write(try flush.numbered(settled))
    return Outcome(written: flush.written.sorted { $0.id < $1.id }, conflicts: [], keys: flush.keys)
  }

  // MARK: Before the first write

  private mutating func settled(_ edits: [(id: EditID, row: EditedRow)]) throws -> [(id: EditID, row: EditedRow)] {
    try edits.compactMap { id, row in
      let table = tables[id.table]
      // Nobody else has a provisional key.
      if row.hasProvisionalKey, isProvisional(row, of: table) { return (id, row) }
      guard let known = row.base ?? row.mine else { return nil }
      let theirs = try writer.row(table.key(of: known), of: table)
      return try conflicts.settled(row, of: table, theirs: theirs).map { (id, $0) }
    }
  }

  private func isProvisional(_ row: EditedRow, of table: EditedTable) -> Bool {
    guard let column = table.generatedKey, case .integer(let key)? = row.mine?[column] else { return true }
    return key < 0
  }

  /// The edits with keys of the store instead of provisional ones.
  private mutating func numbered(_ edits: [(id: EditID, row: EditedRow)]) throws -> [EditWrite] {
    for (number, group) in Dictionary(grouping: edits.filter { $0.row.hasProvisionalKey && $0.row.mine != nil }, by: \.id.table) {
      let table = tables[number]
      guard let column = table.generatedKey else { continue }
      // Keys that rows of this unit have been given.
      let given =
        edits.compactMap { id, row -> Int64? in
          guard id.table == number, case .integer(let key)? = row.mine?[column] else { return nil }
          return key
        }.max() ?? 0
      let first = try writer.reserveKeys(group.count, of: table)
      guard given < .max - Int64(group.count) else {
        throw DAOError.constraint(.primaryKey, entity: table.name, attributes: [], message: "no key is left after \(given)")
      }
      var next = max(first, given + 1)
      for (_, row) in group {
        // One that was given another key since then has that.
        guard case .integer(let key)? = row.mine?[column], isProvisional(row, of: table) else { continue }
        keys[SchemaName(table.name), default: [:]][key] = next
        next += 1
      }
    }
    return edits.map { id, row in
      EditWrite(
        id: id, table: tables[id.table], before: row.base,
        after: keys.isEmpty ? row.mine : row.mine.map { stored($0, of: tables[id.table]) })
    }
  }

  /// A row with keys of the store wherever it has provisional ones.
  private func stored(_ row: [StoredValue], of table: EditedTable) -> [StoredValue] {
    var row = row
    for column in row.indices {
      guard case .integer(let key) = row[column], key < 0, let stored = storedKey(key, in: column, of: table, tables.count) else {
        continue
      }
      row[column] = .integer(stored)
    }
    return row
  }

  /// The key of the store that a provisional one has become, in the key of its table or in a column that leads there through others.
  private func storedKey(_ key: Int64, in column: Int, of table: EditedTable, _ depth: Int) -> Int64? {
    if column == table.generatedKey, let stored = keys[SchemaName(table.name)]?[key] { return stored }
    if depth == 0 { return nil }
    for reference in table.references {
      guard let place = reference.columns.firstIndex(of: column), place < reference.targets.count,
        let other = tables.first(where: { SchemaName($0.name) == reference.table }),
        let target = other.position(of: reference.targets[place].text)
      else { continue }
      if let stored = storedKey(key, in: target, of: other, depth - 1) { return stored }
    }
    return nil
  }

  // MARK: Writing

  private mutating func write(_ writes: [EditWrite]) throws {
    let (order, hasCircle) = tablesInOrder()
    if hasCircle { try writer.deferForeignKeys() }
    let byTable = Dictionary(grouping: writes, by: \.id.table)
    for table in order { for write in byTable[table] ?? [] where write.before == nil { try attempt(write) } }
    for table in order { for write in byTable[table] ?? [] where write.before != nil && write.after != nil { try attempt(write) } }
    for table in order.reversed() {
      for write in byTable[table] ?? [] where write.after == nil { try attempt(write) }
      // Before rows go to which theirs point.
      try retry { $0.id.table == table }
    }
    try retry { _ in true }
    if !waiting.isEmpty { try exchange() }
    guard let refused = waiting.first else { return }
    throw try writer.write(refused).map { writer.named($0, of: refused) } ?? DAOError.misuse("a row was refused once", use: "commit again")
  }

  private mutating func attempt(_ write: EditWrite) throws {
    if try writer.write(write) == nil { written.append(write) } else { waiting.append(write) }
  }

  /// Writes waiting rows again, until no more can be.
  private mutating func retry(_ isDue: (EditWrite) -> Bool) throws {
    var count = waiting.count + 1
    while !waiting.isEmpty, waiting.count < count {
      count = waiting.count
      let due = waiting
      waiting = []
      // Rows that each wait for the next one are written in two passes.
      for write in due.reversed() { if isDue(write) { try attempt(write) } else { waiting.append(write) } }
    }
  }

  /// Rows that take unique values from each other in a circle: each gives its own away first.
  private mutating func exchange() throws {
    for index in waiting.indices {
      let write = waiting[index]
      guard let before = write.before, let after = write.after else { continue }
      let columns = Set(write.table.uniques.joined()).intersection(write.table.differences(before, after)).subtracting(write.table.key)
      var parked = write
      parked.after = before
      for column in columns {
        parked.after?[column] = Self.placeholder(for: before[column], write, isRequired: write.table.required.contains(column))
      }
      if try !columns.isEmpty && writer.write(parked) == nil { waiting[index].parked = parked.after }
    }
    let parked = waiting
    waiting = []
    for write in parked { try attempt(write) }
    try retry { _ in true }
  }

  /// A value that no other row has.
  private static func placeholder(for value: StoredValue, _ write: EditWrite, isRequired: Bool) -> StoredValue {
    if !isRequired { return .null }
    return switch value {
    case .integer: .integer(.min + write.id.number)
    case .real: .real(-.greatestFiniteMagnitude / Double(1 + write.id.number))
    default: .text("\u{1}dao \(write.id.number)")
    }
  }

  /// The numbers of the tables, those that others point to first; and whether some point to each other in a circle.
  private func tablesInOrder() -> (order: [Int], hasCircle: Bool) {
    let numbers = Dictionary(tables.indices.map { (SchemaName(tables[$0].name), $0) }, uniquingKeysWith: { first, _ in first })
    var (order, hasCircle): ([Int], Bool) = ([], false)
    var (open, done): (Set<Int>, Set<Int>) = ([], [])
    func visit(_ table: Int) {
      if done.contains(table) { return }
      guard open.insert(table).inserted else {
        hasCircle = true
        return
      }
      for reference in tables[table].references { if let target = numbers[reference.table] { visit(target) } }
      open.remove(table)
      done.insert(table)
      order.append(table)
    }
    for table in tables.indices { visit(table) }
    return (order, hasCircle)
  }
}
