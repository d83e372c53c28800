import DAOCriteria

/// A row that is to be put, and a row of the store's with unique values of it, which stays.
struct BlockedRow {
  /// The change.
  let change: Int64
  /// What tells the store's row apart.
  let identity: [StoredValue]
  /// Whether the store's row is one that was decided to stay.
  let isDecided: Bool
  /// Whether the store has a row under the key of the one to put.
  let hasOwnRow: Bool
  let conflict: SeedConflict
}

extension SeedMerge {
  /// A table's rows to put that another row is in the way of. Nulls are equal to nothing.
  func blocked(_ table: MergeTable) throws -> [BlockedRow] {
    let positions = table.allPositions
    return try table.uniques.flatMap { unique -> [BlockedRow] in
      let columns =
        [
          "d.rowid", "d.kind <> \(MergeKind.added.rawValue)",
          "EXISTS (SELECT 1 FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")))",
        ] + table.identity(of: "m")
        + positions.map { "d.\(table.changed($0))" } + positions.map(table.mine) + baseOfChange(table)
        + [isInBase(table), "d.\(table.identityInChanges.first ?? "rowid") IS NOT NULL"]
      let sql =
        "SELECT \(columns.joined(separator: ", ")) FROM \(table.changes) AS d "
        + "CROSS JOIN \(table.quoted) AS m ON \(table.equal(unique, mine: "m", changed: "d")) "
        + "\(joinedBase(table)) "
        + "WHERE d.act = \(MergeAct.put.rawValue) AND NOT \(table.isOverridden("m")) "
        + "ORDER BY d.rowid, \(table.identity(of: "m").joined(separator: ", "))"
      return try db.bareRows(sql) { row in
        let start = 3 + table.identity.count
        let sides = (0..<3).map { table.row(row, from: start + $0 * positions.count) }
        let (theirs, mine, base) = (sides[0], sides[1], sides[2])
        let end = Int32(start + 3 * positions.count)
        let hasBase = row.bool(1) && row.bool(end)
        return BlockedRow(
          change: row.integer(0), identity: row.values(from: 3, count: table.identity.count), isDecided: row.bool(2),
          hasOwnRow: row.bool(end + 1),
          conflict: SeedConflict(
            table: table.name, cause: .unique(columns: unique.positions.map { table.columns[$0].name }), key: table.keyValues(of: theirs),
            base: hasBase ? base : nil, mine: mine, theirs: theirs))
      }
    }
  }
}
