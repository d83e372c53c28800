import DAOCriteria
import GRDB

// What the policy says about rows that both sides changed.
extension SeedMerge {
  /// Decides about a table's rows in conflict.
  mutating func decide(_ table: MergeTable) throws {
    for row in try edited(table) {
      let decision: ConflictDecision? =
        switch policy {
        case .keepMine: .mine
        case .takeSeed: .seed
        case .byColumn: byColumn(row.conflict, table)
        case .decide(let closure): try closure(row.conflict)
        }
      // Changes to different columns go together.
      guard let decision else {
        try put(merged(row.conflict, table), for: row.change, in: table)
        continue
      }
      conflicts.append(Found(table: table.number, change: row.change, conflict: row.conflict, decision: decision))
      try apply(decision, to: row, table)
    }
  }

  private func apply(_ decision: ConflictDecision, to row: Edited, _ table: MergeTable) throws {
    switch decision {
    case .mine: return
    case .seed:
      let act = row.conflict.theirs == nil ? MergeAct.delete : .put
      try db.execute(sql: "UPDATE \(table.changes) SET act = \(act.rawValue) WHERE rowid = ?", arguments: [row.change])
    case .row(let values):
      try put(completed(values, row.conflict.mine ?? row.conflict.theirs, row.conflict, table), for: row.change, in: table)
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
    return row == mine ? .mine : .row(row)
  }

  /// Each column from the side that changed it; mine where both did.
  private func merged(_ conflict: SeedConflict, _ table: MergeTable) -> [String: StoredValue] {
    var row = conflict.mine ?? [:]
    for column in table.columns where row[column.name]?.isSame(as: conflict.base?[column.name] ?? .null) == true {
      row[column.name] = conflict.theirs?[column.name]
    }
    return row
  }

  /// The row that a closure gave, checked and with what it left out.
  func completed(
    _ values: [String: StoredValue], _ rest: [String: StoredValue]?, _ conflict: SeedConflict, _ table: MergeTable
  ) throws -> [String: StoredValue] {
    for name in values.keys.sorted() where !table.columns.contains(where: { $0.name == name }) {
      throw DAOError.invalidValue(entity: table.name, attribute: name, problem: "there is no such column that can be written")
    }
    let key = table.declaredKey(of: conflict.key) ?? [:]
    // A key may be spelled in two ways where its column does not tell them apart; the seed's holds.
    for (name, value) in key where values[name].map({ $0.description.foldedName != value.description.foldedName }) == true {
      throw DAOError.invalidValue(
        entity: table.name, attribute: name, problem: "is part of the key \(value), which a decision about a conflict can't change")
    }
    return (rest ?? [:]).merging(values) { $1 }.merging(key) { $1 }
  }

  /// Has a row put in with these values.
  func put(_ row: [String: StoredValue], for change: Int64, in table: MergeTable) throws {
    let values = table.columns.map { DatabaseValue(row[$0.name] ?? .null) }
    let set = table.allPositions.map { "\(table.changed($0)) = ?" }
    try db.execute(
      sql: "UPDATE \(table.changes) SET act = \(MergeAct.put.rawValue), why = \(MergeReason.made.rawValue), "
        + "\(set.joined(separator: ", ")) WHERE rowid = ?",
      arguments: StatementArguments(values + [change.databaseValue]))
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
    let columns = ["d.rowid", "d.kind"] + positions.map { "d.\(table.changed($0))" } + positions.map(table.mine) + baseOfChange(table)
    let rows = try Row.fetchAll(
      db,
      sql:
        "SELECT \(columns.joined(separator: ", ")) FROM \(table.changes) AS d CROSS JOIN \(table.quoted) AS m ON \(table.isAbout("d", "m")) "
        + "\(joinedBase(table)) WHERE d.why = \(MergeReason.conflict.rawValue) ORDER BY d.rowid")
    return rows.map { row in
      let values: [DatabaseValue] = Array(row.databaseValues)
      let kind = MergeKind(rawValue: row[1]) ?? .changed
      let (theirs, mine, base) = (
        table.row(values, from: 2), table.row(values, from: 2 + positions.count), table.row(values, from: 2 + 2 * positions.count)
      )
      return Edited(
        change: row[0],
        conflict: SeedConflict(
          table: table.name, cause: .edited, key: table.keyValues(of: theirs), base: kind == .added ? nil : base, mine: mine,
          theirs: kind == .deleted ? nil : theirs))
    }
  }

  /// The base's values of the row that a change `d` is about.
  func baseOfChange(_ table: MergeTable) -> [String] {
    table.allPositions.map { joinedBase(table).isEmpty ? "NULL" : table.base($0) }
  }

  func joinedBase(_ table: MergeTable) -> String {
    guard let name = table.nameInBase, !table.key.positions.isEmpty else { return "" }
    let equal = zip(table.key.positions, table.key.collations).map { position, collation in
      "b.\(table.columns[position].quoted)\(MergeTable.collate(collation)) = d.\(table.changed(position))"
    }
    return "LEFT JOIN \(MergeSide.base.rawValue).\(name.quotedIdentifier) AS b ON \(equal.joined(separator: " AND "))"
  }
}

extension MergeTable {
  /// A row by column.
  func row(_ values: [DatabaseValue], from start: Int) -> [String: StoredValue] {
    Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), values[start...].lazy.map { StoredValue($0) }).map { ($0, $1) })
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
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .blob(data)
    }
  }

  /// Whether SQLite's `IS` finds the values the same: a number is, whether it is kept as an integer or not.
  func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Int64(exactly: b) == a
    default: self == other
    }
  }
}

extension DatabaseValue {
  init(_ value: StoredValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): number.databaseValue
      case .real(let number): number.databaseValue
      case .text(let text): text.databaseValue
      case .blob(let data): data.databaseValue
      }
  }
}
