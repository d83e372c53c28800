import DAOCriteria
import Foundation

/// Zones, their countries and their changes, in short: the entities of `Documentation/criteria-json.md`. The fuzzer has them too.
package enum Clock {
  package static let entities: [EntityDescription] = [
    Zone.entityDescription, Country.entityDescription, Transition.entityDescription, sample,
  ]

  /// An entity with every type of attribute.
  package static let sample: EntityDescription = EntityDescription(
    "sample", key: .assigned(["integer"]),
    attributes: [
      Attribute("bool", .bool), Attribute("integer", .integer, renamedFrom: ["number"]), Attribute("real", .real), Attribute("text", .text),
      Attribute("json", .json), Attribute("data", .data), Attribute("uuid", .uuid(.blob)), Attribute("uuidText", .uuid(.text)),
      Attribute("date", .date(.iso8601)), Attribute("seconds", .date(.unixSeconds)), Attribute("milliseconds", .date(.unixMilliseconds)),
      Attribute("decimal", .decimal(.text)), Attribute("scaled", .decimal(.scaled(2))), Attribute("any", .any, optional: true),
    ])

  package struct Zone: Entity {
    package var id: Int64?
    package var name: String
    package var standardOffset: Int
    package var latitude: Double?
    package var comment: String?
    package var countryCode: String?

    package static let entityDescription: EntityDescription = EntityDescription(
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

    package struct Fields: EntityFields {
      package let path: FieldPath
      package init(path: FieldPath) { self.path = path }
      package var id: Field<Int64> { path.field("id") }
      package var name: Field<String> { path.field("name") }
      package var standardOffset: Field<Int> { path.field("standardOffset") }
      package var latitude: Field<Double?> { path.field("latitude") }
      package var comment: Field<String?> { path.field("comment") }
      package var countryCode: Field<String?> { path.field("countryCode") }
      package var country: Country.Fields { Country.Fields(path: path.appending("country")) }
      package var transitions: RelatedField<Transition> { path.related("transitions") }
    }

    package var primaryKey: Int64? { id }
    package mutating func setGeneratedKey(_ key: Int64) { id = key }

    package init(_ name: String, _ standardOffset: Int, _ latitude: Double? = nil, _ comment: String? = nil, in countryCode: String? = nil)
    {
      (self.name, self.standardOffset, self.latitude) = (name, standardOffset, latitude)
      (self.comment, self.countryCode) = (comment, countryCode)
    }

    package init(row: inout RowReader) throws {
      id = try row.next()
      name = try row.next()
      standardOffset = try row.next()
      latitude = try row.next()
      comment = try row.next()
      countryCode = try row.next()
    }

    package func write(to row: inout ColumnWriter) throws {
      try row.write(id)
      try row.write(name)
      try row.write(standardOffset)
      try row.write(latitude)
      try row.write(comment)
      try row.write(countryCode)
    }

    /// The rows have no place here, but they can be asked for.
    package static func prefetch(_ rows: inout Prefetching<Zone>) throws {
      try rows.fetch("country", Country.self) { _, _ in }
      try rows.fetch("transitions", Transition.self) { _, _ in }
    }
  }

  package struct Country: Entity {
    package var code: String
    package var name: String
    package var details: String?

    package static let entityDescription: EntityDescription = EntityDescription(
      "country", key: .assigned(["code"]),
      attributes: [Attribute("code", .text), Attribute("name", .text), Attribute("details", .json, optional: true)],
      relationships: [.toMany("zones", Zone.entityDescription, by: "countryCode")])

    package struct Fields: EntityFields {
      package let path: FieldPath
      package init(path: FieldPath) { self.path = path }
      package var code: Field<String> { path.field("code") }
      package var name: Field<String> { path.field("name") }
      package var details: Field<String?> { path.field("details") }
      package var zones: RelatedField<Zone> { path.related("zones") }
    }

    package var primaryKey: String? { code }

    package init(_ code: String, _ name: String, _ details: String? = nil) { (self.code, self.name, self.details) = (code, name, details) }

    package init(row: inout RowReader) throws {
      code = try row.next()
      name = try row.next()
      details = try row.next()
    }

    package func write(to row: inout ColumnWriter) throws {
      try row.write(code)
      try row.write(name)
      try row.write(details)
    }
  }

  package struct Transition: Entity {
    package var zoneID: Int64
    package var instant: Date
    package var offset: Int

    package static let entityDescription: EntityDescription = EntityDescription(
      "transition", key: .assigned(["zoneID", "instant"]),
      attributes: [Attribute("zoneID", .integer), Attribute("instant", .date(.unixSeconds)), Attribute("offset", .integer)],
      relationships: [.toOne("zone", Zone.entityDescription, by: "zoneID")])

    package struct Fields: EntityFields {
      package let path: FieldPath
      package init(path: FieldPath) { self.path = path }
      package var zoneID: Field<Int64> { path.field("zoneID") }
      package var instant: Field<Date> { path.field("instant") }
      package var offset: Field<Int> { path.field("offset") }
      package var zone: Zone.Fields { Zone.Fields(path: path.appending("zone")) }
    }

    package struct PrimaryKey: EntityKey {
      package var zoneID: Int64
      package var instant: Date

      package init(_ zoneID: Int64, _ instant: Date) { (self.zoneID, self.instant) = (zoneID, instant) }
      package init(row: inout RowReader) throws {
        zoneID = try row.next()
        instant = try row.next()
      }

      package func write(to row: inout ColumnWriter) throws {
        try row.write(zoneID)
        try row.write(instant)
      }
    }

    package var primaryKey: PrimaryKey? { PrimaryKey(zoneID, instant) }

    package init(_ zoneID: Int64, _ instant: Date, _ offset: Int) { (self.zoneID, self.instant, self.offset) = (zoneID, instant, offset) }
    package init(row: inout RowReader) throws {
      zoneID = try row.next()
      instant = try row.next()
      offset = try row.next()
    }

    package func write(to row: inout ColumnWriter) throws {
      try row.write(zoneID)
      try row.write(instant)
      try row.write(offset)
    }
  }
}
