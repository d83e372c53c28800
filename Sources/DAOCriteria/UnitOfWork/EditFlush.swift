/// The commit of a unit's edits into a store: which rows are written, and in which order.
///
/// Rows whose values others point to change first; then come new rows, those that others point to before those that point; then changed
/// rows; then rows go, in the opposite order. A row that a unique constraint refuses is written after the one whose value it takes; where
/// they take them in a circle, each has another value for a while (``exchange()``).
///
/// The unit has done to each row what its foreign keys say, and the store does it again. So a row is written when the store will do nothing
/// to it any more, and leaves what it points to before that goes (``blocker(of:)``). Conflicts are looked for before the first write, so
/// that what the commit's own writes set off is none.
package struct EditFlush {
  private let tables: [EditedTable]
  let writer: any EditWriter
  private var conflicts: EditConflicts
  /// The rows to write, in the order of their edits.
  var writes: [EditWrite] = []
  /// How far each of them is.
  var progress: [Progress] = []
  /// The rows that go, or give away values to which others point.
  var moved = MovedRows()
  /// The rows of the commit that point to each one that goes, and would go with it.
  var followers: [Int: Set<Int>] = [:]
  /// Rows that have given values away that others take, as they are in the store meanwhile; and the columns by which they point to nothing.
  var parked: [Int: [StoredValue]] = [:]
  var pointsAway: [Int: Set<Int>] = [:]
  /// The rows that give away unique values, by these; for each unique index of a table.
  var holders: [Int: [[[StoredValue]: Int]]] = [:]
  /// The keys that provisional ones have become.
  private var keys: [SchemaName: [Int64: Int64]] = [:]

  enum Progress { case untried, refused, written }

  /// What a flush has done.
  package struct Outcome {
    /// The rows written, in the order of their edits. Keys of new rows are those of the store.
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
  /// - Parameters:
  ///   - unchanged: edited rows that are again as they were: the store may yet act on them.
  ///   - isUnchanged: whether the store is known to be as it was before the first edit, so that there is no conflict.
  /// - Throws: the error of a row that can't be written.
  package static func run(
    _ edits: [EditWrite], _ unchanged: [EditWrite] = [], of tables: [EditedTable], into writer: any EditWriter,
    _ conflicts: EditConflicts, isUnchanged: Bool = false
  ) throws -> Outcome {
    var flush = EditFlush(tables, writer, conflicts)
    flush.writes = try isUnchanged ? edits : flush.settled(edits)
    guard flush.conflicts.refused.isEmpty else { return Outcome(written: [], conflicts: flush.conflicts.refused, keys: [:]) }
    try flush.number()
    flush.moved = MovedRows(flush.writes, of: tables)
    if !flush.moved.isEmpty {
      // What others have changed is not given back.
      flush.writes += try unchanged.filter { edit in try writer.row(edit.table.key(of: edit.before ?? []), of: edit.table) == edit.before }
    }
    try flush.write()
    return Outcome(written: flush.writes.filter { $0.row.isChange }, conflicts: [], keys: flush.keys)
  }

  // MARK: Before the first write

  private mutating func settled(_ edits: [EditWrite]) throws -> [EditWrite] {
    // Keys that rows of the store give up, which new rows may have.
    var left: [Int: Set<[StoredValue]>] = [:]
    for edit in edits {
      guard let before = edit.before.map(edit.table.comparableKey(of:)), before != edit.after.map(edit.table.comparableKey(of:)) else {
        continue
      }
      left[edit.id.table, default: []].insert(before)
    }
    return try edits.compactMap { edit in
      // Nobody else has a provisional key.
      if edit.hasProvisionalKey, isProvisional(edit) { return edit }
      guard let known = edit.before ?? edit.after else { return nil }
      let key = edit.table.key(of: known)
      let isLeft = edit.before == nil && left[edit.id.table]?.contains(edit.table.comparableKey(of: known)) == true
      let theirs = isLeft ? nil : try writer.row(key, of: edit.table)
      return try conflicts.settled(edit.row, of: edit.table, theirs: theirs).map { row in
        EditWrite(id: edit.id, table: edit.table, before: row.base, after: row.mine, hasProvisionalKey: row.hasProvisionalKey)
      }
    }
  }

  private func isProvisional(_ edit: EditWrite) -> Bool {
    guard let column = edit.table.generatedKey, case .integer(let key)? = edit.after?[column] else { return true }
    return key < 0
  }

  /// Gives rows keys of the store instead of provisional ones.
  private mutating func number() throws {
    for (number, group) in Dictionary(grouping: writes.filter { $0.hasProvisionalKey && $0.after != nil }, by: \.id.table) {
      let table = tables[number]
      guard let column = table.generatedKey else { continue }
      // Keys that rows of this unit have been given.
      let given =
        writes.compactMap { write -> Int64? in
          guard write.id.table == number, case .integer(let key)? = write.after?[column] else { return nil }
          return key
        }.max() ?? 0
      let first = try writer.reserveKeys(group.count, of: table)
      guard given < .max - Int64(group.count) else {
        throw DAOError.constraint(.primaryKey, entity: table.name, attributes: [], message: "no key is left after \(given)")
      }
      var next = max(first, given + 1)
      for write in group {
        // One that was given another key since then has that.
        guard case .integer(let key)? = write.after?[column], isProvisional(write) else { continue }
        keys[SchemaName(table.name), default: [:]][key] = next
        next += 1
      }
    }
    if keys.isEmpty { return }
    for index in writes.indices { writes[index].after = writes[index].after.map { stored($0, of: writes[index].table) } }
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

  private mutating func write() throws {
    let (order, hasCircle) = tablesInOrder()
    if hasCircle { try writer.deferForeignKeys() }
    let none = [[Int]](repeating: [], count: tables.count)
    var (new, changed, gone) = (none, none, none)
    for index in writes.indices {
      let table = writes[index].id.table
      if writes[index].before == nil {
        new[table].append(index)
      } else if writes[index].after == nil {
        gone[table].append(index)
      } else {
        changed[table].append(index)
      }
    }
    progress = writes.map { _ in .untried }
    func pass(_ order: some Sequence<Int>, _ rows: [[Int]], where isDue: ((EditWrite) -> Bool)? = nil) throws {
      var seen: Set<Int> = []
      for table in order {
        for index in rows[table] where progress[index] == .untried && isDue?(writes[index]) != false { try attempt(index, &seen) }
      }
    }
    if !moved.isEmpty {
      for index in writes.indices { for row in goingParents(of: index) { followers[row, default: []].insert(index) } }
      // Rows that would be somewhere else then.
      try pass(order.reversed(), gone, where: hasMovingKey)
      try pass(order, changed, where: moved.isMoved)
    }
    try pass(order, new)
    try pass(order, changed)
    try pass(order.reversed(), gone)
    try retry()
    if !waiting.isEmpty, !hasCircle {
      // Rows may point to each other's values.
      try writer.deferForeignKeys()
      try retry()
    }
    if !waiting.isEmpty { try exchange() }
    if !waiting.isEmpty { throw try error(of: waiting) }
  }

  /// The rows that were refused, or wait for others.
  var waiting: [Int] { writes.indices.filter { progress[$0] != .written } }

  /// The error of rows of which one is refused, as the others may only wait for it; or all wait for each other.
  private func error(of rows: [Int]) throws -> DAOError {
    for index in rows.filter({ blocker(of: $0) == nil }) + rows {
      let write = try current(index)
      if let error = try writer.write(write) { return writer.named(error, of: write) }
    }
    return DAOError.constraint(
      .other, entity: rows.first.map { writes[$0].table.name } ?? "", attributes: [],
      message: "rows take values from each other in a way that can't be stored at once; commit some of the edits before the others")
  }

  // MARK: Single rows

  /// A write over the row that is in the store now.
  func current(_ index: Int) throws -> EditWrite {
    var write = writes[index]
    if let parked = parked[index] { write.before = parked }
    guard let (row, columns) = followed(index), !columns.isEmpty, let found = try writer.row(write.table.key(of: row), of: write.table)
    else {
      return write
    }
    // What a trigger has written stays.
    for column in columns { write.before?[column] = found[column] }
    return write
  }

  /// Writes a row, after those for which it has to wait.
  /// - Parameter seen: the rows that this pass has come to: each is looked at once, or a circle would cost the square of its rows.
  private mutating func attempt(_ index: Int, _ seen: inout Set<Int>) throws {
    // The usual case: the store acts on no row by itself, and nobody has its values.
    if moved.isEmpty, parked.isEmpty, try writer.write(writes[index]) == nil {
      progress[index] = .written
      return
    }
    guard seen.insert(index).inserted else { return }
    var chain = [index]
    while let index = chain.last {
      let first = try blocker(of: index) ?? (write(index) ? nil : holder(of: index))
      if let first, seen.insert(first).inserted { chain.append(first) } else { chain.removeLast() }
    }
  }

  /// Writes a row that has to wait for none.
  /// - Returns: whether it is written.
  private mutating func write(_ index: Int) throws -> Bool {
    progress[index] = .refused
    let write = try current(index)
    if write.after == nil, hasMovingKey(write), let before = write.before,
      try writer.row(write.table.key(of: before), of: write.table) == nil,
      goingParents(of: index).allSatisfy({ progress[$0] != .written })
    {
      throw DAOError.constraint(
        .other, entity: write.table.name, attributes: [],
        message: "a row that is to go is not found, since the store has given it another key")
    }
    if try writer.write(write) != nil { return false }
    leave(index)
    if let changed = try changedByItself(index) {
      parked[index] = changed
      return false
    }
    progress[index] = .written
    return true
  }

  /// Notes that a row does not go with those that it has pointed to.
  mutating func leave(_ index: Int) { for row in goingParents(of: index) { followers[row]?.remove(index) } }

  /// Writes waiting rows again, until no more can be.
  mutating func retry() throws {
    var left = waiting
    while !left.isEmpty {
      var seen: Set<Int> = []
      for index in left where progress[index] != .written { try attempt(index, &seen) }
      let count = left.count
      left.removeAll { progress[$0] == .written }
      if left.count == count { return }
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
