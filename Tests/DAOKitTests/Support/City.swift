import DAOKit

/// A land has cities, a city may lie in a land, have a twin and lie on rivers.
struct Land: Entity, Hashable {
  var code: String
  var name: String

  static let entityDescription = EntityDescription(
    "land", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)],
    relationships: [.toMany("cities", City.entityDescription, by: "landCode")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var code: Field<String> { path.field("code") }
    var name: Field<String> { path.field("name") }
    var cities: RelatedField<City> { path.related("cities") }
  }

  init(_ code: String, _ name: String) {
    self.code = code
    self.name = name
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

struct City: Entity, Hashable {
  var id: Int64
  var name: String
  var population: Int?
  var landCode: String?
  var twinID: Int64?

  static let entityDescription: EntityDescription = EntityDescription(
    "city", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("population", .integer, optional: true),
      Attribute("landCode", .text, column: "land_code", optional: true),
      Attribute("twinID", .integer, column: "twin_id", optional: true),
    ],
    relationships: [
      .toOne("land", Land.entityDescription, by: "landCode", onDelete: .cascade),
      .toOne("twin", City.entityDescription, by: "twinID", onDelete: .nullify),
      .manyToMany("rivers", River.entityDescription, through: CityOnRiver.entityDescription, by: "cityID", to: "river"),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var population: Field<Int?> { path.field("population") }
    var landCode: Field<String?> { path.field("landCode") }
    var land: Land.Fields { Land.Fields(path: path.appending("land")) }
    var twin: OptionalFields<City.Fields> { path.optionalFields("twin") }
    var rivers: RelatedField<River> { path.related("rivers") }
  }

  init(_ id: Int64, _ name: String, _ population: Int? = nil, in land: String? = nil, twin: Int64? = nil) {
    self.id = id
    self.name = name
    self.population = population
    landCode = land
    twinID = twin
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    population = try row.next()
    landCode = try row.next()
    twinID = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(population)
    try row.write(landCode)
    try row.write(twinID)
  }
}

struct River: Entity, Hashable {
  var name: String

  static let entityDescription = EntityDescription(
    "river", key: .assigned(["name"]), attributes: [Attribute("name", .text)],
    relationships: [
      .manyToMany("cities", City.entityDescription, through: CityOnRiver.entityDescription, by: "river", to: "cityID")
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var name: Field<String> { path.field("name") }
    var cities: RelatedField<City> { path.related("cities") }
  }

  init(_ name: String) { self.name = name }
  var primaryKey: String? { name }
  init(row: inout RowReader) throws { name = try row.next() }
  func write(to row: inout ColumnWriter) throws { try row.write(name) }
}

struct CityOnRiver: Entity, Hashable {
  var cityID: Int64
  var river: String

  static let entityDescription: EntityDescription = EntityDescription(
    "cityOnRiver", table: "city_river", key: .assigned(["river", "cityID"]),
    attributes: [Attribute("river", .text), Attribute("cityID", .integer, column: "city_id")],
    relationships: [
      .toOne("city", City.entityDescription, by: "cityID", onDelete: .cascade),
      .toOne("onRiver", River.entityDescription, by: "river"),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
  }

  init(_ cityID: Int64, _ river: String) {
    self.cityID = cityID
    self.river = river
  }

  struct PrimaryKey: EntityKey {
    var river: String
    var cityID: Int64

    init(row: inout RowReader) throws {
      river = try row.next()
      cityID = try row.next()
    }

    init(river: String, cityID: Int64) {
      self.river = river
      self.cityID = cityID
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(river)
      try row.write(cityID)
    }
  }

  var primaryKey: PrimaryKey? { PrimaryKey(river: river, cityID: cityID) }

  init(row: inout RowReader) throws {
    river = try row.next()
    cityID = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(river)
    try row.write(cityID)
  }
}

extension TestStore {
  /// Lands with two cities, one and none, and a city in none; populations that tie and lack.
  static func cities() throws -> TestStore {
    let store = try TestStore([
      Land.entityDescription, City.entityDescription, River.entityDescription, CityOnRiver.entityDescription,
    ])
    try store.factory.runtimeDAO(Land.self).insert([Land("SK", "Slovakia"), Land("AT", "Austria"), Land("IS", "Iceland")])
    try store.cities.insert([
      City(1, "Bratislava", 475_000, in: "SK"), City(2, "Wien", 1_900_000, in: "AT", twin: 1), City(3, "Košice", nil, in: "SK", twin: 2),
      City(4, "Atlantis", nil, twin: 4),
    ])
    try store.factory.runtimeDAO(River.self).insert([River("Danube"), River("Hornád")])
    try store.factory.runtimeDAO(CityOnRiver.self).insert([CityOnRiver(1, "Danube"), CityOnRiver(2, "Danube"), CityOnRiver(3, "Hornád")])
    store.trace.clear()
    return store
  }

  var cities: RuntimeDAO<City> { factory.runtimeDAO(City.self) }
  var lands: RuntimeDAO<Land> { factory.runtimeDAO(Land.self) }
}
