import DAOCriteria

// The rules of unique values among the rows that are put, and with rows that stay.
extension SeedMerge {
  // MARK: Rows that are put

  /// Rows that are put together from both sides may have equal values among each other, or with a row of the seed's. They stay as the user
  /// has them; of two such rows the one with the higher key.
  mutating func keepApart() throws -> Bool {
    var isChanged = false
    for table in made.sorted().map({ tables[$0] }) where !table.uniques.isEmpty {
      try indexUniqueValues(of: table)
      if let round, try keepApart(table, fromRowsBefore: round) { isChanged = true }
      for unique in table.uniques where try keepMadeApart(unique, table) { (isChanged, hasChosen) = (true, true) }
    }
    return isChanged
  }

  /// Changes of earlier rounds remain.
  private func keepApart(_ table: MergeTable, fromRowsBefore round: Int) throws -> Bool {
    let changes = table.uniques.map { unique in
      """
      SELECT change.rowid
      FROM \(table.changes) AS change
      CROSS JOIN \(table.changes) AS other ON \(table.equal(unique, changed: "other", changed: "change"))
      WHERE \(MergeScope.round(round).puts("change")) AND other.act = \(MergeAct.put.rawValue) AND other.turn IS NOT \(round)
        AND (change.made OR other.made)
      """
    }
    return try keep(table, .blocked, changes.united)
  }

  private func keepMadeApart(_ unique: MergeTable.Columns, _ table: MergeTable) throws -> Bool {
    let scope = MergeScope.round(round)
    let keys = ["change", "other"].flatMap { side in table.key.positions.map { "\(side).\(table.changed($0))" } }
    let pairs = try db.bareRows(
      """
      SELECT \((["change.rowid", "other.rowid", "other.made"] + keys).listed)
      FROM \(table.changes) AS change
      CROSS JOIN \(table.changes) AS other ON \(table.equal(unique, changed: "other", changed: "change"))
      WHERE \(scope.puts("change")) AND change.made AND \(scope.puts("other", isFound: true)) AND other.rowid <> change.rowid
      """
    ) { row in
      let (key, other) = (row.values(from: 3, count: keys.count / 2), row.values(from: 3 + keys.count / 2, count: keys.count / 2))
      let isFirst = key == other ? row.integer(0) < row.integer(1) : key.precedes(other)
      return row.bool(2) && isFirst ? row.integer(1) : row.integer(0)
    }
    return try keep(table, .blocked, Set(pairs).sorted().map(String.init).listed)
  }

  // MARK: Rows of the store

  /// Applies the policy where a row of the user's has unique values of a row that is put: the policy decides which of them remains.
  mutating func makeRoom() throws -> Bool {
    var isChanged = false
    for table in activeTables where !table.uniques.isEmpty {
      guard policy.mayMakeRoom else {
        let blocked = table.uniques.map { "SELECT change.rowid\n\(colliding($0, table, .round(round)))" }
        if try keep(table, .blocked, blocked.united) {
          isChanged = true
          try keepBlockedFollowers(in: table)
        }
        continue
      }
      var isKept = false
      for (_, group) in Dictionary(grouping: try blocked(table), by: \.pair.change.rowID).sorted(by: { $0.key < $1.key }) {
        if try makeRoom(for: group, in: table) { isKept = true }
        isChanged = true
      }
      if isKept { try keepBlockedFollowers(in: table) }
    }
    return isChanged
  }

  /// Holds back the rows with unique values of rows that stay since they are blocked themselves: a list whose numbers all move by one is a
  /// chain of them.
  private mutating func keepBlockedFollowers(in table: MergeTable) throws {
    try indexUniqueValues(of: table)
    let scope = MergeScope.round(round)
    let followers = table.uniques.map { unique in
      """
      CROSS JOIN \(table.quoted) AS mine ON \(table.isAbout("kept", "mine"))
      CROSS JOIN \(table.changes) AS change ON \(table.equal(unique, changed: "change", to: "mine"))
      WHERE \(scope.puts("change", isFound: true))
      """
    }
    try keepFollowers(table, .blocked, followers)
  }

  /// The changes `change` that put a row with unique values of a row `mine` of the store's that stays. Nulls are equal to nothing.
  /// - Parameter others: more conditions.
  func colliding(_ unique: MergeTable.Columns, _ table: MergeTable, _ scope: MergeScope, _ others: [String] = []) -> String {
    let stays = ["NOT \(table.isOverridden("mine"))"] + scope.isOther(table, row: "mine", than: "change") + others
    return """
      FROM \(table.changes) AS change
      CROSS JOIN \(table.quoted) AS mine ON \(table.equal(unique, mine: "mine", changed: "change"))
      WHERE \(scope.puts("change")) AND \(stays.allHold)
      """
  }

  private func blocked(_ table: MergeTable) throws -> [BlockedRow] {
    try table.uniques.flatMap { unique in
      let hasOwnRow = "change.\(table.identityInChanges.first ?? "rowid") IS NOT NULL"
      return try db.bareRows(
        """
        SELECT \((["change.rowid", table.hasChange("mine"), hasOwnRow] + table.identity(of: "mine")).listed)
        \(colliding(unique, table, .round(round)))
        """
      ) { row in
        let identity = MergeRowIdentity(table: table.number, values: row.values(from: 3, count: table.identity.count))
        return BlockedRow(
          pair: UniquePair(change: MergeChange(table: table.number, rowID: row.integer(0)), other: identity), unique: unique,
          isDecided: row.bool(1), hasOwnRow: row.bool(2))
      }
    }
  }
}
