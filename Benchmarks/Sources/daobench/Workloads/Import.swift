import DAOImport
import DAOKit
import Foundation

// Feeds of 100,000 deliveries, each with a depot and two items. What c does beside the parser of Foundation has the rows ready.
extension Workload {
  /// New rows. c: `JSONSerialization` of the file, and one INSERT for each row.
  static let importNew = imports("import-100k", isThere: false)

  /// Rows that are there. c: `JSONSerialization`, and `INSERT … ON CONFLICT DO UPDATE … WHERE` for each row.
  static let importUnchanged = imports("import-100k (unchanged)", isThere: true)

  /// The same, where one row of a hundred has another weight.
  static let importChanged = imports("import-100k (1 % changed)", isThere: true, changed: true)

  /// The time of rows that are there, over the time of new ones.
  static let importUnchangedOverNew = ratio(
    "import-100k (unchanged, over new)", limit: 1,
    (isThere: true, mapping: ImportMapping()), (isThere: false, mapping: ImportMapping()))

  /// The time of new rows whose identity is a unique number, over the time of those whose identity is the key.
  static let importUnique = ratio(
    "import-100k (unique number, over key)", limit: 1.3, (isThere: false, mapping: byNumber), (isThere: false, mapping: ImportMapping()))

  private static let (count, quickCount) = (100_000, 10_000)

  private static var byNumber: ImportMapping<Delivery> {
    var mapping = ImportMapping<Delivery>()
    mapping.identity = ["number"]
    return mapping
  }

  private static func imports(_ name: String, isThere: Bool, changed: Bool = false) -> Workload {
    Workload(name, per: "record", count: count, quickCount: quickCount, rounds: 5, limit: 1.5) { stage in
      let size = stage.isQuick ? quickCount : count
      let (before, feed) = (isThere ? DeliveryFeed(size) : nil, DeliveryFeed(size, changed: changed))
      let url = stage.folder.appendingPathComponent("deliveries \(feed.samples[99].weight).json")
      try feed.json.write(to: url)
      return [
        try Contestant(.c, name, before, on: stage) { store in
          let database = try CDatabase(store)
          return {
            guard let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [Any] else { return 0 }
            try database.transaction { try database.insert(feed, updating: before != nil) }
            return parsed.count
          }
        },
        try Contestant(.daokit, name, before, on: stage) { store in
          let deliveries = try DAOFactory(store: .file(store), entities: Delivery.self, Depot.self, Item.self).runtimeDAO(Delivery.self)
          return { try deliveries.import(.json(url)).records }
        },
      ]
    } expected: { stage in
      DeliveryFeed(stage.isQuick ? quickCount : count, changed: changed).digest()
    }
  }

  /// Two imports of the same feed, one over the other: DAOKit's alone.
  private static func ratio(
    _ name: String, limit: Double, _ above: (isThere: Bool, mapping: ImportMapping<Delivery>),
    _ below: (isThere: Bool, mapping: ImportMapping<Delivery>)
  ) -> Workload {
    Workload(name, unit: "× the other", limit: .value(limit)) { stage in
      let feed = DeliveryFeed(stage.isQuick ? quickCount : count)
      let json = feed.json
      func contestant(_ rival: Rival) throws -> Contestant {
        let (first, second) = (
          try DeliveryGround(stage, "\(name)-\(rival.rawValue)-1", above.isThere ? feed : nil),
          try DeliveryGround(stage, "\(name)-\(rival.rawValue)-2", below.isThere ? feed : nil)
        )
        func deliveries(_ ground: DeliveryGround) throws -> RuntimeDAO<Delivery> {
          try DAOFactory(store: .file(ground.url), entities: Delivery.self, Depot.self, Item.self).runtimeDAO(Delivery.self)
        }
        let (over, under) = (try deliveries(first), try deliveries(second))
        func imported(_ dao: RuntimeDAO<Delivery>, _ mapping: ImportMapping<Delivery>) throws { try dao.import(.json(json), mapping) }
        return Contestant(rival) {
          try first.restore()
          try second.restore()
          let low = try await timed { try imported(under, below.mapping) }.seconds
          let high = try await timed { try imported(over, above.mapping) }.seconds
          return Lap(value: high / low, digest: try first.database.digestOfDeliveries())
        }
      }
      return [try contestant(.c), try contestant(.daokit)]
    } expected: { stage in
      DeliveryFeed(stage.isQuick ? quickCount : count).digest()
    }
  }
}

/// A store for deliveries, which is in the same state before each lap.
private final class DeliveryGround {
  let url: URL
  let database: CDatabase
  private let before: DeliveryFeed?

  init(_ stage: Stage, _ name: String, _ before: DeliveryFeed?) throws {
    url = try stage.store(name) { _ in }
    database = try CDatabase(url)
    self.before = before
  }

  func restore() throws {
    try database.transaction {
      for table in ["item", "delivery", "depot"] { try database.execute("DELETE FROM \(table)") }
      if let before { try database.insert(before, updating: false) }
    }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    settle(byteCount: 128 << 20)
  }
}

extension Contestant {
  fileprivate init(_ rival: Rival, _ name: String, _ before: DeliveryFeed?, on stage: Stage, open: (URL) throws -> () throws -> Int) throws
  {
    let ground = try DeliveryGround(stage, "\(name)-\(rival.rawValue)", before)
    let work = try open(ground.url)
    self.init(rival, prepare: ground.restore) {
      try work()
    } digest: { count in
      guard count > 0 else { throw BenchmarkFailure("\(rival.rawValue) read no records") }
      return try ground.database.digestOfDeliveries()
    }
  }
}

extension CDatabase {
  /// Writes the rows of a feed, one statement for each.
  fileprivate func insert(_ feed: DeliveryFeed, updating: Bool) throws {
    func statement(_ table: String, _ columns: [String], key: String) throws -> CStatement {
      var sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
      if updating {
        let others = columns.filter { $0 != key }
        sql += " ON CONFLICT (\(key)) DO UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
        sql += " WHERE \(others.map { "\($0) IS NOT excluded.\($0)" }.joined(separator: " OR "))"
      }
      return try CStatement(self, sql)
    }
    let depot = try statement("depot", ["code", "city"], key: "code")
    let delivery = try statement("delivery", ["id", "number", "recipient", "note", "weight", "sent", "depot"], key: "id")
    let item = try statement("item", ["id", "delivery", "article", "pieces"], key: "id")
    var known: Set<Int> = []
    for sample in feed.samples {
      if known.insert(sample.depot).inserted {
        depot.bind(DeliveryFeed.depots[sample.depot].code, 1)
        depot.bind(DeliveryFeed.depots[sample.depot].city, 2)
        try depot.step(resetting: true)
      }
      delivery.bind(sample.id, 1)
      delivery.bind(sample.number, 2)
      delivery.bind(sample.recipient, 3)
      delivery.bind(sample.note, 4)
      delivery.bind(sample.weight, 5)
      delivery.bind(Int64(sample.sent), 6)
      delivery.bind(DeliveryFeed.depots[sample.depot].code, 7)
      try delivery.step(resetting: true)
      for own in sample.items {
        item.bind(own.id, 1)
        item.bind(sample.id, 2)
        item.bind(own.article, 3)
        item.bind(Int64(own.pieces), 4)
        try item.step(resetting: true)
      }
    }
  }
}

extension CStatement {
  /// Runs a statement that may write no row.
  fileprivate func step(resetting: Bool) throws {
    _ = try step()
    reset()
  }
}
