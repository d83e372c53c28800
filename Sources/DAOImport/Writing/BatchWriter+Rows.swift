import DAOKit

extension BatchWriter {
  /// Finds the rows of a group, inserts those that are not there and updates those that have other values.
  mutating func writeRows(_ group: [Int], _ entity: EntityPlan) throws {
    var changes = RowChanges()
    try findByKey(group.filter { batch.nodes[$0].isByKey }, entity)
    var open: [Int] = []
    for node in group where rowOfNode[node] == nil {
      if try !handle(node, entity) { open.append(node) }
    }
    let identities = open.map { EntityPlan.identity(of: batch.nodes[$0].values, at: entity.identity) }
    var known = try find(identities.compactMap { $0 }, entity)
    // A key that a record of the same group has is that of its row.
    for isKey in [false, true] {
      for (node, identity) in zip(open, identities) where batch.nodes[node].isOnlyNamed == isKey {
        guard let identity else {
          if isKey { throw RefusedNode(node, nil, "has no value for \(entity.identityNames), by which it is found") }
          changes.inserted.append((try addRow(of: node, entity), node))
          continue
        }
        let key = entity.normal(identity)
        if let row = known[key] {
          rowOfNode[node] = row
        } else if !isKey || !batch.nodes[node].isLink && entity.canBeMadeOfKey {
          let row = try addRow(of: node, entity)
          known[key] = row
          changes.inserted.append((row, node))
        }
      }
    }
    let added = Set(changes.inserted.map(\.node))
    let first = Dictionary(changes.inserted.map { ($0.row, $0.node) }, uniquingKeysWith: { first, _ in first })
    for node in group where !added.contains(node) {
      guard let row = rowOfNode[node], !batch.nodes[node].isHandled else { continue }
      let isChanged = try overlay(node, on: row, entity, isNew: first[row] != nil)
      count(node, entity, isChanged ? \.updated : \.unchanged)
      if isChanged, first[row] == nil { changes.note(update: row, node) }
    }
    try send(changes, entity)
  }

  /// Counts the effect on a row; a key alone that changes nothing is none.
  private mutating func count(_ node: Int, _ entity: EntityPlan, _ effect: WritableKeyPath<ImportCounts, Int>) {
    if effect == \.unchanged, batch.nodes[node].isOnlyNamed { return }
    counts[entity.entity.name, default: ImportCounts()][keyPath: effect] += 1
  }

  private mutating func send(_ changes: RowChanges, _ entity: EntityPlan) throws {
    for (row, node) in changes.inserted + changes.updated { try check(rows[row], of: node, entity) }
    if !changes.inserted.isEmpty {
      let new = try store.insert(changes.inserted.map { rows[$0.row] }, in: entity.target)
      for (change, row) in zip(changes.inserted, new) { rows[change.row] = row }
      counts[entity.entity.name, default: ImportCounts()].inserted += new.count
    }
    if !changes.updated.isEmpty {
      let changed = try store.update(changes.updated.map { rows[$0.row] }, in: entity.target)
      for (change, row) in zip(changes.updated, changed) { rows[change.row] = row }
    }
  }

  /// Reads a row as the Swift type does.
  private func check(_ row: ImportedRow, of node: Int, _ entity: EntityPlan) throws {
    guard let check = entity.check else { return }
    var values = row.values
    // It has none yet, and the type may want one.
    if let key = entity.generatedKey, values[key].isNull { values[key] = .integer(1) }
    var reader = RowReader(values, columns: entity.columns)
    do { try check(&reader) } catch let problem as RowProblem {
      let attributes = entity.entity.attributes
      throw RefusedNode(node, attributes.indices.contains(problem.column) ? attributes[problem.column].name : nil, "\(problem.problem)")
    } catch { throw RefusedNode(node, nil, "can't be read: \(error)") }
  }

  // MARK: Finding

  /// Finds rows by their identity.
  /// - Returns: the numbers of the rows.
  private mutating func find(_ identities: [[StoredValue]], _ entity: EntityPlan) throws -> [[StoredValue]: Int] {
    if identities.isEmpty { return [:] }
    var found = Dictionary(identities.map { (entity.normal($0), nil as Int?) }, uniquingKeysWith: { first, _ in first })
    for row in try find(identities, at: entity.identity, in: entity.target) {
      // The query may also find rows that have the parts of several identities.
      guard let identity = EntityPlan.identity(of: row.values, at: entity.identity),
        let place = found.index(forKey: entity.normal(identity))
      else { continue }
      if found.values[place] != nil { throw entity.isAmbiguous(identity) }
      found.values[place] = rows.count
      rows.append(row)
    }
    return found.compactMapValues { $0 }
  }

  /// Finds the rows that have one of these values at some positions. Where they are several, surplus rows may be among them.
  func find(_ values: [[StoredValue]], at positions: [Int], in target: EntityTarget) throws -> [ImportedRow] {
    var criteria = Criteria()
    criteria.filter = .all(
      try positions.enumerated().map { place, position in
        let attribute = target.entity.attributes[position]
        var seen: Set<StoredValue> = []
        let own = try values.compactMap { seen.insert($0[place]).inserted ? try attribute.type.scalar($0[place]) : nil }
        return .among(.field(FieldPath(attribute.name)), own)
      })
    return try store.find(ImportedRow.self, in: target, criteria)
  }

  /// Finds the rows of nodes that are known by their keys.
  private mutating func findByKey(_ nodes: [Int], _ entity: EntityPlan) throws {
    if nodes.isEmpty { return }
    let positions = entity.entity.key.attributes.compactMap { entity.entity.position(of: $0) }
    let keys = nodes.map { EntityPlan.identity(of: batch.nodes[$0].values, at: positions) }
    var found: [[StoredValue]: Int] = [:]
    for row in try find(keys.compactMap { $0 }, at: positions, in: entity.target) {
      found[positions.map { row.values[$0] }] = rows.count
      rows.append(row)
    }
    for (node, key) in zip(nodes, keys) { rowOfNode[node] = key.flatMap { found[$0] } }
  }

  // MARK: Rows

  /// Lets a hook store the record.
  /// - Returns: whether it did.
  private mutating func handle(_ node: Int, _ entity: EntityPlan) throws -> Bool {
    guard let instead = entity.hooks.instead, let record = batch.nodes[node].hookRecord else { return false }
    guard let values = try RefusedNode.by(node, nil, { try instead(record, entity.entity) }) else { return false }
    rowOfNode[node] = rows.count
    rows.append(ImportedRow(values, of: entity.entity))
    batch.nodes[node].isHandled = true
    counts[entity.entity.name, default: ImportCounts()].handled += 1
    return true
  }

  /// Adds a new row.
  private mutating func addRow(of node: Int, _ entity: EntityPlan) throws -> Int {
    var values: [StoredValue] = []
    values.reserveCapacity(entity.defaults.count)
    for (position, own) in batch.nodes[node].values.enumerated() {
      guard let value = own ?? entity.defaults[position] else {
        throw RefusedNode(node, entity.entity.attributes[position].name, "is missing, and a new row must have it")
      }
      values.append(value)
    }
    rowOfNode[node] = rows.count
    rows.append(ImportedRow(values, of: entity.entity))
    return rows.count - 1
  }

  /// Gives a row the values of a node.
  /// - Returns: whether one is another than before.
  private mutating func overlay(_ node: Int, on row: Int, _ entity: EntityPlan, isNew: Bool) throws -> Bool {
    var isChanged = false
    for (position, value) in batch.nodes[node].values.enumerated() {
      guard let value, value != rows[row].values[position] else { continue }
      if entity.keyPositions.contains(position) {
        if value.isNull || entity.normal(value, at: position) == entity.normal(rows[row].values[position], at: position) { continue }
        if !isNew || !rows[row].values[position].isNull {
          let name = entity.entity.attributes[position].name
          throw RefusedNode(
            node, name, "is \(value), but the row that is found by \(entity.identityNames) has \(rows[row].values[position])")
        }
      }
      rows[row].values[position] = value
      isChanged = true
    }
    return isChanged
  }
}

/// The rows of a group that are to be written, by their numbers, each with a node that it is of.
private struct RowChanges {
  var inserted: [(row: Int, node: Int)] = []
  private(set) var updated: [(row: Int, node: Int)] = []
  private var known: Set<Int> = []

  mutating func note(update row: Int, _ node: Int) { if known.insert(row).inserted { updated.append((row, node)) } }
}

extension ImportNode {
  /// Whether nothing is known but the identity.
  var isOnlyNamed: Bool { isKey || isLink }
}

extension EntityPlan {
  /// The names of the attributes by which rows are found.
  var identityNames: String { identity.map { entity.attributes[$0].name }.joined(separator: ", ") }

  /// An identity in a form that is the same for equal values.
  func normal(_ identity: [StoredValue]) -> [StoredValue] { zip(identity, self.identity).map { normal($0, at: $1) } }

  /// A value in a form that is the same for equal ones.
  func normal(_ value: StoredValue, at position: Int) -> StoredValue { value.identity(as: entity.types[position]) }

  /// The error that several rows have an identity.
  fileprivate func isAmbiguous(_ identity: [StoredValue]) -> DAOError {
    .constraint(
      .other, entity: entity.name, attributes: self.identity.map { entity.attributes[$0].name },
      message: "several rows have the identity \(identity.map { "\($0)" }.joined(separator: ", "))")
  }
}
