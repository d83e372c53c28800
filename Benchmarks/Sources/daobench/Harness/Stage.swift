import CBenchSystem
import DAOKit
import Foundation

/// Where the workloads run: a folder of its own, with the databases that they share. It goes with the stage.
final class Stage: @unchecked Sendable {
  let folder: URL
  /// Whether fewer items do, for a quick look.
  let isQuick: Bool

  init(isQuick: Bool) throws {
    self.isQuick = isQuick
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("daobench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if bench_is_in_memory(folder.path) == 1 {
      Progress.say("WARNING \(folder.path) is in memory (tmpfs): nothing waits for a disk there; set TMPDIR")
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The store of this name, made on first use: DAOKit makes its tables, and `fill` its rows.
  func store(_ name: String, fill: (CDatabase) throws -> Void) throws -> URL {
    let url = folder.appendingPathComponent("\(name).sqlite")
    if FileManager.default.fileExists(atPath: url.path) { return url }
    do {
      _ = try DAOFactory(
        store: .file(url), entities: Reading.self, Shipment.self, Station.self, Probe.self, Depot.self, Delivery.self, Item.self)
      let database = try CDatabase(url)
      try database.transaction { try fill(database) }
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try database.execute("ANALYZE")
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    return url
  }

  /// 100,000 readings, with an index on their values, and 16,000 shipments.
  func readings() throws -> URL {
    try store("readings") { database in
      try database.execute("CREATE INDEX reading_on_value ON reading (value)")
      try database.insert(Reading.samples(100_000))
      try database.insert(Shipment.samples(16_000))
    }
  }
}
