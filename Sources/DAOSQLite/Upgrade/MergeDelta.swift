import DAOCriteria
import GRDB

/// The step that collects what the seed changed in a table, row by row, beside what the store has: it makes the table's changes and fills
/// them.
///
/// Rows are the same row where they have the same key. Without one (the table declares none, or it is null) they are distinguished by all
/// their values but the version, and counted: as many equal rows are added or deleted in the store as in the seed, where it has them; none
/// is ever in conflict.
struct MergeDelta {
  let db: Database
  let table: MergeTable

  func collect() throws {
    let columns =
      ["0 AS kind", "0 AS act", "0 AS wish", "0 AS why", "0 AS made", "0 AS turn"]
      + zip(table.identityInChanges, table.identity(of: "mine")).map { "\($1) AS \($0)" }
      + table.allPositions.map { "\(table.mine($0)) AS \(table.changed($0))" }
    // Made in this way, its columns keep the affinity of the store's.
    try db.run("CREATE TEMP TABLE \(table.changesName) AS SELECT \(columns.listed) FROM \(table.quoted) AS mine WHERE 0")
    guard let inSeed = table.quotedInSeed else { return }
    if !table.key.positions.isEmpty {
      try db.run(changedAndAdded(inSeed))
      if let inBase = table.quotedInBase { try db.run(deleted(inSeed, inBase)) }
    }
    if table.key.positions.isEmpty || table.mayHaveNullKeys { try collectRowsWithoutKey(inSeed) }
  }

  /// The beginning of a statement that adds changes: all columns, in the order of ``values(kind:act:why:identity:row:)``.
  private var insertChanges: String {
    let columns = ["kind", "act", "wish", "why", "made", "turn"] + table.identityInChanges + table.allPositions.map(table.changed)
    return "INSERT INTO \(table.changes) (\(columns.listed))"
  }

  private func values(kind: String, act: String, why: String, identity: [String], row: [String]) -> String {
    ([kind, act, act, why, "0", "NULL"] + identity + row).listed
  }

  // MARK: Rows with a key

  private func changedAndAdded(_ inSeed: String) -> String {
    let first = table.key.positions.first.map { table.columns[$0].quoted } ?? "NULL"
    let (hasBase, hasMine) = ("base.\(first) IS NOT NULL", "mine.\(first) IS NOT NULL")
    let told = table.comparedPositions.filter { table.columns[$0].isInSeed }
    let isChanged = "NOT \(MergeTable.same(told.map(table.theirs), told.map(table.base)))"
    let isDone = MergeTable.same(told.map(table.mine), told.map(table.theirs))
    let follows = "\(hasBase) AND \(isUntouched)"
    // A table that the base lacks has no rows there.
    let base = table.quotedInBase ?? "(SELECT \(table.key.positions.map { "NULL AS \(table.columns[$0].quoted)" }.listed) WHERE 0)"
    let row = table.allPositions.map { position in
      table.columns[position].isInSeed
        ? table.theirs(position) : "CASE WHEN \(hasMine) THEN \(table.mine(position)) ELSE \(defaulted(position, hasBase)) END"
    }
    let changes = values(
      kind: "CASE WHEN \(hasBase) THEN \(MergeKind.changed.rawValue) ELSE \(MergeKind.added.rawValue) END",
      act: "CASE WHEN \(hasMine) THEN CASE WHEN \(follows) THEN 1 ELSE 0 END WHEN \(hasBase) THEN 0 ELSE 1 END",
      why: "CASE WHEN \(hasMine) THEN NOT (\(follows)) ELSE \(hasBase) END * \(MergeReason.conflict.rawValue)",
      identity: table.identity(of: "mine"), row: row)
    return """
      \(insertChanges)
      SELECT \(changes)
      FROM \(inSeed) AS theirs
      LEFT JOIN \(base) AS base ON \(table.sameKey("base", "theirs"))
      LEFT JOIN \(table.quoted) AS mine ON \(table.sameKey("mine", "theirs"))
      WHERE \((table.hasKey("theirs") + ["(NOT (\(hasBase)) OR \(isChanged))"]).allHold)
        AND NOT (\(hasMine) AND \(isDone))
      """
  }

  /// The store's row is as the base has it.
  private var isUntouched: String {
    MergeTable.same(table.comparedPositions.map(table.mine), table.comparedPositions.map(table.base))
  }

  /// The value that a column which the seed lacks has in a row that the store lacks.
  private func defaulted(_ position: Int, _ hasBase: String) -> String {
    let column = table.columns[position]
    return column.isInBase ? "CASE WHEN \(hasBase) THEN \(table.base(position)) ELSE \(column.defaultSQL) END" : column.defaultSQL
  }

  private func deleted(_ inSeed: String, _ inBase: String) -> String {
    let changes = values(
      kind: "\(MergeKind.deleted.rawValue)", act: "CASE WHEN \(isUntouched) THEN \(MergeAct.delete.rawValue) ELSE 0 END",
      why: "CASE WHEN \(isUntouched) THEN 0 ELSE \(MergeReason.conflict.rawValue) END", identity: table.identity(of: "mine"),
      row: table.allPositions.map(table.base))
    let isGone = "NOT EXISTS (SELECT 1 FROM \(inSeed) AS theirs WHERE \(table.sameKey("theirs", "base")))"
    // Joined in this order, so that the store is searched for the few that are gone.
    return """
      \(insertChanges)
      SELECT \(changes)
      FROM \(inBase) AS base
      CROSS JOIN \(table.quoted) AS mine ON \(table.sameKey("mine", "base"))
      WHERE \((table.hasKey("base") + [isGone]).allHold)
      """
  }

  // MARK: Rows without a key

  private func collectRowsWithoutKey(_ inSeed: String) throws {
    try countRowsWithoutKey(inSeed)
    guard try db.bareRows("SELECT EXISTS (SELECT 1 FROM \(table.bag))", { $0.bool(0) }) == [true] else { return }
    guard table.canTellRowsApart else {
      throw DAOError.unsupported(
        "the seed changed rows of \(table.name) that have no key, in a table whose columns have taken every name of the row id")
    }
    let names = table.allPositions.map(table.changed)
    try db.run(
      "CREATE INDEX temp.dao_bag_\(table.number)_all ON dao_bag_\(table.number) (\(table.comparedPositions.map(table.changed).listed))")
    let added = values(
      kind: "\(MergeKind.added.rawValue)", act: "1", why: "0", identity: table.identity.map { _ in "NULL" }, row: names)
    try db.run(
      """
      WITH RECURSIVE times(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM times WHERE i < (SELECT max(n) FROM \(table.bag)))
      \(insertChanges)
      SELECT \(added)
      FROM \(table.bag) AS bag
      JOIN times ON i <= n
      ORDER BY bag.rowid, i
      """)
    // Of equal rows the first ones go.
    let deleted = values(
      kind: "\(MergeKind.deleted.rawValue)", act: "\(MergeAct.delete.rawValue)", why: "0", identity: table.identityInChanges, row: names)
    let found = zip(table.identityInChanges, table.identity(of: "mine")).map { "\($1) AS \($0)" } + names.map { "bag.\($0) AS \($0)" }
    let isEqual = table.comparedPositions.map { "bag.\(table.changed($0)) IS \(table.mine($0))" }
    try db.run(
      """
      \(insertChanges)
      SELECT \(deleted)
      FROM (
        SELECT \(found.listed), bag.n AS n,
          row_number() OVER (PARTITION BY bag.rowid ORDER BY \(table.identity(of: "mine").listed)) AS place
        FROM \(table.quoted) AS mine
        CROSS JOIN \(table.bag) AS bag ON \(isEqual.allHold)
        WHERE bag.n < 0
      )
      WHERE place <= -n
      """)
  }

  /// Fills the table's bag: how many more rows of each kind the seed has than the base.
  private func countRowsWithoutKey(_ inSeed: String) throws {
    let positions = table.allPositions
    let names = positions.map(table.changed)
    // For the affinity of the columns, as above.
    let mine = positions.map { "\(table.mine($0)) AS \(table.changed($0))" }
    try db.run("CREATE TEMP TABLE dao_bag_\(table.number) AS SELECT \(mine.listed), 0 AS n FROM \(table.quoted) AS mine WHERE 0")
    func side(_ values: (Int) -> String, _ count: Int, _ rows: String, _ alias: String) -> String {
      """
      SELECT \(positions.map { "\(values($0)) AS \(table.changed($0))" }.listed), \(count) AS n
      FROM \(rows) AS \(alias)
      WHERE \(table.lacksKey(alias))
      """
    }
    var sides = [side({ table.columns[$0].isInSeed ? table.theirs($0) : table.columns[$0].defaultSQL }, 1, inSeed, "theirs")]
    if let inBase = table.quotedInBase { sides.append(side(table.base, -1, inBase, "base")) }
    try db.run(
      """
      INSERT INTO \(table.bag) (\(names.listed), n)
      SELECT \(positions.map { $0 == table.version ? "max(\(table.changed($0)))" : table.changed($0) }.listed), sum(n)
      FROM (
        \(sides.joined(separator: "\nUNION ALL\n"))
      )
      GROUP BY \(table.comparedPositions.map { "\(table.changed($0)) COLLATE BINARY" }.listed)
      HAVING sum(n) <> 0
      """)
  }
}
