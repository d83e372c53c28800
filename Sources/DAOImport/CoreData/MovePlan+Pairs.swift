import DAOKit

// Tables of pairs.
extension MovePlan {
  /// A table of pairs, in the direction of a relationship.
  struct Way: Hashable {
    let join: CoreDataJoin
    let by, to: CoreDataJoin.Side
  }

  /// Adds the tables of pairs of an entity's relationships.
  mutating func addPairs(_ number: Int) {
    let entity = mappings[number].entity
    let parts = mappings[number].mapping.parts
    for relationship in entity.relationships {
      guard case .manyToMany(let by, let to) = relationship.kind, parts.relationships[relationship.name]?.isExcluded != true else {
        continue
      }
      let own = (parts.relationships[relationship.name]?.paths ?? []).compactMap(\.names.first)
      let targets = mappings.indices.filter { mappings[$0].entity.name == relationship.target?.name }
      let names = own.isEmpty ? [relationship.name] : own
      if targets.isEmpty,
        schema.joins.contains(where: { join in join.sides.contains { side in names.contains { side.isNamed($0.lowercased()) } } })
      {
        problems.append(
          "\(entity.name).\(relationship.name) leads to \(relationship.target?.name ?? "an entity that is not there"), which no Core Data "
            + "entity becomes; name one, or exclude the relationship")
        continue
      }
      let found = names.flatMap { name -> [Way] in
        let ways = ways(named: name.lowercased(), from: number, to: targets, isMapped: !own.isEmpty)
        if ways.isEmpty, !own.isEmpty {
          problems.append("\(entity.name).\(relationship.name) is mapped to '\(name)', which no table of pairs has")
        }
        if ways.count > 1 {
          let names = ways.map { "'\($0.to.number.map { "\($0)" } ?? "")\($0.to.name)' of \($0.join.table)" }.joined(separator: ", ")
          problems.append(
            "\(entity.name).\(relationship.name) may be \(names); map it to a side with its number, to a table, or to a list of these")
          return []
        }
        return ways
      }
      if found.isEmpty { continue }
      guard let through = relationship.join, let target = relationship.target else {
        problems.append("\(entity.name).\(relationship.name) goes through an entity that is not there")
        continue
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
      for way in Set(found).sorted(by: { $0.join.table < $1.join.table }) {
        add(
          MovedPairs(
            relationship: "\(entity.name).\(relationship.name)", join: way.join, by: way.by, to: way.to, sources: sources, targets: targets,
            entity: through, byPositions: byPositions, toPositions: toPositions, orders: []),
          number, order: mappings[number].orders[relationship.name])
      }
    }
  }

  /// Adds the pairs of a table, or the positions of one side to pairs that the other side's relationship has added.
  private mutating func add(_ new: MovedPairs, _ number: Int, order: String?) {
    var new = new
    if let order {
      guard let position = new.entity.position(of: order), [.integer, .real, .any].contains(new.entity.attributes[position].type) else {
        problems.append("\(new.relationship) has its positions in '\(order)', which is no number of \(new.entity.name)")
        return
      }
      guard let column = new.to.order else {
        problems.append("\(new.relationship) is not ordered: \(new.join.table) has no positions of \(new.to.name)")
        return
      }
      new.orders = [MovedPairs.Order(position: position, column: column)]
    }
    let known = pairs.firstIndex { known in
      guard known.join == new.join, known.entity.name == new.entity.name else { return false }
      return known.by == new.by ? known.sources.contains(number) : known.targets.contains(number)
    }
    guard let known else { return pairs.append(new) }
    for order in new.orders where !pairs[known].orders.contains(order) {
      if pairs[known].orders.contains(where: { $0.position == order.position }) {
        let name = new.entity.attributes[order.position].name
        problems.append("\(new.relationship) has its positions in '\(name)', as \(pairs[known].relationship) has; name another attribute")
        continue
      }
      pairs[known].orders.append(order)
    }
  }

  /// Gives all pairs the values that a new row has beside the keys and the positions.
  mutating func addDefaults() {
    for (number, pairs) in pairs.enumerated() {
      for (position, attribute) in pairs.entity.attributes.enumerated() {
        let isFilled =
          pairs.byPositions.contains(position) || pairs.toPositions.contains(position) || pairs.orders.contains { $0.position == position }
        if let value = attribute.defaultValue, !isFilled, let stored = try? attribute.type.stored(value) {
          self.pairs[number].defaults.append(stored)
        } else if isFilled || attribute.isOptional || attribute.isGenerated || pairs.entity.key == .generated(attribute.name) {
          self.pairs[number].defaults.append(.null)
        } else if attribute.isVersion {
          self.pairs[number].defaults.append(.integer(0))
        } else {
          problems.append("\(pairs.relationship) can't be imported: a pair also needs \(pairs.entity.name).\(attribute.name)")
        }
      }
    }
  }

  /// The tables of pairs between an entity and others, by the name of a relationship: its own, else with the number that Core Data appends
  /// where relationships of several entities have one name.
  private func ways(named name: String, from number: Int, to targets: [Int], isMapped: Bool) -> [Way] {
    let targetKinds = Set(targets.flatMap { kinds[$0].keys })
    let sourceKinds = Set(kinds[number].keys)
    /// The entities whose rows a side may have; nil for any.
    func family(_ side: CoreDataJoin.Side) -> Set<Int64>? {
      side.number.map { number in Set(schema.entity(number: number).map { schema.family(of: $0).map(\.number) } ?? []) }
    }
    func leads(_ side: CoreDataJoin.Side, to kinds: Set<Int64>) -> Bool { family(side).map { !$0.isDisjoint(with: kinds) } ?? true }
    func hasAll(_ side: CoreDataJoin.Side, of kinds: Set<Int64>) -> Bool { family(side)?.isSuperset(of: kinds) ?? true }
    func ways(_ isNamed: (CoreDataJoin, CoreDataJoin.Side) -> Bool) -> [Way] {
      schema.joins.flatMap { join in
        [Way(join: join, by: join.sides[0], to: join.sides[1]), Way(join: join, by: join.sides[1], to: join.sides[0])].filter { way in
          isNamed(join, way.to) && leads(way.to, to: targetKinds) && leads(way.by, to: sourceKinds)
        }
      }
    }
    let named = ways { join, side in side.isNamed(name) || join.table.lowercased() == name }
    let isWhole = named.contains { hasAll($0.by, of: sourceKinds) && hasAll($0.to, of: targetKinds) }
    if isMapped && !named.isEmpty || isWhole { return named }
    // Rows of other sub-entities may have the relationship in a table with a number.
    return named + ways { join, side in side.isNumbered(name) }.filter { !named.contains($0) }
  }
}
