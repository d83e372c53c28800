import DAOCriteria

extension SeedMerge {
  /// What was done, table by table.
  func report() throws -> [SeedUpgradeReport.Table] {
    try active.map { number in
      let table = tables[number]
      var report = SeedUpgradeReport.Table(name: table.name)
      let isThere = "\(table.identityInChanges.first ?? "NULL") IS NOT NULL"
      let groups = try db.bareRows("SELECT kind, act, why, \(isThere), count(*) FROM \(table.changes) GROUP BY 1, 2, 3, 4") { row in
        (0..<5).map { Int(row.integer($0)) }
      }
      for group in groups {
        let (kind, act, why) = (MergeKind(rawValue: group[0]), MergeAct(rawValue: group[1]), MergeReason(rawValue: group[2]))
        let count = group[4]
        switch act {
        case .put: if group[3] != 0 { report.changed += count } else { report.added += count }
        case .delete where kind != .inTheWay: report.deleted += count
        case .keep where why == .deletionKept: report.deletionsKept += count
        default: break
        }
      }
      report.referenced = try keys(of: table, .referenced)
      report.heldBack = try keys(of: table, .heldBack)
      let kept = Set(try db.bareRows("SELECT rowid FROM \(table.changes) WHERE act = \(MergeAct.keep.rawValue)") { $0.integer(0) })
      report.conflicts = conflicts.filter { $0.table == number }.map { found in
        SeedUpgradeReport.Conflict(conflict: found.conflict, decision: kept.contains(found.change) ? .mine : found.decision)
      }
      report.editsKept = report.conflicts.filter { $0.conflict.cause == .edited && $0.decision == .mine }.count
      return report
    }.filter { !$0.isEmpty }
  }

  private func keys(of table: MergeTable, _ reason: MergeReason) throws -> [[String: StoredValue]] {
    try db.bareRows(
      "SELECT \(table.allPositions.map(table.changed).joined(separator: ", ")) FROM \(table.changes) "
        + "WHERE act = \(MergeAct.keep.rawValue) AND why = \(reason.rawValue) "
        + "AND kind <> \(MergeKind.inTheWay.rawValue) ORDER BY rowid"
    ) { table.keyValues(of: table.row($0, from: 0)) }
  }
}
