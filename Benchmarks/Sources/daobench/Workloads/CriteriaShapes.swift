import DAOKit
import Foundation
import GRDB

extension Workload {
  /// Pages of 200 shapes in turn, each from a query that is built anew.
  static let criteriaShapes = Workload(
    "criteria-shapes", per: "page", count: pageCount.full, quickCount: pageCount.quick, limit: 1.5
  ) { stage in
    let pages = stage.pages
    let url = try stage.readings()
    let c = try CShapes(url)
    let pool = try DatabasePool(store: url)
    let readings = try DAOFactory(store: .file(url), entities: Reading.self).runtimeDAO(Reading.self)
    return [
      Contestant(.c) {
        try pages.map { try c.page($0) }
      } digest: {
        digest($0.joined())
      },
      Contestant(.daokit) {
        try pages.map { try readings.findAll(Shape(page: $0).criteria($0)) }
      } digest: {
        digest($0.joined())
      },
      Contestant(.grdb) {
        try pages.map { number in try pool.read { try Shape(page: number).request(number, of: GRDBReading.self).fetchAll($0) } }
      } digest: {
        digest($0.joined().lazy.map(\.reading))
      },
      Contestant(.grdbCodable) {
        try pages.map { number in try pool.read { try Shape(page: number).request(number, of: CodableReading.self).fetchAll($0) } }
      } digest: {
        digest($0.joined().lazy.map(\.reading))
      },
    ]
  } expected: { stage in
    digest(Shape.expectedPages(stage.pages).joined())
  }
}

/// One of 200 shapes that a page can have: 4 starts × 2 directions × 25 choices of further filters. Each seeks in an index, so that a page
/// costs little beside what is spent around it.
private struct Shape {
  enum Start: Int {
    case aboveValue, betweenValues, aboveID, betweenIDs
  }

  /// Which further filters there are.
  struct Extras: OptionSet {
    let rawValue: Int
    static let notSensor = Extras(rawValue: 1)
    static let isValid = Extras(rawValue: 2)
    static let isDated = Extras(rawValue: 4)
    static let hasNoNote = Extras(rawValue: 8)
    static let aboveSensor = Extras(rawValue: 16)
  }

  static let count = 200
  static let rows = 20

  let start: Start
  let isDescending: Bool
  let extras: Extras

  init(_ index: Int) {
    start = Start(rawValue: index % 4) ?? .aboveValue
    isDescending = index / 4 % 2 == 1
    extras = Extras(rawValue: index / 8)
  }

  init(page number: Int) { self.init(number % Self.count) }

  // The values of a page's filters, other ones for each page.
  private static func value(_ number: Int) -> Double { Double(number * 331 % 15_000) }
  private static func id(_ number: Int) -> Int64 { Int64(number * 331 % 95_000) }
  private static func sensor(_ number: Int) -> String { "sensor \(number % 1000)" }

  // MARK: The samples

  static func expectedPages(_ numbers: Range<Int>) -> [[Reading]] {
    let byID = Reading.samples(100_000)
    let byValue = byID.sorted { ($0.value, $0.id ?? 0) < ($1.value, $1.id ?? 0) }
    let byIDDown = Array(byID.reversed())
    let byValueDown = Array(byValue.reversed())
    return numbers.map { number in
      let shape = Shape(page: number)
      let rows =
        switch shape.start {
        case .aboveValue, .betweenValues: shape.isDescending ? byValueDown : byValue
        case .aboveID, .betweenIDs: shape.isDescending ? byIDDown : byID
        }
      return Array(rows.lazy.filter { shape.matches($0, number) }.prefix(Self.rows))
    }
  }

  private func matches(_ row: Reading, _ number: Int) -> Bool {
    let id = row.id ?? 0
    let isInside =
      switch start {
      case .aboveValue: row.value > Self.value(number)
      case .betweenValues: row.value >= Self.value(number) && row.value <= Self.value(number) + 100
      case .aboveID: id > Self.id(number)
      case .betweenIDs: id >= Self.id(number) && id <= Self.id(number) + 1000
      }
    return isInside && (!extras.contains(.notSensor) || row.sensor != Self.sensor(number)) && (!extras.contains(.isValid) || row.isValid)
      && (!extras.contains(.isDated) || row.takenAt != nil) && (!extras.contains(.hasNoNote) || row.note == nil)
      && (!extras.contains(.aboveSensor) || row.sensor > "sensor 1")
  }

  // MARK: DAOKit

  func criteria(_ number: Int) -> SearchCriteria<Reading> {
    var criteria = SearchCriteria<Reading>()
    switch start {
    case .aboveValue: criteria = criteria.filter(\.value > Self.value(number))
    case .betweenValues: criteria = criteria.filter(.between(\.value, Self.value(number), Self.value(number) + 100))
    case .aboveID: criteria = criteria.filter(\.id > Self.id(number))
    case .betweenIDs: criteria = criteria.filter(.between(\.id, Self.id(number), Self.id(number) + 1000))
    }
    if extras.contains(.notSensor) { criteria = criteria.filter(\.sensor != Self.sensor(number)) }
    if extras.contains(.isValid) { criteria = criteria.filter(\.isValid == true) }
    if extras.contains(.isDated) { criteria = criteria.filter(\.takenAt != nil) }
    if extras.contains(.hasNoNote) { criteria = criteria.filter(\.note == nil) }
    if extras.contains(.aboveSensor) { criteria = criteria.filter(\.sensor > "sensor 1") }
    switch start {
    case .aboveValue, .betweenValues: criteria = criteria.order(by: isDescending ? .descending(\.value) : .ascending(\.value))
    case .aboveID, .betweenIDs: criteria = criteria.order(by: isDescending ? .descending(\.id) : .ascending(\.id))
    }
    return criteria.limit(Self.rows)
  }

  // MARK: C

  var sql: String {
    var filters: [String]
    var order = isDescending ? " DESC" : ""
    switch start {
    case .aboveValue: (filters, order) = (["value > ?"], "value\(order), id\(order)")
    case .betweenValues: (filters, order) = (["value BETWEEN ? AND ?"], "value\(order), id\(order)")
    case .aboveID: (filters, order) = (["id > ?"], "id\(order)")
    case .betweenIDs: (filters, order) = (["id BETWEEN ? AND ?"], "id\(order)")
    }
    if extras.contains(.notSensor) { filters.append("sensor IS NOT ?") }
    if extras.contains(.isValid) { filters.append("isValid = ?") }
    if extras.contains(.isDated) { filters.append("takenAt IS NOT NULL") }
    if extras.contains(.hasNoNote) { filters.append("note IS NULL") }
    if extras.contains(.aboveSensor) { filters.append("sensor > ?") }
    return "SELECT \(Reading.columns) FROM reading WHERE \(filters.joined(separator: " AND ")) ORDER BY \(order) LIMIT ?"
  }

  func bind(_ number: Int, to statement: CStatement) {
    var last: Int32 = 1
    func next() -> Int32 {
      last += 1
      return last
    }
    switch start {
    case .aboveValue: statement.bind(Self.value(number), 1)
    case .betweenValues:
      statement.bind(Self.value(number), 1)
      statement.bind(Self.value(number) + 100, next())
    case .aboveID: statement.bind(Self.id(number), 1)
    case .betweenIDs:
      statement.bind(Self.id(number), 1)
      statement.bind(Self.id(number) + 1000, next())
    }
    if extras.contains(.notSensor) { statement.bind(Self.sensor(number), next()) }
    if extras.contains(.isValid) { statement.bind(1 as Int64, next()) }
    if extras.contains(.aboveSensor) { statement.bind("sensor 1", next()) }
    statement.bind(Int64(Self.rows), next())
  }

  // MARK: GRDB

  func request<Record: TableRecord>(_ number: Int, of type: Record.Type) -> QueryInterfaceRequest<Record> {
    typealias Columns = GRDBReading.Columns
    var request = Record.limit(Self.rows)
    switch start {
    case .aboveValue: request = request.filter(Columns.value > Self.value(number))
    case .betweenValues: request = request.filter((Self.value(number)...Self.value(number) + 100).contains(Columns.value))
    case .aboveID: request = request.filter(Columns.id > Self.id(number))
    case .betweenIDs: request = request.filter((Self.id(number)...Self.id(number) + 1000).contains(Columns.id))
    }
    if extras.contains(.notSensor) { request = request.filter(Columns.sensor != Self.sensor(number)) }
    if extras.contains(.isValid) { request = request.filter(Columns.isValid == true) }
    if extras.contains(.isDated) { request = request.filter(Columns.takenAt != nil) }
    if extras.contains(.hasNoNote) { request = request.filter(Columns.note == nil) }
    if extras.contains(.aboveSensor) { request = request.filter(Columns.sensor > "sensor 1") }
    switch start {
    case .aboveValue, .betweenValues:
      return isDescending ? request.order(Columns.value.desc, Columns.id.desc) : request.order(Columns.value, Columns.id)
    case .aboveID, .betweenIDs: return request.order(isDescending ? Columns.id.desc : Columns.id.asc)
    }
  }
}

/// Pages from 200 prepared statements.
private final class CShapes {
  private let shapes: [(shape: Shape, statement: CStatement)]

  init(_ url: URL) throws {
    let database = try CDatabase(url, isReadOnly: true)
    shapes = try (0..<Shape.count).map { index in
      let shape = Shape(index)
      return (shape: shape, statement: try CStatement(database, shape.sql))
    }
  }

  func page(_ number: Int) throws -> [Reading] {
    let (shape, statement) = shapes[number % Shape.count]
    shape.bind(number, to: statement)
    return try statement.readings(limit: Shape.rows)
  }
}
