import DAOCriteria

// What the seed changed, row by row, beside what the store has.
extension SeedMerge {
  /// Fills a table's changes.
  ///
  /// Rows are the same row where they have the same key. Without one (the table declares none, or it is null) they are told apart by all
  /// they hold, and counted: as many equal rows are added or deleted in the store as in the seed, where it has them; none is ever in
  /// conflict.
  func collectChanges(of table: MergeTable) throws {
    let columns =
      ["0 AS kind", "0 AS act", "0 AS wish", "0 AS why", "0 AS made", "0 AS turn"]
      + zip(table.identityInChanges, table.identity(of: "m")).map { "\($1) AS \($0)" }
      + table.allPositions.map { "\(table.mine($0)) AS \(table.changed($0))" }
    // Made so, its columns keep the affinity of the store's.
    try db.run("CREATE TEMP TABLE \(table.changesName) AS SELECT \(columns.joined(separator: ", ")) FROM \(table.quoted) AS m WHERE 0")
    guard table.nameInSeed != nil else { return }
    if !table.key.positions.isEmpty {
      try db.run(changedAndAdded(table))
      if table.nameInBase != nil { try db.run(deleted(table)) }
    }
    if table.key.positions.isEmpty || table.mayHaveNullKeys { try collectRowsWithoutKey(of: table) }
  }

  private func insert(_ table: MergeTable, _ kind: String, _ act: String, _ why: String, _ identity: [String], _ values: [String]) -> String
  {
    let columns = ["kind", "act", "wish", "why", "made", "turn"] + table.identityInChanges + table.allPositions.map(table.changed)
    return "INSERT INTO \(table.changes) (\(columns.joined(separator: ", "))) SELECT "
      + ([kind, act, act, why, "0", "NULL"] + identity + values).joined(separator: ", ")
  }

  /// The base's side of a join; a table that the base lacks has no rows.
  private func base(_ table: MergeTable) -> String {
    if let name = table.nameInBase { return "\(MergeSide.base.rawValue).\(name.quotedIdentifier) AS b" }
    let keys = table.key.positions.map { "NULL AS \(table.columns[$0].quoted)" }
    return "(SELECT \(keys.joined(separator: ", ")) WHERE 0) AS b"
  }

  func seed(_ table: MergeTable) -> String {
    "\(MergeSide.seed.rawValue).\((table.nameInSeed ?? table.name).quotedIdentifier) AS s"
  }

  /// The store's row is as the base has it.
  private func isUntouched(_ table: MergeTable) -> String {
    MergeTable.same(table.allPositions.map(table.mine), table.allPositions.map(table.base))
  }

  private func changedAndAdded(_ table: MergeTable) -> String {
    let first = table.key.positions.first.map { table.columns[$0].quoted } ?? "NULL"
    let (inBase, inStore) = ("b.\(first) IS NOT NULL", "m.\(first) IS NOT NULL")
    let told = table.allPositions.filter { table.columns[$0].isInSeed }
    let isChanged = "NOT \(MergeTable.same(told.map(table.theirs), told.map(table.base)))"
    let isDone = MergeTable.same(told.map(table.mine), told.map(table.theirs))
    let follows = "\(inBase) AND \(isUntouched(table))"
    let act = "CASE WHEN \(inStore) THEN CASE WHEN \(follows) THEN 1 ELSE 0 END WHEN \(inBase) THEN 0 ELSE 1 END"
    let why = "CASE WHEN \(inStore) THEN NOT (\(follows)) ELSE \(inBase) END * \(MergeReason.conflict.rawValue)"
    let values = table.allPositions.map { position in
      table.columns[position].isInSeed
        ? table.theirs(position) : "CASE WHEN \(inStore) THEN \(table.mine(position)) ELSE \(defaulted(table, position, inBase)) END"
    }
    let conditions =
      table.hasKey("s") + ["(NOT (\(inBase)) OR \(isChanged))", "NOT (\(inStore) AND \(isDone))"]
    return insert(
      table, "CASE WHEN \(inBase) THEN \(MergeKind.changed.rawValue) ELSE \(MergeKind.added.rawValue) END", act, why,
      table.identity(of: "m"), values)
      + " FROM \(seed(table)) LEFT JOIN \(base(table)) ON \(table.sameKey("b", "s"))"
      + " LEFT JOIN \(table.quoted) AS m ON \(table.sameKey("m", "s")) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// What a column that the seed lacks has in a row that the store lacks.
  private func defaulted(_ table: MergeTable, _ position: Int, _ inBase: String) -> String {
    let column = table.columns[position]
    return column.isInBase ? "CASE WHEN \(inBase) THEN \(table.base(position)) ELSE \(column.defaultSQL) END" : column.defaultSQL
  }

  private func deleted(_ table: MergeTable) -> String {
    let untouched = isUntouched(table)
    let isGone = "NOT EXISTS (SELECT 1 FROM \(seed(table)) WHERE \(table.sameKey("s", "b")))"
    return insert(
      table, "\(MergeKind.deleted.rawValue)", "CASE WHEN \(untouched) THEN \(MergeAct.delete.rawValue) ELSE 0 END",
      "CASE WHEN \(untouched) THEN 0 ELSE \(MergeReason.conflict.rawValue) END", table.identity(of: "m"), table.allPositions.map(table.base)
    )
      // In this order, so that the store is searched for the few that are gone.
      + " FROM \(base(table)) CROSS JOIN \(table.quoted) AS m ON \(table.sameKey("m", "b")) WHERE "
      + (table.hasKey("b") + [isGone]).joined(separator: " AND ")
  }

  // MARK: Rows without a key

  private func collectRowsWithoutKey(of table: MergeTable) throws {
    let positions = table.allPositions
    let names = positions.map(table.changed)
    let list = names.joined(separator: ", ")
    // For the affinity of the columns, as above.
    let mine = positions.map { "\(table.mine($0)) AS \(table.changed($0))" }.joined(separator: ", ")
    try db.run("CREATE TEMP TABLE dao_bag_\(table.number) AS SELECT \(mine), 0 AS n FROM \(table.quoted) AS m WHERE 0")
    func side(_ values: (Int) -> String, _ count: Int, _ from: String, _ alias: String) -> String {
      "SELECT \(positions.map { "\(values($0)) AS \(table.changed($0))" }.joined(separator: ", ")), \(count) AS n FROM \(from) "
        + "WHERE \(table.lacksKey(alias))"
    }
    let inSeed = side({ table.columns[$0].isInSeed ? table.theirs($0) : table.columns[$0].defaultSQL }, 1, seed(table), "s")
    let both = inSeed + (table.nameInBase == nil ? "" : " UNION ALL " + side(table.base, -1, base(table), "b"))
    try db.run(
      "INSERT INTO \(table.bag) (\(list), n) SELECT \(list), sum(n) FROM (\(both)) "
        + "GROUP BY \(names.map { "\($0) COLLATE BINARY" }.joined(separator: ", ")) HAVING sum(n) <> 0")
    guard try db.bareRows("SELECT EXISTS (SELECT 1 FROM \(table.bag))", { $0.bool(0) }) == [true] else { return }
    guard table.canTellRowsApart else {
      throw DAOError.unsupported(
        "the seed changed rows of \(table.name) that have no key, in a table whose columns have taken every name of the row id")
    }
    try db.run("CREATE INDEX temp.dao_bag_\(table.number)_all ON dao_bag_\(table.number) (\(list))")
    let absent = table.identity.map { _ in "NULL" }
    try db.run(
      "WITH RECURSIVE times(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM times WHERE i < (SELECT max(n) FROM \(table.bag))) "
        + insert(table, "\(MergeKind.added.rawValue)", "1", "0", absent, names)
        + " FROM \(table.bag) JOIN times ON i <= n ORDER BY \(table.bag).rowid, i")
    // Of equal rows the first ones go.
    let equal = positions.map { "d.\(table.changed($0)) IS \(table.mine($0))" }.joined(separator: " AND ")
    let found = zip(table.identityInChanges, table.identity(of: "m")).map { "\($1) AS \($0)" } + names.map { "d.\($0) AS \($0)" }
    try db.run(
      insert(table, "\(MergeKind.deleted.rawValue)", "\(MergeAct.delete.rawValue)", "0", table.identityInChanges, names)
        + " FROM (SELECT \(found.joined(separator: ", ")), d.n AS n, "
        + "row_number() OVER (PARTITION BY d.rowid ORDER BY \(table.identity(of: "m").joined(separator: ", "))) AS place "
        + "FROM \(table.quoted) AS m CROSS JOIN \(table.bag) AS d ON \(equal) WHERE d.n < 0) WHERE place <= -n")
  }
}
