import DAOCriteria

// Rows of the user's that give unique values up for rows of the seed's.
extension SeedMerge {
  /// Makes room for one row to put, or holds it back.
  /// - Parameter group: all rows that are in its way.
  /// - Returns: whether it is held back.
  mutating func makeRoom(for group: [BlockedRow], in table: MergeTable) throws -> Bool {
    // One row may be in the way twice.
    var seen: Set<MergeRowIdentity> = []
    let group = group.filter { seen.insert($0.pair.other).inserted }
    let decisions = try group.map { try decision(about: $0, table) }
    if decisions.allSatisfy({ $0 == .seed }) {
      for row in group { try makeWay(for: row.pair.other, in: table) }
      return false
    }
    for (row, decision) in zip(group, decisions) where !decisions.contains(.mine) {
      guard case .row(let values) = decision, let conflict = answers[row.pair]?.conflict else { continue }
      try put(checked(values, conflict, table), for: row.pair.change, keepingMine: row.hasOwnRow)
      // The other rules have seen another row.
      hasChosen = true
      return false
    }
    return try keep(table, .blocked, "\(group[0].pair.change.rowID)")
  }

  private mutating func decision(about row: BlockedRow, _ table: MergeTable) throws -> SeedConflict.Decision {
    if row.isDecided { return .mine }
    guard case .decide(let closure) = policy else { return stubborn.contains(row.pair.other) ? .mine : .seed }
    let isKnown = answers[row.pair] != nil
    let answer = try answers[row.pair] ?? ask(closure, row, table)
    answers[row.pair] = answer
    switch answer?.decision {
    case .seed: return stubborn.contains(row.pair.other) ? .mine : .seed
    // A row that was made of the answer is not asked about again.
    case .row(let values): return isKnown ? .mine : .row(values)
    case .mine, nil: return .mine
    }
  }

  private func ask(
    _ closure: (SeedConflict) throws -> SeedConflict.Decision, _ row: BlockedRow, _ table: MergeTable
  ) throws -> Found? {
    let conflict = try collisions(
      table, row.unique, withRowsOfStoreWhere: "change.rowid = ? AND \(isGiven("mine", table))",
      [.integer(row.pair.change.rowID)] + row.pair.other.values
    ).first?.conflict
    return try conflict.map { Found(change: row.pair.change, conflict: $0, decision: try closure($0)) }
  }

  /// A row of the store has the identity that is bound.
  private func isGiven(_ row: String, _ table: MergeTable) -> String {
    table.identity.map { "\(row).\($0.name)\($0.collation) = ?" }.allHold
  }

  /// A row of the user's gives its unique values up: it becomes what the seed has under its key, or is deleted.
  private mutating func makeWay(for row: MergeRowIdentity, in table: MergeTable) throws {
    let isFound = table.key.positions.first.map { "theirs.\(table.columns[$0].quoted) IS NOT NULL" }
    var (act, values, join) = ("\(MergeAct.delete.rawValue)", table.allPositions.map(table.mine), "")
    if let isFound, let inSeed = table.quotedInSeed {
      act = "CASE WHEN \(isFound) THEN \(MergeAct.put.rawValue) ELSE \(MergeAct.delete.rawValue) END"
      values = table.allPositions.map { position in
        table.columns[position].isInSeed
          ? "CASE WHEN \(isFound) THEN \(table.theirs(position)) ELSE \(table.mine(position)) END" : table.mine(position)
      }
      join = "LEFT JOIN \(inSeed) AS theirs ON \(table.sameKey("theirs", "mine"))"
    }
    let columns = ["rowid", "kind", "act", "wish", "why", "made", "turn"] + table.identityInChanges + table.allPositions.map(table.changed)
    let turn = round.map(String.init) ?? "NULL"
    // The same number each time: answers about the row are kept by it.
    let number = rooms[table.number]?[row] ?? 1 << 40 + Int64(rooms[table.number]?.count ?? 0)
    rooms[table.number, default: [:]][row] = number
    // It may be in the way of two rows.
    try db.run(
      """
      INSERT INTO \(table.changes) (\(columns.listed))
      SELECT \(number), \(MergeKind.inTheWay.rawValue), \(act), \(act), 0, 0, \(turn), \((table.identity(of: "mine") + values).listed)
      FROM \(table.quoted) AS mine
      \(join)
      WHERE \(isGiven("mine", table)) AND NOT \(table.hasChange("mine"))
      """, row.values)
  }

  /// A row of the user's stays where no row of the seed replaces it after all, and where it can't give it up.
  mutating func dropRoom() throws -> Bool {
    var isChanged = false
    for table in activeTables where rooms[table.number] != nil {
      let isRoom = "change.kind = \(MergeKind.inTheWay.rawValue)"
      let isKept = "\(isRoom) AND change.act = \(MergeAct.keep.rawValue)"
      let stays = try db.bareRows(
        "SELECT \(table.identityInChanges.listed) FROM \(table.changes) AS change WHERE \(isKept)"
      ) { row in MergeRowIdentity(table: table.number, values: row.values(from: 0, count: table.identity.count)) }
      stubborn.formUnion(stays)
      if !stays.isEmpty { try db.run("DELETE FROM \(table.changes) AS change WHERE \(isKept)") }
      try indexUniqueValues(of: table)
      let drop = """
        DELETE FROM \(table.changes) AS change
        WHERE \(isRoom) AND change.rowid NOT IN (
          \(neededRoom(in: table))
        )
        """
      if try db.change(drop) { isChanged = true }
    }
    return isChanged
  }

  /// A query of the rows that make room for a row that is put: for one of the seed's, or for one that makes such room itself. Rows that
  /// make room for each other alone are not needed.
  private func neededRoom(in table: MergeTable) -> String {
    let isRoom = "change.kind = \(MergeKind.inTheWay.rawValue)"
    let forOthers = table.uniques.map { unique in
      """
      EXISTS (
        SELECT 1
        FROM \(table.quoted) AS mine
        CROSS JOIN \(table.changes) AS other ON \(table.equal(unique, changed: "other", to: "mine"))
        WHERE \(table.isAbout("change", "mine")) AND other.act = \(MergeAct.put.rawValue)
          AND other.kind <> \(MergeKind.inTheWay.rawValue)
      )
      """
    }
    let first = """
      SELECT change.rowid
      FROM \(table.changes) AS change
      WHERE \(isRoom) AND (\(forOthers.joined(separator: " OR ")))
      """
    let forRoom = table.uniques.map { unique in
      """
      SELECT change.rowid
      FROM needed
      CROSS JOIN \(table.changes) AS other ON other.rowid = needed.number
      CROSS JOIN \(table.quoted) AS mine ON \(table.equal(unique, mine: "mine", changed: "other"))
      CROSS JOIN \(table.changes) AS change ON \(table.isAbout("change", "mine"))
      WHERE other.act = \(MergeAct.put.rawValue) AND \(isRoom)
      """
    }
    return """
      WITH RECURSIVE needed(number) AS (
        \(([first] + forRoom).united)
      )
      SELECT number FROM needed
      """
  }
}

extension SeedConflict.Policy {
  /// Whether rows of the user's may give unique values up.
  var mayMakeRoom: Bool {
    switch self {
    case .keepMine, .byColumn: false
    case .takeSeed, .decide: true
    }
  }
}

extension [StoredValue] {
  /// Whether a key stands before another: by its values as SQLite orders them, text by its bytes.
  func precedes(_ other: [StoredValue]) -> Bool {
    for (mine, theirs) in zip(self, other) {
      let order = mine.compare(theirs, as: .any)
      if order != 0 { return order < 0 }
    }
    return false
  }
}
