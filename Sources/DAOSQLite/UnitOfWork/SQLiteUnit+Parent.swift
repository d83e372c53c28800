import DAOCriteria
import DAOSQL

// A unit within a unit: it begins with the edits of its parent, follows them, and commits into it.
extension SQLiteUnit {
  /// The edits of a unit at one moment.
  struct Inheritance {
    let tables: [EditedTable]
    let rows: [EditID: EditedRow]
    let revision: Int
    let generation: Int
  }

  /// The edits, where they have changed since a revision.
  func inheritance(after revision: Int) throws -> Inheritance? {
    try alone(.statement) {
      // The parent's own parent may have been edited.
      if parent != nil { try connected { _ in } }
      return edits.revision == revision
        ? nil : Inheritance(tables: edits.tables, rows: edits.rows, revision: edits.revision, generation: generation)
    }
  }

  /// Takes over what the parent has edited, but for rows with edits of this unit.
  func inherit(_ current: Inheritance, on connection: SQLiteConnection) throws {
    if current.generation != inheritedGeneration, !inherited.isEmpty {
      // Its edits are based on rows that are no edits any more.
      guard changes.isEmpty else {
        throw DAOError.misuse("the unit into which this one commits was committed or rolled back", use: "rollback(), and edit again")
      }
      for id in inherited.keys.sorted() { try put(nil, as: id, on: connection) }
      edits.removeAll()
      inherited = [:]
    }
    inheritedGeneration = current.generation
    var isComplete = true
    try editing {
      try connection.transaction(.read) {
        var theirs: [EditID: EditedRow] = [:]
        let numbers = try current.tables.map { table in
          try shadow(table.name, on: connection)
          return edits.add(table)
        }
        for (id, row) in current.rows { theirs[EditID(table: numbers[id.table], number: id.number)] = row }
        let ids = Set(theirs.keys).union(inherited.keys).filter { theirs[$0] != inherited[$0] && edits[$0] == inherited[$0] }
        for id in ids.sorted(by: { (EditedRow.place(theirs[$0]), $0) < (EditedRow.place(theirs[$1]), $1) }) {
          // A row that this unit has edited too, before the parent: its commit will find a conflict.
          if let row = theirs[id], try otherEdit(of: row, than: id, on: connection) != nil {
            isComplete = false
            continue
          }
          try put(theirs[id], as: id, on: connection)
          edits.rebase(id, theirs[id])
          inherited[id] = theirs[id]
        }
        // A step that comes back would take the parent's newer edit with it.
        edits.removeSteps(of: ids)
      }
    }
    inheritedRevision = isComplete ? current.revision : -1
  }

  /// The edit under another number of the row that an edited one is.
  private func otherEdit(of row: EditedRow, than id: EditID, on connection: SQLiteConnection) throws -> EditID? {
    let shadow = try shadow(edits.tables[id.table].name, on: connection)
    guard let known = row.base ?? row.mine else { return nil }
    let key = shadow.table.key(of: known)
    let numbers = try connection.keptRows(shadow.findByKey, key) { $0.integer(0) }
    // A new row may have the key that one of the store has given up: they are two.
    return numbers.lazy.map { EditID(table: id.table, number: $0) }.first { [edits] other in
      other != id && (edits[other]?.base == nil) == (row.base == nil)
    }
  }

  /// Makes the unit's changes edits of the parent, as one step.
  func commit(_ policy: ConflictPolicy, into parent: SQLiteUnit) throws -> CommitResult {
    try connected { _ in }
    let (written, committed) = (changes, unitChanges)
    if committed.isEmpty {
      edits.forgetSteps()
      return .nothingToDo
    }
    if let conflict = try parent.take(rowsToCommit, from: self, policy).first { throw DAOError.conflict(conflict) }
    // The parent has them now, and so has this unit with its next call.
    edits.removeAll()
    reads.forget(written)
    newKeys = []
    inherited = [:]
    inheritedRevision = -1
    disconnect()
    return .committed(committed)
  }

  /// What the commit into the parent would do now.
  func preview(_ policy: ConflictPolicy, into parent: SQLiteUnit) throws -> UnitPreview {
    try connected { _ in }
    do {
      return UnitPreview(changes: unitChanges, conflicts: try parent.take(rowsToCommit, from: self, policy, isPreview: true))
    } catch let error as DAOError {
      guard case .constraint = error else { throw error }
      return UnitPreview(changes: unitChanges, problem: error)
    }
  }

  /// The changes, and rows that are again as they were: a commit into the store may have to keep these from what that does with others.
  private var rowsToCommit: [(id: EditID, known: EditedRow?, row: EditedRow?)] {
    (changes + edits.unchangedRows.filter { inherited[$0.id] == nil }).map { (id: $0.id, known: inherited[$0.id], row: edits[$0.id]) }
  }

  /// Takes over edits of a child.
  /// - Parameter isPreview: whether all of it is taken back.
  /// - Returns: the conflicts that the policy refuses. With any, nothing is taken over.
  private func take(
    _ rows: [(id: EditID, known: EditedRow?, row: EditedRow?)], from child: SQLiteUnit, _ policy: ConflictPolicy, isPreview: Bool = false
  ) throws -> [DAOError.Conflict] {
    try alone(.writeSession) {
      try connected { connection in
        var refused: [DAOError.Conflict] = []
        // An edit of the child may be older than what others have committed.
        forgetState()
        do {
          try editing {
            try connection.transaction(.read) {
              refused = try take(rows, from: child, policy, on: connection)
              if isPreview || !refused.isEmpty { throw PreviewEnds() }
            }
          }
        } catch is PreviewEnds { return refused }
        edits.endStep(named: nil)
        return []
      }
    }
  }

  private func take(
    _ rows: [(id: EditID, known: EditedRow?, row: EditedRow?)], from child: SQLiteUnit, _ policy: ConflictPolicy,
    on connection: SQLiteConnection
  ) throws -> [DAOError.Conflict] {
    var conflicts = EditConflicts(policy) { child.entity(of: $0) }
    for (id, known, row) in rows.sorted(by: { (EditedRow.place($0.row), $0.id) < (EditedRow.place($1.row), $1.id) }) {
      let table = child.edits.tables[id.table]
      try shadow(table.name, child.ownEntity(of: table), on: connection)
      guard let number = edits.number(of: SchemaName(table.name)) else { continue }
      try take(row, known, EditID(table: number, number: id.number), of: table, &conflicts, on: connection)
    }
    return conflicts.refused
  }

  private func take(
    _ row: EditedRow?, _ known: EditedRow?, _ id: EditID, of table: EditedTable, _ conflicts: inout EditConflicts,
    on connection: SQLiteConnection
  ) throws {
    let own = edits[id]
    if own == known, known != nil {
      try put(row, as: id, on: connection)
      edits.set(id, row)
      return
    }
    // The parent has edited it too, or taken its edit back; or both have edits of one row, or new rows of one key.
    let other = try own != nil ? id : row.flatMap { try otherEdit(of: $0, than: id, on: connection) }
    let theirs = other.flatMap { edits[$0] }
    if theirs != nil, row?.isChange == false, known == nil { return }
    if theirs == nil, known == nil {
      try put(row, as: id, on: connection)
      edits.set(id, row)
      return
    }
    let edit = EditedRow(base: known.map { $0.mine } ?? row?.base, mine: row?.mine)
    guard let settled = try conflicts.settled(edit, of: table, theirs: theirs.map { $0.mine } ?? known?.base) else { return }
    var taken = theirs ?? row ?? EditedRow(base: known?.base, mine: nil)
    taken.mine = settled.mine
    try put(taken, as: other ?? id, on: connection)
    edits.set(other ?? id, taken)
  }
}
