import DAOKit

/// Tables and what their rows have to do with each other, as plain values that can be made smaller.
package struct Schema: Sendable {
  /// What becomes an entity.
  package struct Table: Sendable {
    package var name: String
    package var table: String
    package var key: EntityDescription.Key
    package var attributes: [Attribute]
    package var indexes: [Index] = []
    package var links: [Link] = []
  }

  /// What becomes a relationship; tables are named by their places.
  package struct Link: Sendable {
    package var name: String
    package var kind: Relationship.Kind
    package var target: Int
    package var join: Int?
    package var referenced: [String]?
    package var declared = Relationship.Declaration.indexed

    /// The attributes of the table that has the link which hold a key of the other.
    var foreignKey: [String]? { if case .toOne(let by, _) = kind { by } else { nil } }
  }

  package var tables: [Table] = []
}

/// The entities of a schema. They find each other through it, so it has to be kept.
package final class Catalog: @unchecked Sendable {
  // Set once, before anybody else has it.
  package private(set) var entities: [EntityDescription] = []

  package init(_ schema: Schema) {
    entities = schema.tables.map { table in
      EntityDescription(
        table.name, table: table.table, key: table.key, attributes: table.attributes, indexes: table.indexes,
        relationships: table.links.map(relationship))
    }
  }

  private func relationship(_ link: Schema.Link) -> Relationship {
    let target = find(link.target)
    var through: (@Sendable () -> EntityDescription?)?
    if let join = link.join { through = find(join) }
    return Relationship(link.name, link.kind, referenced: link.referenced, declared: link.declared, target: target, through: through)
  }

  private func find(_ place: Int) -> @Sendable () -> EntityDescription? { { [weak self] in self?.entities[place] } }
}
