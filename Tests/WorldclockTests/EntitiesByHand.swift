import DAOKit
import Foundation

// The shipped database's entities once more, written by hand. Each must be what the macro writes.

struct HandZone: Entity {
  var id: Int64?
  var name: String
  var latitude: Double
  var longitude: Double
  var comment: String?
  var standardOffset: Int
  var countries: Many<HandCountry>

  static let entityDescription: EntityDescription = EntityDescription(
    "zone", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("latitude", .real), Attribute("longitude", .real),
      Attribute("comment", .text, optional: true), Attribute("standardOffset", .integer),
    ],
    indexes: [Index(on: "name", unique: true)],
    relationships: [
      .manyToMany(
        "countries", HandCountry.entityDescription, through: HandZoneCountry.entityDescription, by: "zoneID", to: "countryCode")
    ], identity: ["name"])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var name: Field<String> { path.field("name") }
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    latitude = try row.next()
    longitude = try row.next()
    comment = try row.next()
    standardOffset = try row.next()
    countries = row.next(at: "zone.countries")
  }

  static func prefetch(_ rows: inout Prefetching<HandZone>) throws { try rows.fetch("countries", into: \.countries) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(latitude)
    try row.write(longitude)
    try row.write(comment)
    try row.write(standardOffset)
  }
}

struct HandTransition: Entity {
  var key: PrimaryKey
  var offsetBefore: Int
  var offsetAfter: Int
  var abbreviation: String
  var isDaylight: Bool

  struct PrimaryKey: EntityKey {
    var zoneID: Int64
    var instant: Date

    init(row: inout RowReader) throws {
      zoneID = try row.next()
      instant = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(zoneID)
      try row.write(instant)
    }
  }

  static let entityDescription = EntityDescription(
    "transition", key: .assigned(["zoneID", "instant"]),
    attributes: [
      Attribute("zoneID", .integer, references: ForeignKey(table: "zone", column: "id", onDelete: .cascade)),
      Attribute("instant", .date(.unixSeconds)), Attribute("offsetBefore", .integer), Attribute("offsetAfter", .integer),
      Attribute("abbreviation", .text), Attribute("isDaylight", .bool),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var isDaylight: Field<Bool> { path.field("isDaylight") }
  }

  var primaryKey: PrimaryKey? { key }

  init(row: inout RowReader) throws {
    key = try PrimaryKey(row: &row)
    offsetBefore = try row.next()
    offsetAfter = try row.next()
    abbreviation = try row.next()
    isDaylight = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try key.write(to: &row)
    try row.write(offsetBefore)
    try row.write(offsetAfter)
    try row.write(abbreviation)
    try row.write(isDaylight)
  }
}

struct HandCountry: Entity {
  var code: String
  var name: String

  static let entityDescription = EntityDescription(
    "country", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var name: Field<String> { path.field("name") }
  }

  var primaryKey: String? { code }

  init(row: inout RowReader) throws {
    code = try row.next()
    name = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(code)
    try row.write(name)
  }
}

struct HandZoneCountry: Entity {
  var key: PrimaryKey

  struct PrimaryKey: EntityKey {
    var zoneID: Int64
    var countryCode: String

    init(row: inout RowReader) throws {
      zoneID = try row.next()
      countryCode = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(zoneID)
      try row.write(countryCode)
    }
  }

  static let entityDescription = EntityDescription(
    "zoneCountry", table: "zone_country", key: .assigned(["zoneID", "countryCode"]),
    attributes: [
      Attribute("zoneID", .integer, references: ForeignKey(table: "zone", column: "id", onDelete: .cascade)),
      Attribute("countryCode", .text, references: ForeignKey(table: "country", column: "code", onDelete: .cascade)),
    ],
    indexes: [Index(on: "countryCode")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var zoneID: Field<Int64> { path.field("zoneID") }
  }

  var primaryKey: PrimaryKey? { key }
  init(row: inout RowReader) throws { key = try PrimaryKey(row: &row) }
  func write(to row: inout ColumnWriter) throws { try key.write(to: &row) }
}

struct HandNote: Entity {
  var id: UUID
  var zone: Reference<HandZone>
  var text: String
  var created: Date

  static let entityDescription: EntityDescription = EntityDescription(
    "note", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .uuid(.blob)), Attribute("zone", .integer, column: "zoneID"), Attribute("text", .text),
      Attribute("created", .date(.unixMilliseconds)),
    ],
    relationships: [
      .toOne("zone", HandZone.entityDescription, by: "zone", onDelete: .cascade, mapping: RelationshipMapping(targets: .link))
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var text: Field<String> { path.field("text") }
  }

  var primaryKey: UUID? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    zone = try row.next(at: "note.zone")
    text = try row.next()
    created = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(zone)
    try row.write(text)
    try row.write(created)
  }

  static func prefetch(_ rows: inout Prefetching<HandNote>) throws { try rows.fetch("zone", into: \.zone) }
}

struct HandCountryZone: Entity {
  var key: PrimaryKey
  var country: String
  var zone: String
  var standardOffset: Int

  typealias PrimaryKey = HandZoneCountry.PrimaryKey

  static let entityDescription = EntityDescription(
    "countryZone", table: "country_zone", source: .view(definition: nil), key: .assigned(["zoneID", "countryCode"]),
    attributes: [
      Attribute("zoneID", .integer), Attribute("countryCode", .text), Attribute("country", .text), Attribute("zone", .text),
      Attribute("standardOffset", .integer),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var zone: Field<String> { path.field("zone") }
  }

  var primaryKey: PrimaryKey? { key }

  init(row: inout RowReader) throws {
    key = try PrimaryKey(row: &row)
    country = try row.next()
    zone = try row.next()
    standardOffset = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try key.write(to: &row)
    try row.write(country)
    try row.write(zone)
    try row.write(standardOffset)
  }
}
