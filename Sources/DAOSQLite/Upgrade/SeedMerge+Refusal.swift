import DAOCriteria
import GRDB

// Rows that SQLite does not take: an index over expressions, over computed columns or over a part of the rows has them twice, or a rule of
// the table stands against them.
extension SeedMerge {
  func isRefused(_ change: String) -> String {
    "\(change).act = \(MergeAct.keep.rawValue) AND \(change).why = \(MergeReason.refused.rawValue)"
  }

  /// The changes that only SQLite has found to collide with another row, and whose other row may be another one now.
  mutating func possibleWithoutRefusal(_ tried: Set<MergeChange>) throws -> [MergeChange] {
    let isCollision = "\(isRefused("change")) AND change.wish <> \(MergeAct.keep.rawValue)"
    guard try activeTables.contains(where: { try db.hasChanges(of: $0, where: isCollision) }) else { return [] }
    let changes = try possibleAlone(isCollision)
    for change in changes {
      try db.run("UPDATE \(tables[change.table].changes) SET why = \(MergeReason.refused.rawValue) WHERE rowid = \(change.rowID)")
    }
    return changes.filter { !tried.contains($0) }
  }

  /// Puts a row beside those of all changes that are made.
  /// - Returns: whether SQLite takes it.
  func isTaken(_ change: MergeChange) throws -> Bool {
    let table = tables[change.table]
    let isOwn = "rowid = \(change.rowID)"
    try db.run("SAVEPOINT dao_try")
    defer { try? db.run("RELEASE dao_try") }
    do {
      try delete(table, isOwn)
      let isInStore = "change.\(table.identityInChanges.first ?? "rowid") IS NOT NULL"
      try insert(table, isOwn, keepingRowID: db.hasChanges(of: table, where: "change.\(isOwn) AND \(isInStore)"))
      return true
    } catch let error as DatabaseError where error.refusal != nil {
      try db.run("ROLLBACK TO dao_try")
      return false
    }
  }

  /// Takes back the rows that SQLite itself does not take, one after the other.
  mutating func keepRefused(_ table: MergeTable) throws {
    let found = try refused(in: table)
    guard !found.isEmpty else {
      throw DAOError.constraint(.unique, entity: table.name, attributes: [], message: "the merged rows can't be put one by one")
    }
    let changes = Set(found.map(\.change))
    conflicts.removeAll { $0.conflict.cause != .edited && changes.contains($0.change) }
    for one in found {
      // A row that violates a rule does so whatever the other rows are.
      let wish = one.conflict.cause.isCollision ? "wish" : "\(MergeAct.keep.rawValue)"
      try db.run(
        """
        UPDATE \(table.changes)
        SET act = \(MergeAct.keep.rawValue), wish = \(wish), why = \(MergeReason.refused.rawValue)
        WHERE rowid = ?
        """,
        [.integer(one.change.rowID)])
    }
    conflicts += found
  }

  /// Puts a table's rows one by one, to find those that are not taken, and takes them back.
  private func refused(in table: MergeTable) throws -> [Found] {
    try db.run("SAVEPOINT dao_try")
    try delete(table, "act = \(MergeAct.delete.rawValue) OR \(isInPlace(table))")
    let rows = try db.bareRows(
      """
      SELECT rowid, \(isInPlace(table)), \(table.allPositions.map(table.changed).listed)
      FROM \(table.changes)
      WHERE act = \(MergeAct.put.rawValue)
      ORDER BY 2 DESC, 1
      """
    ) { row in
      (change: MergeChange(table: table.number, rowID: row.integer(0)), isInPlace: row.bool(1), values: table.row(row, from: 2))
    }
    var found: [Found] = []
    for row in rows {
      do { try insert(table, "rowid = \(row.change.rowID)", keepingRowID: row.isInPlace) } catch let error as DatabaseError {
        guard let cause = error.refusal, cause.isCollision || !isChosen(row.change) else {
          throw DAOError(error, entity: nil).naming(table.name)
        }
        let conflict = SeedConflict(
          table: table.name, cause: cause, key: table.keyValues(of: row.values), base: nil, mine: nil, theirs: row.values)
        found.append(Found(change: row.change, conflict: conflict, decision: .mine))
      }
    }
    try db.run("ROLLBACK TO dao_try")
    try db.run("RELEASE dao_try")
    return found
  }

  /// Whether the policy's closure made the row of a change, and therefore receives its error.
  private func isChosen(_ change: MergeChange) -> Bool {
    guard case .decide = policy else { return false }
    return (conflicts + answers.values).contains { found in
      if case .row = found.decision { found.change == change } else { false }
    }
  }
}

extension DatabaseError {
  /// Why a row is not taken, where others may be.
  var refusal: SeedConflict.Cause? {
    switch extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: .unique(columns: [])
    case .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_NOTNULL, .SQLITE_CONSTRAINT_DATATYPE: .rule(message: message ?? "")
    default: nil
    }
  }
}

extension SeedConflict.Cause {
  fileprivate var isCollision: Bool { if case .unique = self { true } else { false } }
}

extension DAOError {
  /// A constraint's error with the name of the table, where it has none.
  func naming(_ table: String) -> DAOError {
    guard case .constraint(let constraint, _, let attributes, let message) = self else { return self }
    return .constraint(constraint, entity: table, attributes: attributes, message: message)
  }
}
