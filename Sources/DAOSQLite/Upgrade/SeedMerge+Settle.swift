import DAOCriteria

// What would break the schema's rules is taken back. Each step takes at least one change back for good, so there is an end.
extension SeedMerge {
  mutating func settle() throws {
    while true {
      while try keepReferenced() {}
      if try holdBack() { continue }
      if try dropNeedlessRoom() { continue }
      if try keepMadeApart() { continue }
      if try !makeRoom() { return }
    }
  }

  private var activeTables: [MergeTable] { active.map { tables[$0] } }

  /// A row that goes away or gets other values stays as it is where a row that stays references it.
  private func keepReferenced() throws -> Bool {
    var isChanged = false
    for child in tables {
      for reference in child.references where active.contains(reference.target) {
        let parent = tables[reference.target]
        // A key never changes.
        let act = reference.isToKey ? "= \(MergeAct.delete.rawValue)" : "<> \(MergeAct.keep.rawValue)"
        guard try has("act \(act) AND o0 IS NOT NULL", in: parent) else { continue }
        let leaving = "d.act \(act)" + (reference.isToKey ? "" : " AND NOT \(isProvided(reference, parent))")
        if try change(
          keep(parent, .referenced, "\(old(child, reference, parent, leaving)) UNION \(new(child, reference, parent, leaving))"))
        {
          isChanged = true
        }
      }
    }
    return isChanged
  }

  private func keep(_ table: MergeTable, _ reason: MergeReason, _ changes: String) -> String {
    "UPDATE \(table.changes) SET act = \(MergeAct.keep.rawValue), why = \(reason.rawValue) WHERE rowid IN (\(changes))"
  }

  /// Another row, or the row `d` itself, has the values that the store's row `p` is referenced by.
  private func isProvided(_ reference: MergeTable.Reference, _ parent: MergeTable) -> String {
    "EXISTS (SELECT 1 FROM \(parent.changes) AS q WHERE q.act = \(MergeAct.put.rawValue) AND "
      + zip(reference.targetColumns.positions, reference.targetColumns.collations).map {
        "q.\(parent.changed($0))\(MergeTable.collate($1)) = p.\(parent.columns[$0].quoted)"
      }.joined(separator: " AND ") + ")"
  }

  /// The changes of a parent whose row is referenced by one that the store has and that stays as it is.
  private func old(_ child: MergeTable, _ reference: MergeTable.Reference, _ parent: MergeTable, _ leaving: String) -> String {
    let references = zip(reference.columns, reference.targetColumns.positions).map {
      "p.\(parent.columns[$1].quoted) = c.\(child.columns[$0].quoted)"
    }.joined(separator: " AND ")
    let about = parent.isAbout("d", "p")
    // From the few to the many where there is an index, else each child once.
    let tables =
      reference.isIndexed
      ? "\(parent.changes) AS d CROSS JOIN \(parent.quoted) AS p ON \(about) CROSS JOIN \(child.quoted) AS c ON \(references)"
      : "\(child.quoted) AS c CROSS JOIN \(parent.quoted) AS p ON \(references) CROSS JOIN \(parent.changes) AS d ON \(about)"
    return "SELECT d.rowid FROM \(tables) WHERE \(leaving) AND NOT \(child.isOverridden("c"))"
  }

  /// The changes of a parent whose row is referenced by one that is put.
  private func new(_ child: MergeTable, _ reference: MergeTable.Reference, _ parent: MergeTable, _ leaving: String) -> String {
    let references = zip(reference.columns, reference.targetColumns.positions).map {
      "p.\(parent.columns[$1].quoted) = w.\(child.changed($0))"
    }.joined(separator: " AND ")
    return "SELECT d.rowid FROM \(child.changes) AS w CROSS JOIN \(parent.quoted) AS p ON \(references) "
      + "CROSS JOIN \(parent.changes) AS d ON \(parent.isAbout("d", "p")) WHERE w.act = \(MergeAct.put.rawValue) AND \(leaving)"
  }

  /// A row is not put where the row that it references is not there.
  private func holdBack() throws -> Bool {
    var isChanged = false
    for child in activeTables {
      for reference in child.references {
        let parent = tables[reference.target]
        let pairs = zip(reference.columns, zip(reference.targetColumns.positions, reference.targetColumns.collations))
        let inStore = pairs.map { "p.\(parent.columns[$1.0].quoted) = w.\(child.changed($0))" }.joined(separator: " AND ")
        let inChanges = pairs.map { "q.\(parent.changed($1.0))\(MergeTable.collate($1.1)) = w.\(child.changed($0))" }
        let isSet = reference.columns.map { "w.\(child.changed($0)) IS NOT NULL" }
        let changes =
          "SELECT w.rowid FROM \(child.changes) AS w WHERE w.act = \(MergeAct.put.rawValue) AND \(isSet.joined(separator: " AND ")) "
          + "AND NOT EXISTS (SELECT 1 FROM \(parent.quoted) AS p WHERE \(inStore) AND NOT \(parent.isOverridden("p"))) "
          + "AND NOT EXISTS (SELECT 1 FROM \(parent.changes) AS q WHERE q.act = \(MergeAct.put.rawValue) AND \(inChanges.joined(separator: " AND ")))"
        if try change(keep(child, .heldBack, changes)) { isChanged = true }
      }
    }
    return isChanged
  }

  // MARK: Unique values

  /// A row of the user's whose place a row of the seed did not take after all stays.
  private func dropNeedlessRoom() throws -> Bool {
    var isChanged = false
    for table in activeTables {
      let needless =
        "SELECT d.rowid FROM \(table.changes) AS d WHERE d.kind = \(MergeKind.inTheWay.rawValue) AND d.act <> \(MergeAct.keep.rawValue) "
        + "AND NOT EXISTS (SELECT 1 FROM \(table.changes) AS w WHERE w.rowid = d.cause AND w.act = \(MergeAct.put.rawValue))"
      if try change(keep(table, .none, needless)) { isChanged = true }
    }
    return isChanged
  }

  /// Rows that are put together from both sides may have equal values among each other, or with a row of the seed's. They stay as the user
  /// has them; of two such rows the later.
  private mutating func keepMadeApart() throws -> Bool {
    var isChanged = false
    for table in activeTables where try has("act = \(MergeAct.put.rawValue) AND why = \(MergeReason.made.rawValue)", in: table) {
      for unique in table.uniques {
        let equal = zip(unique.positions, unique.collations).map {
          "q.\(table.changed($0))\(MergeTable.collate($1)) = w.\(table.changed($0))"
        }.joined(separator: " AND ")
        let columns = ["w", "q"].flatMap { side in table.allPositions.map { "\(side).\(table.changed($0))" } }
        let sql =
          "SELECT w.rowid, \(columns.joined(separator: ", ")), min((q.why = \(MergeReason.made.rawValue)) << 60 | q.rowid) FROM \(table.changes) AS w JOIN \(table.changes) AS q ON \(equal) "
          + "WHERE w.act = \(MergeAct.put.rawValue) AND w.why = \(MergeReason.made.rawValue) AND q.act = \(MergeAct.put.rawValue) "
          + "AND (q.why <> \(MergeReason.made.rawValue) OR q.rowid < w.rowid) GROUP BY w.rowid"
        let names = unique.positions.map { table.columns[$0].name }
        let found = try db.bareRows(sql) { row in
          let (made, other) = (table.row(row, from: 1), table.row(row, from: 1 + table.columns.count))
          return Found(
            table: table.number, change: row.integer(0),
            conflict: SeedConflict(
              table: table.name, cause: .unique(columns: names), key: table.keyValues(of: made), base: nil, mine: other, theirs: made),
            decision: .mine)
        }
        try keep(found, .blocked, in: table)
        if !found.isEmpty { isChanged = true }
      }
    }
    return isChanged
  }

  /// Takes changes back, and reports why.
  mutating func keep(_ found: [Found], _ reason: MergeReason, in table: MergeTable) throws {
    for one in found { try db.run(keep(table, reason, "?"), [.integer(one.change)]) }
    conflicts += found
  }

  /// Where a row of the user's has unique values of a row that is put, the policy says which of them is there.
  private mutating func makeRoom() throws -> Bool {
    var isChanged = false
    for table in activeTables {
      for (_, group) in Dictionary(grouping: try blocked(table), by: \.change).sorted(by: { $0.key < $1.key }) {
        try makeRoom(for: group, in: table)
        isChanged = true
      }
    }
    return isChanged
  }

  /// One row to put, and all that are in its way.
  private mutating func makeRoom(for group: [BlockedRow], in table: MergeTable) throws {
    // One row may be in the way twice.
    var seen: Set<[StoredValue]> = []
    let group = group.filter { seen.insert($0.identity).inserted }
    let decisions = try group.map { try decision(about: $0, table) }
    if decisions.allSatisfy({ $0 == .seed }) {
      for row in group { try makeWay(for: row, in: table) }
      return
    }
    for (row, decision) in zip(group, decisions) where !decisions.contains(.mine) {
      guard case .row(let values) = decision else { continue }
      try put(checked(values, row.conflict, table), for: row.change, in: table, keepingMine: row.hasOwnRow)
      // What is in its way now is not asked about again.
      return
    }
    try db.run(keep(table, .blocked, "?"), [.integer(group[0].change)])
  }

  private mutating func decision(about row: BlockedRow, _ table: MergeTable) throws -> ConflictDecision {
    // What is to stay was decided already, or the row was found before.
    guard asked.insert(UniquePair(table: table.number, change: row.change, blocker: row.identity)).inserted else { return .mine }
    let decision: ConflictDecision =
      if row.isDecided { .mine } else {
        switch policy {
        case .keepMine, .byColumn: .mine
        case .takeSeed: .seed
        case .decide(let closure): try closure(row.conflict)
        }
      }
    conflicts.append(Found(table: table.number, change: row.change, conflict: row.conflict, decision: decision))
    return decision
  }

  /// A row of the user's gives its unique values up: it becomes what the seed has under its key, or goes.
  private func makeWay(for row: BlockedRow, in table: MergeTable) throws {
    let columns = ["kind", "act", "why", "cause"] + table.identityInChanges + table.allPositions.map(table.changed)
    let isFound = table.key.positions.first.map { "s.\(table.columns[$0].quoted) IS NOT NULL" }
    guard let isFound, table.nameInSeed != nil else {
      return try makeWay(row, columns, "\(MergeAct.delete.rawValue)", table.allPositions.map(table.mine), "", table)
    }
    let values = table.allPositions.map { position in
      table.columns[position].isInSeed
        ? "CASE WHEN \(isFound) THEN \(table.theirs(position)) ELSE \(table.mine(position)) END" : table.mine(position)
    }
    try makeWay(
      row, columns, "CASE WHEN \(isFound) THEN \(MergeAct.put.rawValue) ELSE \(MergeAct.delete.rawValue) END", values,
      "LEFT JOIN \(seed(table)) ON \(table.sameKey("s", "m")) ", table)
  }

  private func makeWay(
    _ row: BlockedRow, _ columns: [String], _ act: String, _ values: [String], _ join: String, _ table: MergeTable
  ) throws {
    try db.run(
      "INSERT INTO \(table.changes) (\(columns.joined(separator: ", "))) "
        + "SELECT \(MergeKind.inTheWay.rawValue), \(act), 0, ?, \((table.identity(of: "m") + values).joined(separator: ", ")) "
        + "FROM \(table.quoted) AS m \(join)"
        + "WHERE " + table.identity.map { "m.\($0.name)\($0.collation) = ?" }.joined(separator: " AND "),
      [.integer(row.change)] + row.identity)
  }
}

/// A row to put, and one that the policy was asked about.
struct UniquePair: Hashable {
  let table: Int
  let change: Int64
  let blocker: [StoredValue]
}
