import DAOImport
import DAOKit

/// The entity of a tree whose nodes may also be related crosswise.
enum Node {
  static let description: EntityDescription = EntityDescription(
    "node", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, optional: true), Attribute("needed", .text, default: .text("")),
      Attribute("isActive", .bool, default: .bool(true)), Attribute("parent", .integer, optional: true),
    ],
    relationships: [
      .toOne("parent", description, by: "parent"), .toMany("children", description, by: "parent"),
      .manyToMany("related", description, through: pair, by: "one", to: "other"),
    ])

  static let pair: EntityDescription = EntityDescription(
    "nodePair", key: .assigned(["one", "other"]),
    attributes: [
      Attribute("one", .integer, references: ForeignKey(table: "node", column: "id", onDelete: .cascade)),
      Attribute("other", .integer, references: ForeignKey(table: "node", column: "id", onDelete: .cascade)),
    ])

  /// Such an entity whose name is required, so that a key alone makes no row.
  static let named: EntityDescription = EntityDescription(
    "node", key: .assigned(["id"]),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("parent", .integer, optional: true)],
    relationships: [
      .toOne("parent", named, by: "parent"), .toMany("children", named, by: "parent"),
      .manyToMany("related", named, through: pair, by: "one", to: "other"),
    ])

  /// The nodes of a new store.
  static func dao(_ entity: EntityDescription = description) throws -> (nodes: RuntimeDAO<DynamicEntity>, factory: DAOFactory) {
    let factory = try DAOFactory(store: .inMemory(), describedBy: [entity, pair, importMark])
    return (factory.runtimeDAO(entity), factory)
  }

  private static let importMark = ImportMark.entityDescription
}

extension RuntimeDAO<DynamicEntity> {
  /// The rows of a tree: `1 a <- 2`, where 2 is the parent.
  func tree() throws -> [String] {
    try findAll(.all.order(by: .ascending(.field("id")))).map { row in
      func text(_ name: String) -> String { row[name].map { "\($0)" } ?? "" }
      return "\(text("id")) \(text("name")) <- \(text("parent"))"
    }
  }
}
