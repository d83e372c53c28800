import DAOCriteria

// Rows that are put together from both sides. Values that stay as one side has them are copied inside the database, which keeps every byte.
extension SeedMerge {
  /// Has a row put in with some values, and the rest as the store has it, or the seed.
  mutating func put(_ given: [String: StoredValue], for change: MergeChange, keepingMine: Bool) throws {
    let table = tables[change.table]
    // The version is the merge's to set.
    let isGiven = { (position: Int) in position != table.version && given[table.columns[position].name] != nil }
    let values = table.allPositions.map { position in
      isGiven(position)
        ? "?"
        : keepingMine && !table.key.positions.contains(position)
          ? table.mine(position) : "change.\(table.changed(position))"
    }
    let sides = keepingMine ? "CROSS JOIN \(table.quoted) AS mine ON \(table.isAbout("change", "mine"))" : ""
    try put(change, values, from: sides, table.allPositions.filter(isGiven).map { given[table.columns[$0].name] ?? .null })
  }

  /// Has a row put in that has each column from the side that changed it; mine where both did.
  mutating func putMerged(_ change: MergeChange) throws {
    let table = tables[change.table]
    guard let inBase = table.quotedInBase else { return }
    let values = table.allPositions.map { position in
      if table.key.positions.contains(position) { return "change.\(table.changed(position))" }
      let isUntouched = MergeTable.same([table.mine(position)], [table.base(position)])
      return "CASE WHEN \(isUntouched) THEN change.\(table.changed(position)) ELSE \(table.mine(position)) END"
    }
    let sides = """
      CROSS JOIN \(table.quoted) AS mine ON \(table.isAbout("change", "mine"))
      CROSS JOIN \(inBase) AS base ON \(table.isBaseOfChange)
      """
    try put(change, values, from: sides, [])
  }

  /// - Parameter sides: the rows, besides `change`, that the values are of.
  private mutating func put(_ change: MergeChange, _ values: [String], from sides: String, _ arguments: [StoredValue]) throws {
    let table = tables[change.table]
    let names = table.allPositions.map { "v\($0)" }
    let put = MergeAct.put.rawValue
    try db.run(
      """
      UPDATE \(table.changes)
      SET act = \(put), wish = \(put), why = 0, made = 1,
        \(zip(table.allPositions, names).map { "\(table.changed($0)) = row.\($1)" }.listed)
      FROM (
        SELECT \(zip(values, names).map { "\($0) AS \($1)" }.listed)
        FROM \(table.changes) AS change
        \(sides)
        WHERE change.rowid = ?
      ) AS row
      WHERE \(table.changes).rowid = ?
      """, arguments + [.integer(change.rowID), .integer(change.rowID)])
    made.insert(change.table)
  }
}
