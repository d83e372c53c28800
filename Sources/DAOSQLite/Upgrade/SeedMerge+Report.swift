import DAOCriteria

extension SeedMerge {
  /// What was done, table by table.
  func report() throws -> [SeedUpgradeReport.Table] {
    try tables.map { table in
      var report = SeedUpgradeReport.Table(name: table.name)
      report.moved = moved[table.number] ?? [:]
      guard active.contains(table.number) else { return report }
      let isThere = "\(table.identityInChanges.first ?? "NULL") IS NOT NULL"
      let groups = try db.bareRows("SELECT kind, act, \(isThere), count(*) FROM \(table.changes) GROUP BY 1, 2, 3") { row in
        (0..<4).map { Int(row.integer($0)) }
      }
      for group in groups {
        let (kind, act, count) = (MergeKind(rawValue: group[0]), MergeAct(rawValue: group[1]), group[3])
        switch act {
        case .put: if group[2] != 0 { report.changed += count } else { report.added += count }
        case .delete where kind != .inTheWay: report.deleted += count
        default: break
        }
      }
      report.referenced = try keys(of: table, .referenced)
      report.heldBack = try keys(of: table, .heldBack)
      let kept = Set(try db.bareRows("SELECT rowid FROM \(table.changes) WHERE act = \(MergeAct.keep.rawValue)") { $0.integer(0) })
      report.conflicts = conflicts.filter { $0.change.table == table.number }.map { found in
        SeedUpgradeReport.Conflict(conflict: found.conflict, decision: kept.contains(found.change.rowID) ? .mine : found.decision)
      }
      let stayed = report.conflicts.filter { $0.conflict.cause == .edited && $0.decision == .mine }
      report.editsKept = stayed.filter { $0.conflict.mine != nil }.count
      report.deletionsKept = stayed.count - report.editsKept
      return report
    }.filter { !$0.isEmpty }
  }

  private func keys(of table: MergeTable, _ reason: MergeReason) throws -> [[String: StoredValue]] {
    try db.bareRows(
      "SELECT \(table.allPositions.map(table.changed).joined(separator: ", ")) FROM \(table.changes) "
        + "WHERE act = \(MergeAct.keep.rawValue) AND why = \(reason.rawValue) ORDER BY rowid"
    ) { table.keyValues(of: table.row($0, from: 0)) }
  }
}
