import DAOKit
import Foundation

// The commit of a unit of work with 10,000 edited rows. The row `c` is the same updates of DAOKit in one transaction, without a unit. That
// the unit was edited before is not timed.
extension Workload {
  /// 10,000 edited rows, scattered.
  static let unitCommit = Workload("unit-commit", per: "row", count: 10_000, limit: 1.6) { stage in
    [
      try Contestant(.c, "unit-commit", on: stage, rows: scatteredRows) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        let changed = scatteredChanges
        return {
          try readings.update(changed)
          return []
        }
      }, try contestant(on: stage),
    ]
  } expected: { _ in
    var table = Dictionary(uniqueKeysWithValues: scatteredRows.map { ($0.id ?? 0, $0) })
    for row in scatteredChanges { table[row.id ?? 0] = row }
    return digest(returned: [], table: table.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) })
  }

  private static func contestant(on stage: Stage) throws -> Contestant {
    let ground = try Ground(stage, "unit-commit", .daokit, rows: scatteredRows)
    let work = try DAOFactory(store: .file(ground.url), entities: Reading.self).unitOfWork()
    let changed = scatteredChanges
    // In a closure with `await`, the twin with `await` would be called.
    func commit() throws { try work.commit() }
    return Contestant(
      .daokit,
      prepare: {
        try ground.restore()
        try work.rollback()
        try work.group { try work.runtimeDAO(Reading.self).update(changed) }
      },
      work: { _ in
        try commit()
        return [Reading]()
      }, digest: { returned in daobench.digest(returned: returned, table: try ground.readings()) })
  }
}
