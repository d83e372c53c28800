import DAOKit

/// How records become rows, and rows records: the plans of every entity that they may have, compiled once for an import or an export.
struct RecordPlan {
  /// The plans, the feed's own entity first. Relationships name those of their targets by number.
  private(set) var entities: [EntityPlan] = []

  /// Compiles a mapping.
  /// - Parameters:
  ///   - target: the entity of the feed, and the rows that are visible.
  ///   - mapping: its mapping beside the one that it declares.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)`` with every problem of the mappings.
  init(_ target: EntityTarget, _ mapping: MappingParts) throws {
    var mappings: [String: MappingParts] = [target.entity.name: mapping]
    var problems: [String] = []
    var left = mapping.included
    while let included = left.popLast() {
      guard let entity = included.entity else {
        problems.append("a mapping of DynamicEntity is included, which says of no entity that it is its own")
        continue
      }
      guard mappings[entity.name] == nil else { continue }
      mappings[entity.name] = included.parts
      left += included.parts.included
    }
    var targets = [target]
    var numbers = [target.entity.name: 0]
    var next = 0
    while next < targets.count {
      let entity = targets[next].entity
      let plan = EntityPlan(targets[next], mappings[entity.name], &problems)
      plan.addRelationships(of: mappings[entity.name], &problems) { related in
        if let number = numbers[related.name] { return number }
        numbers[related.name] = targets.count
        targets.append(EntityTarget(related))
        return targets.count - 1
      }
      entities.append(plan)
      next += 1
    }
    problems += mappings.keys.filter { numbers[$0] == nil }.sorted().map { "no relationship leads to \($0), whose mapping is included" }
    if !problems.isEmpty { throw DAOError.invalidDescription(entity: target.entity.name, problems: problems) }
  }
}
