import DAOCriteria

// Conflicts over unique values, as they are when all is settled.
extension SeedMerge {
  /// The rows with unique values of rows that are not put, or were put in their place. To be called before the changes are made.
  func uniqueConflicts() throws -> [Found] {
    try activeTables.flatMap { table -> [Found] in
      let isBlocked = "change.act = \(MergeAct.keep.rawValue) AND change.why = \(MergeReason.blocked.rawValue)"
      let isOther = "NOT coalesce(\(table.isAbout("change", "mine")), 0)"
      let hasBlocked = try db.hasChanges(of: table, where: isBlocked)
      return try table.uniques.flatMap { unique -> [Found] in
        var found: [Found] = []
        func add(_ collisions: [(change: MergeChange, conflict: SeedConflict)], _ decision: SeedConflict.Decision) {
          found += collisions.map { Found(change: $0.change, conflict: $0.conflict, decision: decision) }
        }
        if hasBlocked {
          let stays = "\(isBlocked) AND \(isOther) AND NOT \(table.isOverridden("mine"))"
          add(try collisions(table, unique, withRowsOfStoreWhere: stays), .mine)
        }
        if hasBlocked, made.contains(table.number) { add(try collisions(table, unique, withRowsPutWhere: isBlocked), .mine) }
        if rooms[table.number] != nil {
          let gaveWay = """
            change.act = \(MergeAct.put.rawValue) AND \(isOther) AND EXISTS (
              SELECT 1
              FROM \(table.changes) AS own
              WHERE \(table.isAbout("own", "mine")) AND own.kind = \(MergeKind.inTheWay.rawValue)
            )
            """
          add(try collisions(table, unique, withRowsOfStoreWhere: gaveWay), .seed)
        }
        return found
      }
    } + answersPut()
  }

  /// Returns the conflicts for which a closure returned a row that is to be put.
  private func answersPut() throws -> [Found] {
    try answers.values.filter { found in
      guard case .row = found.decision else { return false }
      let isPut = "change.rowid = \(found.change.rowID) AND change.act = \(MergeAct.put.rawValue)"
      return try db.hasChanges(of: tables[found.change.table], where: isPut)
    }.sorted { ($0.change.table, $0.change.rowID) < ($1.change.table, $1.change.rowID) }
  }

  /// Changes `change`, and the rows `mine` of the store's with unique values of theirs.
  func collisions(
    _ table: MergeTable, _ unique: MergeTable.Columns, withRowsOfStoreWhere condition: String, _ values: [StoredValue] = []
  ) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    let rows = """
      FROM \(table.changes) AS change
      CROSS JOIN \(table.quoted) AS mine ON \(table.equal(unique, mine: "mine", changed: "change"))
      """
    return try collisions(table, unique, table.allPositions.map(table.mine), rows, condition, values)
  }

  /// Changes `change`, and the other rows that are put and have unique values of theirs.
  private func collisions(
    _ table: MergeTable, _ unique: MergeTable.Columns, withRowsPutWhere condition: String
  ) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    let rows = """
      FROM \(table.changes) AS change
      CROSS JOIN \(table.changes) AS other ON \(table.equal(unique, changed: "other", changed: "change"))
      """
    let isOther = "\(condition) AND other.act = \(MergeAct.put.rawValue) AND other.rowid <> change.rowid"
    return try collisions(table, unique, table.allPositions.map { "other.\(table.changed($0))" }, rows, isOther, [])
  }

  private func collisions(
    _ table: MergeTable, _ unique: MergeTable.Columns, _ other: [String], _ rows: String, _ condition: String, _ values: [StoredValue]
  ) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    let positions = table.allPositions
    let columns = ["change.rowid"] + positions.map { "change.\(table.changed($0))" } + other + baseOfChange(table) + [isInBase(table)]
    let names = unique.positions.map { table.columns[$0].name }
    return try db.bareRows(
      """
      SELECT \(columns.listed)
      \(rows)
      \(joinedBase(table))
      WHERE \(condition)
      ORDER BY change.rowid
      """, binding: values
    ) { row in
      let rows = (0..<3).map { table.row(row, from: 1 + $0 * positions.count) }
      let conflict = SeedConflict(
        table: table.name, cause: .unique(columns: names), key: table.keyValues(of: rows[0]),
        base: row.bool(Int32(1 + 3 * positions.count)) ? rows[2] : nil, mine: rows[1], theirs: rows[0])
      return (MergeChange(table: table.number, rowID: row.integer(0)), conflict)
    }
  }
}
