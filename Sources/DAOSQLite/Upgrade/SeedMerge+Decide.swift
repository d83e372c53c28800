import DAOCriteria

// What the policy says about rows that both sides changed.
extension SeedMerge {
  /// Decides about a table's rows in conflict.
  mutating func decide(_ table: MergeTable) throws {
    for row in try edited(table) {
      let change = MergeChange(table: table.number, rowID: row.change)
      // A row of the user's that has stayed under its generated key is another one than the seed's.
      let isOther = table.generatesKeys && row.conflict.base == nil && row.conflict.mine != nil
      let decision: ConflictDecision? =
        switch policy {
        case _ where isOther: .mine
        case .keepMine: .mine
        case .takeSeed: .seed
        case .byColumn: byColumn(row.conflict, table)
        case .decide(let closure): try closure(row.conflict)
        }
      // Changes to different columns go together.
      guard let decision else {
        if merged(row.conflict, table) != row.conflict.mine { try putMerged(change) }
        continue
      }
      conflicts.append(Found(change: change, conflict: row.conflict, decision: decision))
      switch (policy, decision) {
      case (_, .mine): break
      case (.byColumn, .row): try putMerged(change)
      case (_, .row(let values)):
        try put(checked(values, row.conflict, table), for: change, keepingMine: row.conflict.mine != nil)
      case (_, .seed):
        let act = (row.conflict.theirs == nil ? MergeAct.delete : .put).rawValue
        try db.run("UPDATE \(table.changes) SET act = \(act), wish = \(act), why = 0 WHERE rowid = ?", [.integer(row.change)])
      }
    }
  }

  /// Nil where no column was changed on both sides.
  private func byColumn(_ conflict: SeedConflict, _ table: MergeTable) -> ConflictDecision? {
    guard let base = conflict.base, let mine = conflict.mine, let theirs = conflict.theirs else { return .mine }
    let isContested = table.columns.contains { column in
      let (b, m, t) = (base[column.name] ?? .null, mine[column.name] ?? .null, theirs[column.name] ?? .null)
      return !m.isSame(as: b) && !t.isSame(as: b) && !m.isSame(as: t)
    }
    guard isContested else { return nil }
    let row = merged(conflict, table)
    // A key may be spelled in two ways where its column does not tell them apart; the seed's is put.
    return row == mine ? .mine : .row(row.merging(table.declaredKey(of: theirs) ?? [:]) { _, key in key })
  }

  /// Each column from the side that changed it; mine where both did.
  private func merged(_ conflict: SeedConflict, _ table: MergeTable) -> [String: StoredValue] {
    var row = conflict.mine ?? [:]
    for column in table.columns where row[column.name]?.isSame(as: conflict.base?[column.name] ?? .null) == true {
      row[column.name] = conflict.theirs?[column.name]
    }
    return row
  }

  /// What a closure gave of a row, but for its key, which can't be changed.
  func checked(_ values: [String: StoredValue], _ conflict: SeedConflict, _ table: MergeTable) throws -> [String: StoredValue] {
    for name in values.keys.sorted() where !table.columns.contains(where: { $0.name == name }) {
      throw DAOError.invalidValue(entity: table.name, attribute: name, problem: "there is no such column that can be written")
    }
    let key = table.declaredKey(of: conflict.key) ?? [:]
    // A key may be spelled in two ways where its column does not tell them apart; the seed's holds.
    for (name, value) in key where values[name].map({ !SchemaName.same($0.description, value.description) }) == true {
      throw DAOError.invalidValue(
        entity: table.name, attribute: name, problem: "is part of the key \(value), which a decision about a conflict can't change")
    }
    return values.filter { key[$0.key] == nil }
  }

  // What stays as one of the sides has it is copied inside the database, where it keeps every byte.

  /// Has a row put in with some values, and the rest as the store has it, or the seed.
  mutating func put(_ given: [String: StoredValue], for change: MergeChange, keepingMine: Bool) throws {
    let table = tables[change.table]
    let isGiven = { (position: Int) in given[table.columns[position].name] != nil }
    let values = table.allPositions.map { position in
      isGiven(position)
        ? "?" : keepingMine && !table.key.positions.contains(position) ? table.mine(position) : "d.\(table.changed(position))"
    }
    try put(
      change, values, from: keepingMine ? "CROSS JOIN \(table.quoted) AS m ON \(table.isAbout("d", "m"))" : "",
      table.allPositions.filter(isGiven).map { given[table.columns[$0].name] ?? .null })
  }

  /// Has a row put in that has each column from the side that changed it; mine where both did.
  private mutating func putMerged(_ change: MergeChange) throws {
    let table = tables[change.table]
    guard let name = table.nameInBase else { return }
    let values = table.allPositions.map { position in
      if table.key.positions.contains(position) { return "d.\(table.changed(position))" }
      let isUntouched = MergeTable.same([table.mine(position)], [table.base(position)])
      return "CASE WHEN \(isUntouched) THEN d.\(table.changed(position)) ELSE \(table.mine(position)) END"
    }
    try put(
      change, values,
      from: "CROSS JOIN \(table.quoted) AS m ON \(table.isAbout("d", "m")) "
        + "CROSS JOIN \(MergeSide.base.rawValue).\(name.quotedIdentifier) AS b ON \(table.isBase("b", of: "d"))", [])
  }

  private mutating func put(_ change: MergeChange, _ values: [String], from sides: String, _ arguments: [StoredValue]) throws {
    let table = tables[change.table]
    let names = table.allPositions.map { "v\($0)" }
    let row =
      "SELECT \(zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")) FROM \(table.changes) AS d \(sides) WHERE d.rowid = ?"
    let set = zip(table.allPositions, names).map { "\(table.changed($0)) = row.\($1)" }
    let put = MergeAct.put.rawValue
    try db.run(
      "UPDATE \(table.changes) SET act = \(put), wish = \(put), why = 0, made = 1, \(set.joined(separator: ", ")) "
        + "FROM (\(row)) AS row WHERE \(table.changes).rowid = ?", arguments + [.integer(change.rowID), .integer(change.rowID)])
    made.insert(change.table)
  }

  // MARK: Reading rows

  private struct Edited {
    let change: Int64
    let conflict: SeedConflict
  }

  /// The rows that both sides changed.
  private func edited(_ table: MergeTable) throws -> [Edited] {
    guard try has("why = \(MergeReason.conflict.rawValue)", in: table) else { return [] }
    let positions = table.allPositions
    let columns =
      ["d.rowid", "d.kind", "d.\(table.identityInChanges.first ?? "rowid") IS NOT NULL"] + positions.map { "d.\(table.changed($0))" }
      + positions.map(table.mine) + baseOfChange(table)
    let sql =
      "SELECT \(columns.joined(separator: ", ")) FROM \(table.changes) AS d LEFT JOIN \(table.quoted) AS m ON \(table.isAbout("d", "m")) "
      + "\(joinedBase(table)) WHERE d.why = \(MergeReason.conflict.rawValue) ORDER BY d.rowid"
    return try db.bareRows(sql) { row in
      let kind = MergeKind(rawValue: Int(row.integer(1))) ?? .changed
      let sides = (0..<3).map { table.row(row, from: 3 + $0 * positions.count) }
      let (theirs, mine, base) = (sides[0], sides[1], sides[2])
      return Edited(
        change: row.integer(0),
        conflict: SeedConflict(
          table: table.name, cause: .edited, key: table.keyValues(of: theirs), base: kind == .added ? nil : base,
          mine: row.bool(2) ? mine : nil,
          theirs: kind == .deleted ? nil : theirs))
    }
  }

  /// The base's values of the row that a change `d` is about.
  func baseOfChange(_ table: MergeTable) -> [String] {
    table.allPositions.map { joinedBase(table).isEmpty ? "NULL" : table.base($0) }
  }

  /// Whether the base has the row that a change `d` is about.
  func isInBase(_ table: MergeTable) -> String {
    joinedBase(table).isEmpty ? "0" : table.key.positions.first.map { "b.\(table.columns[$0].quoted) IS NOT NULL" } ?? "0"
  }

  func joinedBase(_ table: MergeTable) -> String {
    guard let name = table.nameInBase, !table.key.positions.isEmpty else { return "" }
    return "LEFT JOIN \(MergeSide.base.rawValue).\(name.quotedIdentifier) AS b ON \(table.isBase("b", of: "d"))"
  }
}

extension MergeTable {
  /// A row by column.
  func row(_ row: BareRow, from start: Int) -> [String: StoredValue] {
    Dictionary(zip(columns.map(\.name), row.values(from: start, count: columns.count))) { first, _ in first }
  }

  /// The key of a row; all of it where there is none.
  func keyValues(of row: [String: StoredValue]) -> [String: StoredValue] { declaredKey(of: row) ?? row }

  /// The declared key of a row; nil where the table has none, or a null in it tells nothing apart.
  func declaredKey(of row: [String: StoredValue]) -> [String: StoredValue]? {
    let key = row.filter { name, _ in self.key.positions.contains { columns[$0].name == name } }
    return key.isEmpty || key.values.contains(.null) ? nil : key
  }
}

extension StoredValue {
  /// Whether SQLite's `IS` finds the values the same: a number is, whether it is kept as an integer or not.
  func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Int64(exactly: b) == a
    default: self == other
    }
  }
}
