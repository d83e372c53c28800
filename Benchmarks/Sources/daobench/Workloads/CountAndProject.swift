import DAOKit
import GRDB

extension Workload {
  /// Sum, largest value and count of 100,000 rows in 1,000 groups.
  static let countAndProject = Workload("count-and-project", per: "row", count: 100_000, limit: 1.05) { stage in
    let url = try stage.readings()
    let database = try CDatabase(url, isReadOnly: true)
    let statement = try CStatement(database, "SELECT sensor, SUM(value), MAX(value), COUNT(*) FROM reading GROUP BY sensor")
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) {
        var totals: [Totals] = []
        while try statement.step() {
          totals.append(
            (
              statement.text(0), statement.isNull(1) ? nil : statement.real(1), statement.isNull(2) ? nil : statement.real(2),
              Int(statement.integer(3))
            ))
        }
        statement.reset()
        return totals
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try readings.project(.group(by: \.sensor), .sum(\.value), .max(\.value), .count)
      } digest: {
        digest($0)
      },
      Contestant(.grdb) {
        try pool.read { try GRDBReading.totals.asRequest(of: GRDBTotals.self).fetchAll($0) }
      } digest: {
        digest($0.map { ($0.sensor, $0.sum, $0.max, $0.count) })
      },
      Contestant(.grdbCodable) {
        try pool.read { try CodableReading.totals.asRequest(of: CodableTotals.self).fetchAll($0) }
      } digest: {
        digest($0.map { ($0.sensor, $0.sum, $0.max, $0.count) })
      },
    ]
  } expected: { _ in
    let groups = Dictionary(grouping: Reading.samples(100_000), by: \.sensor).sorted { $0.key < $1.key }
    // The values are whole 64ths: their sum is exact in any order.
    return digest(groups.map { ($0.key, $0.value.reduce(0) { $0 + $1.value }, $0.value.map(\.value).max(), $0.value.count) })
  }
}

private typealias Totals = (sensor: String, sum: Double?, max: Double?, count: Int)

private func digest(_ totals: [Totals]) -> Int {
  var hasher = Hasher()
  for (sensor, sum, max, count) in totals {
    hasher.combine(sensor)
    hasher.combine([sum, max])
    hasher.combine(count)
  }
  return hasher.finalize()
}

extension TableRecord {
  fileprivate static var totals: QueryInterfaceRequest<Self> {
    typealias Columns = GRDBReading.Columns
    return select(
      Columns.sensor, sum(Columns.value).forKey("sum"), max(Columns.value).forKey("max"), count(Columns.id).forKey("count")
    ).group(Columns.sensor)
  }
}

private struct GRDBTotals: FetchableRecord {
  let sensor: String
  let sum: Double?
  let max: Double?
  let count: Int

  init(row: Row) {
    sensor = row[0]
    sum = row[1]
    max = row[2]
    count = row[3]
  }
}

private struct CodableTotals: Codable, FetchableRecord {
  let sensor: String
  let sum: Double?
  let max: Double?
  let count: Int
}
