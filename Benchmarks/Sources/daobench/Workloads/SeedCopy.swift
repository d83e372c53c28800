import CBenchSystem
import DAOKit
import Foundation

extension Workload {
  /// The first launch from a seed of 200 MB: the copy is checked, synced and put in place, and the store is open. A disk that others share
  /// takes twice as long for every fourth copy, so there are more rounds.
  static let seedCopy = Workload("seed-copy", per: "launch", count: 1, rounds: 15, limit: 1.15) { stage in
    let seed = try LargeStore(stage, megabytes: stage.isQuick ? 20 : 200)
    // As databases are shipped: a file in WAL mode can't be read where nothing may be written.
    try CDatabase(seed.url).execute("PRAGMA journal_mode = DELETE")
    return [
      try Contestant(.c, seed, on: stage) { try CDatabase(seed: seed.url, copiedTo: $0) },
      try Contestant(.daokit, seed, on: stage) { try DAOFactory(store: .file($0, seed: .file(seed.url)), entities: Reading.self) },
    ]
  } expected: { stage in
    digest(try LargeStore(stage, megabytes: stage.isQuick ? 20 : 200).samples)
  }
}

extension Contestant {
  /// A rival that makes a store from a seed.
  fileprivate init<Store>(_ rival: Rival, _ seed: LargeStore, on stage: Stage, launch: @escaping (URL) throws -> Store) throws {
    let folder = stage.folder.appendingPathComponent("launch-\(rival.rawValue)")
    let target = folder.appendingPathComponent("store.sqlite")
    self.init(rival) {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      settle(byteCount: 512 << 20)
      return target
    } work: { target in
      try launch(target)
    } digest: { _ in
      let database = try CDatabase(target, isReadOnly: true)
      return daobench.digest(try CStatement(database, "SELECT \(Reading.columns) FROM reading").readings())
    }
  }
}

extension CDatabase {
  /// Copies a seed into a temporary file, gives it its name once it is on the disk, opens it and has SQLite check it.
  fileprivate convenience init(seed: URL, copiedTo target: URL) throws {
    let incoming = target.appendingPathExtension("incoming")
    guard bench_copy(seed.path, incoming.path) == 0, rename(incoming.path, target.path) == 0,
      bench_sync(target.deletingLastPathComponent().path) == 0
    else { throw BenchmarkFailure("\(seed.path) can't be copied: \(String(cString: strerror(errno)))") }
    try self.init(target)
    let check = try CStatement(self, "PRAGMA quick_check(1)")
    guard try check.step(), check.text(0) == "ok" else { throw BenchmarkFailure("\(target.path) is not sound") }
  }
}
