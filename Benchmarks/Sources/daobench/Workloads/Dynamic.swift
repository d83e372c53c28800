import DAOKit
import GRDB

extension Workload {
  /// All of 100,000 rows by the entity's name, over typed structs of `c`.
  static let dynamic = Workload("dynamic-100k", per: "row", count: 100_000, limit: 2.5) { stage in
    let url = try stage.readings()
    let database = try CDatabase(url, isReadOnly: true)
    let statement = try CStatement(database, "SELECT \(Reading.columns) FROM reading")
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url)).runtimeDAO("reading")
    return [
      Contestant(.c) {
        try statement.readings()
      } digest: {
        digest($0)
      },
      Contestant(.daokit) {
        try readings.findAll()
      } digest: {
        digest(try $0.map(Reading.init(dynamic:)))
      },
      Contestant(.grdb) {
        try pool.read { try Row.fetchAll($0, sql: "SELECT \(Reading.columns) FROM reading") }
      } digest: {
        digest($0.lazy.map { GRDBReading(row: $0).reading })
      },
    ]
  } expected: { _ in
    digest(Reading.samples(100_000))
  }
}

extension Reading {
  /// A dynamic row as a reading: each value has to be of the kind that the attribute is declared as.
  fileprivate init(dynamic row: DynamicEntity) throws {
    guard case .integer(let id)? = row.id, case .text(let sensor)? = row.sensor, case .real(let value)? = row.value,
      case .bool(let isValid)? = row.isValid
    else { throw BenchmarkFailure("\(row) is no reading") }
    self.init(id: id, sensor: sensor, note: nil, value: value, isValid: isValid, takenAt: nil)
    switch row.note {
    case .text(let text): note = text
    case .null: break
    default: throw BenchmarkFailure("\(row) has no note")
    }
    switch row.takenAt {
    case .date(let date): takenAt = date
    case .null: break
    default: throw BenchmarkFailure("\(row) has no date")
    }
  }
}
