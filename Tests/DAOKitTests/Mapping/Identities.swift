import DAOKit
import Foundation

/// A natural key, over a renamed table and columns.
struct Country: Entity, Hashable {
  var code: String
  var name: String

  static let entityDescription = EntityDescription(
    "country", table: "iso countries", key: .assigned(["code"]),
    attributes: [Attribute("code", .text, column: "ISO \"code\""), Attribute("name", .text, column: "order")],
    indexes: [Index(on: "name", unique: true)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var code: Field<String> { path.field("code") }
    var name: Field<String> { path.field("name") }
  }

  init(_ code: String, _ name: String) { (self.code, self.name) = (code, name) }
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

/// A UUID for a key.
struct Document: Entity, Hashable {
  var id: UUID
  var title: String

  static let entityDescription = EntityDescription(
    "document", key: .assigned(["id"]), attributes: [Attribute("id", .uuid(.blob)), Attribute("title", .text)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<UUID> { path.field("id") }
    var title: Field<String> { path.field("title") }
  }

  init(_ title: String) { (id, self.title) = (UUID(), title) }
  var primaryKey: UUID? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    title = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(title)
  }
}

/// A key of two attributes, of which one points to a zone; their order in the key is not that of the attributes.
struct Transition: Entity, Hashable {
  var instant: Date
  var offset: Int
  var zoneID: Int64
  var note: String?

  struct Key: EntityKey {
    var zoneID: Int64
    var instant: Date
    init(_ zoneID: Int64, _ instant: Date) { (self.zoneID, self.instant) = (zoneID, instant) }

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
      Attribute("instant", .date(.unixSeconds)), Attribute("offset", .integer),
      Attribute("zoneID", .integer, references: ForeignKey(table: "zone", column: "id", onDelete: .cascade)),
      Attribute("note", .text, optional: true, default: "none"),
    ],
    indexes: [Index(on: "zoneID", "offset", unique: true), Index(on: "offset")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var instant: Field<Date> { path.field("instant") }
    var offset: Field<Int> { path.field("offset") }
    var zoneID: Field<Int64> { path.field("zoneID") }
    var note: Field<String?> { path.field("note") }
  }

  init(_ zoneID: Int64, _ seconds: Double, _ offset: Int, _ note: String? = nil) {
    self.zoneID = zoneID
    instant = Date(timeIntervalSince1970: seconds)
    self.offset = offset
    self.note = note
  }

  var primaryKey: Key? { Key(zoneID, instant) }

  init(row: inout RowReader) throws {
    instant = try row.next()
    offset = try row.next()
    zoneID = try row.next()
    note = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(instant)
    try row.write(offset)
    try row.write(zoneID)
    try row.write(note)
  }
}

/// A view: how many zones an offset has.
struct OffsetCount: Entity, Hashable {
  var offset: Int
  var zones: Int

  static let entityDescription = EntityDescription(
    "offset_count", source: .view(definition: #"SELECT "offset", COUNT(*) AS "zones" FROM "zone" GROUP BY "offset""#),
    key: .assigned(["offset"]), attributes: [Attribute("offset", .integer), Attribute("zones", .integer)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var offset: Field<Int> { path.field("offset") }
    var zones: Field<Int> { path.field("zones") }
  }

  var primaryKey: Int? { offset }

  init(_ offset: Int, _ zones: Int) { (self.offset, self.zones) = (offset, zones) }

  init(row: inout RowReader) throws {
    offset = try row.next()
    zones = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(offset)
    try row.write(zones)
  }
}
