import DAOCriteria
import DAOSQL
import GRDB

// Rows that a person or another tool inserted with SQL have the keys that SQLite generates: those that follow the seed's, which rows of the
// next seed may have too. Such a row is the user's. No policy decides about it, since it is another row than the seed's.
extension SeedMerge {
  /// Gives rows of the user's under generated keys of the new seed's rows keys of the user's range, in all rows that reference them too.
  ///
  /// To be called when the changes are collected; it collects them again where a row has moved. A row that no other key suits stays, and
  /// keeps the seed's row out.
  mutating func moveKeys() throws { try moveKeys(of: tables) { _ in Self.isTaken } }

  /// Moves the user's rows from keys of the seed's rows in a store without a base, and merges nothing.
  /// - Parameter highest: the highest keys of the seed that the store was made from. A table that it lacks has the user's rows alone.
  /// - Returns: the keys that rows have left, and those that they have now, by table.
  mutating func adopt(after highest: [SchemaName: Int64]) throws -> [String: [Int64: Int64]] {
    try db.trustSearchTriggers()
    let moving = tables.filter(\.generatesKeys)
    for table in moving { try collectChanges(of: table) }
    try db.run("SAVEPOINT dao_adopt")
    defer { try? db.run("RELEASE dao_adopt") }
    try moveKeys(of: moving) { "\(Self.isTaken) AND d.o0 > \(highest[$0.name.foldedName] ?? 0)" }
    do { try checkForeignKeys() } catch DAOError.constraint {
      // A column that two foreign keys share would lead nowhere: the seed's row does not come.
      try db.run("ROLLBACK TO dao_adopt")
      return [:]
    }
    return Dictionary(moved.map { (tables[$0.key].name, $0.value) }) { first, _ in first }
  }

  /// A row of the user's has the key of a row that the seed has added.
  private static var isTaken: String { "d.kind = \(MergeKind.added.rawValue) AND d.o0 IS NOT NULL" }

  /// - Parameter collected: the tables whose changes are collected.
  private mutating func moveKeys(of collected: [MergeTable], where isTaken: (MergeTable) -> String) throws {
    var staying: Set<Int> = []
    // What referenced a row that has moved may have looked like the seed's row until then.
    while case let moving = try collected.filter({ try $0.generatesKeys && !staying.contains($0.number) && has(isTaken($0), in: $0) }),
      !moving.isEmpty
    {
      if violationsBefore == nil { violationsBefore = try violations() }
      var touched: Set<Int> = []
      try db.withoutTriggers(of: tables.map(\.name)) {
        for table in moving {
          let taken = "SELECT o0 FROM \(table.changes) AS d WHERE \(isTaken(table))"
          if let keys = try move(table, taken, &touched) {
            moved[table.number, default: [:]].merge(keys) { first, _ in first }
          } else {
            staying.insert(table.number)
          }
        }
      }
      for table in collected where touched.contains(table.number) {
        try db.run("DROP TABLE IF EXISTS \(table.changes)")
        try db.run("DROP TABLE IF EXISTS \(table.bag)")
        try collectChanges(of: table)
      }
    }
  }

  /// Moves some rows of a table.
  /// - Parameter taken: the statement that selects their keys.
  /// - Returns: the keys that they have left, and those that they have now; nil where the schema takes them under no other.
  private func move(_ table: MergeTable, _ taken: String, _ touched: inout Set<Int>) throws -> [Int64: Int64]? {
    guard let key = table.key.positions.first else { return nil }
    let name = table.columns[key].quoted
    try db.run("CREATE TEMP TABLE dao_moved (old INTEGER PRIMARY KEY, new INTEGER)")
    defer { try? db.run("DROP TABLE temp.dao_moved") }
    try db.run("INSERT INTO temp.dao_moved (old) \(taken)")
    for first in try freeKeys(of: table, name) {
      var changed: Set<Int> = [table.number]
      try db.run("SAVEPOINT dao_move")
      defer { try? db.run("RELEASE dao_move") }
      do {
        try db.run(
          """
          UPDATE temp.dao_moved SET new = k.new
          FROM (SELECT old, \(first) - 1 + row_number() OVER (ORDER BY old) AS new FROM temp.dao_moved) AS k
          WHERE dao_moved.old = k.old
          """)
        try moveReferences(
          to: key, of: table, MovedRows("temp.dao_moved AS k").joining("\(table.quoted) AS t0", on: "t0.\(name) = k.old"),
          depth: 0, columnsThatMove(with: key, of: table), &changed)
        try putUnderKeys(table, key, "SELECT old, new FROM temp.dao_moved")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        try db.run("ROLLBACK TO dao_move")
        continue
      }
      touched.formUnion(changed)
      return Dictionary(try db.bareRows("SELECT old, new FROM temp.dao_moved") { ($0.integer(0), $0.integer(1)) }) { first, _ in first }
    }
    return nil
  }

  /// Puts rows under other keys.
  ///
  /// They are deleted and inserted, since what keeps a search table in step may not look at updates of a key.
  /// - Parameter keys: the statement that selects the keys, and those to be.
  /// - Returns: whether there were any.
  @discardableResult
  private func putUnderKeys(_ table: MergeTable, _ key: Int, _ keys: String) throws -> Bool {
    let columns = table.columns.map(\.quoted)
    let copies = table.allPositions.map(table.changed)
    func all(_ newKey: String) -> String {
      table.allPositions.map { "\($0 == key ? newKey : table.mine($0)) AS \(table.changed($0))" }.joined(separator: ", ")
    }
    // Made so, its columns keep the affinity of the store's.
    try db.run("CREATE TEMP TABLE dao_put AS SELECT \(all(table.mine(key))), 0 AS old FROM \(table.quoted) AS m WHERE 0")
    defer { try? db.run("DROP TABLE temp.dao_put") }
    guard
      try change(
        """
        INSERT INTO temp.dao_put
        SELECT \(all("k.new")), k.old
        FROM (\(keys)) AS k CROSS JOIN \(table.quoted) AS m ON m.\(columns[key]) = k.old
        """
      )
    else { return false }
    try db.run("DELETE FROM \(table.quoted) WHERE \(columns[key]) IN (SELECT old FROM temp.dao_put)")
    try db.run(
      "INSERT \(table.orAbort)INTO \(table.quoted) (\(columns.joined(separator: ", "))) "
        + "SELECT \(copies.joined(separator: ", ")) FROM temp.dao_put")
    return true
  }

  /// Where as many keys begin that no side has: in the user's range, and, for a table that takes none of those, after its rows.
  private func freeKeys(of table: MergeTable, _ name: String) throws -> [Int64] {
    let sides = [
      table.quoted, table.nameInBase.map { "\(MergeSide.base.rawValue).\($0.quotedIdentifier)" },
      table.nameInSeed.map { "\(MergeSide.seed.rawValue).\($0.quotedIdentifier)" },
    ].compactMap { $0 }
    func ask(_ sql: (_ side: String) -> String) throws -> Int64 {
      let values = sides.map { "ifnull((\(sql($0))), 0)" } + ["0"]
      return try db.bareRows("SELECT max(\(values.joined(separator: ", ")))") { $0.integer(0) }.first ?? 0
    }
    let count = try db.bareRows("SELECT count(*) FROM temp.dao_moved") { $0.integer(0) }.first ?? 0
    // Keys beyond those that are generated, such as hashes, leave room before them.
    return try [(SeedStamp.firstUserKey, SeedStamp.firstKeyOfBase >> 2), (1, SeedStamp.firstUserKey)].compactMap { first, end in
      let highest = try ask { "SELECT max(\(name)) FROM \($0) WHERE \(name) < \(end)" }
      let start = max(highest + 1, first)
      return try ask { "SELECT 1 FROM \($0) WHERE \(name) BETWEEN \(start) AND \(start + count - 1) LIMIT 1" } == 0 ? start : nil
    }
  }

  // MARK: References

  /// A column of a table.
  private struct ColumnOfTable: Hashable {
    let table: Int
    let column: Int
  }

  /// A key, and the columns whose values lead to it, and to nothing that stays: one that two foreign keys share stays with what does not
  /// move.
  private func columnsThatMove(with key: Int, of table: MergeTable) -> Set<ColumnOfTable> {
    func targets(_ column: ColumnOfTable) -> [ColumnOfTable] {
      tables[column.table].references.flatMap { reference in
        zip(reference.columns, reference.targetColumns.positions).filter { $0.0 == column.column }.map {
          ColumnOfTable(table: reference.target, column: $1)
        }
      }
    }
    let root = ColumnOfTable(table: table.number, column: key)
    let referring = Set(
      tables.flatMap { child in child.references.flatMap(\.columns).map { ColumnOfTable(table: child.number, column: $0) } })
    var found: Set = [root]
    while case let more = referring.filter({ !found.contains($0) && targets($0).contains(where: found.contains) }), !more.isEmpty {
      found.formUnion(more)
    }
    while case let staying = found.filter({ $0 != root && !targets($0).allSatisfy(found.contains) }), !staying.isEmpty {
      found.subtract(staying)
    }
    return found
  }

  /// Moves what references a column of some rows.
  /// - Parameter rows: the rows, as `t` with the depth, joined with their new values as `k.new`.
  private func moveReferences(
    to column: Int, of table: MergeTable, _ rows: MovedRows, depth: Int, _ moving: Set<ColumnOfTable>, _ touched: inout Set<Int>
  ) throws {
    // Keys that reference each other in a circle.
    guard depth <= tables.count else { return }
    for child in tables {
      for reference in child.references where reference.target == table.number {
        guard let index = reference.targetColumns.positions.firstIndex(of: column) else { continue }
        let referring = reference.columns[index]
        guard moving.contains(ColumnOfTable(table: child.number, column: referring)) else { continue }
        func references(_ c: String) -> String {
          zip(reference.columns, reference.targetColumns.positions).map {
            "t\(depth).\(table.columns[$1].quoted) = \(c).\(child.columns[$0].quoted)"
          }.joined(separator: " AND ")
        }
        var rows = rows
        rows.isIndexed = rows.isIndexed && reference.isIndexed
        try moveReferences(
          to: referring, of: child, rows.joining("\(child.quoted) AS t\(depth + 1)", on: references("t\(depth + 1)")), depth: depth + 1,
          moving, &touched)
        let name = child.columns[referring].quoted
        if child.hasIntegerKey, child.key.positions == [referring] {
          let keys = rows.keys(child, name, where: references("m"), and: isOfUser(referring, child))
          if try putUnderKeys(child, referring, keys) { touched.insert(child.number) }
        } else if try change(rows.update(child, name, where: references("m"), and: isOfUser(referring, child))) {
          touched.insert(child.number)
        }
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

/// Rows of a table that move, and how they are reached from the keys that do: tables, each joined with the one before.
private struct MovedRows {
  private var parts: [(table: String, condition: String?)]
  /// Whether each table after the first two is searched by an index.
  var isIndexed = true

  init(_ table: String) { parts = [(table, nil)] }

  func joining(_ table: String, on condition: String) -> Self {
    var more = self
    more.parts.append((table, condition))
    return more
  }

  private func joined(by join: String) -> String {
    parts.map { part in part.table + (part.condition.map { " ON \($0)" } ?? "") }.joined(separator: " \(join) ")
  }

  /// The integer keys of the rows `m` that reference these, and those that they get.
  func keys(_ table: MergeTable, _ key: String, where references: String, and condition: String) -> String {
    let rows = joining("\(table.quoted) AS m", on: references + condition)
    return "SELECT m.\(key) AS old, k.new AS new FROM \(rows.joined(by: isIndexed ? "CROSS JOIN" : "JOIN"))"
  }

  /// Gives a column of the rows `m` that reference these the new value.
  func update(_ table: MergeTable, _ column: String, where references: String, and condition: String) -> String {
    let update = "UPDATE \(table.orAbort)\(table.quoted) AS m SET \(column) = "
    // From the few that move to what references them.
    if isIndexed { return update + "k.new FROM \(joined(by: "CROSS JOIN")) WHERE \(references)\(condition)" }
    // Each row is asked once whether what it references moves.
    let rows = "FROM \(joined(by: "JOIN")) WHERE \(references)"
    return update + "(SELECT k.new \(rows)) WHERE EXISTS (SELECT 1 \(rows))\(condition)"
  }
}
