import DAOKit
import Foundation

/// Two versions of a seed of readings, and a store of the first that its user has worked with.
struct SeedVersions: Sendable {
  /// The newer seed: a hundredth of its rows was changed, added or deleted.
  let newer: URL
  /// A store of the older seed, with the base that its upgrade begins with.
  let folder: URL
  /// How many marks the newer seed adds, each about a reading that the user has deleted, so that none of them can be put.
  let markCount: Int
  private let rowCount: Int

  static let storeName = "store.sqlite"

  init(_ stage: Stage, markCount: Int = 0) throws {
    let rowCount = stage.isQuick ? 50_000 : 1_000_000
    (self.rowCount, self.markCount) = (rowCount, markCount)
    let suffix = markCount > 0 ? "-marked" : ""
    func seed(_ name: String, _ readings: [Reading], markCount: Int) throws -> URL {
      try stage.store(name + suffix) { database in
        try database.execute("CREATE INDEX reading_on_value ON reading (value)")
        try database.insert(readings)
        if suffix.isEmpty { return }
        try database.execute("CREATE TABLE mark (id INTEGER PRIMARY KEY, reading INTEGER NOT NULL REFERENCES reading (id))")
        try database.execute(
          "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(markCount)) "
            + "INSERT INTO mark SELECT n, n % \(rowCount / 10_000) * 10000 + 17 FROM i WHERE \(markCount) > 0")
      }
    }
    let samples = Reading.samples(rowCount)
    let older = try seed("seed-older", samples, markCount: 0)
    newer = try seed("seed-newer", Self.changedBySeed(samples), markCount: markCount)
    folder = stage.folder.appendingPathComponent("seed-store" + suffix)
    if FileManager.default.fileExists(atPath: folder.path) { return }
    for (version, url) in [(1, older), (2, newer)] {
      try CDatabase(url).execute("PRAGMA user_version = \(version); PRAGMA journal_mode = DELETE")
    }
    let store = folder.appendingPathComponent(Self.storeName)
    try DAOFactory(store: .file(store, seed: .file(older), policy: .upgrade(conflicts: .keepMine)), entities: Reading.self).close()
    let database = try CDatabase(store)
    try database.transaction {
      for statement in Self.edits { try database.execute(statement) }
    }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The base beside a copy of the folder.
  static func base(in folder: URL) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard let base = names.first(where: { $0.hasPrefix(storeName + ".base-") }) else { throw BenchmarkFailure("the store has no base") }
    return folder.appendingPathComponent(base)
  }

  /// What the seed does: of every thousand rows it changes eight and leaves one out, and it adds as many as it left out.
  private static func changedBySeed(_ samples: [Reading]) -> [Reading] {
    let kept = samples.filter { key($0) % 1000 != 999 }.map { sample in
      var changed = sample
      if key(sample) % 125 == 1 { (changed.value, changed.note) = (sample.value + 1, "corrected") }
      return changed
    }
    return kept + Reading.samples(samples.count / 1000, from: samples.count + 1)
  }

  /// What the user does: some rows that the seed changes or leaves out too, some that it does not, some deleted, some new.
  private static let edits = [
    "UPDATE reading SET note = 'mine' WHERE id % 10000 IN (1, 999, 7)", "DELETE FROM reading WHERE id % 10000 IN (126, 17)",
    """
    INSERT INTO reading (id, sensor, note, value, isValid, takenAt)
    SELECT id + (1 << 40), 'my sensor', 'mine', value, 1, NULL FROM reading WHERE id % 1000 = 3
    """,
  ]

  /// What the store holds after the upgrade, by key.
  var merged: [Reading] {
    let samples = Reading.samples(rowCount)
    let mine = samples.filter { Self.key($0) % 1000 == 3 }.map { sample in
      Reading(id: Self.key(sample) + 1 << 40, sensor: "my sensor", note: "mine", value: sample.value, isValid: true, takenAt: nil)
    }
    let (before, after) = (Self.byKey(samples), Self.byKey(Self.changedBySeed(samples)))
    let rows = (1...Int64(rowCount + rowCount / 1000)).compactMap { key -> Reading? in
      if [126, 17].contains(key % 10_000), key <= rowCount { return nil }
      guard [1, 999, 7].contains(key % 10_000), var edited = before[key] else { return after[key] }
      edited.note = "mine"
      return edited
    }
    return rows + mine
  }

  private static func byKey(_ readings: [Reading]) -> [Int64: Reading] {
    Dictionary(readings.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func key(_ reading: Reading) -> Int64 { reading.id ?? 0 }
}
