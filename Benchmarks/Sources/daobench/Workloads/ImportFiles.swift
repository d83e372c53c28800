import DAOImport
import DAOKit
import Foundation

extension Workload {
  /// 100,000 deliveries from CSV. c: the `.import` of the `sqlite3` shell, with its start.
  static let importCSV = Workload("import-csv", per: "record", count: 100_000, quickCount: 10_000, rounds: 5, limit: 1.5) { stage in
    let feed = DeliveryFeed(stage.isQuick ? 10_000 : 100_000)
    let url = stage.folder.appendingPathComponent("deliveries.csv")
    try feed.csv.write(to: url)
    func contestant(_ rival: Rival, open: (URL) throws -> () throws -> Void) throws -> Contestant {
      let store = try stage.store("import-csv-\(rival.rawValue)") { database in try database.insertDepots() }
      let database = try CDatabase(store)
      let work = try open(store)
      return Contestant(rival) {
        try database.execute("DELETE FROM delivery")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        settle(byteCount: 64 << 20)
      } work: {
        try work()
      } digest: { _ in
        try database.digestOfDeliveries(withItems: false)
      }
    }
    return [
      try contestant(.c) { store in
        {
          // The shell has no way to make an empty cell null.
          let shell = Process()
          shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
          shell.arguments = [
            "sqlite3", store.path, "PRAGMA foreign_keys = ON", ".import --csv --skip 1 \(url.path) delivery",
            "UPDATE delivery SET note = NULL WHERE note = ''",
          ]
          try shell.run()
          shell.waitUntilExit()
          guard shell.terminationStatus == 0 else { throw BenchmarkFailure("sqlite3 ended with \(shell.terminationStatus)") }
        }
      },
      try contestant(.daokit) { store in
        let deliveries = try DAOFactory(store: .file(store), entities: Delivery.self, Depot.self, Item.self).runtimeDAO(Delivery.self)
        return { try deliveries.import(.csv(url)) }
      },
    ]
  } expected: { stage in
    DeliveryFeed(stage.isQuick ? 10_000 : 100_000).digest(withItems: false)
  }

  /// By how much a file of 1 GB of JSON lines makes resident memory grow, in MB. Most of its records are the same rows again, so that the
  /// store stays small. c reads the file and keeps nothing.
  static let importLines = Workload("import-lines (memory)", unit: "MB", rounds: 1, limit: .value(32)) { stage in
    let url = stage.folder.appendingPathComponent("deliveries.jsonl")
    let feed = DeliveryFeed(20_000)
    let lines = Data(feed.samples.map { DeliveryFeed.record($0) + "\n" }.joined().utf8)
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    for _ in 0..<((stage.isQuick ? 20_000_000 : 1_000_000_000) / lines.count + 1) { try file.write(contentsOf: lines) }
    try file.close()
    func contestant(_ rival: Rival) throws -> Contestant {
      let store = try stage.store("import-lines-\(rival.rawValue)") { _ in }
      let database = try CDatabase(store)
      let deliveries = try DAOFactory(store: .file(store), entities: Delivery.self, Depot.self, Item.self).runtimeDAO(Delivery.self)
      return Contestant(rival) {
        if rival == .c, try database.digestOfDeliveries() == feed.digest() { return Lap(value: 1, digest: feed.digest()) }
        MemoryWatch.giveBack()
        var watch = MemoryWatch()
        for try await _ in deliveries.importing(.jsonLines(url), options: ImportOptions(batch: 1_000)) { watch.look() }
        return Lap(value: Double(watch.growth) / 1_000_000, digest: try database.digestOfDeliveries())
      }
    }
    return [try contestant(.c), try contestant(.daokit)]
  } expected: { _ in
    DeliveryFeed(20_000).digest()
  }
}

extension CDatabase {
  fileprivate func insertDepots() throws {
    let depot = try CStatement(self, "INSERT INTO depot (code, city) VALUES (?, ?)")
    for own in DeliveryFeed.depots {
      depot.bind(own.code, 1)
      depot.bind(own.city, 2)
      try depot.run()
    }
  }
}
