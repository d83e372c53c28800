import DAOKit

extension EntityStore {
  /// Makes rows that refer to each other ready to be deleted: references that may be null become it, and rows that must have one come
  /// before those that they refer to.
  /// - Returns: the rows in the order in which they can be deleted.
  func releasing(_ rows: [ImportedRow], _ entity: EntityPlan) throws -> [ImportedRow] {
    var rows = rows
    for relationship in entity.entity.relationships {
      guard case .toOne(let by, _) = relationship.kind, relationship.target?.name == entity.entity.name else { continue }
      let positions = by.compactMap { entity.entity.position(of: $0) }
      if positions.allSatisfy({ entity.entity.attributes[$0].isOptional }) {
        let changed = rows.indices.filter { row in positions.contains { !rows[row].values[$0].isNull } }
        for row in changed { for position in positions { rows[row].values[position] = .null } }
        let updated = try update(changed.map { rows[$0] }, in: entity.target)
        for (row, new) in zip(changed, updated) { rows[row] = new }
      } else {
        rows = rows.withReferringFirst(positions, entity)
      }
    }
    return rows
  }
}

extension [ImportedRow] {
  /// The rows, each before the one that it refers to. Those of a circle keep their order.
  fileprivate func withReferringFirst(_ positions: [Int], _ entity: EntityPlan) -> [ImportedRow] {
    func key(_ row: ImportedRow, _ positions: [Int]) -> RowIdentity? { RowIdentity(row, at: positions, as: entity.entity.types) }
    let places = Dictionary(
      enumerated().compactMap { place, row in key(row, entity.keyPositions).map { ($0, place) } }, uniquingKeysWith: { first, _ in first })
    let targets = map { key($0, positions).flatMap { places[$0] } }
    var waiting = [Int](repeating: 0, count: count)
    for target in targets.compactMap({ $0 }) { waiting[target] += 1 }
    var order = indices.filter { waiting[$0] == 0 }
    var next = 0
    while next < order.count {
      if let target = targets[order[next]] {
        waiting[target] -= 1
        if waiting[target] == 0 { order.append(target) }
      }
      next += 1
    }
    return order.map { self[$0] } + indices.filter { waiting[$0] > 0 }.map { self[$0] }
  }
}
