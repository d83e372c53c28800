import DAOCriteria

extension SeedMerge {
  /// Returns the changes made, table by table.
  func report() throws -> [SeedUpgradeReport.Table] { try tables.map { try report($0) }.filter { !$0.isEmpty } }

  private func report(_ table: MergeTable) throws -> SeedUpgradeReport.Table {
    var report = SeedUpgradeReport.Table(name: table.name)
    report.moved = keys.moved[table.number] ?? [:]
    guard active.contains(table.number) else { return report }
    let groups = try db.bareRows(
      """
      SELECT kind, act, \(table.identityInChanges.first ?? "NULL") IS NOT NULL, count(*)
      FROM \(table.changes)
      GROUP BY 1, 2, 3
      """
    ) { row in (0..<4).map { Int(row.integer($0)) } }
    for group in groups {
      let (kind, act, count) = (MergeKind(rawValue: group[0]), MergeAct(rawValue: group[1]), group[3])
      switch act {
      case .put: if group[2] != 0 { report.changed += count } else { report.added += count }
      case .delete where kind != .inTheWay: report.deleted += count
      default: break
      }
    }
    report.referenced = try kept(in: table, .referenced)
    report.heldBack = try kept(in: table, .heldBack)
    let kept = Set(try db.bareRows("SELECT rowid FROM \(table.changes) WHERE act = \(MergeAct.keep.rawValue)") { $0.integer(0) })
    report.conflicts = conflicts.filter { $0.change.table == table.number }.map { found in
      SeedUpgradeReport.Conflict(conflict: found.conflict, decision: kept.contains(found.change.rowID) ? .mine : found.decision)
    }
    let stayed = report.conflicts.filter { $0.conflict.cause == .edited && $0.decision == .mine }
    report.editsKept = stayed.filter { $0.conflict.mine != nil }.count
    report.deletionsKept = stayed.count - report.editsKept
    return report
  }

  /// The keys of the rows that are kept for a reason.
  private func kept(in table: MergeTable, _ reason: MergeReason) throws -> [[String: StoredValue]] {
    try db.bareRows(
      """
      SELECT \(table.allPositions.map(table.changed).listed)
      FROM \(table.changes)
      WHERE act = \(MergeAct.keep.rawValue) AND why = \(reason.rawValue)
      ORDER BY rowid
      """
    ) { table.keyValues(of: table.row($0, from: 0)) }
  }
}
