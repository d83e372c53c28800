import DAOKit
import Foundation
import GRDB

extension Workload {
  /// What the tables hold before a lap.
  private static let rows = Reading.samples(20_000)

  /// Half of the rows, scattered, with other values.
  private static let changed: [Reading] = {
    var random = Random(10)
    return Array(rows.shuffled(using: &random).prefix(10_000)).map { row in
      var changed = row
      changed.sensor += " b"
      changed.note = row.note == nil ? "calibrated" : nil
      changed.value += 1
      return changed
    }
  }()

  /// The rows with others in place of those that have their keys, or added to them.
  private static func table(with written: [Reading]) -> [Reading] {
    var table: [Int64: Reading] = [:]
    for row in rows + written { table[row.id ?? 0] = row }
    return table.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
  }

  /// 10,000 rows by key, in one write.
  static let update = Workload("update-10k", per: "row", count: 10_000, limit: 1.25) { stage in
    let changed = changed
    return [
      try Contestant(.c, "update", on: stage, rows: rows) { url in
        let database = try CDatabase(url)
        let statement = try CStatement(
          database, "UPDATE reading SET sensor = ?2, note = ?3, value = ?4, isValid = ?5, takenAt = ?6 WHERE id = ?1")
        return {
          try database.transaction { for row in changed { try row.run(statement) } }
          return []
        }
      },
      try Contestant(.daokit, "update", on: stage, rows: rows) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        return {
          try readings.update(changed)
          return []
        }
      },
      try Contestant(.grdb, "update", on: stage, rows: rows) { url in
        let pool = try DatabasePool(store: url)
        let records = changed.map(GRDBReading.init)
        return {
          try pool.write { database in for record in records { try record.update(database) } }
          return []
        }
      },
      try Contestant(.grdbCodable, "update", on: stage, rows: rows) { url in
        let pool = try DatabasePool(store: url)
        let records = changed.map(CodableReading.init)
        return {
          try pool.write { database in for record in records { try record.update(database) } }
          return []
        }
      },
    ]
  } expected: { _ in
    digest(returned: [], table: table(with: changed))
  }

  /// 10,000 rows by key, in one write: every other one is new. DAOKit finds out more than the others: which rows were new, which had other
  /// values and which were equal.
  static let upsert = Workload("upsert-10k", per: "row", count: 10_000, limit: 1.25) { stage in
    let mixed = zip(changed, Reading.samples(5_000, from: 20_001)).flatMap { [$0, $1] }
    return [
      try Contestant(.c, "upsert", on: stage, rows: rows) { url in
        let database = try CDatabase(url)
        let statement = try CStatement(
          database,
          """
          INSERT INTO reading (\(Reading.columns)) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET sensor = excluded.sensor, \
          note = excluded.note, value = excluded.value, isValid = excluded.isValid, takenAt = excluded.takenAt
          """)
        return {
          try database.transaction { for row in mixed { try row.run(statement) } }
          return mixed
        }
      },
      try Contestant(.daokit, "upsert", on: stage, rows: rows) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        return { try readings.save(mixed) }
      },
      try Contestant(.grdb, "upsert", on: stage, rows: rows, \.reading) { url in
        let pool = try DatabasePool(store: url)
        let records = mixed.map(GRDBReading.init)
        return {
          var upserted = records
          try pool.write { database in for index in upserted.indices { try upserted[index].upsert(database) } }
          return upserted
        }
      },
      try Contestant(.grdbCodable, "upsert", on: stage, rows: rows, \.reading) { url in
        let pool = try DatabasePool(store: url)
        let records = mixed.map(CodableReading.init)
        return {
          var upserted = records
          try pool.write { database in for index in upserted.indices { try upserted[index].upsert(database) } }
          return upserted
        }
      },
    ]
  } expected: { _ in
    let new = Reading.samples(5_000, from: 20_001)
    let mixed = zip(changed, new).flatMap { [$0, $1] }
    return digest(returned: mixed, table: table(with: mixed))
  }

  /// 10,000 rows by key, in one write.
  static let delete = Workload("delete-10k", per: "row", count: 10_000, limit: 1.25) { stage in
    let keys = changed.compactMap(\.id)
    return [
      try Contestant(.c, "delete", on: stage, rows: rows) { url in
        let database = try CDatabase(url)
        let statement = try CStatement(database, "DELETE FROM reading WHERE id = ?")
        return {
          try database.transaction {
            for key in keys {
              statement.bind(key, 1)
              try statement.run()
            }
          }
          return []
        }
      },
      try Contestant(.daokit, "delete", on: stage, rows: rows) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        return {
          try readings.delete(keys)
          return []
        }
      },
      try Contestant(.grdb, "delete", on: stage, rows: rows) { url in
        let pool = try DatabasePool(store: url)
        return {
          _ = try pool.write { try GRDBReading.deleteAll($0, keys: keys) }
          return []
        }
      },
    ]
  } expected: { _ in
    let keys = Set(changed.map(\.id))
    return digest(returned: [], table: rows.filter { !keys.contains($0.id) })
  }
}

extension Reading {
  /// Runs a statement with the values in the order of ``columns``.
  @inline(__always)
  fileprivate func run(_ statement: CStatement) throws {
    bind(to: statement)
    try statement.run()
  }
}
