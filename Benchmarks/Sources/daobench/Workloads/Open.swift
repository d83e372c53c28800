import DAOKit
import Foundation
import GRDB

extension Workload {
  private static let opens = 50

  /// Opens a store of 200 MB, finds one row and closes it. DAOKit checks that the store fits the entities; `c` does not.
  static let open = Workload("open", per: "open", count: opens, limit: 3) { stage in
    let store = try LargeStore(stage, megabytes: stage.isQuick ? 20 : 200)
    return [
      Contestant(.c) {
        try (0..<opens).map { try store.findByC($0) }
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try (0..<opens).map { try store.findByDAOKit($0) }
      } digest: {
        digest($0)
      },
      Contestant(.grdb) {
        try (0..<opens).map { try store.findByGRDB($0) }
      } digest: {
        digest($0)
      },
    ]
  } expected: { stage in
    let store = try LargeStore(stage, megabytes: stage.isQuick ? 20 : 200)
    let samples = store.samples
    return digest((0..<opens).map { samples[Int(store.key($0)) - 1] })
  }

  /// What opening 200 MB takes over what opening 10 MB takes: 1 where the time does not grow with the file.
  static let openOverSmall = Workload("open (over 10 MB)", unit: "× 10 MB", limit: .value(1.2)) { stage in
    let large = try LargeStore(stage, megabytes: stage.isQuick ? 20 : 200)
    let small = try LargeStore(stage, megabytes: 10)
    return [
      Contestant(.c) { try await largeOverSmall(large, small) { try $0.findByC($1) } },
      Contestant(.daokit) { try await largeOverSmall(large, small) { try $0.findByDAOKit($1) } },
      Contestant(.grdb) { try await largeOverSmall(large, small) { try $0.findByGRDB($1) } },
    ]
  } expected: { stage in
    let stores = [try LargeStore(stage, megabytes: 10), try LargeStore(stage, megabytes: stage.isQuick ? 20 : 200)]
    let samples = stores.map(\.samples)
    return digest((0..<opens).flatMap { number in zip(stores, samples).map { $1[Int($0.key(number)) - 1] } })
  }

  private static func largeOverSmall(
    _ large: LargeStore, _ small: LargeStore, _ find: (LargeStore, Int) throws -> Reading
  ) async throws -> Lap {
    var found: [Reading] = []
    var seconds = (large: 0.0, small: 0.0)
    for number in 0..<opens {
      let inSmall = try await timed { try find(small, number) }
      let inLarge = try await timed { try find(large, number) }
      found += [inSmall.output, inLarge.output]
      seconds.small += inSmall.seconds
      seconds.large += inLarge.seconds
    }
    return Lap(value: seconds.large / seconds.small, digest: digest(found))
  }
}

extension LargeStore {
  fileprivate func findByC(_ number: Int) throws -> Reading {
    let database = try CDatabase(url)
    let statement = try CStatement(database, "SELECT \(Reading.columns) FROM reading WHERE id = ?")
    statement.bind(key(number), 1)
    guard try statement.step() else { throw BenchmarkFailure("there is no reading \(key(number))") }
    return Reading(statement)
  }

  fileprivate func findByDAOKit(_ number: Int) throws -> Reading {
    try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self).find(key(number))
  }

  fileprivate func findByGRDB(_ number: Int) throws -> Reading {
    // A pool would write at each opening.
    let queue = try DatabaseQueue(path: url.path)
    let found = try queue.read { try GRDBReading.find($0, key: key(number)) }
    try queue.close()
    return found.reading
  }
}
