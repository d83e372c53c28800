import DAOCriteria

/// Cities that lie on rivers, in pairs, and may have a twin. Some columns are called otherwise than their attributes.
enum Crossing {
  static let city: EntityDescription = EntityDescription(
    "city", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("population", .integer, optional: true),
      Attribute("twinID", .integer, column: "twin_id", optional: true),
    ],
    relationships: [
      .toOne("twin", city, by: "twinID", onDelete: .nullify),
      .manyToMany("rivers", river, through: pair, by: "cityID", to: "river"),
    ])

  static let river: EntityDescription = EntityDescription(
    "river", key: .assigned(["name"]), attributes: [Attribute("name", .text)],
    relationships: [.manyToMany("cities", city, through: pair, by: "river", to: "cityID")])

  static let pair: EntityDescription = EntityDescription(
    "cityOnRiver", table: "city_river", key: .assigned(["river", "cityID"]),
    attributes: [Attribute("river", .text), Attribute("cityID", .integer, column: "city_id")],
    relationships: [.toOne("city", city, by: "cityID", onDelete: .cascade), .toOne("onRiver", river, by: "river")])
}
