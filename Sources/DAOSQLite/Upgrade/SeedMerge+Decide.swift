import DAOCriteria

// Applies the policy to rows that both sides changed.
extension SeedMerge {
  /// Decides about a table's rows in conflict.
  mutating func decide(_ table: MergeTable) throws {
    for row in try edited(table) {
      // A row of the user's that has stayed under its generated key is another one than the seed's.
      let isOther = table.generatesKeys && row.conflict.base == nil && row.conflict.mine != nil
      let decision: SeedConflict.Decision? =
        switch policy {
        case _ where isOther: .mine
        case .keepMine: .mine
        case .takeSeed: .seed
        case .byColumn: byColumn(row.conflict, table)
        case .decide(let closure): try closure(row.conflict)
        }
      // Changes to different columns go together.
      guard let decision else {
        if merged(row.conflict, table) != row.conflict.mine { try putMerged(row.change) }
        continue
      }
      conflicts.append(Found(change: row.change, conflict: row.conflict, decision: decision))
      switch (policy, decision) {
      case (_, .mine): break
      case (.byColumn, .row): try putMerged(row.change)
      case (_, .row(let values)):
        try put(checked(values, row.conflict, table), for: row.change, keepingMine: row.conflict.mine != nil)
      case (_, .seed):
        let act = (row.conflict.theirs == nil ? MergeAct.delete : .put).rawValue
        try db.run("UPDATE \(table.changes) SET act = \(act), wish = \(act), why = 0 WHERE rowid = ?", [.integer(row.change.rowID)])
      }
    }
  }

  /// Nil where no column was changed on both sides.
  private func byColumn(_ conflict: SeedConflict, _ table: MergeTable) -> SeedConflict.Decision? {
    guard let base = conflict.base, let mine = conflict.mine, let theirs = conflict.theirs else { return .mine }
    let isContested = table.comparedColumns.contains { column in
      let (b, m, t) = (base[column.name] ?? .null, mine[column.name] ?? .null, theirs[column.name] ?? .null)
      return !m.isSame(as: b) && !t.isSame(as: b) && !m.isSame(as: t)
    }
    guard isContested else { return nil }
    let row = merged(conflict, table)
    // A key may be spelled in two ways where its column does not distinguish them; the seed's is put.
    return row == mine ? .mine : .row(row.merging(table.declaredKey(of: theirs) ?? [:]) { _, key in key })
  }

  /// Each column from the side that changed it; mine where both did.
  private func merged(_ conflict: SeedConflict, _ table: MergeTable) -> [String: StoredValue] {
    var row = conflict.mine ?? [:]
    for column in table.comparedColumns where row[column.name]?.isSame(as: conflict.base?[column.name] ?? .null) == true {
      row[column.name] = conflict.theirs?[column.name]
    }
    return row
  }

  /// Checks a row that a closure returned: its key can't be changed.
  func checked(_ values: [String: StoredValue], _ conflict: SeedConflict, _ table: MergeTable) throws -> [String: StoredValue] {
    for name in values.keys.sorted() where !table.columns.contains(where: { $0.name == name }) {
      throw DAOError.invalidValue(entity: table.name, attribute: name, problem: "there is no such column that can be written")
    }
    let key = table.declaredKey(of: conflict.key) ?? [:]
    // A key may be spelled in two ways where its column does not distinguish them; the seed's holds.
    for (name, value) in key where values[name].map({ !SchemaName.same($0.description, value.description) }) == true {
      throw DAOError.invalidValue(
        entity: table.name, attribute: name, problem: "is part of the key \(value), which a decision about a conflict can't change")
    }
    return values.filter { key[$0.key] == nil }
  }

  // MARK: Rows in conflict

  /// The rows that both sides changed.
  private func edited(_ table: MergeTable) throws -> [(change: MergeChange, conflict: SeedConflict)] {
    let isConflict = "change.why = \(MergeReason.conflict.rawValue)"
    guard try db.hasChanges(of: table, where: isConflict) else { return [] }
    let positions = table.allPositions
    let columns =
      ["change.rowid", "change.kind", "change.\(table.identityInChanges.first ?? "rowid") IS NOT NULL"]
      + positions.map { "change.\(table.changed($0))" } + positions.map(table.mine) + baseOfChange(table)
    return try db.bareRows(
      """
      SELECT \(columns.listed)
      FROM \(table.changes) AS change
      LEFT JOIN \(table.quoted) AS mine ON \(table.isAbout("change", "mine"))
      \(joinedBase(table))
      WHERE \(isConflict)
      ORDER BY change.rowid
      """
    ) { row in
      let kind = MergeKind(rawValue: Int(row.integer(1))) ?? .changed
      let sides = (0..<3).map { table.row(row, from: 3 + $0 * positions.count) }
      let (theirs, mine, base) = (sides[0], sides[1], sides[2])
      let conflict = SeedConflict(
        table: table.name, cause: .edited, key: table.keyValues(of: theirs), base: kind == .added ? nil : base,
        mine: row.bool(2) ? mine : nil, theirs: kind == .deleted ? nil : theirs)
      return (MergeChange(table: table.number, rowID: row.integer(0)), conflict)
    }
  }

  /// The base's values of the row that a change `change` is about.
  func baseOfChange(_ table: MergeTable) -> [String] {
    table.allPositions.map { joinedBase(table).isEmpty ? "NULL" : table.base($0) }
  }

  /// Whether the base has the row that a change `change` is about.
  func isInBase(_ table: MergeTable) -> String {
    joinedBase(table).isEmpty ? "0" : table.key.positions.first.map { "base.\(table.columns[$0].quoted) IS NOT NULL" } ?? "0"
  }

  func joinedBase(_ table: MergeTable) -> String {
    guard let inBase = table.quotedInBase, !table.key.positions.isEmpty else { return "" }
    return "LEFT JOIN \(inBase) AS base ON \(table.isBaseOfChange)"
  }
}

extension MergeTable {
  /// A row by column.
  func row(_ row: BareRow, from start: Int) -> [String: StoredValue] {
    Dictionary(zip(columns.map(\.name), row.values(from: start, count: columns.count))) { first, _ in first }
  }

  /// The key of a row; all of it where there is none.
  func keyValues(of row: [String: StoredValue]) -> [String: StoredValue] { declaredKey(of: row) ?? row }

  /// The declared key of a row; nil where the table has none, or a null in it, which distinguishes nothing.
  func declaredKey(of row: [String: StoredValue]) -> [String: StoredValue]? {
    let key = row.filter { name, _ in self.key.positions.contains { columns[$0].name == name } }
    return key.isEmpty || key.values.contains(.null) ? nil : key
  }
}

extension StoredValue {
  /// Whether SQLite's `IS` finds the values the same: a number is, whether it is kept as an integer or not.
  fileprivate func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Int64(exactly: b) == a
    default: self == other
    }
  }
}
