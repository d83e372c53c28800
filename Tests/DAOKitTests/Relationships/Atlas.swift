import DAOKit

// Entities with relationships of each kind, written by hand: what @Entity would write.

struct Nation: Entity, Hashable, Codable, Identifiable {
  var code: String
  var name: String
  var neighbour: Reference<Nation>?
  var towns = Many<Town>()
  var lakes = Many<Lake>()

  static let entityDescription: EntityDescription = EntityDescription(
    "nation", key: .assigned(["code"]),
    attributes: [Attribute("code", .text), Attribute("name", .text), Attribute("neighbour", .text, optional: true)],
    relationships: [
      .toOne("neighbour", Nation.entityDescription, by: "neighbour", onDelete: .nullify),
      .toMany("towns", Town.entityDescription, by: "nation"),
      .manyToMany("lakes", Lake.entityDescription, through: NationLake.entityDescription, by: "nation", to: "lake"),
    ])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var code: Field<String> { path.field("code") }
    var name: Field<String> { path.field("name") }
    var neighbour: Field<Reference<Nation>?> { path.field("neighbour") }
    var towns: RelatedField<Town> { path.related("towns") }
    var lakes: RelatedField<Lake> { path.related("lakes") }
  }

  init(_ code: String, _ name: String, neighbour: Reference<Nation>? = nil) {
    self.code = code
    self.name = name
    self.neighbour = neighbour
  }

  var primaryKey: String? { code }

  init(row: inout RowReader) throws {
    code = try row.next()
    name = try row.next()
    neighbour = try row.next(at: "nation.neighbour")
    towns = row.next(at: "nation.towns")
    lakes = row.next(at: "nation.lakes")
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(code)
    try row.write(name)
    try row.write(neighbour)
  }

  static func prefetch(_ rows: inout Prefetching<Nation>) throws {
    try rows.fetch("neighbour", into: \.neighbour)
    try rows.fetch("towns", into: \.towns)
    try rows.fetch("lakes", into: \.lakes)
  }
}

struct Town: Entity, Hashable, Codable, Identifiable {
  var id: Int64?
  var name: String
  var size: Int
  var nation: Reference<Nation>

  static let entityDescription: EntityDescription = EntityDescription(
    "town", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("size", .integer), Attribute("nation", .text, column: "nation_code"),
    ],
    relationships: [.toOne("nation", Nation.entityDescription, by: "nation", onDelete: .cascade)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var size: Field<Int> { path.field("size") }
    var nation: Field<Reference<Nation>> { path.field("nation") }
  }

  init(id: Int64? = nil, _ name: String, _ size: Int, in nation: Reference<Nation>) {
    self.id = id
    self.name = name
    self.size = size
    self.nation = nation
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    size = try row.next()
    nation = try row.next(at: "town.nation")
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
    try row.write(size)
    try row.write(nation)
  }

  static func prefetch(_ rows: inout Prefetching<Town>) throws { try rows.fetch("nation", into: \.nation) }
}

struct Lake: Entity, Hashable {
  var id: Int64
  var name: String
  var nations = Many<Nation>()

  static let entityDescription: EntityDescription = EntityDescription(
    "lake", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("name", .text)],
    relationships: [.manyToMany("nations", Nation.entityDescription, through: NationLake.entityDescription, by: "lake", to: "nation")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var name: Field<String> { path.field("name") }
    var nations: RelatedField<Nation> { path.related("nations") }
  }

  init(_ id: Int64, _ name: String) {
    self.id = id
    self.name = name
  }

  var primaryKey: Int64? { id }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
    nations = row.next(at: "lake.nations")
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
  }

  static func prefetch(_ rows: inout Prefetching<Lake>) throws { try rows.fetch("nations", into: \.nations) }
}

/// A pair, whose key is two references.
struct NationLake: Entity, Hashable {
  var key: PrimaryKey

  struct PrimaryKey: EntityKey {
    var nation: Reference<Nation>
    var lake: Reference<Lake>

    init(nation: Reference<Nation>, lake: Reference<Lake>) {
      self.nation = nation
      self.lake = lake
    }

    init(row: inout RowReader) throws { try self.init(nation: row.next(), lake: row.next()) }

    func write(to row: inout ColumnWriter) throws {
      try row.write(nation)
      try row.write(lake)
    }
  }

  static let entityDescription: EntityDescription = EntityDescription(
    "nationLake", table: "nation_lake", key: .assigned(["nation", "lake"]),
    attributes: [Attribute("nation", .text), Attribute("lake", .integer)],
    relationships: [
      .toOne("nation", Nation.entityDescription, by: "nation", onDelete: .cascade),
      .toOne("lake", Lake.entityDescription, by: "lake", onDelete: .cascade),
    ])

  struct Fields: EntityFields { init(path: FieldPath) {} }

  init(_ nation: String, _ lake: Int64) { key = PrimaryKey(nation: Reference(nation), lake: Reference(lake)) }
  var primaryKey: PrimaryKey? { key }
  init(row: inout RowReader) throws { key = try PrimaryKey(row: &row) }
  func write(to row: inout ColumnWriter) throws { try key.write(to: &row) }
}

enum Atlas {
  static let entities = [Nation.entityDescription, Town.entityDescription, Lake.entityDescription, NationLake.entityDescription]

  /// Three nations, of which the last has no town, no lake and no neighbour; two lakes, one through two nations.
  static func fill(_ factory: DAOFactory) throws {
    try factory.runtimeDAO(Nation.self).insert([
      Nation("FI", "Finland"), Nation("SK", "Slovakia"), Nation("AT", "Austria", neighbour: Reference("SK")),
    ])
    try factory.runtimeDAO(Nation.self).update(Nation("SK", "Slovakia", neighbour: Reference("AT")))
    try factory.runtimeDAO(Town.self).insert([
      Town("Bratislava", 480, in: Reference("SK")), Town("Wien", 2_000, in: Reference("AT")), Town("Košice", 230, in: Reference("SK")),
    ])
    try factory.runtimeDAO(Lake.self).insert([Lake(1, "Zemplín"), Lake(2, "Štrba")])
    try factory.runtimeDAO(NationLake.self).insert([NationLake("SK", 1), NationLake("SK", 2), NationLake("AT", 1)])
  }
}
