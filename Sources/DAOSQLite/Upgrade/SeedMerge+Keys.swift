import DAOCriteria

// Rows that a person or another tool inserted with SQL have the keys that SQLite generates: those that follow the seed's, which rows of the
// next seed may have too. Such a row is the user's. No policy decides about it, since it is another row than the seed's.
extension SeedMerge {
  /// Gives rows of the user's under generated keys of the new seed's rows keys of the user's range, in all rows that reference them too.
  ///
  /// To be called when the changes are collected; it collects them again where a row has moved.
  mutating func moveKeys() throws {
    let touched = try moveKeys { _ in Self.isTaken }
    for table in tables where touched.contains(table.number) {
      try db.run("DROP TABLE IF EXISTS \(table.changes)")
      try db.run("DROP TABLE IF EXISTS \(table.bag)")
      try collectChanges(of: table)
    }
  }

  /// Moves the user's rows from keys of the seed's rows in a store without a base, and merges nothing.
  /// - Parameter highest: the highest keys of the seed that the store was made from. A table that it lacks has the user's rows alone.
  /// - Returns: the keys that rows have left, and those that they have now, by table.
  mutating func adopt(after highest: [String: Int64]) throws -> [String: [Int64: Int64]] {
    let highest = Dictionary(highest.map { ($0.key.foldedName, $0.value) }) { first, _ in first }
    try db.trustSearchTriggers()
    for table in tables where table.generatesKeys { try collectChanges(of: table) }
    _ = try moveKeys { "\(Self.isTaken) AND d.o0 > \(highest[$0.name.foldedName] ?? 0)" }
    return Dictionary(uniqueKeysWithValues: moved.map { (tables[$0.key].name, $0.value) })
  }

  /// A row of the user's has the key of a row that the seed has added.
  private static var isTaken: String { "d.kind = \(MergeKind.added.rawValue) AND d.o0 IS NOT NULL" }

  /// - Returns: the numbers of the tables whose rows have changed.
  private mutating func moveKeys(where isTaken: (MergeTable) -> String) throws -> Set<Int> {
    let moving = try tables.filter { try $0.generatesKeys && has(isTaken($0), in: $0) }
    if moving.isEmpty { return [] }
    var touched = Set(moving.map(\.number))
    try db.withoutTriggers(of: tables.map(\.name)) {
      for table in moving {
        guard let key = table.key.positions.first else { continue }
        let first = try firstFreeKey(of: table, key)
        try db.run(
          "CREATE TEMP TABLE dao_moved AS SELECT o0 AS old, \(first) - 1 + row_number() OVER (ORDER BY o0) AS new "
            + "FROM \(table.changes) AS d WHERE \(isTaken(table))")
        let name = table.columns[key].quoted
        try moveReferences(
          to: key, of: table, "temp.dao_moved AS k CROSS JOIN \(table.quoted) AS t0 ON t0.\(name) = k.old", depth: 0, &touched)
        try db.run("UPDATE \(table.quoted) AS m SET \(name) = k.new FROM temp.dao_moved AS k WHERE m.\(name) = k.old")
        let keys = try db.bareRows("SELECT old, new FROM temp.dao_moved") { ($0.integer(0), $0.integer(1)) }
        moved[table.number] = Dictionary(keys) { first, _ in first }
        try db.run("DROP TABLE temp.dao_moved")
      }
    }
    return touched
  }

  /// The first of the user's keys that no side has, nor any after it.
  private func firstFreeKey(of table: MergeTable, _ key: Int) throws -> Int64 {
    let name = table.columns[key].quoted
    let sides = [
      table.quoted, table.nameInBase.map { "\(MergeSide.base.rawValue).\($0.quotedIdentifier)" },
      table.nameInSeed.map { "\(MergeSide.seed.rawValue).\($0.quotedIdentifier)" },
    ]
    let highest = sides.compactMap { $0 }.map { "ifnull((SELECT max(\(name)) FROM \($0) WHERE \(name) < \(SeedStamp.firstKeyOfBase)), 0)" }
    let key = try db.bareRows("SELECT max(\((highest + ["0"]).joined(separator: ", ")))") { $0.integer(0) }.first ?? 0
    // As many keys as a table can have rows are left.
    guard key < SeedStamp.firstKeyOfBase >> 1 else {
      throw DAOError.unsupported("no key of \(table.name) is free for rows that have to move")
    }
    return max(key + 1, SeedStamp.firstUserKey)
  }

  /// Moves what references a column of some rows.
  /// - Parameter rows: the rows, as `t` with the depth, joined with their new values as `k.new`.
  private func moveReferences(to column: Int, of table: MergeTable, _ rows: String, depth: Int, _ touched: inout Set<Int>) throws {
    // Keys that reference each other in a circle.
    guard depth <= tables.count else { return }
    for child in tables {
      for reference in child.references where reference.target == table.number {
        guard let index = reference.targetColumns.positions.firstIndex(of: column) else { continue }
        func references(_ c: String) -> String {
          zip(reference.columns, reference.targetColumns.positions).map {
            "t\(depth).\(table.columns[$1].quoted) = \(c).\(child.columns[$0].quoted)"
          }.joined(separator: " AND ")
        }
        let referring = reference.columns[index]
        try moveReferences(
          to: referring, of: child, "\(rows) CROSS JOIN \(child.quoted) AS t\(depth + 1) ON \(references("t\(depth + 1)"))",
          depth: depth + 1, &touched)
        let name = child.columns[referring].quoted
        try db.run(
          "UPDATE \(child.quoted) AS m SET \(name) = k.new FROM \(rows) WHERE \(references("m"))\(isOfUser(referring, child))")
        if db.changesCount > 0 { touched.insert(child.number) }
      }
    }
  }

  /// What a row `m` references is not what the base's row has referenced, without a row to lead to.
  private func isOfUser(_ column: Int, _ table: MergeTable) -> String {
    guard let name = table.nameInBase, table.columns[column].isInBase, !table.key.positions.isEmpty else { return "" }
    let quoted = table.columns[column].quoted
    return " AND NOT EXISTS (SELECT 1 FROM \(MergeSide.base.rawValue).\(name.quotedIdentifier) AS b "
      + "WHERE \(table.sameKey("b", "m")) AND b.\(quoted) IS m.\(quoted))"
  }
}
