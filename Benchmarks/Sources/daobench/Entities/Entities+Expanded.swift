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
      Attribute("id", .integer),
      Attribute("sensor", .text),
      Attribute("note", .text, optional: true),
      Attribute("value", .real),
      Attribute("isValid", .bool),
      Attribute("takenAt", .date(.unixMilliseconds), optional: true),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var sensor: Field<String> { path.field("sensor") }
    var note: Field<String?> { path.field("note") }
    var value: Field<Double> { path.field("value") }
    var isValid: Field<Bool> { path.field("isValid") }
    var takenAt: Field<Date?> { path.field("takenAt") }
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
      Attribute("id", .integer),
      Attribute("customer", .text),
      Attribute("employee", .text, optional: true),
      Attribute("carrier", .text),
      Attribute("street", .text, optional: true),
      Attribute("city", .text),
      Attribute("region", .text, optional: true),
      Attribute("country", .text),
      Attribute("ordered", .date(.unixMilliseconds)),
      Attribute("required", .date(.unixMilliseconds), optional: true),
      Attribute("shipped", .date(.unixMilliseconds), optional: true),
      Attribute("weight", .real),
      Attribute("freight", .real, optional: true),
      Attribute("parcels", .integer),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var customer: Field<String> { path.field("customer") }
    var employee: Field<String?> { path.field("employee") }
    var carrier: Field<String> { path.field("carrier") }
    var street: Field<String?> { path.field("street") }
    var city: Field<String> { path.field("city") }
    var region: Field<String?> { path.field("region") }
    var country: Field<String> { path.field("country") }
    var ordered: Field<Date> { path.field("ordered") }
    var required: Field<Date?> { path.field("required") }
    var shipped: Field<Date?> { path.field("shipped") }
    var weight: Field<Double> { path.field("weight") }
    var freight: Field<Double?> { path.field("freight") }
    var parcels: Field<Int> { path.field("parcels") }
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
      Attribute("id", .integer),
      Attribute("name", .text),
    ],
    relationships: [.toMany("probes", Probe.entityDescription, by: "station")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var name: Field<String> { path.field("name") }
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
      Attribute("id", .integer),
      Attribute("station", .of(Reference<Station>.self)),
      Attribute("level", .integer),
      Attribute("note", .text),
    ],
    relationships: [.toOne("station", Station.entityDescription, by: "station", onDelete: .cascade)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var station: Field<Reference<Station>> { path.field("station") }
    var level: Field<Int> { path.field("level") }
    var note: Field<String> { path.field("note") }
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
