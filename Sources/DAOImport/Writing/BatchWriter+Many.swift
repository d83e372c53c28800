import DAOKit

extension BatchWriter {
  /// A row of the group, and the nodes that it is to be related to.
  private struct Parent {
    /// The number of the row.
    let row: Int
    let node: Int
    let related: ImportNode.Related
    /// The values that the other side holds.
    let key: [StoredValue]
    /// Whether rows that are not among the nodes are related no longer.
    let isReplaced: Bool
  }

  /// Stores the rows of a to-many relationship.
  mutating func writeMany(_ group: [Int], _ number: Int, _ relationship: Int, _ plan: RelationshipPlan) throws {
    var parents: [Parent] = []
    let here = plan.here
    for node in group {
      guard let related = batch.nodes[node].related(relationship), let row = rowOfNode[node] else { continue }
      guard let key = EntityPlan.identity(of: rows[row].values, at: here) else {
        throw RefusedNode(node, plan.name, "can't be related: the row has no value that others could hold")
      }
      parents.append(
        Parent(row: row, node: node, related: related, key: key, isReplaced: !onlyAdds && (related.isNull || plan.mapping.many != .add)))
    }
    if parents.isEmpty { return }
    switch plan.matching {
    case .toOne: break
    case .toMany(_, let there): try writeChildren(parents, plan, there)
    case .manyToMany(let pairs, _, let there): try writePairs(parents, plan, pairs, there)
    }
    for parent in parents {
      for target in parent.related.nodes where rowOfNode[target] == nil {
        openLinks.append(openLink(of: rows[parent.row], parent.node, number, relationship, plan, target))
      }
    }
  }

  // MARK: Rows that hold the key

  private mutating func writeChildren(_ parents: [Parent], _ plan: RelationshipPlan, _ there: [Int]) throws {
    let target = self.plan.entities[plan.target]
    for parent in parents {
      for node in parent.related.nodes {
        for (position, value) in zip(there, parent.key) { batch.nodes[node].values[position] = value }
      }
    }
    var replaced = Set(parents.filter(\.isReplaced).map(\.key))
    var before = replaced.isEmpty ? [] : try find(Array(replaced), at: there, in: target.target)
    before.removeAll { row in !replaced.contains(there.map { row.values[$0] }) }
    matchAlike(parents.filter(\.isReplaced).flatMap(\.related.nodes), before, target)
    try write(parents.flatMap(\.related.nodes), plan.target)
    if before.isEmpty { return }
    // Of several lists for one row the last counts.
    let last = Dictionary(parents.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    replaced = Set(last.values.filter(\.isReplaced).map(\.key))
    let kept = Set(
      last.values.flatMap(\.related.nodes).compactMap {
        rowOfNode[$0].map { target.keyPositions.map { [values = rows[$0].values] in values[$0] } }
      })
    let ends = before.filter { row in
      replaced.contains(there.map { row.values[$0] }) && !kept.contains(target.keyPositions.map { row.values[$0] })
    }
    try end(ends, plan, there, target)
  }

  /// Ends the relationship of rows that a list leaves out.
  private mutating func end(_ ends: [ImportedRow], _ plan: RelationshipPlan, _ there: [Int], _ target: EntityPlan) throws {
    // A node of the batch may have moved one to another row, or changed it.
    let keys = ends.compactMap(\.primaryKey)
    let current = try store.find(ImportedRow.self, in: target.target, keys: keys)
    let before = Dictionary(
      ends.map { ($0.primaryKey, there.map { [values = $0.values] in values[$0] }) }, uniquingKeysWith: { first, _ in first })
    let own = current.filter { row in before[row.primaryKey] == there.map { row.values[$0] } }
    if own.isEmpty { return }
    if plan.mapping.many == .replaceDeletingOrphans || !plan.isOptional {
      counts[target.entity.name, default: ImportCounts()].deleted += try store.delete(
        ImportedRow.self, keys: own.compactMap(\.primaryKey), in: target.target)
    } else {
      _ = try store.update(
        own.map { row in
          var row = row
          for position in there { row.values[position] = .null }
          return row
        }, in: target.target)
      counts[target.entity.name, default: ImportCounts()].updated += own.count
    }
  }

  /// Finds rows for nodes without an identity among those that were related before: one whose values are the same.
  private mutating func matchAlike(_ nodes: [Int], _ before: [ImportedRow], _ target: EntityPlan) {
    var left = before
    for node in nodes where EntityPlan.identity(of: batch.nodes[node].values, at: target.identity) == nil {
      let values = batch.nodes[node].values
      guard
        let same = left.firstIndex(where: { row in
          values.indices.allSatisfy { position in
            guard let value = values[position] else { return true }
            return value == row.values[position] || value.isNull && target.keyPositions.contains(position)
          }
        })
      else { continue }
      rowOfNode[node] = rows.count
      rows.append(left.remove(at: same))
    }
  }

  // MARK: Pairs

  private mutating func writePairs(_ parents: [Parent], _ plan: RelationshipPlan, _ pairs: RelationshipPlan.Pairs, _ there: [Int]) throws {
    try write(parents.flatMap(\.related.nodes), plan.target)
    var wanted: [[StoredValue]: (isReplaced: Bool, others: [[StoredValue]])] = [:]
    for parent in parents {
      let others = parent.related.nodes.compactMap { rowOfNode[$0].map { row in there.map { rows[row].values[$0] } } }
      if parent.isReplaced {
        wanted[parent.key] = (true, others)
      } else {
        wanted[parent.key, default: (false, [])].others += others
      }
    }
    var open = wanted.mapValues { Set($0.others) }
    var ends: [ImportedRow] = []
    for row in try find(Array(wanted.keys), at: pairs.by, in: pairs.target) {
      let (key, other) = (pairs.by.map { row.values[$0] }, pairs.to.map { row.values[$0] })
      guard let wish = wanted[key] else { continue }
      if wish.others.contains(other) { open[key]?.remove(other) } else if wish.isReplaced { ends.append(row) }
    }
    var new: [ImportedRow] = []
    for parent in parents {
      guard var others = open.removeValue(forKey: parent.key) else { continue }
      // In the order of the list.
      for other in wanted[parent.key]?.others ?? [] where others.remove(other) != nil { new.append(pairs.row(parent.key, other)) }
    }
    if !new.isEmpty { _ = try store.insert(new, in: pairs.target) }
    counts[pairs.entity.name, default: ImportCounts()].inserted += new.count
    if ends.isEmpty { return }
    let deleted = try store.delete(ImportedRow.self, keys: ends.compactMap(\.primaryKey), in: pairs.target)
    counts[pairs.entity.name, default: ImportCounts()].deleted += deleted
    if plan.mapping.many == .replaceDeletingOrphans { try deleteUnpaired(ends, plan, pairs, there) }
  }

  /// Deletes the rows of pairs that are no more, where no other pair has them.
  private mutating func deleteUnpaired(
    _ ends: [ImportedRow], _ plan: RelationshipPlan, _ pairs: RelationshipPlan.Pairs, _ there: [Int]
  ) throws {
    var others = Set(ends.map { row in pairs.to.map { row.values[$0] } })
    for row in try find(Array(others), at: pairs.to, in: pairs.target) { others.remove(pairs.to.map { row.values[$0] }) }
    if others.isEmpty { return }
    let target = plan.target
    let orphans = try find(Array(others), at: there, in: self.plan.entities[target].target).filter { row in
      others.contains(there.map { row.values[$0] })
    }
    let entity = self.plan.entities[target].target
    counts[entity.entity.name, default: ImportCounts()].deleted += try store.delete(
      ImportedRow.self, keys: orphans.compactMap(\.primaryKey), in: entity)
  }
}

extension RelationshipPlan {
  /// The positions of the attributes here whose values the other side holds.
  fileprivate var here: [Int] {
    switch matching {
    case .toOne(let here, _), .toMany(let here, _), .manyToMany(_, let here, _): here
    }
  }
}

extension RelationshipPlan.Pairs {
  /// A new pair.
  fileprivate func row(_ key: [StoredValue], _ other: [StoredValue]) -> ImportedRow {
    var values = defaults.map { $0 ?? .null }
    for (position, value) in zip(by, key) { values[position] = value }
    for (position, value) in zip(to, other) { values[position] = value }
    return ImportedRow(values, of: entity)
  }
}
