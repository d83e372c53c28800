import DAOCriteria

// The rules of unique values.
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

  /// What was done in earlier rounds stays.
  private mutating func keepApart(_ table: MergeTable, fromRowsBefore round: Int) throws -> Bool {
    let changes = table.uniques.map { unique in
      """
      SELECT w.rowid
      FROM \(table.changes) AS w CROSS JOIN \(table.changes) AS q ON \(table.equal(unique, changed: "q", changed: "w"))
      WHERE \(MergeScope.round(round).puts("w")) AND q.act = \(MergeAct.put.rawValue) AND q.turn IS NOT \(round)
        AND (w.made OR q.made)
      """
    }
    return try keep(table, .blocked, changes.joined(separator: " UNION "))
  }

  private mutating func keepMadeApart(_ unique: MergeTable.Columns, _ table: MergeTable) throws -> Bool {
    let scope = MergeScope.round(round)
    let keys = ["w", "q"].flatMap { side in table.key.positions.map { "\(side).\(table.changed($0))" } }
    let pairs = try db.bareRows(
      "SELECT \((["w.rowid", "q.rowid", "q.made"] + keys).joined(separator: ", ")) FROM \(table.changes) AS w "
        + "CROSS JOIN \(table.changes) AS q ON \(table.equal(unique, changed: "q", changed: "w")) "
        + "WHERE \(scope.puts("w")) AND w.made AND \(scope.puts("q", isFound: true)) AND q.rowid <> w.rowid"
    ) { row in
      let (key, other) = (row.values(from: 3, count: keys.count / 2), row.values(from: 3 + keys.count / 2, count: keys.count / 2))
      let isFirst = key == other ? row.integer(0) < row.integer(1) : key.precedes(other)
      return row.bool(2) && isFirst ? row.integer(1) : row.integer(0)
    }
    return try keep(table, .blocked, Set(pairs).sorted().map(String.init).joined(separator: ", "))
  }

  // MARK: Rows of the store

  /// Where a row of the user's has unique values of a row that is put, the policy says which of them is there.
  mutating func makeRoom() throws -> Bool {
    var isChanged = false
    for table in activeTables where !table.uniques.isEmpty {
      guard policy.mayMakeRoom else {
        let blocked = table.uniques.map { "SELECT d.rowid \(colliding($0, table, .round(round)))" }.joined(separator: " UNION ")
        if try keep(table, .blocked, blocked) {
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
      "CROSS JOIN \(table.quoted) AS m ON \(table.isAbout("x", "m")) "
        + "CROSS JOIN \(table.changes) AS d ON \(table.equal(unique, changed: "d", to: "m")) WHERE \(scope.puts("d", isFound: true))"
    }
    try keepFollowers(table, .blocked, followers)
  }

  /// The changes `d` that put a row with unique values of a row `m` of the store's that stays. Nulls are equal to nothing.
  func colliding(_ unique: MergeTable.Columns, _ table: MergeTable, _ scope: MergeScope) -> String {
    "FROM \(table.changes) AS d CROSS JOIN \(table.quoted) AS m ON \(table.equal(unique, mine: "m", changed: "d")) "
      + "WHERE \(scope.puts("d")) AND NOT \(table.isOverridden("m"))\(scope.isOther(table, row: "m", than: "d"))"
  }

  /// A row that is to be put, and a row of the store's with unique values of it, which stays.
  private struct Blocked {
    let pair: UniquePair
    let unique: MergeTable.Columns
    /// Whether the store's row was decided to stay.
    let isDecided: Bool
    /// Whether the store has a row under the key of the one to put.
    let hasOwnRow: Bool
  }

  private func blocked(_ table: MergeTable) throws -> [Blocked] {
    try table.uniques.flatMap { unique in
      let columns =
        [
          "d.rowid", "EXISTS (SELECT 1 FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")))",
          "d.\(table.identityInChanges.first ?? "rowid") IS NOT NULL",
        ] + table.identity(of: "m")
      return try db.bareRows("SELECT \(columns.joined(separator: ", ")) \(colliding(unique, table, .round(round)))") { row in
        let identity = MergeRowIdentity(table: table.number, values: row.values(from: 3, count: table.identity.count))
        return Blocked(
          pair: UniquePair(change: MergeChange(table: table.number, rowID: row.integer(0)), other: identity), unique: unique,
          isDecided: row.bool(1), hasOwnRow: row.bool(2))
      }
    }
  }

  /// Makes room for one row to put, or holds it back.
  /// - Parameter group: all rows that are in its way.
  /// - Returns: whether it is held back.
  private mutating func makeRoom(for group: [Blocked], in table: MergeTable) throws -> Bool {
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

  private mutating func decision(about row: Blocked, _ table: MergeTable) throws -> ConflictDecision {
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
    _ closure: (SeedConflict) throws -> ConflictDecision, _ row: Blocked, _ table: MergeTable
  ) throws -> Found? {
    let conflict = try collisions(
      table, row.unique,
      withRowsOfStoreWhere: "d.rowid = ? AND \(table.identity.map { "m.\($0.name)\($0.collation) = ?" }.joined(separator: " AND "))",
      [.integer(row.pair.change.rowID)] + row.pair.other.values
    ).first?.conflict
    return try conflict.map { Found(change: row.pair.change, conflict: $0, decision: try closure($0)) }
  }

  /// A row of the user's gives its unique values up: it becomes what the seed has under its key, or is deleted.
  private mutating func makeWay(for row: MergeRowIdentity, in table: MergeTable) throws {
    let isFound = table.key.positions.first.map { "s.\(table.columns[$0].quoted) IS NOT NULL" }
    var (act, values, join) = ("\(MergeAct.delete.rawValue)", table.allPositions.map(table.mine), "")
    if let isFound, table.nameInSeed != nil {
      act = "CASE WHEN \(isFound) THEN \(MergeAct.put.rawValue) ELSE \(MergeAct.delete.rawValue) END"
      values = table.allPositions.map { position in
        table.columns[position].isInSeed
          ? "CASE WHEN \(isFound) THEN \(table.theirs(position)) ELSE \(table.mine(position)) END" : table.mine(position)
      }
      join = "LEFT JOIN \(seed(table)) ON \(table.sameKey("s", "m")) "
    }
    let columns = ["rowid", "kind", "act", "wish", "why", "made", "turn"] + table.identityInChanges + table.allPositions.map(table.changed)
    let turn = round.map(String.init) ?? "NULL"
    // The same number each time: answers about the row are kept by it.
    let number = rooms[table.number]?[row] ?? 1 << 40 + Int64(rooms[table.number]?.count ?? 0)
    rooms[table.number, default: [:]][row] = number
    let own = (table.identity(of: "m") + values).joined(separator: ", ")
    // It may be in the way of two rows.
    try db.run(
      """
      INSERT INTO \(table.changes) (\(columns.joined(separator: ", ")))
      SELECT \(number), \(MergeKind.inTheWay.rawValue), \(act), \(act), 0, 0, \(turn), \(own)
      FROM \(table.quoted) AS m \(join)
      WHERE \(table.identity.map { "m.\($0.name)\($0.collation) = ?" }.joined(separator: " AND "))
        AND NOT EXISTS (SELECT 1 FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")))
      """, row.values)
  }

  /// A row of the user's stays where no row of the seed takes its place after all, and where it can't give it up.
  mutating func dropRoom() throws -> Bool {
    var isChanged = false
    for table in activeTables where rooms[table.number] != nil {
      let room = "d.kind = \(MergeKind.inTheWay.rawValue)"
      let kept = "\(room) AND d.act = \(MergeAct.keep.rawValue)"
      let stays = try db.bareRows("SELECT \(table.identityInChanges.joined(separator: ", ")) FROM \(table.changes) AS d WHERE \(kept)") {
        row in
        MergeRowIdentity(table: table.number, values: row.values(from: 0, count: table.identity.count))
      }
      stubborn.formUnion(stays)
      if !stays.isEmpty { try db.run("DELETE FROM \(table.changes) AS d WHERE \(kept)") }
      try indexUniqueValues(of: table)
      if try change("DELETE FROM \(table.changes) AS d WHERE \(room) AND d.rowid NOT IN (\(neededRoom(in: table)))") { isChanged = true }
    }
    return isChanged
  }

  /// A query of the rows that make room for a row that is put: for one of the seed's, or for one that makes such room itself. Rows that
  /// make room for each other alone are not needed.
  private func neededRoom(in table: MergeTable) -> String {
    let isRoom = "d.kind = \(MergeKind.inTheWay.rawValue)"
    let forOthers = table.uniques.map { unique in
      "EXISTS (SELECT 1 FROM \(table.quoted) AS m CROSS JOIN \(table.changes) AS q ON \(table.equal(unique, changed: "q", to: "m")) "
        + "WHERE \(table.isAbout("d", "m")) AND q.act = \(MergeAct.put.rawValue) AND q.kind <> \(MergeKind.inTheWay.rawValue))"
    }
    let forRoom = table.uniques.map { unique in
      "SELECT d.rowid FROM needed CROSS JOIN \(table.changes) AS q ON q.rowid = needed.room "
        + "CROSS JOIN \(table.quoted) AS m ON \(table.equal(unique, mine: "m", changed: "q")) "
        + "CROSS JOIN \(table.changes) AS d ON \(table.isAbout("d", "m")) WHERE q.act = \(MergeAct.put.rawValue) AND \(isRoom)"
    }
    let first = "SELECT d.rowid FROM \(table.changes) AS d WHERE \(isRoom) AND (\(forOthers.joined(separator: " OR ")))"
    return "WITH RECURSIVE needed(room) AS (\(([first] + forRoom).joined(separator: " UNION "))) SELECT room FROM needed"
  }
}

extension MergeTable {
  /// A change `q`, which is searched, and a row `m` of the store have equal values.
  func equal(_ columns: Columns, changed q: String, to m: String) -> String {
    zip(columns.positions, columns.collations).map {
      "\(q).\(changed($0))\(Self.collate($1)) = \(m).\(self.columns[$0].quoted)"
    }.joined(separator: " AND ")
  }
}

extension ConflictPolicy {
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
