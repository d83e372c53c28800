import DAOKit
import GRDB

extension Workload {
  /// All of 100,000 rows with six columns.
  static let fetchAll = Workload("fetch-100k", per: "row", count: 100_000, limit: 1.10) { stage in
    let url = try stage.readings()
    let database = try CDatabase(url, isReadOnly: true)
    let statement = try CStatement(database, "SELECT \(Reading.columns) FROM reading")
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) {
        try statement.readings()
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try readings.findAll()
      } digest: {
        digest($0)
      },
      Contestant(.grdb) {
        try pool.read { try GRDBReading.fetchAll($0) }
      } digest: {
        digest($0.lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        try pool.read { try CodableReading.fetchAll($0) }
      } digest: {
        digest($0.lazy.map(\.reading))
      },
    ]
  } expected: { _ in
    digest(Reading.samples(100_000))
  }

  /// All of 16,000 rows with fourteen columns, half of them text.
  static let fetchWide = wide("fetch-wide")

  /// The same after all other workloads, with an allocator that returns freed memory to the system: each lap gets its own page by page.
  static let fetchWideInUsedHeap = wide("fetch-wide (used heap)") { MemoryWatch.keepNothing() }

  private static func wide(_ name: String, begin: @Sendable @escaping () -> Void = {}) -> Workload {
    Workload(name, per: "row", count: 16_000, limit: 1.10) { stage in
      begin()
      let url = try stage.readings()
      let database = try CDatabase(url, isReadOnly: true)
      let statement = try CStatement(database, "SELECT \(Shipment.columns) FROM shipment")
      let pool = try DatabasePool(store: url)
      let shipments = try DAOFactory(store: .file(url), entities: Shipment.self).runtimeDAO(Shipment.self)
      return [
        Contestant(.c) {
          try statement.shipments()
        } digest: {
          digest($0)
        },
        Contestant(.daokit) {
          try shipments.findAll()
        } digest: {
          digest($0)
        },
        Contestant(.grdb) {
          try pool.read { try GRDBShipment.fetchAll($0) }
        } digest: {
          digest($0.lazy.map(\.shipment))
        },
        Contestant(.grdbCodable) {
          try pool.read { try CodableShipment.fetchAll($0) }
        } digest: {
          digest($0.lazy.map(\.shipment))
        },
      ]
    } expected: { _ in
      digest(Shipment.samples(16_000))
    }
  }
}
