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
      let named = parts.relationships[relationship.name]?.paths ?? []
      let own = named.isEmpty && by.count == 1 ? parts.attributes[by[0]]?.paths ?? [] : named
      let names = own.compactMap(\.names.first)
      var columns = names.compactMap(source.column)
      for name in names where source.column(name) == nil {
        problems.append("\(entity.name).\(relationship.name) is mapped to '\(name)', which is no column of \(source.name)")
      }
      // A column that only the attribute names may hold another number than a Z_PK.
      var isReference = !named.isEmpty
      if own.isEmpty, let column = source.column(relationship.name) {
        (columns, isReference) = ([column], true)
      } else if own.isEmpty, by.count == 1 {
        columns = [source.column(by[0])].compactMap(\.self)
      }
      if own.isEmpty {
        namesakes.append(Namesake(mapping: number, name: relationship.name, column: columns.first?.name ?? relationship.name.lowercased()))
      }
      if columns.isEmpty {
        checkRequired(by, relationship.name, number)
        continue
      }
      if !isReference, let column = columns.first(where: { !schema.hasReferenceIndex($0, of: source) }) {
        problems.append(
          "\(entity.name).\(relationship.name) has the column \(column.column) by the name of its attribute alone, and no index "
            + "Z…_\(column.column)_INDEX says that the column holds references; map the relationship to '\(column.name)' if it holds the "
            + "Z_PK of rows; exclude the relationship, and map the attribute, if it holds other numbers")
        continue
      }
      addLink(&links, number, relationship.name, columns, by, to: relationship.target, referenced: relationship.referenced)
    }
    for attribute in entity.attributes where !done.contains(attribute.name) && parts.attributes[attribute.name]?.isExcluded != true {
      guard let target = target(of: attribute, in: entity) else { continue }
      let own = (parts.attributes[attribute.name]?.paths ?? []).compactMap(\.names.first)
      let columns = (own.isEmpty ? [attribute.name] : own).compactMap(source.column)
      // Without a column, the attribute is treated as any other.
      if columns.isEmpty || !own.isEmpty && columns.count < own.count { continue }
      guard let column = columns.first(where: { !schema.hasReferenceIndex($0, of: source) }) else {
        addLink(&links, number, attribute.name, columns, [attribute.name], to: target, referenced: nil)
        continue
      }
      // A mapping of the attribute says that the column holds the key itself, and so does a hook.
      if own.isEmpty, parts.hooks.attributes[attribute.name]?.instead == nil {
        problems.append(
          "\(entity.name).\(attribute.name) has the key of \(target.name), and no index Z…_\(column.column)_INDEX says that the column "
            + "\(column.column) holds references; map the attribute to '\(column.name)' if the column holds the key itself; map a to-one "
            + "relationship by the attribute to it if it holds the Z_PK of rows")
      }
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
    _ links: inout [MovedEntity.Link], _ number: Int, _ name: String, _ columns: [Attribute], _ by: [String],
    to target: EntityDescription?, referenced: [String]?
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
    if let column = columns.first(where: { $0.type != .integer }) {
      problems.append("\(entity.name).\(name) is a reference, but the column \(column.column) has \(column.type)")
      return
    }
    guard referenced == nil || referenced == target.key.attributes, positions.count == target.key.attributes.count else {
      problems.append("\(entity.name).\(name) leads to other attributes of \(target.name) than its key; exclude the relationship")
      return
    }
    links.append(MovedEntity.Link(name: name, columns: columns, positions: positions, targets: targets, isOptional: isOptional))
  }

  private mutating func checkRequired(_ by: [String], _ name: String, _ number: Int) {
    let entity = mappings[number].entity
    let required = by.compactMap { entity[$0] }.filter { !$0.isOptional && $0.defaultValue == nil }
    // The attribute says so itself where no relationship has its name.
    if !required.isEmpty, by.count > 1 {
      problems.append("\(entity.name).\(name) has no column of its name in \(sources[number].name), and can't be null; map it to one")
    }
  }

  /// The columns of positions that an attribute takes, since another entity's relationship says so.
  func order(of attribute: String, _ number: Int, _ links: [MovedEntity.Link]) -> [RecordPath]? {
    for (other, mapping) in mappings.enumerated() {
      for (name, ordered) in mapping.orders where ordered == attribute {
        guard let relationship = mapping.entity.relationship(name), case .toMany(let by) = relationship.kind,
          relationship.target?.name == mappings[number].entity.name
        else { continue }
        let positions = by.compactMap { mappings[number].entity.position(of: $0) }
        if let link = links.first(where: { $0.positions == positions && $0.targets.contains(other) }) {
          return link.columns.map { RecordPath(["z_fok_\($0.name)"]) }
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
        if !columns.contains(where: CoreDataEntity.isPosition) {
          problems.append("\(entity.name).\(name) has no positions in the Core Data store, or no '\(attribute)' takes them")
        }
      case .manyToMany:
        let position = relationship.join?.position(of: attribute)
        if !pairs.contains(where: { $0.entity.name == relationship.join?.name && $0.orders.contains { $0.position == position } }) {
          problems.append("\(entity.name).\(name) has no pairs in the Core Data store")
        }
      }
    }
  }
}
