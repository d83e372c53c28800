import DAOSQL
import Foundation

extension BootstrapReport {
  /// The report of a store that has a file of its own.
  init(
    _ outcome: Outcome, _ state: StoreState, from seed: Seed?, _ migration: Migration.Report? = nil, at paths: StorePaths,
    backups: [URL] = [], erased: [URL] = [], since start: ContinuousClock.Instant
  ) throws {
    self.init(
      outcome: outcome, store: URL(fileURLWithPath: paths.store), seed: seed?.path, seedSize: seed?.totalSize,
      storeSize: try Files.status(paths.store)?.size, seedVersion: seed.map { state.stamp?.version ?? $0.header.userVersion },
      storeVersion: state.version, backups: backups, erased: erased, migration: migration, duration: .now - start)
  }

  /// The report of a store in memory.
  init(
    inMemory outcome: Outcome, _ state: StoreState, from seed: Seed?, _ migration: Migration.Report? = nil,
    since start: ContinuousClock.Instant
  ) {
    self.init(
      outcome: outcome, store: nil, seed: seed?.path, seedSize: seed?.totalSize, storeSize: nil,
      seedVersion: seed.map { _ in state.version }, storeVersion: state.version, backups: [], erased: [], migration: migration,
      duration: .now - start)
  }

  /// The report of a seed that is used where it lies.
  init(inPlace seed: Seed, _ state: StoreState, since start: ContinuousClock.Instant) {
    self.init(
      outcome: .inPlace, store: URL(fileURLWithPath: seed.path), seed: seed.path, seedSize: seed.totalSize, storeSize: seed.size,
      seedVersion: state.version, storeVersion: state.version, backups: [], erased: [], migration: nil, duration: .now - start)
  }
}

extension BootstrapReport.Outcome {
  /// The store stays, since it was made from this seed.
  static func reused(_ stamp: SeedStamp?, shipped seed: Seed?, policy: SeedPolicy) -> Self {
    guard let stamp else { return .reused(reason: "it is there, and was not made from a seed") }
    let date = Date(timeIntervalSince1970: Double(stamp.copiedAt) / 1000).formatted(.iso8601)
    let made = "made from \(stamp.name), version \(stamp.version), on \(date)"
    guard policy.looksAtSeed else { return .reused(reason: "it is there, \(made); the shipped seed is not looked at") }
    guard let seed else { return .reused(reason: "it was \(made), and no seed is shipped") }
    return .reused(
      reason: seed.fingerprint == stamp.fingerprint
        ? "it was \(made), which is the shipped seed"
        : "it was \(made), and the shipped seed is of version \(seed.header.userVersion), which is earlier")
  }

  /// The store was replaced, since it was made from this seed.
  static func replaced(_ stamp: SeedStamp?) -> Self {
    .replaced(
      reason: stamp.map { "it was made from \($0.name), version \($0.version), which is another seed" }
        ?? "it does not say which seed it was made from")
  }
}
