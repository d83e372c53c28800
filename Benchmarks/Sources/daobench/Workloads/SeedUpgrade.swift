import CBenchSystem
import DAOKit
import Foundation

extension Workload {
  /// A newer seed of a million rows, of which a hundredth differs, is merged into a store that its user has worked with, and the store
  /// opened. Both sides copy the seed beside the store as the next base, check it and sync it; c knows its one table.
  static let seedUpgrade = seedUpgrade("seed-upgrade", markCount: 0)

  /// The same, and the seed adds 100,000 rows of another table that have to stay out, since they reference what the user has deleted.
  static let seedUpgradeHeldBack = seedUpgrade("seed-upgrade (100,000 held back)", markCount: 100_000)

  private static func seedUpgrade(_ name: String, markCount: Int) -> Workload {
    Workload(name, per: "upgrade", count: 1, limit: 1.3) { stage in
      let versions = try SeedVersions(stage, markCount: markCount)
      return [
        Contestant(.c, versions, on: stage) { try CDatabase(merging: versions.newer, into: $0, withMarks: markCount > 0) },
        Contestant(.daokit, versions, on: stage) {
          try DAOFactory(store: .file($0, seed: .file(versions.newer), policy: .upgrade(conflicts: .keepMine)), entities: Reading.self)
        },
      ]
    } expected: { stage in
      digest(try SeedVersions(stage, markCount: markCount).merged)
    }
  }

  /// What a launch that looks at its seed of 200 MB, and finds it unchanged, takes over what one with a seed of 10 MB takes: 1 where the
  /// time does not grow with the seed.
  static let seedUnchanged = Workload("seed-upgrade (unchanged, over 10 MB)", unit: "× 10 MB", limit: .value(1.2)) { stage in
    let large = try LaunchedStore(stage, megabytes: stage.isQuick ? 20 : 200)
    let small = try LaunchedStore(stage, megabytes: 10)
    return [
      Contestant(.c) { try await ratio(large, small) { try $0.launchByC($1) } },
      Contestant(.daokit) { try await ratio(large, small) { try $0.launchByDAOKit($1) } },
    ]
  } expected: { stage in
    let stores = [try LaunchedStore(stage, megabytes: 10), try LaunchedStore(stage, megabytes: stage.isQuick ? 20 : 200)]
    let samples = stores.map(\.seed.samples)
    return digest((0..<LaunchedStore.launches).flatMap { number in zip(stores, samples).map { $1[Int($0.seed.key(number)) - 1] } })
  }

  private static func ratio(
    _ large: LaunchedStore, _ small: LaunchedStore, _ launch: (LaunchedStore, Int) throws -> Reading
  ) async throws -> Lap {
    var found: [Reading] = []
    var seconds = (large: 0.0, small: 0.0)
    for number in 0..<LaunchedStore.launches {
      let inSmall = try await timed { try launch(small, number) }
      let inLarge = try await timed { try launch(large, number) }
      found += [inSmall.output, inLarge.output]
      seconds.small += inSmall.seconds
      seconds.large += inLarge.seconds
    }
    return Lap(value: seconds.large / seconds.small, digest: digest(found))
  }
}

extension Contestant {
  /// A rival that upgrades a store, which is as its user left it before each lap.
  fileprivate init<Store>(_ rival: Rival, _ versions: SeedVersions, on stage: Stage, upgrade: @escaping (URL) throws -> Store) {
    let folder = stage.folder.appendingPathComponent("upgrade-\(rival.rawValue)")
    let store = folder.appendingPathComponent(SeedVersions.storeName)
    self.init(rival) {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.copyItem(at: versions.folder, to: folder)
      settle(byteCount: 256 << 20)
    } work: { _ in
      try upgrade(store)
    } digest: { _ in
      let database = try CDatabase(store, isReadOnly: true)
      if versions.markCount > 0 {
        guard try !CStatement(database, "SELECT 1 FROM mark").step() else { throw BenchmarkFailure("a mark has no reading") }
      }
      return daobench.digest(try CStatement(database, "SELECT \(Reading.columns) FROM reading ORDER BY id").readings())
    }
  }
}

extension CDatabase {
  /// Merges a newer seed into a store, as one would write it by hand for this table.
  fileprivate convenience init(merging seed: URL, into store: URL, withMarks: Bool) throws {
    let folder = store.deletingLastPathComponent()
    let base = try SeedVersions.base(in: folder)
    let (incoming, next) = (folder.appendingPathComponent("incoming"), folder.appendingPathComponent("next"))
    guard bench_copy(seed.path, incoming.path) == 0 else { throw BenchmarkFailure("\(seed.path) can't be copied") }
    do {
      let copy = try CDatabase(incoming, isReadOnly: true)
      let check = try CStatement(copy, "PRAGMA quick_check(1)")
      guard try check.step(), check.text(0) == "ok" else { throw BenchmarkFailure("\(seed.path) is not sound") }
    }
    guard rename(incoming.path, next.path) == 0, bench_sync(folder.path) == 0 else { throw BenchmarkFailure("\(next.path) can't be made") }
    try self.init(store)
    try execute("ATTACH '\(base.path)' AS base; ATTACH '\(next.path)' AS seed")
    func row(_ alias: String) -> String { "(\(alias).sensor, \(alias).note, \(alias).value, \(alias).isValid, \(alias).takenAt)" }
    try transaction {
      try execute(
        """
        CREATE TEMP TABLE change AS SELECT s.*, b.id AS old FROM seed.reading AS s LEFT JOIN base.reading AS b ON b.id = s.id
        WHERE b.id IS NULL OR \(row("s")) IS NOT \(row("b"))
        """)
      try execute(
        """
        UPDATE main.reading AS m SET (sensor, note, value, isValid, takenAt) = \(row("s"))
        FROM temp.change AS s CROSS JOIN base.reading AS b ON b.id = s.id WHERE m.id = s.id AND \(row("m")) IS \(row("b"))
        """)
      try execute(
        """
        DELETE FROM main.reading WHERE id IN (
          SELECT b.id FROM base.reading AS b CROSS JOIN main.reading AS m ON m.id = b.id
          WHERE NOT EXISTS (SELECT 1 FROM seed.reading AS s WHERE s.id = b.id) AND \(row("m")) IS \(row("b")))
        """)
      try execute(
        """
        INSERT INTO main.reading (\(Reading.columns)) SELECT \(Reading.columns) FROM temp.change WHERE old IS NULL
        ON CONFLICT (id) DO NOTHING
        """)
      if withMarks {
        try execute(
          """
          INSERT INTO main.mark SELECT s.* FROM seed.mark AS s LEFT JOIN base.mark AS b ON b.id = s.id
          WHERE b.id IS NULL AND EXISTS (SELECT 1 FROM main.reading AS r WHERE r.id = s.reading) ON CONFLICT (id) DO NOTHING
          """)
      }
      guard try !CStatement(self, "PRAGMA main.foreign_key_check").step() else { throw BenchmarkFailure("a reference has no row") }
    }
    try execute("DETACH base; DETACH seed")
    unlink(base.path)
  }
}

/// A store that was made from a seed, and is launched again with it.
private struct LaunchedStore {
  static let launches = 50

  let seed: LargeStore
  private let store: URL

  init(_ stage: Stage, megabytes: Int) throws {
    seed = try LargeStore(stage, megabytes: megabytes)
    store = stage.folder.appendingPathComponent("launched-\(megabytes)/store.sqlite")
    if FileManager.default.fileExists(atPath: store.path) { return }
    try CDatabase(seed.url).execute("PRAGMA journal_mode = DELETE")
    try factory().close()
  }

  private func factory() throws -> DAOFactory {
    try DAOFactory(store: .file(store, seed: .file(seed.url), policy: .upgrade(conflicts: .keepMine)), entities: Reading.self)
  }

  func launchByDAOKit(_ number: Int) throws -> Reading { try factory().runtimeDAO(Reading.self).find(seed.key(number)) }

  func launchByC(_ number: Int) throws -> Reading {
    let statement = try CStatement(try CDatabase(store), "SELECT \(Reading.columns) FROM reading WHERE id = ?")
    statement.bind(seed.key(number), 1)
    guard try statement.step() else { throw BenchmarkFailure("there is no reading \(seed.key(number))") }
    return Reading(statement)
  }
}
