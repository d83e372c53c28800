import DAOCriteria
import GRDB

// The changes are made in the store.
extension SeedMerge {
  /// Makes the changes, and checks that foreign keys hold as they did before.
  ///
  /// Triggers do not fire: what they derived from the seed's rows is in the seed, and what from the user's in the store.
  mutating func apply() throws {
    try db.withoutTriggers(of: active.map { tables[$0].name }) {
      var (tried, overUniqueValues): (Set<MergeChange>, [Found]) = ([], [])
      while true {
        let refused = try possibleWithoutRefusal(tried)
        overUniqueValues = try uniqueConflicts()
        // Not before: taking the changes back must not take back what was noted about them, or a second refusal would undo the first.
        try db.run("SAVEPOINT dao_merge")
        if let table = try refusingTable() {
          try takeChangesBack()
          try keepRefused(table)
          // A change that was held back in favour of the refused one may be possible now.
          try settle(retrying: true)
          continue
        }
        let taken = try refused.filter(isTaken)
        if taken.isEmpty { break }
        tried.formUnion(taken)
        try takeChangesBack()
        if try !settle(trying: taken) { _ = try settle(trying: [taken[0]]) }
        try retryHeldBack(true)
      }
      conflicts = try conflicts.filter { found in
        try found.conflict.cause == .edited || has("d.rowid = \(found.change.rowID) AND \(isRefused("d"))", in: tables[found.change.table])
      }
      conflicts += overUniqueValues
      try checkForeignKeys()
      try db.run("RELEASE dao_merge")
    }
  }

  private func takeChangesBack() throws {
    try db.run("ROLLBACK TO dao_merge")
    try db.run("RELEASE dao_merge")
  }

  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)`` where more rows reference what is not there than before.
  func checkForeignKeys() throws {
    let after = try violations()
    if after.isEmpty { return }
    let before = try violationsBefore ?? violationsBeforeChanges()
    let new = after.filter { $0.value > before[$0.key] ?? 0 }.keys.sorted { $0.description < $1.description }
    if let first = new.first {
      throw DAOError.constraint(
        .foreignKey, entity: first.table, attributes: [],
        message: "the merged rows lack what they reference: \(new.prefix(10).map(\.description).joined(separator: "; "))")
    }
  }

  /// Rarely asked for: what was there before tells which of the violations are new.
  private func violationsBeforeChanges() throws -> [Violation: Int] {
    try db.run("ROLLBACK TO dao_merge")
    let before = try violations()
    try makeChanges()
    return before
  }

  // MARK: Rows that SQLite does not take

  private func isRefused(_ d: String) -> String {
    "\(d).act = \(MergeAct.keep.rawValue) AND \(d).why = \(MergeReason.refused.rawValue)"
  }

  /// The changes that only SQLite has found to collide with another row, and whose other row may be another one now.
  private mutating func possibleWithoutRefusal(_ tried: Set<MergeChange>) throws -> [MergeChange] {
    let isCollision = "\(isRefused("d")) AND d.wish <> \(MergeAct.keep.rawValue)"
    guard try activeTables.contains(where: { try has(isCollision, in: $0) }) else { return [] }
    let changes = try possibleAlone(isCollision)
    for change in changes {
      try db.run("UPDATE \(tables[change.table].changes) SET why = \(MergeReason.refused.rawValue) WHERE rowid = \(change.rowID)")
    }
    return changes.filter { !tried.contains($0) }
  }

  /// Puts a row beside those of all changes that are made.
  /// - Returns: whether SQLite takes it.
  private func isTaken(_ change: MergeChange) throws -> Bool {
    let table = tables[change.table]
    try db.run("SAVEPOINT dao_try")
    defer { try? db.run("RELEASE dao_try") }
    do {
      try delete(table, "rowid = \(change.rowID)")
      try insert(
        table, table.allPositions.map { table.columns[$0].quoted }, table.allPositions.map(table.changed), "rowid = \(change.rowID)",
        keepingRowID: has("d.rowid = \(change.rowID) AND d.\(table.identityInChanges.first ?? "rowid") IS NOT NULL", in: table))
      return true
    } catch let error as DatabaseError where error.refusal != nil {
      try db.run("ROLLBACK TO dao_try")
      return false
    }
  }

  private func makeChanges() throws {
    for number in active { try makeChanges(in: tables[number]) }
  }

  /// Makes the changes.
  /// - Returns: the table that does not take all rows, for a reason that no unique columns tell of; nil where all changes are made.
  private func refusingTable() throws -> MergeTable? {
    for table in active.map({ tables[$0] }) {
      do { try makeChanges(in: table) } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        if error.refusal != nil { return table }
        throw DAOError(error, entity: nil).naming(table.name)
      }
    }
    return nil
  }

  /// Takes back the rows that SQLite itself does not take, one after the other: an index over expressions, over computed columns or over a
  /// part of the rows has them twice, or a rule of the table stands against them.
  private mutating func keepRefused(_ table: MergeTable) throws {
    let positions = table.allPositions
    let (columns, values) = (positions.map { table.columns[$0].quoted }, positions.map(table.changed))
    try db.run("SAVEPOINT dao_try")
    try delete(table, "act = \(MergeAct.delete.rawValue) OR \(isInPlace(table))")
    let rows = try db.bareRows(
      "SELECT rowid, \(isInPlace(table)), \(values.joined(separator: ", ")) FROM \(table.changes) WHERE act = \(MergeAct.put.rawValue) "
        + "ORDER BY 2 DESC, 1"
    ) { row in (change: row.integer(0), isInPlace: row.bool(1), values: table.row(row, from: 2)) }
    var found: [Found] = []
    for row in rows {
      do { try insert(table, columns, values, "rowid = \(row.change)", keepingRowID: row.isInPlace) } catch let error as DatabaseError {
        guard let cause = error.refusal, cause.isCollision || !isChosen(MergeChange(table: table.number, rowID: row.change)) else {
          throw DAOError(error, entity: nil).naming(table.name)
        }
        found.append(
          Found(
            change: MergeChange(table: table.number, rowID: row.change),
            conflict: SeedConflict(
              table: table.name, cause: cause, key: table.keyValues(of: row.values), base: nil, mine: nil, theirs: row.values),
            decision: .mine))
      }
    }
    try db.run("ROLLBACK TO dao_try")
    try db.run("RELEASE dao_try")
    guard !found.isEmpty else {
      throw DAOError.constraint(.unique, entity: table.name, attributes: [], message: "the merged rows can't be put one by one")
    }
    let changes = Set(found.map(\.change))
    conflicts.removeAll { $0.conflict.cause != .edited && changes.contains($0.change) }
    for one in found {
      // What stands against a rule does so whatever the other rows are.
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

  /// Whether the policy's closure made the row of a change, and is to hear of what is wrong with it.
  private func isChosen(_ change: MergeChange) -> Bool {
    guard case .decide = policy else { return false }
    return (conflicts + answers.values).contains { found in
      if case .row = found.decision { found.change == change } else { false }
    }
  }

  private func makeChanges(in table: MergeTable) throws {
    try delete(table, "act = \(MergeAct.delete.rawValue)")
    let positions = table.allPositions
    let put = "act = \(MergeAct.put.rawValue)"
    let columns = positions.map { table.columns[$0].quoted }
    let values = positions.map(table.changed)
    try db.run("SAVEPOINT dao_update")
    do {
      // What a row is found by stays as it is, where it is a number.
      let set = zip(columns, values).filter { column, _ in !(table.hasIntegerKey && table.identity.map(\.name) == [column]) }.map {
        "\($0) = d.\($1)"
      }
      if !set.isEmpty {
        try db.run(
          "UPDATE \(table.orAbort)\(table.quoted) AS m SET \(set.joined(separator: ", ")) FROM \(table.changes) AS d "
            + "WHERE d.\(put) AND \(table.isAbout("d", "m"))")
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // Rows that change unique values with each other can't do it one by one.
      try db.run("ROLLBACK TO dao_update")
      try delete(table, isInPlace(table))
      try insert(table, columns, values, isInPlace(table), keepingRowID: true)
    }
    try db.run("RELEASE dao_update")
    try insert(table, columns, values, "\(put) AND NOT (\(isInPlace(table)))", keepingRowID: false)
  }

  /// Whether a change puts a row in place of one that the store has.
  private func isInPlace(_ table: MergeTable) -> String {
    "act = \(MergeAct.put.rawValue) AND \(table.identityInChanges.first ?? "NULL") IS NOT NULL"
  }

  private func insert(_ table: MergeTable, _ columns: [String], _ values: [String], _ condition: String, keepingRowID: Bool) throws {
    let keepsRowID = keepingRowID && table.hasHiddenRowID
    let columns = (keepsRowID ? table.identity.map(\.name) : []) + columns
    let values = (keepsRowID ? table.identityInChanges : []) + values
    try db.run(
      "INSERT \(table.orAbort)INTO \(table.quoted) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
        + "FROM \(table.changes) WHERE \(condition) ORDER BY rowid")
  }

  private func delete(_ table: MergeTable, _ condition: String) throws {
    let names = table.identity.map { $0.name + $0.collation }.joined(separator: ", ")
    try db.run(
      "DELETE FROM \(table.quoted) WHERE (\(names)) IN (SELECT \(table.identityInChanges.joined(separator: ", ")) "
        + "FROM \(table.changes) WHERE \(condition))")
  }

  /// The references without a row, and how many of each. A table without row ids does not tell them apart.
  func violations() throws -> [Violation: Int] {
    var found: [Violation: Int] = [:]
    for table in tables where table.hasForeignKeys {
      do {
        let violations = try db.bareRows("PRAGMA main.foreign_key_check(\(table.name.quotedIdentifier))") { row in
          Violation(table: row.text(0), row: row.optionalText(1), parent: row.text(2), key: row.integer(3))
        }
        for violation in violations { found[violation, default: 0] += 1 }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A key that leads to columns that are none can't be checked, and says so at each write.
      }
    }
    return found
  }

  struct Violation: Hashable, CustomStringConvertible {
    let table: String
    let row: String?
    let parent: String
    let key: Int64

    var description: String { "\(table)\(row.map { ", row \($0)" } ?? "") references a row of \(parent) that is not there" }
  }
}

extension DatabaseError {
  /// Why a row is not taken, where others may be.
  fileprivate var refusal: SeedConflict.Cause? {
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
  fileprivate func naming(_ table: String) -> DAOError {
    guard case .constraint(let constraint, _, let attributes, let message) = self else { return self }
    return .constraint(constraint, entity: table, attributes: attributes, message: message)
  }
}

extension MergeTable {
  /// Only where the table has rules of its own: it would be the rule inside of triggers too, whatever they say.
  var orAbort: String { hasConflictRules ? "OR ABORT " : "" }
}
