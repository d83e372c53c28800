import DAOCriteria

// Conflicts over unique values, as they are when all is settled.
extension SeedMerge {
  /// The rows with unique values of rows that are not put, or were put in their place. To be called before the changes are made.
  func uniqueConflicts() throws -> [Found] {
    try activeTables.flatMap { table -> [Found] in
      let blocked = "d.act = \(MergeAct.keep.rawValue) AND d.why = \(MergeReason.blocked.rawValue)"
      let isOwn = "NOT coalesce(\(table.isAbout("d", "m")), 0)"
      let isBlocking = try has(blocked, in: table)
      return try table.uniques.flatMap { unique -> [Found] in
        var found: [Found] = []
        func add(_ collisions: [(change: MergeChange, conflict: SeedConflict)], _ decision: ConflictDecision) {
          found += collisions.map { Found(change: $0.change, conflict: $0.conflict, decision: decision) }
        }
        if isBlocking {
          add(
            try collisions(table, unique, withRowsOfStoreWhere: "\(blocked) AND \(isOwn) AND NOT \(table.isOverridden("m"))"), .mine)
        }
        if isBlocking, made.contains(table.number) { add(try collisions(table, unique, withRowsPutWhere: blocked), .mine) }
        if rooms[table.number] != nil {
          let gaveWay =
            "EXISTS (SELECT 1 FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")) AND x.kind = \(MergeKind.inTheWay.rawValue))"
          add(
            try collisions(
              table, unique, withRowsOfStoreWhere: "d.act = \(MergeAct.put.rawValue) AND \(isOwn) AND \(gaveWay)"), .seed)
        }
        return found
      }
    } + answersPut()
  }

  /// What a closure made of rows in conflict, where it is put.
  private func answersPut() throws -> [Found] {
    try answers.values.filter { found in
      guard case .row = found.decision else { return false }
      return try has("d.rowid = \(found.change.rowID) AND d.act = \(MergeAct.put.rawValue)", in: tables[found.change.table])
    }.sorted { ($0.change.table, $0.change.rowID) < ($1.change.table, $1.change.rowID) }
  }

  /// Changes `d`, and the rows `m` of the store's with unique values of theirs.
  func collisions(
    _ table: MergeTable, _ unique: MergeTable.Columns, withRowsOfStoreWhere condition: String, _ values: [StoredValue] = []
  ) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    try collisions(
      table, unique, table.allPositions.map(table.mine),
      "\(table.changes) AS d CROSS JOIN \(table.quoted) AS m ON \(table.equal(unique, mine: "m", changed: "d"))", condition, values)
  }

  /// Changes `d`, and the other rows that are put and have unique values of theirs.
  private func collisions(
    _ table: MergeTable, _ unique: MergeTable.Columns, withRowsPutWhere condition: String
  ) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    try collisions(
      table, unique, table.allPositions.map { "q.\(table.changed($0))" },
      "\(table.changes) AS d CROSS JOIN \(table.changes) AS q ON \(table.equal(unique, changed: "q", changed: "d"))",
      "\(condition) AND q.act = \(MergeAct.put.rawValue) AND q.rowid <> d.rowid", [])
  }

  private func collisions(
    _ table: MergeTable, _ unique: MergeTable.Columns, _ other: [String], _ sides: String, _ condition: String, _ values: [StoredValue]
  ) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    let positions = table.allPositions
    let columns = ["d.rowid"] + positions.map { "d.\(table.changed($0))" } + other + baseOfChange(table) + [isInBase(table)]
    let names = unique.positions.map { table.columns[$0].name }
    return try db.bareRows(
      "SELECT \(columns.joined(separator: ", ")) FROM \(sides) \(joinedBase(table)) WHERE \(condition) ORDER BY d.rowid", binding: values
    ) { row in
      let rows = (0..<3).map { table.row(row, from: 1 + $0 * positions.count) }
      let conflict = SeedConflict(
        table: table.name, cause: .unique(columns: names), key: table.keyValues(of: rows[0]),
        base: row.bool(Int32(1 + 3 * positions.count)) ? rows[2] : nil, mine: rows[1], theirs: rows[0])
      return (MergeChange(table: table.number, rowID: row.integer(0)), conflict)
    }
  }
}
