import DAOKit
import Foundation
import GRDB

extension Workload {
  /// 50,000 new rows in one write; they come back with their keys.
  static let insert = Workload("insert-50k", per: "row", count: 50_000, limit: 1.15) { stage in
    let rows = Reading.newSamples(50_000)
    return [
      try Contestant(.c, "insert", on: stage) { url in
        let c = try CInserter(url)
        return { try c.database.transaction { try c.insert(rows) } }
      },
      try Contestant(.daokit, "insert", on: stage) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        return { try readings.insert(rows) }
      },
      try Contestant(.grdb, "insert", on: stage, \.reading) { url in
        let pool = try DatabasePool(store: url)
        let records = rows.map(GRDBReading.init)
        return { try pool.write { database in try records.map { try $0.inserted(database) } } }
      },
      try Contestant(.grdbCodable, "insert", on: stage, \.reading) { url in
        let pool = try DatabasePool(store: url)
        let records = rows.map(CodableReading.init)
        return { try pool.write { database in try records.map { try $0.inserted(database) } } }
      },
    ]
  } expected: { _ in
    let rows = Reading.samples(50_000)
    return digest(returned: rows, table: rows)
  }

  /// 2,000 new rows, each in a write of its own that waits for the disk.
  static let writeOne = Workload("write-one", per: "write", count: 2_000, quickCount: 100, limit: 1.2) { stage in
    let rows = Reading.newSamples(stage.isQuick ? 100 : 2_000)
    return [
      try Contestant(.c, "write-one", on: stage) { url in
        let c = try CInserter(url)
        return { try rows.map { try c.insert($0) } }
      },
      try Contestant(.daokit, "write-one", on: stage) { url in
        let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
        return { try rows.map { try readings.insert($0) } }
      },
      try Contestant(.grdb, "write-one", on: stage, \.reading) { url in
        let pool = try DatabasePool(store: url)
        let records = rows.map(GRDBReading.init)
        return { try records.map { record in try pool.write { try record.inserted($0) } } }
      },
      try Contestant(.grdbCodable, "write-one", on: stage, \.reading) { url in
        let pool = try DatabasePool(store: url)
        let records = rows.map(CodableReading.init)
        return { try records.map { record in try pool.write { try record.inserted($0) } } }
      },
    ]
  } expected: { stage in
    let rows = Reading.samples(stage.isQuick ? 100 : 2_000)
    return digest(returned: rows, table: rows)
  }
}

/// Inserts readings, and takes over the keys that SQLite gave them.
private final class CInserter {
  let database: CDatabase
  private let statement: CStatement

  init(_ url: URL) throws {
    database = try CDatabase(url)
    statement = try CStatement(
      database, "INSERT INTO reading (sensor, note, value, isValid, takenAt) VALUES (?, ?, ?, ?, ?)")
  }

  func insert(_ readings: [Reading]) throws -> [Reading] {
    var inserted = readings
    for index in inserted.indices { try insert(&inserted[index]) }
    return inserted
  }

  func insert(_ reading: Reading) throws -> Reading {
    var inserted = reading
    try insert(&inserted)
    return inserted
  }

  @inline(__always)
  private func insert(_ reading: inout Reading) throws {
    statement.bind(reading.sensor, 1)
    statement.bind(reading.note, 2)
    statement.bind(reading.value, 3)
    statement.bind(reading.isValid ? 1 : 0 as Int64, 4)
    statement.bind(reading.takenAt, 5)
    try statement.run()
    reading.id = database.lastInsertedKey
  }
}
