// What @Entity writes of Benchmarks/Entities.swift, so that the benchmarks build without swift-syntax. Not to be changed by hand;
// after a change of that file or of the macro it is renewed, in the repository's root, by
//   DAO_RENEW=1 swift test --filter CommittedExpansionTests
// swift-format-ignore-file
import DAOKit
import Foundation

/// A narrow row, one value of each common type.
struct Reading {
  var id: Int64?
  var sensor: String
  var note: String?
  var value: Double
  var isValid: Bool
  var takenAt: Date?
}

/// A wide row, fourteen columns, many of them optional.
struct Shipment {
  var id: Int64?
  var customer: String
  var employee: String?
  var carrier: String
  var street: String?
  var city: String
  var region: String?
  var country: String
  var ordered: Date
  var required: Date?
  var shipped: Date?
  var weight: Double
  var freight: Double?
  var parcels: Int
}

/// One of many, with ten probes.
struct Station {
  var id: Int64?
  var name: String
  var probes: Many<Probe> = Many()
}

/// One of ten of a station.
struct Probe {
  var id: Int64?
  var station: Reference<Station>
  var level: Int
  var note: String
}

extension Reading: Entity {
  static let entityDescription = EntityDescription(
    "reading", key: .generated("id"),
    attributes: [
      DAOCriteria.Attribute("id", .integer),
      DAOCriteria.Attribute("sensor", .text),
      DAOCriteria.Attribute("note", .text, optional: true),
      DAOCriteria.Attribute("value", .real),
      DAOCriteria.Attribute("isValid", .bool),
      DAOCriteria.Attribute("takenAt", .date(.unixMilliseconds), optional: true),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: DAOCriteria.Field<Int64> { path.field("id") }
    var sensor: DAOCriteria.Field<String> { path.field("sensor") }
    var note: DAOCriteria.Field<String?> { path.field("note") }
    var value: DAOCriteria.Field<Double> { path.field("value") }
    var isValid: DAOCriteria.Field<Bool> { path.field("isValid") }
    var takenAt: DAOCriteria.Field<Date?> { path.field("takenAt") }
  }

  typealias PrimaryKey = Int64

  var primaryKey: PrimaryKey? { id }

  init(row: inout RowReader) throws {
    try self.init(id: row.next(), sensor: row.next(), note: row.next(), value: row.next(), isValid: row.next(), takenAt: row.next())
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(sensor)
    try row.write(note)
    try row.write(value)
    try row.write(isValid)
    try row.write(takenAt)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }
}

extension Shipment: Entity {
  static let entityDescription = EntityDescription(
    "shipment", key: .generated("id"),
    attributes: [
      DAOCriteria.Attribute("id", .integer),
      DAOCriteria.Attribute("customer", .text),
      DAOCriteria.Attribute("employee", .text, optional: true),
      DAOCriteria.Attribute("carrier", .text),
      DAOCriteria.Attribute("street", .text, optional: true),
      DAOCriteria.Attribute("city", .text),
      DAOCriteria.Attribute("region", .text, optional: true),
      DAOCriteria.Attribute("country", .text),
      DAOCriteria.Attribute("ordered", .date(.unixMilliseconds)),
      DAOCriteria.Attribute("required", .date(.unixMilliseconds), optional: true),
      DAOCriteria.Attribute("shipped", .date(.unixMilliseconds), optional: true),
      DAOCriteria.Attribute("weight", .real),
      DAOCriteria.Attribute("freight", .real, optional: true),
      DAOCriteria.Attribute("parcels", .integer),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: DAOCriteria.Field<Int64> { path.field("id") }
    var customer: DAOCriteria.Field<String> { path.field("customer") }
    var employee: DAOCriteria.Field<String?> { path.field("employee") }
    var carrier: DAOCriteria.Field<String> { path.field("carrier") }
    var street: DAOCriteria.Field<String?> { path.field("street") }
    var city: DAOCriteria.Field<String> { path.field("city") }
    var region: DAOCriteria.Field<String?> { path.field("region") }
    var country: DAOCriteria.Field<String> { path.field("country") }
    var ordered: DAOCriteria.Field<Date> { path.field("ordered") }
    var required: DAOCriteria.Field<Date?> { path.field("required") }
    var shipped: DAOCriteria.Field<Date?> { path.field("shipped") }
    var weight: DAOCriteria.Field<Double> { path.field("weight") }
    var freight: DAOCriteria.Field<Double?> { path.field("freight") }
    var parcels: DAOCriteria.Field<Int> { path.field("parcels") }
  }

  typealias PrimaryKey = Int64

  var primaryKey: PrimaryKey? { id }

  init(row: inout RowReader) throws {
    try self.init(id: row.next(), customer: row.next(), employee: row.next(), carrier: row.next(), street: row.next(), city: row.next(), region: row.next(), country: row.next(), ordered: row.next(), required: row.next(), shipped: row.next(), weight: row.next(), freight: row.next(), parcels: row.next())
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(customer)
    try row.write(employee)
    try row.write(carrier)
    try row.write(street)
    try row.write(city)
    try row.write(region)
    try row.write(country)
    try row.write(ordered)
    try row.write(required)
    try row.write(shipped)
    try row.write(weight)
    try row.write(freight)
    try row.write(parcels)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }
}

extension Station: Entity {
  static let entityDescription: EntityDescription = EntityDescription(
    "station", key: .generated("id"),
    attributes: [
      DAOCriteria.Attribute("id", .integer),
      DAOCriteria.Attribute("name", .text),
    ],
    relationships: [.toMany("probes", Probe.entityDescription, by: "station")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: DAOCriteria.Field<Int64> { path.field("id") }
    var name: DAOCriteria.Field<String> { path.field("name") }
    var probes: RelatedField<Probe> { path.related("probes") }
  }

  typealias PrimaryKey = Int64

  var primaryKey: PrimaryKey? { id }

  init(row: inout RowReader) throws {
    try self.init(id: row.next(), name: row.next(), probes: row.next(at: "station.probes"))
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }

  static func prefetch(_ rows: inout Prefetching<Self>) throws {
    try rows.fetch("probes", into: \.probes)
  }
}

extension Probe: Entity {
  static let entityDescription: EntityDescription = EntityDescription(
    "probe", key: .generated("id"),
    attributes: [
      DAOCriteria.Attribute("id", .integer),
      DAOCriteria.Attribute("station", .of(Reference<Station>.self)),
      DAOCriteria.Attribute("level", .integer),
      DAOCriteria.Attribute("note", .text),
    ],
    relationships: [.toOne("station", Station.entityDescription, by: "station", onDelete: .cascade)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: DAOCriteria.Field<Int64> { path.field("id") }
    var station: DAOCriteria.Field<Reference<Station>> { path.field("station") }
    var level: DAOCriteria.Field<Int> { path.field("level") }
    var note: DAOCriteria.Field<String> { path.field("note") }
  }

  typealias PrimaryKey = Int64

  var primaryKey: PrimaryKey? { id }

  init(row: inout RowReader) throws {
    try self.init(id: row.next(), station: row.next(at: "probe.station"), level: row.next(), note: row.next())
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(station)
    try row.write(level)
    try row.write(note)
  }

  mutating func setGeneratedKey(_ key: Int64) { id = key }

  static func prefetch(_ rows: inout Prefetching<Self>) throws {
    try rows.fetch("station", into: \.station)
  }
}
