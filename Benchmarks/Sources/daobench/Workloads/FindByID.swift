import DAOKit
import Foundation
import GRDB

extension Workload {
  /// 20,000 keys, scattered over 100,000 rows.
  private static let allKeys: [Int64] = {
    var random = Random(20)
    return (0..<20_000).map { _ in Int64(random.below(100_000) + 1) }
  }()

  private static let quickCount = 2_000

  private static func keys(_ stage: Stage) -> [Int64] { stage.isQuick ? Array(allKeys.prefix(quickCount)) : allKeys }

  /// The digest of the samples that have the keys.
  private static func found(_ stage: Stage) -> Int {
    let samples = Reading.samples(100_000)
    return digest(keys(stage).lazy.map { samples[Int($0) - 1] })
  }

  /// Single calls of `find(id)`.
  static let findByID = Workload("find-by-id", per: "call", count: allKeys.count, quickCount: quickCount, limit: 1.5) { stage in
    let keys = keys(stage)
    let url = try stage.readings()
    let c = try CFinder(url)
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) {
        try keys.map { try c.find($0) }
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try keys.map { try readings.find($0) }
      } digest: {
        digest($0)
      },
      Contestant(.grdb) {
        try keys.map { key in try pool.read { try GRDBReading.find($0, key: key) } }
      } digest: {
        digest($0.lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        try keys.map { key in try pool.read { try CodableReading.find($0, key: key) } }
      } digest: {
        digest($0.lazy.map(\.reading))
      },
    ]
  } expected: {
    found($0)
  }

  /// The same within one snapshot.
  static let findByIDInRead = Workload("find-by-id-in-read", per: "call", count: allKeys.count, quickCount: quickCount, limit: 1.25) {
    stage in
    let keys = keys(stage)
    let url = try stage.readings()
    let c = try CFinder(url)
    let pool = try DatabasePool(store: url)
    let factory = try DAOFactory(store: .file(url), entities: Reading.self)
    return [
      Contestant(.c) {
        try c.database.execute("BEGIN")
        let found = try keys.map { try c.find($0) }
        try c.database.execute("COMMIT")
        return found
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try factory.read { session in
          let readings = session.runtimeDAO(Reading.self)
          return try keys.map { try readings.find($0) }
        }
      } digest: {
        digest($0)
      },
      Contestant(.grdb) {
        try await pool.read { database in try keys.map { try GRDBReading.find(database, key: $0) } }
      } digest: {
        digest($0.lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        try await pool.read { database in try keys.map { try CodableReading.find(database, key: $0) } }
      } digest: {
        digest($0.lazy.map(\.reading))
      },
    ]
  } expected: {
    found($0)
  }

  /// The `async` twin, over synchronous calls of `c`.
  static let findByIDAsync = Workload("find-by-id-async", per: "call", count: allKeys.count, quickCount: quickCount, limit: 2.0) { stage in
    let keys = keys(stage)
    let url = try stage.readings()
    let c = try CFinder(url)
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) {
        try keys.map { try c.find($0) }
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        var found: [Reading] = []
        for key in keys { found.append(try await readings.find(key)) }
        return found
      } digest: {
        digest($0)
      },
      Contestant(.grdb) {
        var found: [GRDBReading] = []
        for key in keys { found.append(try await pool.read { try GRDBReading.find($0, key: key) }) }
        return found
      } digest: {
        digest($0.lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        var found: [CodableReading] = []
        for key in keys { found.append(try await pool.read { try CodableReading.find($0, key: key) }) }
        return found
      } digest: {
        digest($0.lazy.map(\.reading))
      },
    ]
  } expected: {
    found($0)
  }
}

/// Finds readings by their keys.
private final class CFinder {
  let database: CDatabase
  private let statement: CStatement

  init(_ url: URL) throws {
    database = try CDatabase(url, isReadOnly: true)
    statement = try CStatement(database, "SELECT \(Reading.columns) FROM reading WHERE id = ?")
  }

  func find(_ key: Int64) throws -> Reading {
    statement.bind(key, 1)
    defer { statement.reset() }
    guard try statement.step() else { throw BenchmarkFailure("there is no reading \(key)") }
    return Reading(statement)
  }
}
