import DAOCriteria

extension EntityDescription {
  /// Returns the foreign keys of the attributes, then those of the to-one relationships whose attributes do not declare them. A view has
  /// none.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` where a relationship does not fit the entity that it leads to.
  package func foreignKeys() throws -> [EntityForeignKey] {
    if isReadOnly { return [] }
    let own = attributes.compactMap { attribute in
      attribute.reference.map {
        EntityForeignKey(attributes: [attribute], table: $0.table, columns: [$0.column], onDelete: $0.onDelete)
      }
    }
    return try own
      + relationships.compactMap { relationship in
        guard case .toOne(let by, let onDelete) = relationship.kind, relationship.declaration != .absent,
          !own.contains(where: { $0.attributes.map(\.name) == by })
        else {
          return nil
        }
        do {
          // Nothing can point to a row of a view; criteria go through the relationship all the same.
          guard let step = try steps(of: relationship).first, !step.target.isReadOnly else { return nil }
          return EntityForeignKey(
            attributes: step.pairs.map(\.here), table: step.target.table, columns: step.pairs.map(\.there.column), onDelete: onDelete)
        } catch let problem as ValueProblem {
          throw DAOError.invalidDescription(entity: name, problems: ["\(name).\(relationship.name) \(problem)"])
        }
      }
  }

  /// Indexes for the to-one relationships, without which each look from the other side, and each delete there, reads the whole table.
  package var relationshipIndexes: [Index] {
    if isReadOnly { return [] }
    var known = [key.attributes] + indexes.map(\.attributes)
    return relationships.compactMap { relationship in
      guard relationship.declaration == .indexed, case .toOne(let by, _) = relationship.kind,
        !known.contains(where: { $0.starts(with: by) })
      else {
        return nil
      }
      known.append(by)
      return Index(on: by, unique: false)
    }
  }
}
