import DAOCriteria

// Tries rows that were held back again.
extension SeedMerge {
  /// Tries the changes held back again until nothing more is possible, and every reason still holds.
  /// - Parameter mayBePossible: whether anything of it may be possible.
  mutating func retryHeldBack(_ mayBePossible: Bool) throws {
    var mayBePossible = mayBePossible
    while mayBePossible, try beginRound() {
      for table in activeTables { try tryAgain(isHeldBack("change"), in: table) }
      if try settleRound() {
        mayBePossible = hasChosen
      } else {
        // Each of them was held back, in favour of one that was held back itself perhaps.
        mayBePossible = try hasChosen && (retryAlone() || retryRings())
      }
    }
  }

  /// Whether a change is held back, and not permanently.
  func isHeldBack(_ change: String) -> String {
    let keep = MergeAct.keep.rawValue
    return "\(change).act = \(keep) AND \(change).wish <> \(keep) AND \(change).why <> \(MergeReason.refused.rawValue)"
  }

  /// - Returns: whether anything is held back.
  private mutating func beginRound() throws -> Bool {
    guard try activeTables.contains(where: { try db.hasChanges(of: $0, where: isHeldBack("change")) }) else { return false }
    try countRound()
    return true
  }

  private mutating func countRound() throws {
    rounds += 1
    round = rounds
    // The few changes of a later round are found by its number.
    if rounds == 1 { for table in activeTables { try index(table, "t", ["turn"], where: "turn IS NOT NULL") } }
  }

  private func tryAgain(_ condition: String, in table: MergeTable) throws {
    try db.run("UPDATE \(table.changes) AS change SET act = wish, why = 0, turn = \(round ?? 0) WHERE \(condition)")
  }

  /// A round of a few changes.
  /// - Returns: whether any of them is done.
  mutating func settle(trying changes: [MergeChange]) throws -> Bool {
    try countRound()
    for change in changes { try tryAgain("change.rowid = \(change.rowID)", in: tables[change.table]) }
    return try settleRound()
  }

  // MARK: Changes that are possible alone

  /// Finds the reason why each change that is held back is not possible alone, and does those that have none: together where they go
  /// together.
  private mutating func retryAlone() throws -> Bool {
    let changes = try possibleAlone(isHeldBack("change"))
    if changes.isEmpty { return false }
    if try settle(trying: changes) { return true }
    return try hasChosen && changes.contains { try settle(trying: [$0]) }
  }

  /// The changes that could be done if nothing else is, in the order of table and key. The others get a reason that is true as things are.
  /// - Parameter condition: which changes `change` are meant.
  mutating func possibleAlone(_ condition: String) throws -> [MergeChange] {
    for table in activeTables { try db.run("UPDATE \(table.changes) AS change SET why = 0 WHERE \(condition)") }
    let scope = MergeScope.alone
    _ = try keepReferenced(scope)
    _ = try holdBack(scope)
    for table in activeTables {
      // A row of the store with a change makes no room for one of the seed's, whatever the policy says.
      let hasDecided = policy.mayMakeRoom ? [table.hasChange("mine")] : []
      let blocked = table.uniques.map { "SELECT change.rowid\n\(colliding($0, table, scope, hasDecided))" }
      if !blocked.isEmpty { _ = try keep(table, .blocked, blocked.united) }
      guard made.contains(table.number), !table.uniques.isEmpty else { continue }
      try indexUniqueValues(of: table)
      let apart = table.uniques.map { unique in
        """
        SELECT change.rowid
        FROM \(table.changes) AS change
        CROSS JOIN \(table.changes) AS other ON \(table.equal(unique, changed: "other", changed: "change"))
        WHERE \(scope.puts("change")) AND other.act = \(MergeAct.put.rawValue) AND other.rowid <> change.rowid
          AND (change.made OR other.made)
        """
      }
      _ = try keep(table, .blocked, apart.united)
    }
    return try activeTables.flatMap { try changesWithoutReason(in: $0) }
  }

  /// The changes of a table for which no reason was found, in the order of the keys.
  private func changesWithoutReason(in table: MergeTable) throws -> [MergeChange] {
    let keys = table.key.positions.map { "change.\(table.changed($0))" }
    let found = try db.bareRows(
      """
      SELECT \((["change.rowid"] + keys).listed)
      FROM \(table.changes) AS change
      WHERE \(MergeScope.alone.includes("change")) AND change.wish <> \(MergeAct.keep.rawValue)
      ORDER BY change.rowid
      """
    ) { row in (change: MergeChange(table: table.number, rowID: row.integer(0)), key: row.values(from: 1, count: keys.count)) }
    return found.sorted { $0.key.precedes($1.key) }.map(\.change)
  }

  // MARK: Changes that are possible together

  /// Does changes that need each other to be done: rows that exchange unique values, each of which is in the way of another.
  private mutating func retryRings() throws -> Bool {
    let (needs, order) = try changesInEachOthersWay()
    var failed: Set<MergeChange> = []
    for change in order {
      var (ring, ahead) = ([change], [change])
      while let next = ahead.popLast() {
        for other in needs[next] ?? [] where !ring.contains(other) {
          ring.append(other)
          ahead.append(other)
        }
      }
      // A row that fails by itself fails with all that it needs.
      guard failed.isDisjoint(with: ring) else { continue }
      if try doneTogether(ring) { return true }
      failed.insert(change)
    }
    return false
  }

  /// The changes that are held back for rows whose own changes are held back too, each with those, and their order.
  private func changesInEachOthersWay() throws -> (needs: [MergeChange: [MergeChange]], order: [MergeChange]) {
    var needs: [MergeChange: [MergeChange]] = [:]
    var order: [MergeChange] = []
    let isBlocked = "\(isHeldBack("change")) AND change.why = \(MergeReason.blocked.rawValue)"
    for table in activeTables where try !table.uniques.isEmpty && db.hasChanges(of: table, where: isBlocked) {
      let own = "(SELECT own.rowid FROM \(table.changes) AS own WHERE \(table.isAbout("own", "mine")) AND \(isHeldBack("own")))"
      for unique in table.uniques {
        let pairs = try db.bareRows(
          """
          SELECT change.rowid, \(own)
          FROM \(table.changes) AS change
          CROSS JOIN \(table.quoted) AS mine ON \(table.equal(unique, mine: "mine", changed: "change"))
          WHERE \(isHeldBack("change")) AND change.wish = \(MergeAct.put.rawValue) AND NOT \(table.isOverridden("mine"))
            AND NOT coalesce(\(table.isAbout("change", "mine")), 0) AND \(own) IS NOT NULL
          ORDER BY change.rowid
          """
        ) { row in
          (MergeChange(table: table.number, rowID: row.integer(0)), MergeChange(table: table.number, rowID: row.integer(1)))
        }
        for (change, other) in pairs {
          if needs[change] == nil { order.append(change) }
          needs[change, default: []].append(other)
        }
      }
    }
    return (needs, order)
  }

  /// Does changes, all of them or none.
  private mutating func doneTogether(_ ring: [MergeChange]) throws -> Bool {
    let reasons = try ring.map { change in
      try db.bareRows("SELECT why FROM \(tables[change.table].changes) WHERE rowid = \(change.rowID)") { $0.integer(0) }.first ?? 0
    }
    _ = try settle(trying: ring)
    let isDone = try ring.allSatisfy {
      try db.hasChanges(of: tables[$0.table], where: "change.rowid = \($0.rowID) AND change.act <> \(MergeAct.keep.rawValue)")
    }
    if isDone { return true }
    for (change, reason) in zip(ring, reasons) {
      try db.run(
        "UPDATE \(tables[change.table].changes) SET act = \(MergeAct.keep.rawValue), why = \(reason) WHERE rowid = \(change.rowID)")
    }
    while try dropRoom() {}
    return false
  }
}
