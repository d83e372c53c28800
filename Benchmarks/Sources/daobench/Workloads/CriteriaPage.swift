import DAOKit
import Foundation
import GRDB

extension Workload {
  /// How many pages are read.
  static let pageCount = (full: 5_000, quick: 1_000)

  /// Pages of 20 rows, each from a query that is built anew.
  static let criteriaPage = Workload(
    "criteria-page", per: "page", count: pageCount.full, quickCount: pageCount.quick, limit: 1.25
  ) { stage in
    let pages = stage.pages
    let url = try stage.readings()
    let c = try CPages(url)
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).dao(ReadingDAO.init)
    return [
      Contestant(.c) {
        try pages.map { try c.page($0) }
      } digest: {
        digest($0.joined())
      },
      Contestant(.daokit) {
        try pages.map { try readings.page($0) }
      } digest: {
        digest($0.joined())
      },
      Contestant(.grdb) {
        try pages.map { number in try pool.read { try GRDBReading.page(number).fetchAll($0) } }
      } digest: {
        digest($0.joined().lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        try pages.map { number in try pool.read { try CodableReading.page(number).fetchAll($0) } }
      } digest: {
        digest($0.joined().lazy.map(\.reading))
      },
    ]
  } expected: { stage in
    digest(Reading.pages(stage.pages).joined())
  }
}

extension Stage {
  /// The pages that are read, by their numbers.
  var pages: Range<Int> { 0..<(isQuick ? Workload.pageCount.quick : Workload.pageCount.full) }
}

/// The values of a page's two filters, other ones for each page.
private func values(_ number: Int) -> (value: Double, sensor: String) { (Double(number * 331 % 15_000), "sensor \(number % 1000)") }

/// The DAO of a person's own, with the query that the app asks.
final class ReadingDAO: DAO<Reading>, @unchecked Sendable {
  func page(_ number: Int) throws -> [Reading] {
    let (value, sensor) = values(number)
    return try findAll(.where(\.value > value && \.sensor != sensor).order(by: \.value).limit(20))
  }
}

extension Reading {
  /// The pages as the samples have them.
  static func pages(_ numbers: Range<Int>) -> [[Reading]] {
    let sorted = samples(100_000).sorted { ($0.value, $0.id ?? 0) < ($1.value, $1.id ?? 0) }
    return numbers.map { number in
      let (value, sensor) = values(number)
      return Array(sorted.lazy.filter { $0.value > value && $0.sensor != sensor }.prefix(20))
    }
  }
}

extension TableRecord {
  static func page(_ number: Int) -> QueryInterfaceRequest<Self> {
    let (value, sensor) = values(number)
    return filter(GRDBReading.Columns.value > value && GRDBReading.Columns.sensor != sensor)
      .order(GRDBReading.Columns.value, GRDBReading.Columns.id).limit(20)
  }
}

/// Pages from one prepared statement. One thread at a time uses it.
final class CPages: @unchecked Sendable {
  private let database: CDatabase
  private let statement: CStatement

  init(_ url: URL) throws {
    database = try CDatabase(url, isReadOnly: true)
    statement = try CStatement(
      database, "SELECT \(Reading.columns) FROM reading WHERE value > ? AND sensor IS NOT ? ORDER BY value, id LIMIT ?")
  }

  func page(_ number: Int) throws -> [Reading] {
    let (value, sensor) = values(number)
    statement.bind(value, 1)
    statement.bind(sensor, 2)
    statement.bind(20 as Int64, 3)
    return try statement.readings(limit: 20)
  }
}
