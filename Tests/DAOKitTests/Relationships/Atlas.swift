import DAOKit

// Entities with relationships of each kind, written by hand: what @Entity would write.

struct Land: Entity, Hashable {
  var code: String
  var name: String
  var neighbour: Reference<Land>?
  var cities = Many<City>()
  var rivers = Many<River>()

  static let entityDescription: EntityDescription = EntityDescription(
    "land", key: .assigned(["code"]),
    attributes: [Attribute("code", .text), Attribute("name", .text), Attribute("neighbour", .text, optional: true)],
    relationships: [
      .toOne("neighbour", Land.entityDescription, by: "neighbour", onDelete: .nullify),
      .toMany("cities", City.entityDescription, by: "land"),
      .manyToMany("rivers", River.entityDescription, through: LandRiver.entityDescription, by: "land", to: "river"),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var code: Field<String> { path.field("code") }
    var name: Field<String> { path.field("name") }
    var neighbour: Field<Reference<Land>?> { path.field("neighbour") }
    var cities: RelatedField<City> { path.related("cities") }
    var rivers: RelatedField<River> { path.related("rivers") }
  }

  init(_ code: String, _ name: String, neighbour: Reference<Land>? = nil) {
    self.code = code
    self.name = name
    self.neighbour = neighbour
  }

  var primaryKey: String? { code }

  init(row: inout RowReader) throws {
    code = try row.next()
    name = try row.next()
    neighbour = try row.next(at: "land.neighbour")
    cities = Many(at: "land.cities")
    rivers = Many(at: "land.rivers")
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(code)
    try row.write(name)
    try row.write(neighbour)
  }

  static func prefetch(_ rows: inout Prefetching<Land>) throws {
    try rows.fetch("neighbour", into: \.neighbour)
    try rows.fetch("cities", into: \.cities)
    try rows.fetch("rivers", into: \.rivers)
  }
}

struct City: Entity, Hashable {
  var id: Int64?
  var name: String
  var size: Int
  var land: Reference<Land>

  static let entityDescription: EntityDescription = EntityDescription(
    "city", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("size", .integer), Attribute("land", .text, column: "land_code"),
    ],
    relationships: [.toOne("land", Land.entityDescription, by: "land", onDelete: .cascade)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var size: Field<Int> { path.field("size") }
    var land: Field<Reference<Land>> { path.field("land") }
  }

  init(id: Int64? = nil, _ name: String, _ size: Int, in land: Reference<Land>) {
    self.id = id
    self.name = name
    self.size = size
    self.land = land
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    size = try row.next()
    land = try row.next(at: "city.land")
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(size)
    try row.write(land)
  }

  static func prefetch(_ rows: inout Prefetching<City>) throws { try rows.fetch("land", into: \.land) }
}

struct River: Entity, Hashable {
  var id: Int64
  var name: String
  var lands = Many<Land>()

  static let entityDescription: EntityDescription = EntityDescription(
    "river", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("name", .text)],
    relationships: [.manyToMany("lands", Land.entityDescription, through: LandRiver.entityDescription, by: "river", to: "land")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var name: Field<String> { path.field("name") }
    var lands: RelatedField<Land> { path.related("lands") }
  }

  init(_ id: Int64, _ name: String) {
    self.id = id
    self.name = name
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    lands = Many(at: "river.lands")
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
  }

  static func prefetch(_ rows: inout Prefetching<River>) throws { try rows.fetch("lands", into: \.lands) }
}

/// A pair, whose key is two references.
struct LandRiver: Entity, Hashable {
  var key: PrimaryKey

  struct PrimaryKey: EntityKey {
    var land: Reference<Land>
    var river: Reference<River>

    init(land: Reference<Land>, river: Reference<River>) {
      self.land = land
      self.river = river
    }

    init(row: inout RowReader) throws { try self.init(land: row.next(), river: row.next()) }

    func write(to row: inout ColumnWriter) throws {
      try row.write(land)
      try row.write(river)
    }
  }

  static let entityDescription: EntityDescription = EntityDescription(
    "landRiver", table: "land_river", key: .assigned(["land", "river"]),
    attributes: [Attribute("land", .text), Attribute("river", .integer)],
    relationships: [
      .toOne("land", Land.entityDescription, by: "land", onDelete: .cascade),
      .toOne("river", River.entityDescription, by: "river", onDelete: .cascade),
    ])

  struct Fields: EntityFields { init(path: FieldPath) {} }

  init(_ land: String, _ river: Int64) { key = PrimaryKey(land: Reference(land), river: Reference(river)) }
  var primaryKey: PrimaryKey? { key }
  init(row: inout RowReader) throws { key = try PrimaryKey(row: &row) }
  func write(to row: inout ColumnWriter) throws { try key.write(to: &row) }
}

enum Atlas {
  static let entities = [Land.entityDescription, City.entityDescription, River.entityDescription, LandRiver.entityDescription]

  /// Three lands, of which the last has no city, no river and no neighbour; two rivers, one through two lands.
  static func fill(_ factory: DAOFactory) throws {
    try factory.runtimeDAO(Land.self).insert([
      Land("FI", "Finland"), Land("SK", "Slovakia"), Land("AT", "Austria", neighbour: Reference("SK")),
    ])
    try factory.runtimeDAO(Land.self).update(Land("SK", "Slovakia", neighbour: Reference("AT")))
    try factory.runtimeDAO(City.self).insert([
      City("Bratislava", 480, in: Reference("SK")), City("Wien", 2_000, in: Reference("AT")), City("Košice", 230, in: Reference("SK")),
    ])
    try factory.runtimeDAO(River.self).insert([River(1, "Donau"), River(2, "Hron")])
    try factory.runtimeDAO(LandRiver.self).insert([LandRiver("SK", 1), LandRiver("SK", 2), LandRiver("AT", 1)])
  }
}
