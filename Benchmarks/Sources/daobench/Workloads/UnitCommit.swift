import DAOKit
import Foundation

// The commit of a unit of work with 10,000 edited rows, each compared with the store first. The row `c` is the same updates of DAOKit in one
// transaction, without a unit. That the unit was edited before is not timed.
extension Workload {
  private static let rows = Reading.samples(20_000)

  private static let changed: [Reading] = {
    var random = Random(12)
    return Array(rows.shuffled(using: &random).prefix(10_000)).map { row in
      var changed = row
      changed.sensor += " b"
      changed.note = row.note == nil ? "calibrated" : nil
      changed.value += 1
      changed.isValid.toggle()
      return changed
    }
  }()

  /// 10,000 edited rows, scattered.
  static let unitCommit = Workload("unit-commit", per: "row", count: 10_000, limit: 1.6) { stage in
    [
      try Contestant(.c, "unit-commit", on: stage, rows: rows) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        let changed = changed
        return {
          try readings.update(changed)
          return []
        }
      }, try contestant(on: stage),
    ]
  } expected: { _ in
    var table = Dictionary(uniqueKeysWithValues: rows.map { ($0.id ?? 0, $0) })
    for row in changed { table[row.id ?? 0] = row }
    return digest(returned: [], table: table.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) })
  }

  private static func contestant(on stage: Stage) throws -> Contestant {
    let ground = try Ground(stage, "unit-commit", .daokit, rows: rows)
    let work = try DAOFactory(store: .file(ground.url), entities: Reading.self).unitOfWork()
    let changed = changed
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
