import DAOCriteria
import DAOSQL
import GRDB

/// The step that gives rows of the user's under generated keys of the new seed's rows keys of the user's range, in all rows that reference
/// them too.
///
/// Rows that a person or another tool inserted with SQL have the keys that SQLite generates: those that follow the seed's, which rows of
/// the next seed may have too. A row with this key is the user's. No policy decides about it, since it is another row than the seed's. A
/// row that no other key suits stays, and keeps the seed's row out.
///
/// It takes collected changes, and leaves them collected again where a row has moved.
struct KeyMove {
  let db: Database
  let tables: [MergeTable]
  /// The keys that rows have left, and those that they have now; by table.
  private(set) var moved: [Int: [Int64: Int64]] = [:]
  /// The references that had no row before rows moved; nil where none has.
  private(set) var violationsBefore: [ForeignKeyViolation: Int]?

  init(in db: Database, _ tables: [MergeTable]) {
    self.db = db
    self.tables = tables
  }

  /// A row of the user's has the key of a row that the seed has added.
  static var isTaken: String { "change.kind = \(MergeKind.added.rawValue) AND change.o0 IS NOT NULL" }

  /// Moves rows.
  /// - Parameters:
  ///   - collected: the tables whose changes are collected.
  ///   - isTaken: which changes `change` name a key that is to be left.
  mutating func move(of collected: [MergeTable], where isTaken: (MergeTable) -> String) throws {
    var staying: Set<Int> = []
    func moving() throws -> [MergeTable] {
      try collected.filter { try $0.generatesKeys && !staying.contains($0.number) && db.hasChanges(of: $0, where: isTaken($0)) }
    }
    // A row that referenced a moved row may have looked like the seed's row until then.
    while case let moving = try moving(), !moving.isEmpty {
      if violationsBefore == nil { violationsBefore = try ForeignKeyViolation.all(of: tables, in: db) }
      var touched: Set<Int> = []
      try db.withoutTriggers(of: tables.map(\.name)) {
        for table in moving {
          let taken = "SELECT o0 FROM \(table.changes) AS change WHERE \(isTaken(table))"
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
        try MergeDelta(db: db, table: table).collect()
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
          UPDATE temp.dao_moved SET new = numbered.new
          FROM (SELECT old, \(first) - 1 + row_number() OVER (ORDER BY old) AS new FROM temp.dao_moved) AS numbered
          WHERE dao_moved.old = numbered.old
          """)
        let rows = MovedRows("temp.dao_moved").joining("\(table.quoted) AS moved0", on: "moved0.\(name) = keys.old")
        try moveReferences(to: key, of: table, rows, depth: 0, columnsThatMove(with: key, of: table), &changed)
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
  /// They are deleted and inserted, since what keeps a search table in step may not see updates of a key.
  /// - Parameter keys: the statement that selects the keys, and those to be.
  /// - Returns: whether there were any.
  @discardableResult
  private func putUnderKeys(_ table: MergeTable, _ key: Int, _ keys: String) throws -> Bool {
    let columns = table.columns.map(\.quoted)
    let copies = table.allPositions.map(table.changed)
    func row(_ newKey: String) -> String {
      table.allPositions.map { "\($0 == key ? newKey : table.mine($0)) AS \(table.changed($0))" }.listed
    }
    // Made in this way, its columns keep the affinity of the store's.
    try db.run("CREATE TEMP TABLE dao_put AS SELECT \(row(table.mine(key))), 0 AS old FROM \(table.quoted) AS mine WHERE 0")
    defer { try? db.run("DROP TABLE temp.dao_put") }
    let copy = """
      INSERT INTO temp.dao_put
      SELECT \(row("keys.new")), keys.old
      FROM (
        \(keys)
      ) AS keys
      CROSS JOIN \(table.quoted) AS mine ON mine.\(columns[key]) = keys.old
      """
    guard try db.change(copy) else { return false }
    try db.run("DELETE FROM \(table.quoted) WHERE \(columns[key]) IN (SELECT old FROM temp.dao_put)")
    try db.run(
      """
      INSERT \(table.orAbort)INTO \(table.quoted) (\(columns.listed))
      SELECT \(copies.listed)
      FROM temp.dao_put
      """)
    return true
  }

  /// Returns where enough keys in a row begin that no side has: in the user's range, and, for a table that takes none of those, after its
  /// rows.
  private func freeKeys(of table: MergeTable, _ name: String) throws -> [Int64] {
    let sides = [table.quoted, table.quotedInBase, table.quotedInSeed].compactMap { $0 }
    func ask(_ query: (_ side: String) -> String) throws -> Int64 {
      let values = sides.map { "ifnull((\(query($0))), 0)" } + ["0"]
      return try db.bareRows("SELECT max(\(values.listed))") { $0.integer(0) }.first ?? 0
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
  /// - Parameter rows: the rows, as `moved` with the depth, joined with their new values as `keys.new`.
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
        func references(_ row: String) -> String {
          zip(reference.columns, reference.targetColumns.positions).map {
            "moved\(depth).\(table.columns[$1].quoted) = \(row).\(child.columns[$0].quoted)"
          }.allHold
        }
        var rows = rows
        rows.isIndexed = rows.isIndexed && reference.isIndexed
        let next = "moved\(depth + 1)"
        try moveReferences(
          to: referring, of: child, rows.joining("\(child.quoted) AS \(next)", on: references(next)), depth: depth + 1, moving, &touched)
        let name = child.columns[referring].quoted
        let others = isOfUser(referring, child)
        if child.hasIntegerKey, child.key.positions == [referring] {
          let keys = rows.keys(child, name, where: [references("mine")] + others)
          if try putUnderKeys(child, referring, keys) { touched.insert(child.number) }
        } else if try db.change(rows.update(child, name, where: references("mine"), and: others)) {
          touched.insert(child.number)
        }
      }
    }
  }

  /// Matches a row `mine` whose reference differs from that of the base's row, without a row to lead to.
  private func isOfUser(_ column: Int, _ table: MergeTable) -> [String] {
    guard let name = table.quotedInBase, table.columns[column].isInBase, !table.key.positions.isEmpty else { return [] }
    let quoted = table.columns[column].quoted
    return ["NOT EXISTS (SELECT 1 FROM \(name) AS base WHERE \(table.sameKey("base", "mine")) AND base.\(quoted) IS mine.\(quoted))"]
  }
}
