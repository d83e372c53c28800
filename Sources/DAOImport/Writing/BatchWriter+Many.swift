import DAOKit

extension BatchWriter {
  /// A row of the group, and the nodes that it is to be related to.
  private struct Parent {
    let node: Int
    /// The number of the row.
    let row: Int
    let nodes: [Int]
    /// The values that the other side holds, as they are compared.
    let key: RowIdentity
    /// Whether rows that are not among the nodes are related no longer.
    let isReplaced: Bool
  }

  /// Stores the rows of a to-many relationship.
  mutating func writeMany(_ group: [Int], _ number: Int, _ relationship: Int, _ plan: RelationshipPlan) throws {
    let parents = try parents(group, number, relationship, plan)
    if parents.isEmpty { return }
    switch plan.matching {
    case .toOne: break
    case .toMany(let here, let there): try writeChildren(parents, plan, here, there)
    case .manyToMany(let pairs, let here, let there):
      try writePairs(parents, plan, pairs, here, there, isOwnKind: plan.target == number)
    }
    for parent in parents {
      if parent.isReplaced { noteSettled(parent.row, number, relationship) }
      for target in parent.nodes where rowOfNode[target] == nil {
        noteOpen(parent.row, parent.node, number, relationship, target, isOneOfMany: true)
      }
    }
  }

  /// The rows of a group that records have lists for. A list that replaces what was related before also replaces lists before it.
  private func parents(_ group: [Int], _ number: Int, _ relationship: Int, _ plan: RelationshipPlan) throws -> [Parent] {
    var parents: [Parent] = []
    var places: [RowIdentity: [Int]] = [:]
    var isReplaced: Set<Int> = []
    let (here, types) = (plan.here, self.plan.entities[number].entity.types)
    for node in group {
      guard let related = batch.nodes[node].rows(of: relationship), let row = rowOfNode[node] else { continue }
      guard let key = RowIdentity(rows[row], at: here, as: types) else {
        throw RefusedNode(node, plan.name, "can't be related: the row has no value that others could hold")
      }
      let replaces = !onlyAdds && (related.isNull || plan.mapping.many != .add)
      if replaces { isReplaced.formUnion(places.removeValue(forKey: key) ?? []) }
      places[key, default: []].append(parents.count)
      parents.append(Parent(node: node, row: row, nodes: related.nodes, key: key, isReplaced: replaces))
    }
    return isReplaced.isEmpty ? parents : parents.enumerated().filter { !isReplaced.contains($0.offset) }.map(\.element)
  }

  // MARK: Rows that hold the key

  private mutating func writeChildren(_ parents: [Parent], _ plan: RelationshipPlan, _ here: [Int], _ there: [Int]) throws {
    let target = self.plan.entities[plan.target]
    let types = target.entity.types
    for parent in parents {
      for node in parent.nodes {
        for (here, there) in zip(here, there) { batch[node, there] = rows[parent.row].values[here] }
      }
    }
    let nodes = parents.flatMap(\.nodes)
    let keys = Set(parents.filter(\.isReplaced).map(\.key))
    let before = try find(Array(keys), at: there, in: target.target).filter { row in
      RowIdentity(row, at: there, as: types).map { keys.contains($0) } ?? false
    }
    let named = Set(nodes.compactMap { target.identity(of: $0, in: batch) })
    matchAlike(nodes, before.filter { $0.isAnonymous(in: target, besides: named) }, target)
    // Rows are only left out for certain where it is known which row each node is.
    if endsFirst, nodes.allSatisfy({ target.isGenerated || target.identity(of: $0, in: batch) != nil }) {
      let alike = Set(nodes.compactMap { rowOfNode[$0].flatMap { rows[$0].primaryKey } })
      try end(
        before.filter { row in
          !(target.identity(of: row).map { named.contains($0) } ?? false) && !(row.primaryKey.map { alike.contains($0) } ?? false)
        }, plan, there, target)
    }
    try write(nodes, plan.target)
    try relateHandled(parents, here, there, target)
    let kept = Set(nodes.compactMap { rowOfNode[$0].flatMap { rows[$0].primaryKey } })
    let ends = before.filter { row in row.primaryKey.map { !kept.contains($0) } ?? false }
    if plan.mapping.many == .replaceDeletingOrphans || !plan.isOptional {
      if !endsFirst { orphans += ends.map { .child(plan: plan.target, row: $0, there: there) } }
    } else {
      try end(ends, plan, there, target)
    }
  }

  /// Relates rows that hooks have stored.
  private mutating func relateHandled(_ parents: [Parent], _ here: [Int], _ there: [Int], _ target: EntityPlan) throws {
    var changed: [Int] = []
    for parent in parents {
      for row in parent.nodes.filter({ batch.nodes[$0].isHandled }).compactMap({ rowOfNode[$0] }) {
        let key = here.map { rows[parent.row].values[$0] }
        if zip(there, key).allSatisfy({ rows[row].values[$0] == $1 }) { continue }
        for (position, value) in zip(there, key) { rows[row].values[position] = value }
        changed.append(row)
      }
    }
    let updated = try store.update(changed.map { rows[$0] }, in: target.target)
    for (row, new) in zip(changed, updated) { rows[row] = new }
  }

  /// Ends the relationship of rows that a list leaves out.
  private mutating func end(_ ends: [ImportedRow], _ plan: RelationshipPlan, _ there: [Int], _ target: EntityPlan) throws {
    if ends.isEmpty { return }
    // A node of the batch may have moved one to another row, or changed it.
    let before = Dictionary(ends.map { ($0.primaryKey, $0.values) }, uniquingKeysWith: { first, _ in first })
    let current = try store.find(ImportedRow.self, in: target.target, keys: ends.compactMap(\.primaryKey)).filter { row in
      there.allSatisfy { row.values[$0] == before[row.primaryKey]?[$0] }
    }
    if current.isEmpty { return }
    if plan.mapping.many == .replaceDeletingOrphans || !plan.isOptional {
      let deleted = try store.delete(ImportedRow.self, keys: current.compactMap(\.primaryKey), in: target.target)
      count(target.entity) { $0.deleted += deleted }
    } else {
      _ = try store.update(
        current.map { row in
          var row = row
          for position in there { row.values[position] = .null }
          return row
        }, in: target.target)
      count(target.entity) { $0.updated += current.count }
    }
  }

  /// Finds rows for nodes without an identity among those that were related before: one whose values are the same.
  private mutating func matchAlike(_ nodes: [Int], _ before: [ImportedRow], _ target: EntityPlan) {
    if before.isEmpty || target.hooks.instead != nil { return }
    func compared(_ values: [StoredValue?], _ positions: [Int]) -> [StoredValue] {
      positions.map { (values[$0] ?? .null).identity(as: target.entity.types[$0]) }
    }
    // Nodes that have values for the same attributes are compared by those; of equal rows, the first comes first.
    var rowsByPositions: [[Int]: [[StoredValue]: [Int]]] = [:]
    var isTaken = Array(repeating: false, count: before.count)
    for node in nodes where target.identity(of: node, in: batch) == nil {
      let values = Array(batch.values(of: node))
      let positions = values.indices.filter { values[$0] != nil && !target.keyPositions.contains($0) }
      if rowsByPositions[positions] == nil {
        var byValues: [[StoredValue]: [Int]] = [:]
        for (number, row) in before.enumerated().reversed() { byValues[compared(row.values, positions), default: []].append(number) }
        rowsByPositions[positions] = byValues
      }
      while let row = rowsByPositions[positions]?[compared(values, positions)]?.popLast() {
        if isTaken[row] { continue }
        isTaken[row] = true
        rowOfNode[node] = rows.count
        batch.nodes[node].isAlike = true
        rows.append(before[row])
        break
      }
    }
  }

  // MARK: Pairs

  /// The rows that one is to be paired with.
  private struct Wish {
    var isReplaced = false
    /// In the order of the lists, each with the values of its key.
    var others: [(identity: RowIdentity, values: [StoredValue])] = []
    var known: Set<RowIdentity> = []
  }

  /// The pairs that the lists are about: all of a row whose list replaces them, else those that the list has.
  private func findPairs(_ wishes: [RowIdentity: Wish], _ pairs: RelationshipPlan.Pairs) throws -> [ImportedRow] {
    let replaced = wishes.filter(\.value.isReplaced).map(\.key)
    let added = wishes.filter { !$0.value.isReplaced }.flatMap { key, wish in wish.others.map { key.joined($0.identity) } }
    return try find(replaced, at: pairs.by, in: pairs.target) + find(added, at: pairs.by + pairs.to, in: pairs.target)
  }

  private mutating func writePairs(
    _ parents: [Parent], _ plan: RelationshipPlan, _ pairs: RelationshipPlan.Pairs, _ here: [Int], _ there: [Int],
    isOwnKind: Bool
  ) throws {
    try write(parents.flatMap(\.nodes), plan.target)
    let (types, targetTypes) = (pairs.entity.types, self.plan.entities[plan.target].entity.types)
    var wishes: [RowIdentity: Wish] = [:]
    for parent in parents {
      var wish = wishes[parent.key] ?? Wish()
      wish.isReplaced = wish.isReplaced || parent.isReplaced
      for row in parent.nodes.compactMap({ rowOfNode[$0] }) {
        guard let identity = RowIdentity(rows[row], at: there, as: targetTypes) else { continue }
        if wish.known.insert(identity).inserted { wish.others.append((identity, there.map { rows[row].values[$0] })) }
      }
      wishes[parent.key] = wish
    }
    var paired: [RowIdentity: Set<RowIdentity>] = [:]
    var ends: [ImportedRow] = []
    for row in try findPairs(wishes, pairs) {
      guard let key = RowIdentity(row, at: pairs.by, as: types), let wish = wishes[key],
        let other = RowIdentity(row, at: pairs.to, as: types)
      else { continue }
      if wish.known.contains(other) { paired[key, default: []].insert(other) } else if wish.isReplaced { ends.append(row) }
    }
    var new: [ImportedRow] = []
    for parent in parents {
      // Once for each row.
      guard let wish = wishes.removeValue(forKey: parent.key) else { continue }
      let own = here.map { rows[parent.row].values[$0] }
      for other in wish.others where paired[parent.key]?.contains(other.identity) != true { new.append(pairs.row(own, other.values)) }
    }
    if !new.isEmpty {
      _ = try store.insert(new, in: pairs.target)
      count(pairs.entity) { $0.inserted += new.count }
    }
    if ends.isEmpty { return }
    let deleted = try store.delete(ImportedRow.self, keys: ends.compactMap(\.primaryKey), in: pairs.target)
    count(pairs.entity) { $0.deleted += deleted }
    if plan.mapping.many == .replaceDeletingOrphans {
      orphans += ends.compactMap { row in
        RowIdentity(row, at: pairs.to, as: types).map {
          .paired(plan: plan.target, pairs: pairs, there: there, values: $0, isOwnKind: isOwnKind)
        }
      }
    }
  }
}

extension ImportedRow {
  /// Whether nothing tells the row from others like it: no record has its identity, and it has none, or one that the store generates.
  fileprivate func isAnonymous(in plan: EntityPlan, besides named: Set<RowIdentity>) -> Bool {
    guard let identity = plan.identity(of: self) else { return true }
    return plan.isGenerated && !named.contains(identity)
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
