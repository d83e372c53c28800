import DAOKit
import Foundation
import GRDB

// How long it takes until a list shows a row that changes: from before the commit until the list is there. The row `c` is the query of the
// list, read afresh.
extension Workload {
  /// One row of a shown list of 100,000 changes, and is put somewhere else by it.
  static let observeHit = Workload("observe-hit", per: "commit", count: 20, limit: 0.02) { stage in
    let changes = hits()
    let byValue = SearchCriteria<Reading>.all.order(by: \.value, \.id)
    let fresh = try DAOFactory(store: .file(stage.readings()), entities: Reading.self).runtimeDAO(Reading.self)
    let readings = try DAOFactory(store: .file(hitStore(stage, "daokit")), entities: Reading.self).runtimeDAO(Reading.self)
    let lists = Shown<FetchedResults<Reading>>()
    let loop = Task { for try await list in readings.fetchedResults(byValue) { lists.show(list) } }
    let pool = try DatabasePool(store: hitStore(stage, "grdb"))
    let records = Shown<[GRDBReading]>()
    let observer = ValueObservation.tracking { try GRDBReading.order(sql: "value, id").fetchAll($0) }
      .start(in: pool, scheduling: .async(onQueue: .global())) { _ in
      } onChange: {
        records.show($0)
      }
    return [
      Contestant(.c) {
        var found: [Reading] = []
        for _ in changes { found = try fresh.findAll(byValue) }
        return found
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        withExtendedLifetime(loop) {}
        return try lists.lap(changes) { change in
          try readings.update(change)
        } isShown: { list, change in
          has(change, among: list.count) { list[$0] }
        } digest: {
          digest($0)
        }
      },
      Contestant(.grdb) {
        withExtendedLifetime(observer) {}
        return try records.lap(changes) { change in
          try pool.write { try GRDBReading(change).update($0) }
        } isShown: { records, change in
          has(change, among: records.count) { records[$0].reading }
        } digest: {
          digest($0.map(\.reading))
        }
      },
    ]
  } expected: { _ in
    digest(Reading.samples(100_000).sorted { ($0.value, $0.id ?? 0) < ($1.value, $1.id ?? 0) })
  }

  private static func hitStore(_ stage: Stage, _ name: String) throws -> URL {
    try stage.store("observe-hit \(name)") { database in
      try database.execute("CREATE INDEX reading_on_value ON reading (value)")
      try database.insert(Reading.samples(100_000))
    }
  }

  /// Ten rows with other values, and the same rows as they were.
  private static func hits() -> [Reading] {
    let samples = Reading.samples(100_000)
    let rows = (0..<10).map { samples[$0 * 9_973] }
    let changed = rows.enumerated().map { number, row in
      var row = row
      row.value = samples[number * 7_919 + 1].value
      return row
    }
    return changed + rows
  }
}

/// Whether a row is where it has to be, in the order of the list.
private func has(_ reading: Reading, among count: Int, _ row: (Int) -> Reading) -> Bool {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    let other = row(middle)
    if (other.value, other.id ?? 0) < (reading.value, reading.id ?? 0) { low = middle + 1 } else { high = middle }
  }
  return low < count && row(low).id == reading.id
}

/// The last result of an observation, which is waited for.
private final class Shown<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  // Guarded by the condition.
  private var last: Value?

  func show(_ value: Value) {
    condition.withLock {
      last = value
      condition.broadcast()
    }
  }

  /// The time of each commit until its row is shown, all together.
  func lap(
    _ changes: [Reading], write: (Reading) throws -> Void, isShown: (Value, Reading) -> Bool, digest: (Value) -> Int
  ) throws -> Lap {
    var seconds = 0.0
    for change in changes {
      let clock = ContinuousClock()
      let start = clock.now
      try write(change)
      condition.withLock { while last.map({ !isShown($0, change) }) ?? true { condition.wait() } }
      seconds += start.duration(to: clock.now) / .seconds(1)
    }
    return Lap(value: seconds, digest: condition.withLock { last.map(digest) ?? 0 })
  }
}
