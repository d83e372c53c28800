import DAOKit
import Foundation

/// Zones, their countries and their changes, in short: the entities of `Documentation/criteria-json.md`. The fuzzer has them too.
enum Clock {
  static let entities: [EntityDescription] = [Zone.entityDescription, Country.entityDescription, Transition.entityDescription, sample]

  /// An entity with every type of attribute.
  static let sample: EntityDescription = EntityDescription(
    "sample", key: .assigned(["integer"]),
    attributes: [
      Attribute("bool", .bool), Attribute("integer", .integer, renamedFrom: ["number"]), Attribute("real", .real), Attribute("text", .text),
      Attribute("json", .json), Attribute("data", .data), Attribute("uuid", .uuid(.blob)), Attribute("uuidText", .uuid(.text)),
      Attribute("date", .date(.iso8601)), Attribute("seconds", .date(.unixSeconds)), Attribute("milliseconds", .date(.unixMilliseconds)),
      Attribute("decimal", .decimal(.text)), Attribute("scaled", .decimal(.scaled(2))), Attribute("any", .any, optional: true),
    ])

  struct Zone: Entity {
    var id: Int64?
    var name: String
    var standardOffset: Int
    var latitude: Double?
    var comment: String?
    var countryCode: String?

    static let entityDescription: EntityDescription = EntityDescription(
      "zone", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("name", .text, searchable: true), Attribute("standardOffset", .integer),
        Attribute("latitude", .real, optional: true), Attribute("comment", .text, optional: true, searchable: true),
        Attribute("countryCode", .text, optional: true),
      ],
      relationships: [
        .toOne("country", Country.entityDescription, by: "countryCode"),
        .toMany("transitions", Transition.entityDescription, by: "zoneID"),
      ])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var id: Field<Int64> { path.field("id") }
      var name: Field<String> { path.field("name") }
      var standardOffset: Field<Int> { path.field("standardOffset") }
      var latitude: Field<Double?> { path.field("latitude") }
      var comment: Field<String?> { path.field("comment") }
      var countryCode: Field<String?> { path.field("countryCode") }
      var country: Country.Fields { Country.Fields(path: path.appending("country")) }
      var transitions: RelatedField<Transition> { path.related("transitions") }
    }

    var primaryKey: Int64? { id }
    mutating func setGeneratedKey(_ key: Int64) { id = key }

    init(_ name: String, _ standardOffset: Int, _ latitude: Double? = nil, _ comment: String? = nil, in countryCode: String? = nil) {
      (self.name, self.standardOffset, self.latitude) = (name, standardOffset, latitude)
      (self.comment, self.countryCode) = (comment, countryCode)
    }

    init(row: inout RowReader) throws {
      id = try row.next()
      name = try row.next()
      standardOffset = try row.next()
      latitude = try row.next()
      comment = try row.next()
      countryCode = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(id)
      try row.write(name)
      try row.write(standardOffset)
      try row.write(latitude)
      try row.write(comment)
      try row.write(countryCode)
    }

    /// The rows have no place here, but they can be asked for.
    static func prefetch(_ rows: inout Prefetching<Zone>) throws {
      try rows.fetch("country", Country.self) { _, _ in }
      try rows.fetch("transitions", Transition.self) { _, _ in }
    }
  }

  struct Country: Entity {
    var code: String
    var name: String
    var details: String?

    static let entityDescription: EntityDescription = EntityDescription(
      "country", key: .assigned(["code"]),
      attributes: [Attribute("code", .text), Attribute("name", .text), Attribute("details", .json, optional: true)],
      relationships: [.toMany("zones", Zone.entityDescription, by: "countryCode")])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var code: Field<String> { path.field("code") }
      var name: Field<String> { path.field("name") }
      var details: Field<String?> { path.field("details") }
      var zones: RelatedField<Zone> { path.related("zones") }
    }

    var primaryKey: String? { code }

    init(_ code: String, _ name: String, _ details: String? = nil) { (self.code, self.name, self.details) = (code, name, details) }

    init(row: inout RowReader) throws {
      code = try row.next()
      name = try row.next()
      details = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(code)
      try row.write(name)
      try row.write(details)
    }
  }

  struct Transition: Entity {
    var zoneID: Int64
    var instant: Date
    var offset: Int

    static let entityDescription: EntityDescription = EntityDescription(
      "transition", key: .assigned(["zoneID", "instant"]),
      attributes: [Attribute("zoneID", .integer), Attribute("instant", .date(.unixSeconds)), Attribute("offset", .integer)],
      relationships: [.toOne("zone", Zone.entityDescription, by: "zoneID")])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var zoneID: Field<Int64> { path.field("zoneID") }
      var instant: Field<Date> { path.field("instant") }
      var offset: Field<Int> { path.field("offset") }
      var zone: Zone.Fields { Zone.Fields(path: path.appending("zone")) }
    }

    struct PrimaryKey: EntityKey {
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

    var primaryKey: PrimaryKey? { PrimaryKey(zoneID, instant) }

    init(_ zoneID: Int64, _ instant: Date, _ offset: Int) { (self.zoneID, self.instant, self.offset) = (zoneID, instant, offset) }
    init(row: inout RowReader) throws {
      zoneID = try row.next()
      instant = try row.next()
      offset = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(zoneID)
      try row.write(instant)
      try row.write(offset)
    }
  }
}
