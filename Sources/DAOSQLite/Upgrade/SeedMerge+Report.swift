import DAOCriteria
import GRDB

extension SeedMerge {
  /// What was done, table by table.
  func report() throws -> [SeedUpgradeReport.Table] {
    try active.map { number in
      let table = tables[number]
      var report = SeedUpgradeReport.Table(name: table.name)
      let isThere = "\(table.identityInChanges.first ?? "NULL") IS NOT NULL"
      for row in try Row.fetchAll(
        db, sql: "SELECT kind, act, why, \(isThere), count(*) FROM \(table.changes) GROUP BY 1, 2, 3, 4")
      {
        let (kind, act, why) = (MergeKind(rawValue: row[0]), MergeAct(rawValue: row[1]), MergeReason(rawValue: row[2]))
        let count: Int = row[4]
        switch act {
        case .put: if row[3] { report.changed += count } else { report.added += count }
        case .delete where kind != .inTheWay: report.deleted += count
        case .keep where why == .deletionKept: report.deletionsKept += count
        default: break
        }
      }
      report.referenced = try keys(of: table, .referenced)
      report.heldBack = try keys(of: table, .heldBack)
      let kept = Set(try Int64.fetchAll(db, sql: "SELECT rowid FROM \(table.changes) WHERE act = \(MergeAct.keep.rawValue)"))
      report.conflicts = conflicts.filter { $0.table == number }.map { found in
        SeedUpgradeReport.Conflict(conflict: found.conflict, decision: kept.contains(found.change) ? .mine : found.decision)
      }
      report.editsKept = report.conflicts.filter { $0.conflict.cause == .edited && $0.decision == .mine }.count
      return report
    }.filter { !$0.isEmpty }
  }

  private func keys(of table: MergeTable, _ reason: MergeReason) throws -> [[String: StoredValue]] {
    try Row.fetchAll(
      db,
      sql: "SELECT \(table.allPositions.map(table.changed).joined(separator: ", ")) FROM \(table.changes) "
        + "WHERE act = \(MergeAct.keep.rawValue) AND why = \(reason.rawValue) "
        + "AND kind <> \(MergeKind.inTheWay.rawValue) ORDER BY rowid"
    ).map { table.keyValues(of: table.row(Array($0.databaseValues), from: 0)) }
  }
}
