import DAOKit

// Tables of pairs.
extension MovePlan {
  /// Adds the tables of pairs of an entity's relationships.
  mutating func addPairs(_ number: Int) {
    let entity = mappings[number].entity
    let parts = mappings[number].mapping.parts
    for relationship in entity.relationships {
      guard case .manyToMany(let by, let to) = relationship.kind, parts.relationships[relationship.name]?.isExcluded != true else {
        continue
      }
      let own = parts.relationships[relationship.name]?.paths.first?.names.first
      let targets = mappings.indices.filter { mappings[$0].entity.name == relationship.target?.name }
      let name = (own ?? relationship.name).lowercased()
      let found = sides(named: name, from: number, to: targets)
      if targets.isEmpty, schema.joins.contains(where: { join in join.sides.contains { $0.isNamed(name) } }) {
        problems.append(
          "\(entity.name).\(relationship.name) leads to \(relationship.target?.name ?? "an entity that is not there"), which no Core Data "
            + "entity becomes; name one, or exclude the relationship")
        continue
      }
      guard let (join, bySide, toSide) = found.first else {
        if let own { problems.append("\(entity.name).\(relationship.name) is mapped to '\(own)', which no table of pairs has") }
        continue
      }
      if found.count > 1 {
        let names = found.map { "'\($0.to.number.map { "\($0)" } ?? "")\($0.to.name)' of \($0.join.table)" }.joined(separator: ", ")
        problems.append("\(entity.name).\(relationship.name) may be \(names); map it to a side with its number, or to a table")
        continue
      }
      guard let through = relationship.join, let target = relationship.target else {
        problems.append("\(entity.name).\(relationship.name) goes through an entity that is not there")
        continue
      }
      let order = mappings[number].orders[relationship.name]
      // The other side's relationship has the same pairs.
      if let known = pairs.firstIndex(where: { $0.join == join && $0.entity.name == through.name }) {
        if order == nil || pairs[known].order != nil { continue }
        pairs.remove(at: known)
      }
      let (byPositions, toPositions) = (by.compactMap { through.position(of: $0) }, to.compactMap { through.position(of: $0) })
      guard byPositions.count == entity.key.attributes.count, toPositions.count == target.key.attributes.count,
        relationship.referenced == nil || relationship.referenced == entity.key.attributes
      else {
        problems.append("\(entity.name).\(relationship.name) pairs other attributes than the keys; exclude it")
        continue
      }
      let sources = mappings.indices.filter {
        mappings[$0].entity.name == entity.name && self.sources[$0].table == self.sources[number].table
      }
      addPairs(
        MovedPairs(
          join: join, by: bySide, to: toSide, sources: sources, targets: targets, entity: through, byPositions: byPositions,
          toPositions: toPositions, order: order.flatMap { through.position(of: $0) }, defaults: []),
        relationship: "\(entity.name).\(relationship.name)", order: order)
    }
  }

  private mutating func addPairs(_ pairs: MovedPairs, relationship: String, order: String?) {
    if let order {
      guard let position = pairs.order, [.integer, .real, .any].contains(pairs.entity.attributes[position].type) else {
        problems.append("\(relationship) has its positions in '\(order)', which is no number of \(pairs.entity.name)")
        return
      }
      guard pairs.to.order != nil else {
        problems.append("\(relationship) is not ordered: \(pairs.join.table) has no positions of \(pairs.to.name)")
        return
      }
    }
    var defaults: [StoredValue] = []
    for (position, attribute) in pairs.entity.attributes.enumerated() {
      let isFilled = pairs.byPositions.contains(position) || pairs.toPositions.contains(position) || pairs.order == position
      if let value = attribute.defaultValue, !isFilled, let stored = try? attribute.type.stored(value) {
        defaults.append(stored)
      } else if isFilled || attribute.isOptional || pairs.entity.key == .generated(attribute.name) {
        defaults.append(.null)
      } else if attribute.isVersion {
        defaults.append(.integer(0))
      } else {
        problems.append("\(relationship) can't be imported: a pair also needs \(pairs.entity.name).\(attribute.name)")
      }
    }
    self.pairs.append(
      MovedPairs(
        join: pairs.join, by: pairs.by, to: pairs.to, sources: pairs.sources, targets: pairs.targets, entity: pairs.entity,
        byPositions: pairs.byPositions, toPositions: pairs.toPositions, order: pairs.order, defaults: defaults))
  }

  /// The tables of pairs between an entity and others, by the name of the relationship.
  private func sides(
    named name: String, from number: Int, to targets: [Int]
  ) -> [(join: CoreDataJoin, by: CoreDataJoin.Side, to: CoreDataJoin.Side)] {
    func leads(_ side: CoreDataJoin.Side, to tables: [String]) -> Bool {
      guard let number = side.number else { return true }
      return schema.entity(number: number).map { tables.contains($0.table) } ?? false
    }
    let tables = targets.map { sources[$0].table }
    func sides(_ isNamed: (CoreDataJoin, CoreDataJoin.Side) -> Bool) -> [(join: CoreDataJoin, by: CoreDataJoin.Side, to: CoreDataJoin.Side)]
    {
      schema.joins.flatMap { join in
        [(join.sides[0], join.sides[1]), (join.sides[1], join.sides[0])].filter { by, to in
          isNamed(join, to) && leads(to, to: tables) && leads(by, to: [sources[number].table])
        }.map { (join, $0.0, $0.1) }
      }
    }
    let named = sides { join, side in side.isNamed(name) || join.table.lowercased() == name }
    return named.isEmpty ? sides { _, side in side.isNumbered(name) } : named
  }
}
