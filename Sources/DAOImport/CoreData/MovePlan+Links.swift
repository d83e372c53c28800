import DAOKit

// References to other rows, and their positions.
extension MovePlan {
  /// The attributes of to-one relationships that a mapping excludes.
  func excludedLinks(of entity: EntityDescription, _ parts: MappingParts) -> Set<String> {
    Set(
      entity.relationships.flatMap { relationship -> [String] in
        guard case .toOne(let by, _) = relationship.kind, parts.relationships[relationship.name]?.isExcluded == true else { return [] }
        return by
      })
  }

  /// The references of an entity: its to-one relationships, and the attributes that hold the key of another.
  mutating func links(of number: Int, _ parts: MappingParts) -> [MovedEntity.Link] {
    let (entity, source) = (mappings[number].entity, sources[number])
    var links: [MovedEntity.Link] = []
    var done = excludedLinks(of: entity, parts)
    for relationship in entity.relationships {
      guard case .toOne(let by, _) = relationship.kind, !by.contains(where: done.contains) else { continue }
      done.formUnion(by)
      let own =
        parts.relationships[relationship.name]?.paths.first?.names.first
        ?? (by.count == 1 ? parts.attributes[by[0]]?.paths.first?.names.first : nil)
      guard let column = source.column(own ?? relationship.name) ?? (own == nil && by.count == 1 ? source.column(by[0]) : nil) else {
        if let own { problems.append("\(entity.name).\(relationship.name) is mapped to '\(own)', which is no column of \(source.name)") }
        checkRequired(by, relationship.name, number)
        continue
      }
      addLink(&links, number, relationship.name, column, by, to: relationship.target, referenced: relationship.referenced)
    }
    for attribute in entity.attributes where !done.contains(attribute.name) && parts.attributes[attribute.name]?.isExcluded != true {
      guard let target = target(of: attribute, in: entity) else { continue }
      let own = parts.attributes[attribute.name]?.paths.first?.names.first
      // Without a column, the attribute is treated as any other.
      guard let column = source.column(own ?? attribute.name) else { continue }
      addLink(&links, number, attribute.name, column, [attribute.name], to: target, referenced: nil)
    }
    return links
  }

  /// The moved entity whose key an attribute holds, by its own account or by that of the other's to-many relationship.
  private func target(of attribute: Attribute, in entity: EntityDescription) -> EntityDescription? {
    for other in mappings.map(\.entity) where other.key.attributes.count == 1 {
      if let reference = attribute.reference, SchemaName.same(reference.table, other.table),
        other.keyAttributes.contains(where: { SchemaName.same($0.column, reference.column) })
      {
        return other
      }
      let holds = other.relationships.contains { relationship in
        if case .toMany(let by) = relationship.kind { by == [attribute.name] && relationship.target?.name == entity.name } else { false }
      }
      if holds { return other }
    }
    return nil
  }

  private mutating func addLink(
    _ links: inout [MovedEntity.Link], _ number: Int, _ name: String, _ column: Attribute, _ by: [String], to target: EntityDescription?,
    referenced: [String]?
  ) {
    let entity = mappings[number].entity
    let positions = by.compactMap { entity.position(of: $0) }
    let isOptional = positions.allSatisfy { entity.attributes[$0].isOptional }
    let targets = mappings.indices.filter { mappings[$0].entity.name == target?.name }
    guard let target, !targets.isEmpty else {
      problems.append(
        "\(entity.name).\(name) leads to \(target?.name ?? "an entity that is not there"), which no Core Data entity becomes; "
          + "name one, or exclude the relationship")
      return
    }
    if Set(targets.map { sources[$0].table }).count > 1 {
      problems.append(
        "\(entity.name).\(name) leads to \(target.name), which entities of several tables become: its number does not say which")
      return
    }
    guard column.type == .integer else {
      problems.append("\(entity.name).\(name) is a reference, but the column \(column.column) has \(column.type)")
      return
    }
    guard referenced == nil || referenced == target.key.attributes, positions.count == target.key.attributes.count else {
      problems.append("\(entity.name).\(name) leads to other attributes of \(target.name) than its key; exclude the relationship")
      return
    }
    links.append(MovedEntity.Link(name: name, column: column, positions: positions, targets: targets, isOptional: isOptional))
  }

  private mutating func checkRequired(_ by: [String], _ name: String, _ number: Int) {
    let entity = mappings[number].entity
    let required = by.compactMap { entity[$0] }.filter { !$0.isOptional && $0.defaultValue == nil }
    // The attribute says so itself where no relationship has its name.
    if !required.isEmpty, by.count > 1 {
      problems.append("\(entity.name).\(name) has no column of its name in \(sources[number].name), and can't be null; map it to one")
    }
  }

  /// The column of positions that an attribute takes, since another entity's relationship says so.
  func order(of attribute: String, _ number: Int, _ links: [MovedEntity.Link]) -> [RecordPath]? {
    for (other, mapping) in mappings.enumerated() {
      for (name, ordered) in mapping.orders where ordered == attribute {
        guard let relationship = mapping.entity.relationship(name), case .toMany(let by) = relationship.kind,
          relationship.target?.name == mappings[number].entity.name
        else { continue }
        let positions = by.compactMap { mappings[number].entity.position(of: $0) }
        if let link = links.first(where: { $0.positions == positions && $0.targets.contains(other) }) {
          return [RecordPath(["z_fok_\(link.column.name)"])]
        }
      }
    }
    return nil
  }

  /// Checks that the positions which ordered relationships are to have are there.
  mutating func checkOrders(_ number: Int) {
    let entity = mappings[number].entity
    for (name, attribute) in mappings[number].orders.sorted(by: { $0.key < $1.key }) {
      guard let relationship = entity.relationship(name) else { continue }
      switch relationship.kind {
      case .toOne: problems.append("\(entity.name).\(name) leads to one row, which has no position")
      case .toMany:
        let columns = mappings.indices.filter { mappings[$0].entity.name == relationship.target?.name }.flatMap { other in
          entities[other].target.attributes.filter { $0.attribute.name == attribute }.flatMap(\.paths).map(\.description)
        }
        if !columns.contains(where: { $0.hasPrefix("z_fok_") }) {
          problems.append("\(entity.name).\(name) has no positions in the Core Data store, or no '\(attribute)' takes them")
        }
      case .manyToMany:
        if !pairs.contains(where: { $0.entity.name == relationship.join?.name && $0.order != nil }) {
          problems.append("\(entity.name).\(name) has no pairs in the Core Data store")
        }
      }
    }
  }
}
