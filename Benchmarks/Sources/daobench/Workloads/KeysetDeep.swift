import DAOKit
import Foundation

extension Workload {
  /// What pages of 20 rows after row 900,000 of a million take over what the first takes, in two orders by turns: of a nullable attribute,
  /// and of two in different directions. 1 where a place costs nothing.
  static let keysetDeep = Workload("keyset-deep", unit: "× page 1", limit: .value(1.3)) { stage in
    let (c, daokit) = try rivals(stage)
    func ratio(_ pages: ([Int], _ isDeep: Bool) throws -> [[Reading]]) async throws -> Lap {
      let first = try await timed { try pages(Array(0..<keysetPageCount), false) }
      let deep = try await timed { try pages(Array(0..<keysetPageCount), true) }
      return Lap(value: deep.seconds / first.seconds, digest: digest((first.output + deep.output).joined()))
    }
    return [Contestant(.c) { try await ratio(c.pages) }, Contestant(.daokit) { try await ratio(daokit.pages) }]
  } expected: { stage in
    digest((stage.keysetPages(isDeep: false) + stage.keysetPages(isDeep: true)).joined())
  }

  /// The first page in both orders.
  static let keysetFirst = Workload("keyset-deep (page 1)", per: "page", count: keysetPageCount, limit: 1.25) { stage in
    let (c, daokit) = try rivals(stage)
    func contestant(_ rival: Rival, _ pages: @escaping ([Int], _ isDeep: Bool) throws -> [[Reading]]) -> Contestant {
      Contestant(rival) {
        try pages(Array(0..<keysetPageCount), false)
      } digest: {
        digest($0.joined())
      }
    }
    return [contestant(.c, c.pages), contestant(.daokit, daokit.pages)]
  } expected: {
    digest($0.keysetPages(isDeep: false).joined())
  }

  private static func rivals(_ stage: Stage) throws -> (CKeysetPages, KeysetPages) {
    let url = try stage.keysetReadings()
    let daokit = try KeysetPages(url, rowCount: stage.keysetRowCount)
    return (try CKeysetPages(url, daokit.places), daokit)
  }
}

private let keysetPageCount = 2_000
/// So many places in a row, for each order: one, since page 1 is one page too, and is as often in the processor's caches.
private let placeCount = 1

extension Stage {
  fileprivate var keysetRowCount: Int { isQuick ? 100_000 : 1_000_000 }

  fileprivate func keysetReadings() throws -> URL {
    try store("keyset") { database in
      try database.execute("CREATE INDEX reading_on_takenAt ON reading (takenAt)")
      try database.execute("CREATE INDEX reading_on_sensor_value ON reading (sensor, value DESC)")
      try database.insert(keysetSamples)
    }
  }

  /// One in a thousand was taken at an unknown time. (Every fifth by its key, as the samples have it, would put the rows of the first page
  /// side by side in the table, and no later page is so lucky.)
  private var keysetSamples: [Reading] {
    var random = Random(900)
    return Reading.samples(keysetRowCount).map { sample in
      var reading = sample
      reading.takenAt = random.below(1000) == 0 ? nil : Date(timeIntervalSince1970: Double(random.milliseconds()) / 1000)
      return reading
    }
  }

  /// The pages as the samples have them.
  fileprivate func keysetPages(isDeep: Bool) -> [[Reading]] {
    let samples = keysetSamples
    let byTime = samples.indices.sorted {
      let (a, b) = (samples[$0], samples[$1])
      return (a.takenAt ?? .distantPast, a.id ?? 0) < (b.takenAt ?? .distantPast, b.id ?? 0)
    }
    let bySensor = samples.indices.sorted {
      let (a, b) = (samples[$0], samples[$1])
      return (a.sensor, -a.value, a.id ?? 0) < (b.sensor, -b.value, b.id ?? 0)
    }
    return (0..<keysetPageCount).map { number in
      let start = isDeep ? keysetRowCount / 10 * 9 + 20 * (number / 2 % placeCount) : 0
      return (number % 2 == 0 ? byTime : bySensor)[start..<start + 20].map { samples[$0] }
    }
  }
}

/// DAOKit's pages, each from a query that is built anew.
private struct KeysetPages: Sendable {
  private let readings: RuntimeDAO<Reading>
  private var tokens: [[PageToken?]] = [[], []]
  /// The last rows before the pages, for each order.
  private(set) var places: [[Reading]] = [[], []]

  init(_ url: URL, rowCount: Int) throws {
    readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    for order in 0..<2 {
      var page = try readings.page(Self.criteria(order), number: rowCount / 10 * 9 / 20, size: 20)
      for _ in 0..<placeCount {
        tokens[order].append(page.next)
        places[order] += page.items.suffix(1)
        page = try readings.page(Self.criteria(order), size: 20, after: page.next)
      }
    }
  }

  func pages(_ numbers: [Int], isDeep: Bool) throws -> [[Reading]] {
    try numbers.map { number in
      let token = isDeep ? tokens[number % 2][number / 2 % placeCount] : nil
      return try readings.page(Self.criteria(number % 2), size: 20, after: token).items
    }
  }

  private static func criteria(_ order: Int) -> SearchCriteria<Reading> {
    order == 0 ? .all.order(by: \.takenAt) : .all.order(by: .ascending(\.sensor), .descending(\.value))
  }
}

/// The same pages from prepared statements, which search the index as well. One thread at a time uses it.
private final class CKeysetPages: @unchecked Sendable {
  private let database: CDatabase
  private let first: [CStatement]
  private let next: [CStatement]
  private let places: [[Reading]]

  init(_ url: URL, _ places: [[Reading]]) throws {
    self.places = places
    let database = try CDatabase(url, isReadOnly: true)
    self.database = database
    func first(_ orders: String) throws -> CStatement {
      try CStatement(database, "SELECT \(Reading.columns) FROM reading ORDER BY \(orders) LIMIT ?1")
    }
    func next(_ clauses: [String]) throws -> CStatement {
      let ranges = clauses.map {
        "SELECT \(Reading.columns) FROM (SELECT id AS key FROM reading \($0) LIMIT ?1) CROSS JOIN reading ON reading.id = key"
      }
      return try CStatement(database, ranges.joined(separator: " UNION ALL ") + " LIMIT ?1")
    }
    self.first = [try first("takenAt, id"), try first("sensor, value DESC, id")]
    self.next = [
      try next(["WHERE takenAt = ?2 AND id > ?3 ORDER BY id", "WHERE takenAt > ?2 ORDER BY takenAt, id"]),
      try next([
        "WHERE sensor = ?2 AND value = ?3 AND id > ?4 ORDER BY id", "WHERE sensor = ?2 AND value < ?3 ORDER BY value DESC, id",
        "WHERE sensor > ?2 ORDER BY sensor, value DESC, id",
      ]),
    ]
  }

  func pages(_ numbers: [Int], isDeep: Bool) throws -> [[Reading]] {
    try numbers.map { number in
      let order = number % 2
      guard isDeep else { return try page(first[order]) }
      let (statement, place) = (next[order], places[order][number / 2 % placeCount])
      if order == 0 {
        statement.bind(place.takenAt, 2)
        statement.bind(place.id, 3)
      } else {
        statement.bind(place.sensor, 2)
        statement.bind(place.value, 3)
        statement.bind(place.id, 4)
      }
      return try page(statement)
    }
  }

  /// 20 rows, and whether there are more.
  private func page(_ statement: CStatement) throws -> [Reading] {
    statement.bind(21 as Int64, 1)
    var readings: [Reading] = []
    readings.reserveCapacity(20)
    while readings.count < 20, try statement.step() { readings.append(Reading(statement)) }
    _ = try statement.step()
    statement.reset()
    return readings
  }
}
