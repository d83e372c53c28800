import DAOKit

/// Entities that have tags, for stores in which sub-entities have a relationship of one name.
enum TagEntities {
  private static let attributes = [Attribute("id", .integer), Attribute("name", .text)]

  static let one: EntityDescription = EntityDescription(
    "one", key: .generated("id"), attributes: attributes,
    relationships: [.manyToMany("tags", tag, through: oneTag, by: "thing", to: "tag")])

  static let two: EntityDescription = EntityDescription(
    "two", key: .generated("id"), attributes: attributes,
    relationships: [.manyToMany("tags", tag, through: twoTag, by: "thing", to: "tag")])

  /// An entity without tags.
  static let bare = EntityDescription("bare", key: .generated("id"), attributes: attributes)

  static let tag: EntityDescription = EntityDescription(
    "tag", key: .assigned(["name"]), attributes: [Attribute("name", .text)],
    relationships: [.manyToMany("ones", one, through: oneTag, by: "tag", to: "thing")])

  static let oneTag = pair("oneTag", of: "one")
  static let twoTag = pair("twoTag", of: "two")

  private static func pair(_ name: String, of table: String) -> EntityDescription {
    EntityDescription(
      name, key: .assigned(["thing", "tag"]),
      attributes: [
        Attribute("thing", .integer, references: ForeignKey(table: table, column: "id", onDelete: .cascade)),
        Attribute("tag", .text, references: ForeignKey(table: "tag", column: "name", onDelete: .cascade)),
        Attribute("place", .integer, optional: true), Attribute("otherPlace", .integer, optional: true),
      ])
  }

  static var all: [EntityDescription] { [one, two, bare, tag, oneTag, twoTag] }

  static func factory() throws -> DAOFactory { try DAOFactory(store: .inMemory(), describedBy: all) }

  /// The pairs of both entities, by the names of their rows.
  static func pairs(_ factory: DAOFactory) throws -> [String] {
    try [(one, oneTag), (two, twoTag)].flatMap { entity, pair in
      let rows = try factory.runtimeDAO(entity).findAll()
      return try factory.runtimeDAO(pair).findAll().map { pair in
        let name = rows.first { $0["id"] == pair["thing"] }?["name"]
        return [name, pair["tag"]].map { if case .text(let text)? = $0 { text } else { "?" } }.joined(separator: " ")
      }
    }.sorted()
  }
}
