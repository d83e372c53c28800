import DAOKit
import Foundation
import GRDB

// What it costs to note changed rows while somebody follows them. The row `c` is the same work of DAOKit while nobody does.
extension Workload {
  /// The rows before a write by key.
  static let scatteredRows = Reading.samples(20_000)

  /// Half of them, in any order, with other values.
  static let scatteredChanges: [Reading] = {
    var random = Random(11)
    return Array(scatteredRows.shuffled(using: &random).prefix(10_000)).map { row in
      var changed = row
      changed.sensor += " b"
      changed.note = row.note == nil ? "calibrated" : nil
      changed.value += 1
      changed.isValid.toggle()
      return changed
    }
  }()

  private static var keys: [Int64] { scatteredChanges.compactMap(\.id) }

  private static func table(with written: [Reading], without deleted: [Int64] = []) -> [Reading] {
    var table: [Int64: Reading] = [:]
    for row in scatteredRows + written { table[row.id ?? 0] = row }
    for key in deleted { table[key] = nil }
    return table.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
  }

  /// 10,000 new rows in one write.
  static let captureInserts = capture("capture", limit: 1.1) { readings in
    let new = Reading.samples(10_000, from: 20_001)
    return { try readings.save(new) }
  } grdb: { pool in
    let records = Reading.samples(10_000, from: 20_001).map(GRDBReading.init)
    return { try pool.write { database in for var record in records { try record.upsert(database) } } }
  } expected: {
    let new = Reading.samples(10_000, from: 20_001)
    return digest(returned: [], table: table(with: new))
  }

  /// 10,000 rows by key, scattered, in one write.
  static let captureUpdates = capture("capture (updates)", limit: 1.1) { readings in
    let changed = scatteredChanges
    return { try readings.update(changed) }
  } grdb: { pool in
    let records = scatteredChanges.map(GRDBReading.init)
    return { try pool.write { database in for record in records { try record.update(database) } } }
  } expected: {
    digest(returned: [], table: table(with: scatteredChanges))
  }

  /// The same with the attributes that changed.
  static let captureAttributes = capture("capture (attributes)", limit: 1.5, attributes: true) { readings in
    let changed = scatteredChanges
    return { try readings.update(changed) }
  } grdb: { _ in
    nil
  } expected: {
    digest(returned: [], table: table(with: scatteredChanges))
  }

  /// 10,000 rows by key, scattered, in one write.
  static let captureDeletes = capture("capture (deletes)", limit: 1.1) { readings in
    let keys = keys
    return { try readings.delete(keys) }
  } grdb: { pool in
    let keys = keys
    return { try pool.write { database in for key in keys { try GRDBReading.deleteOne(database, key: key) } } }
  } expected: {
    digest(returned: [], table: table(with: [], without: keys))
  }

  private static func capture(
    _ name: String, limit: Double, attributes: Bool = false,
    _ work: @escaping @Sendable (RuntimeDAO<Reading>) -> () throws -> Void,
    grdb: @escaping @Sendable (DatabasePool) -> (() throws -> Void)?, expected: @escaping @Sendable () -> Int
  ) -> Workload {
    Workload(name, per: "row", count: 10_000, limit: limit) { stage in
      var contestants = [
        try Contestant(.c, name, on: stage, rows: scatteredRows) { url in
          let run = work(try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self))
          return {
            try run()
            return []
          }
        },
        try Contestant(.daokit, name, on: stage, rows: scatteredRows) { url in
          let factory = try DAOFactory(store: .file(url), entities: Reading.self)
          let observer = try factory.onChange(of: Reading.self, attributes: attributes) { _ in }
          let run = work(factory.runtimeDAO(Reading.self))
          return {
            try run()
            withExtendedLifetime(observer) {}
            return []
          }
        },
      ]
      if grdb(try DatabasePool(store: stage.readings())) != nil {
        contestants.append(
          try Contestant(.grdb, name, on: stage, rows: scatteredRows) { url in
            let pool = try DatabasePool(store: url)
            let observation = ValueObservation.tracking { try GRDBReading.fetchCount($0) }
            let observer = observation.start(in: pool, scheduling: .async(onQueue: .global())) { _ in
            } onChange: { _ in
            }
            let run = grdb(pool)
            return {
              try run?()
              withExtendedLifetime(observer) {}
              return []
            }
          })
      }
      return contestants
    } expected: { _ in
      expected()
    }
  }
}
