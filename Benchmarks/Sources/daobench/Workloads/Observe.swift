import DAOKit
import Dispatch
import Foundation
import GRDB

// What live queries of other rows cost a commit of one row. A commit has decided about all of them when it returns. The row `c` is the same
// commits of DAOKit without any. GRDB's observations have yet to run their queries again when a write returns, and that is not timed.
extension Workload {
  /// 100 that show the rows of a sensor each.
  static let observe = observe("observe", lists: 100, grdb: true) { number in
    .where(\.sensor == "another sensor \(number)")
  }

  /// 10,000 of the same kind.
  static let observeMany = observe("observe (10,000 lists)", lists: 10_000) { number in
    .where(\.sensor == "another sensor \(number)")
  }

  /// 100 that show the rows of a range each.
  static let observeRanges = observe("observe (ranges)", lists: 100) { number in
    .where(\.value > 1_000_000 + Double(number) && \.value < 1_000_001 + Double(number))
  }

  private static func observe(
    _ name: String, lists count: Int, grdb: Bool = false, _ criteria: @escaping @Sendable (Int) -> SearchCriteria<Reading>
  ) -> Workload {
    Workload(name, per: "write", count: 1_000, quickCount: 100, limit: 1.2) { stage in
      let rows = Reading.newSamples(stage.isQuick ? 100 : 1_000)
      var contestants = [
        try Contestant(.c, name, on: stage) { url in
          let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
          return { try rows.map { try readings.insert($0) } }
        },
        try contestant(name, on: stage, (0..<count).map(criteria), rows),
      ]
      if grdb {
        contestants.append(
          try Contestant(.grdb, name, on: stage, \.reading) { url in
            let pool = try DatabasePool(store: url)
            let records = rows.map(GRDBReading.init)
            let observers = (0..<count).map { number in
              ValueObservation.tracking { database in
                try GRDBReading.filter(sql: "sensor = ?", arguments: ["another sensor \(number)"]).fetchAll(database)
              }.start(in: pool, scheduling: .async(onQueue: .global())) { _ in
              } onChange: { _ in
              }
            }
            return {
              defer { withExtendedLifetime(observers) {} }
              return try records.map { record in try pool.write { try record.inserted($0) } }
            }
          })
      }
      return contestants
    } expected: { stage in
      let rows = Reading.samples(stage.isQuick ? 100 : 1_000)
      return digest(returned: rows, table: rows)
    }
  }

  private static func contestant(
    _ name: String, on stage: Stage, _ criteria: [SearchCriteria<Reading>], _ rows: [Reading]
  ) throws -> Contestant {
    let ground = try Ground(stage, name, .daokit, rows: [])
    let readings = try DAOFactory(store: .file(ground.url), entities: Reading.self).runtimeDAO(Reading.self)
    let lists = Lists()
    return Contestant(
      .daokit,
      prepare: {
        // What restores the rows is another process to the store: its lists would be read again.
        lists.end()
        try ground.restore()
        lists.begin(readings, criteria)
      },
      work: { _ in try rows.map { try readings.insert($0) } },
      digest: { returned in daobench.digest(returned: returned, table: try ground.readings()) })
  }
}

/// Loops over live queries.
private final class Lists: @unchecked Sendable {
  private var tasks: [Task<Void, any Error>] = []
  private let running = DispatchGroup()

  /// Waits until all of them have their first result.
  func begin(_ readings: RuntimeDAO<Reading>, _ criteria: [SearchCriteria<Reading>]) {
    let ready = DispatchGroup()
    tasks = criteria.map { criteria in
      ready.enter()
      running.enter()
      return Task { [running] in
        defer { running.leave() }
        var isFirst = true
        for try await _ in readings.observe(criteria) {
          if isFirst { ready.leave() }
          isFirst = false
        }
      }
    }
    ready.wait()
  }

  /// Waits until all of them have ended.
  func end() {
    for task in tasks { task.cancel() }
    running.wait()
  }
}
