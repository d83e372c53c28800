/// The edits of a unit of work, and the steps by which they can be undone. One thread at a time uses it: the unit sees to that.
package final class EditList {
  /// A step that can be undone: the rows that it edited, as they were before.
  package struct Step {
    /// The name that its group was given.
    package let name: String?
    let before: [(id: EditID, row: EditedRow?)]
  }

  /// The tables with edits, in the order in which they were first edited.
  package private(set) var tables: [EditedTable] = []
  /// The edited rows.
  package private(set) var rows: [EditID: EditedRow] = [:]
  /// A number that is another after each change.
  package private(set) var revision = 0
  /// What can be undone, the last step last.
  package private(set) var undoable: [Step] = []
  /// What can be done again, the next step last.
  package private(set) var redoable: [Step] = []
  /// How many steps are kept.
  package var stepLimit = 100 { didSet { trim() } }
  // The rows before each change that is not yet part of a step.
  private var journal: [(id: EditID, row: EditedRow?)] = []
  // The edited rows that are again as they were.
  private var unchanged: Set<EditID> = []
  private var positions: [SchemaName: Int] = [:]
  // How many edited rows each table has.
  private var counts: [Int: Int] = [:]
  // How many rows have a key, without those that were only rebased, of tables of which that was asked.
  private var keys: [Int: [[StoredValue]: Int]] = [:]
  private var rebased: Set<EditID> = []

  package init() {}

  package subscript(id: EditID) -> EditedRow? { rows[id] }

  /// The number of a table, if it has edits.
  package func number(of table: SchemaName) -> Int? { positions[table] }

  /// Adds a table, or describes it anew.
  @discardableResult
  package func add(_ table: EditedTable) -> Int {
    let name = SchemaName(table.name)
    if let number = positions[name] {
      tables[number] = table
      return number
    }
    positions[name] = tables.count
    tables.append(table)
    return tables.count - 1
  }

  /// Whether a commit has anything to write.
  package var hasChanges: Bool { rows.count > unchanged.count }

  /// The rows with something to write, in the order in which they were first edited.
  package var changes: [EditWrite] {
    // Numbers are sorted, not rows: those are larger.
    var places = rows.indices.map { place in (rows.keys[place], place) }
    if !unchanged.isEmpty { places.removeAll { unchanged.contains($0.0) } }
    places.sort { $0.0 < $1.0 }
    return places.map { id, place in
      let row = rows.values[place]
      return EditWrite(id: id, table: tables[id.table], before: row.base, after: row.mine, hasProvisionalKey: row.hasProvisionalKey)
    }
  }

  /// The rows that are again as the unit has found them.
  package var unchangedRows: [EditWrite] {
    unchanged.sorted().compactMap { id in
      rows[id].flatMap { row in row.base.map { EditWrite(id: id, table: tables[id.table], before: $0, after: row.mine) } }
    }
  }

  /// Whether a row of a table that has a key is an edited one. Rows that were only rebased don't count.
  package func hasRow(_ key: [StoredValue], of table: Int) -> Bool {
    if keys[table] == nil {
      keys[table] = [:]
      for (id, row) in rows where id.table == table && !rebased.contains(id) { countKey(of: row, table, 1) }
    }
    return keys[table]?[key] != nil
  }

  private func countKey(of row: EditedRow?, _ table: Int, _ difference: Int) {
    guard keys[table] != nil, let mine = row?.mine else { return }
    let key = tables[table].key(of: mine)
    let count = (keys[table]?[key] ?? 0) + difference
    keys[table]?[key] = count > 0 ? count : nil
  }

  /// The numbers of the tables that have edited rows.
  package var editedTables: Dictionary<Int, Int>.Keys { counts.keys }

  private func replace(_ id: EditID, by row: EditedRow?) {
    if rebased.remove(id) == nil { countKey(of: rows[id], id.table, -1) }
    countKey(of: row, id.table, 1)
    put(id, row)
  }

  private func put(_ id: EditID, _ row: EditedRow?) {
    let change = (row == nil ? 0 : 1) - (rows[id] == nil ? 0 : 1)
    if change != 0 {
      let count = (counts[id.table] ?? 0) + change
      counts[id.table] = count == 0 ? nil : count
    }
    if let row, !row.isChange { unchanged.insert(id) } else if !unchanged.isEmpty { unchanged.remove(id) }
    rows[id] = row
  }

  // MARK: Changes

  /// Notes a row as it is now; nil where it is edited no more.
  package func set(_ id: EditID, _ row: EditedRow?) {
    journal.append((id, rows[id]))
    replace(id, by: row)
    revision += 1
  }

  /// Changes a row that is no step of its own: what it is based on.
  package func rebase(_ id: EditID, _ row: EditedRow?) {
    if rebased.remove(id) == nil { countKey(of: rows[id], id.table, -1) }
    if row != nil { rebased.insert(id) }
    put(id, row)
    revision += 1
  }

  /// Forgets all edits.
  package func removeAll() {
    (rows, unchanged, rebased, counts, keys, journal, undoable, redoable) = ([:], [], [], [:], [:], [], [], [])
    revision += 1
  }

  /// Has nothing to undo and nothing to do again.
  package func forgetSteps() { (undoable, redoable) = ([], []) }

  /// Forgets the steps that edited one of some rows, and those before which they would have to be undone.
  package func removeSteps(of ids: Set<EditID>) {
    if ids.isEmpty { return }
    func isTouched(_ step: Step) -> Bool { step.before.contains { ids.contains($0.id) } }
    if let last = undoable.lastIndex(where: isTouched) { undoable.removeFirst(last + 1) }
    if let last = redoable.lastIndex(where: isTouched) { redoable.removeFirst(last + 1) }
  }

  // MARK: Steps

  /// Where the changes stand, to go back there.
  package var mark: Int { journal.count }

  /// Takes back all changes since a mark.
  package func rollBack(to mark: Int) {
    while journal.count > mark, let (id, row) = journal.popLast() { replace(id, by: row) }
    revision += 1
  }

  /// Makes one step of the changes since the last one, which then can't be redone any more.
  package func endStep(named name: String?) {
    guard let step = takeStep(named: name) else { return }
    undoable.append(step)
    redoable = []
    trim()
  }

  /// Takes the last step, or the one that was undone last, and calls a body for each row as it was: what it puts back is a step itself.
  /// - Returns: the name of the step; nil where there is none.
  package func goBack(_ direction: Direction, _ putBack: (EditID, EditedRow?) throws -> Void) rethrows -> Step? {
    let steps = direction == .undo ? undoable : redoable
    guard let step = steps.last else { return nil }
    for (id, row) in step.before.sorted(by: { (EditedRow.place($0.row), $0.id) < (EditedRow.place($1.row), $1.id) }) {
      try putBack(id, row)
      set(id, row)
    }
    let opposite = takeStep(named: step.name)
    switch direction {
    case .undo:
      undoable.removeLast()
      if let opposite { redoable.append(opposite) }
    case .redo:
      redoable.removeLast()
      if let opposite { undoable.append(opposite) }
    }
    return step
  }

  /// A direction through the steps.
  package enum Direction: Sendable { case undo, redo }

  private func takeStep(named name: String?) -> Step? {
    var seen: Set<EditID> = []
    let before = journal.filter { seen.insert($0.id).inserted && rows[$0.id] != $0.row }
    journal = []
    return before.isEmpty ? nil : Step(name: name, before: before)
  }

  private func trim() { if undoable.count > stepLimit { undoable.removeFirst(undoable.count - max(0, stepLimit)) } }
}
