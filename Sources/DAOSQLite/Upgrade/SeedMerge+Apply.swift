import DAOCriteria
import GRDB

// The changes are made in the store.
extension SeedMerge {
  /// Makes the changes, and checks that foreign keys hold as they did before.
  ///
  /// Triggers do not fire: rows derived from the seed's rows are in the seed, and rows derived from the user's in the store.
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
        try found.conflict.cause == .edited
          || db.hasChanges(of: tables[found.change.table], where: "change.rowid = \(found.change.rowID) AND \(isRefused("change"))")
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

  private func checkForeignKeys() throws {
    try ForeignKeyViolation.check(tables, in: db) { try keys.violationsBefore ?? violationsBeforeChanges() }
  }

  /// Rarely needed: the violations that existed before show which of them are new.
  private func violationsBeforeChanges() throws -> [ForeignKeyViolation: Int] {
    try db.run("ROLLBACK TO dao_merge")
    let before = try ForeignKeyViolation.all(of: tables, in: db)
    try makeChanges()
    return before
  }

  private func makeChanges() throws {
    for table in activeTables { try makeChanges(in: table) }
  }

  /// Makes the changes.
  /// - Returns: the table that does not take all rows, for a reason other than unique columns; nil where all changes are made.
  private func refusingTable() throws -> MergeTable? {
    for table in activeTables {
      do { try makeChanges(in: table) } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        if error.refusal != nil { return table }
        throw DAOError(error, entity: nil).naming(table.name)
      }
    }
    return nil
  }

  private func makeChanges(in table: MergeTable) throws {
    try delete(table, "act = \(MergeAct.delete.rawValue)")
    try raiseVersions(table)
    try db.run("SAVEPOINT dao_update")
    do { try update(table) } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // Rows that change unique values with each other can't do it one by one.
      try db.run("ROLLBACK TO dao_update")
      try delete(table, isInPlace(table))
      try insert(table, isInPlace(table), keepingRowID: true)
    }
    try db.run("RELEASE dao_update")
    try insert(table, "act = \(MergeAct.put.rawValue) AND NOT (\(isInPlace(table)))", keepingRowID: false)
  }

  /// Whether a change puts a row in place of one that the store has.
  func isInPlace(_ table: MergeTable) -> String {
    "act = \(MergeAct.put.rawValue) AND \(table.identityInChanges.first ?? "NULL") IS NOT NULL"
  }

  /// Gives each row that replaces one a version higher than either's, so that whoever has read that one notices. A row that the store no
  /// longer has was last seen as the base has it, as far as is known.
  private func raiseVersions(_ table: MergeTable) throws {
    guard let version = table.version else { return }
    func raise(over before: String, from rows: String, where condition: String) throws {
      let raised = [before, "change.\(table.changed(version))"].map(MergeTable.nextVersion)
      try db.run(
        """
        UPDATE \(table.changes) AS change
        SET \(table.changed(version)) = max(\(raised.listed))
        FROM \(rows)
        WHERE change.act = \(MergeAct.put.rawValue) AND \(condition)
        """)
    }
    try raise(over: table.mine(version), from: "\(table.quoted) AS mine", where: table.isAbout("change", "mine"))
    guard let inBase = table.quotedInBase, !table.key.positions.isEmpty else { return }
    let isNew = "change.\(table.identityInChanges.first ?? "rowid") IS NULL"
    try raise(over: table.base(version), from: "\(inBase) AS base", where: "\(isNew) AND \(table.isBaseOfChange)")
  }

  private func update(_ table: MergeTable) throws {
    // A number that identifies a row stays unchanged.
    let set = table.allPositions.filter { !(table.hasIntegerKey && table.identity.map(\.name) == [table.columns[$0].quoted]) }
    if set.isEmpty { return }
    try db.run(
      """
      UPDATE \(table.orAbort)\(table.quoted) AS mine
      SET \(set.map { "\(table.columns[$0].quoted) = change.\(table.changed($0))" }.listed)
      FROM \(table.changes) AS change
      WHERE change.act = \(MergeAct.put.rawValue) AND \(table.isAbout("change", "mine"))
      """)
  }

  func insert(_ table: MergeTable, _ condition: String, keepingRowID: Bool) throws {
    let keepsRowID = keepingRowID && table.hasHiddenRowID
    let columns = (keepsRowID ? table.identity.map(\.name) : []) + table.columns.map(\.quoted)
    let values = (keepsRowID ? table.identityInChanges : []) + table.allPositions.map(table.changed)
    try db.run(
      """
      INSERT \(table.orAbort)INTO \(table.quoted) (\(columns.listed))
      SELECT \(values.listed)
      FROM \(table.changes)
      WHERE \(condition)
      ORDER BY rowid
      """)
  }

  func delete(_ table: MergeTable, _ condition: String) throws {
    try db.run(
      """
      DELETE FROM \(table.quoted)
      WHERE (\(table.identity.map { $0.name + $0.collation }.listed)) IN (
        SELECT \(table.identityInChanges.listed)
        FROM \(table.changes)
        WHERE \(condition)
      )
      """)
  }
}

extension MergeTable {
  /// Only where the table has rules of its own: it would be the rule inside of triggers too, whatever they say.
  var orAbort: String { hasConflictRules ? "OR ABORT " : "" }
}
