import DAOCriteria

// What is held back is tried again.
extension SeedMerge {
  /// Tries what is held back again until nothing more is possible, and no reason is one that no longer holds.
  /// - Parameter mayBePossible: whether anything of it may be possible.
  mutating func retryHeldBack(_ mayBePossible: Bool) throws {
    var mayBePossible = mayBePossible
    while mayBePossible, try beginRound() {
      for table in activeTables { try tryAgain(isHeldBack("d"), in: table) }
      if try settleRound() {
        mayBePossible = hasChosen
      } else {
        // Each of them was held back, in favour of one that was held back itself perhaps.
        mayBePossible = try hasChosen && (retryAlone() || retryRings())
      }
    }
  }

  /// A change is held back, and not for good.
  func isHeldBack(_ d: String) -> String {
    "\(d).act = \(MergeAct.keep.rawValue) AND \(d).wish <> \(MergeAct.keep.rawValue) AND \(d).why <> \(MergeReason.refused.rawValue)"
  }

  /// - Returns: whether anything is held back.
  private mutating func beginRound() throws -> Bool {
    guard try activeTables.contains(where: { try has(isHeldBack("d"), in: $0) }) else { return false }
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
    try db.run("UPDATE \(table.changes) AS d SET act = wish, why = 0, turn = \(round ?? 0) WHERE \(condition)")
  }

  /// A round of a few changes.
  /// - Returns: whether any of them is done.
  mutating func settle(trying changes: [MergeChange]) throws -> Bool {
    try countRound()
    for change in changes { try tryAgain("d.rowid = \(change.rowID)", in: tables[change.table]) }
    return try settleRound()
  }

  // MARK: Changes that are possible alone

  /// Finds the reason why each change that is held back is not possible alone, and does those that have none: together where they go
  /// together.
  private mutating func retryAlone() throws -> Bool {
    let changes = try possibleAlone(isHeldBack("d"))
    if changes.isEmpty { return false }
    if try settle(trying: changes) { return true }
    return try hasChosen && changes.contains { try settle(trying: [$0]) }
  }

  /// The changes that could be done if nothing else is, in the order of table and key. The others get a reason that is true as things are.
  /// - Parameter condition: which changes `d` are meant.
  mutating func possibleAlone(_ condition: String) throws -> [MergeChange] {
    for table in activeTables { try db.run("UPDATE \(table.changes) AS d SET why = 0 WHERE \(condition)") }
    let scope = MergeScope.alone
    _ = try keepReferenced(scope)
    _ = try holdBack(scope)
    for table in activeTables {
      let blocked = table.uniques.map { "SELECT d.rowid \(colliding($0, table, scope))\(hasDecided(table))" }
      if !blocked.isEmpty { _ = try keep(table, .blocked, blocked.joined(separator: " UNION ")) }
      guard made.contains(table.number), !table.uniques.isEmpty else { continue }
      try indexUniqueValues(of: table)
      let apart = table.uniques.map { unique in
        "SELECT d.rowid FROM \(table.changes) AS d CROSS JOIN \(table.changes) AS q ON \(table.equal(unique, changed: "q", changed: "d")) "
          + "WHERE \(scope.puts("d")) AND q.act = \(MergeAct.put.rawValue) AND q.rowid <> d.rowid AND (d.made OR q.made)"
      }
      _ = try keep(table, .blocked, apart.joined(separator: " UNION "))
    }
    return try activeTables.flatMap { table in
      let keys = table.key.positions.map { "d.\(table.changed($0))" }
      return try db.bareRows(
        "SELECT \((["d.rowid"] + keys).joined(separator: ", ")) FROM \(table.changes) AS d WHERE \(scope.includes("d")) "
          + "AND d.wish <> \(MergeAct.keep.rawValue) ORDER BY d.rowid"
      ) { row in (change: MergeChange(table: table.number, rowID: row.integer(0)), key: row.values(from: 1, count: keys.count)) }
      .sorted { $0.key.precedes($1.key) }.map(\.change)
    }
  }

  /// The store's row `m` makes no room for one of the seed's, whatever the policy says.
  private func hasDecided(_ table: MergeTable) -> String {
    policy.mayMakeRoom ? " AND EXISTS (SELECT 1 FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")))" : ""
  }

  // MARK: Changes that are possible together

  /// Does changes that need each other to be done: rows that exchange unique values, each of which is in the way of another.
  private mutating func retryRings() throws -> Bool {
    var needs: [MergeChange: [MergeChange]] = [:]
    var order: [MergeChange] = []
    for table in activeTables
    where try !table.uniques.isEmpty && has("\(isHeldBack("d")) AND d.why = \(MergeReason.blocked.rawValue)", in: table) {
      let other =
        "(SELECT x.rowid FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")) AND \(isHeldBack("x")))"
      for unique in table.uniques {
        let pairs = try db.bareRows(
          """
          SELECT d.rowid, \(other)
          FROM \(table.changes) AS d CROSS JOIN \(table.quoted) AS m ON \(table.equal(unique, mine: "m", changed: "d"))
          WHERE \(isHeldBack("d")) AND d.wish = \(MergeAct.put.rawValue) AND NOT \(table.isOverridden("m"))
            AND NOT coalesce(\(table.isAbout("d", "m")), 0) AND \(other) IS NOT NULL
          ORDER BY d.rowid
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
    var failed: Set<MergeChange> = []
    for change in order {
      var (ring, ahead) = ([change], [change])
      while let next = ahead.popLast() {
        for other in needs[next] ?? [] where !ring.contains(other) {
          ring.append(other)
          ahead.append(other)
        }
      }
      // What fails by itself fails with all that it needs.
      guard failed.isDisjoint(with: ring) else { continue }
      if try doneTogether(ring) { return true }
      failed.insert(change)
    }
    return false
  }

  /// Does changes, all of them or none.
  private mutating func doneTogether(_ ring: [MergeChange]) throws -> Bool {
    let reasons = try ring.map { change in
      try db.bareRows("SELECT why FROM \(tables[change.table].changes) WHERE rowid = \(change.rowID)") { $0.integer(0) }.first ?? 0
    }
    _ = try settle(trying: ring)
    let isDone = try ring.allSatisfy { try has("d.rowid = \($0.rowID) AND d.act <> \(MergeAct.keep.rawValue)", in: tables[$0.table]) }
    if isDone { return true }
    for (change, reason) in zip(ring, reasons) {
      try db.run(
        "UPDATE \(tables[change.table].changes) SET act = \(MergeAct.keep.rawValue), why = \(reason) WHERE rowid = \(change.rowID)")
    }
    while try dropRoom() {}
    return false
  }
}
