import DAOKit

extension BatchWriter {
  /// Finds the rows of a group, inserts those that are not there and updates those that have other values.
  mutating func writeRows(_ group: [Int], _ number: Int) throws {
    let entity = plan.entities[number]
    var changes = RowChanges()
    try findByKey(group.filter { batch.nodes[$0].isByKey }, entity)
    var open: [Int] = []
    for node in group where rowOfNode[node] == nil && !batch.nodes[node].isByKey {
      if try !handle(node, entity) { open.append(node) }
    }
    var known = KnownRows()
    let slots = open.map { node in entity.identity(of: node, in: batch).map { known.slot(of: $0) } }
    try find(&known, entity)
    // A key that a record of the same group has is that of its row.
    for isKey in [false, true] {
      for (node, slot) in zip(open, slots) where batch.nodes[node].isOnlyNamed == isKey {
        guard let slot else {
          if isKey { throw RefusedNode(node, nil, "has no value for \(entity.identityNames), by which it is found") }
          changes.note(inserted: try addRow(of: node, entity), node)
          continue
        }
        if let row = known.rows[slot] {
          rowOfNode[node] = row
          try overlay(node, on: row, entity, &changes)
        } else if !isKey || !batch.nodes[node].isLink && entity.canBeMadeOfKey {
          let row = try addRow(of: node, entity)
          known.rows[slot] = row
          changes.note(inserted: row, node)
        }
      }
    }
    for node in group where batch.nodes[node].isByKey || batch.nodes[node].isAlike {
      if let row = rowOfNode[node] { try overlay(node, on: row, entity, &changes) }
    }
    try send(changes, number)
  }

  private mutating func send(_ changes: RowChanges, _ number: Int) throws {
    let entity = plan.entities[number]
    for (row, node) in changes.inserted + changes.updated { try check(rows[row], of: node, entity) }
    if !changes.inserted.isEmpty {
      let new = try store.insert(changes.inserted.map { rows[$0.row] }, in: entity.target)
      if entity.generatedKey != nil { for (change, row) in zip(changes.inserted, new) { rows[change.row] = row } }
      inserted += changes.inserted.map { (number, $0.row) }
      count(entity.entity) { $0.inserted += new.count }
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
    for (position, value) in entity.generatedValues where values[position].isNull { values[position] = value }
    var reader = RowReader(values, columns: entity.columns)
    do { try check(&reader) } catch let problem as RowProblem {
      let attributes = entity.entity.attributes
      // What the store computes is not known yet.
      if attributes.indices.contains(problem.column), attributes[problem.column].isGenerated { return }
      throw RefusedNode(node, attributes.indices.contains(problem.column) ? attributes[problem.column].name : nil, "\(problem.problem)")
    } catch { throw RefusedNode(node, nil, "can't be read: \(error)") }
  }

  // MARK: Finding

  /// Finds rows by their identity.
  private mutating func find(_ known: inout KnownRows, _ entity: EntityPlan) throws {
    if try known.identities.isEmpty || areAboveAll(known.identities, entity) { return }
    for row in try find(known.identities, at: entity.identity, in: entity.target) {
      // The query may also find rows that have the parts of several identities.
      guard let identity = entity.identity(of: row), let slot = known.existingSlot(of: identity) else { continue }
      if known.rows[slot] != nil { throw entity.isAmbiguous(identity) }
      known.rows[slot] = rows.count
      rows.append(row)
    }
  }

  /// Whether the identities are keys above all that are there, as those of a feed of new rows often are. One row tells it, and none of them
  /// has to be looked for.
  private func areAboveAll(_ identities: [RowIdentity], _ entity: EntityPlan) throws -> Bool {
    // Where some rows are hidden, the highest of the others may be far down.
    guard let position = entity.identity.first, entity.identity == entity.keyPositions, entity.identity.count == 1,
      entity.entity.types[position] == .integer, !entity.target.isScoped
    else { return false }
    var criteria = Criteria()
    criteria.orders = [.init(.field(FieldPath(entity.entity.attributes[position].name)), .descending)]
    criteria.limit = 1
    guard let highest = try store.find(ImportedRow.self, in: entity.target, criteria).first else { return true }
    // Other programs may have stored something else there.
    guard case .integer(let key) = highest.values[position] else { return false }
    return identities.allSatisfy { identity in identity.integer.map { $0 > key } ?? false }
  }

  /// Finds the rows that have one of these values at some positions. Where they are several, surplus rows may be among them.
  func find(_ values: [RowIdentity], at positions: [Int], in target: EntityTarget) throws -> [ImportedRow] {
    if values.isEmpty { return [] }
    if positions.count == 1 { return try find([values.map { $0[0] }], at: positions, in: target) }
    let distinct = positions.indices.map { number in Set(values.map { $0[number] }) }
    // Rows that have the parts of different values are few where the values are close together.
    if distinct.reduce(1.0, { $0 * Double($1.count) }) <= Double(4 * values.count) {
      return try find(distinct.map(Array.init), at: positions, in: target)
    }
    let leading = positions.indices.min { distinct[$0].count < distinct[$1].count } ?? 0
    return try Dictionary(grouping: values, by: { $0[leading] }).values.flatMap { group in
      try find(positions.indices.map { number in Array(Set(group.map { $0[number] })) }, at: positions, in: target)
    }
  }

  /// Finds the rows that have one of the values of each list at the list's position.
  private func find(_ values: [[StoredValue]], at positions: [Int], in target: EntityTarget) throws -> [ImportedRow] {
    var criteria = Criteria()
    criteria.filter = .all(
      try zip(values, positions).map { values, position in
        let attribute = target.entity.attributes[position]
        return .among(.field(FieldPath(attribute.name)), try values.map { try attribute.type.scalar($0) })
      })
    return try store.find(ImportedRow.self, in: target, criteria)
  }

  /// Finds the rows of nodes that are known by their keys.
  private mutating func findByKey(_ nodes: [Int], _ entity: EntityPlan) throws {
    if nodes.isEmpty { return }
    var known = KnownRows()
    let types = entity.entity.types
    let slots = nodes.map { batch.identity(of: $0, at: entity.keyPositions, as: types).map { known.slot(of: $0) } }
    for row in try find(known.identities, at: entity.keyPositions, in: entity.target) {
      guard let key = RowIdentity(row, at: entity.keyPositions, as: types), let slot = known.existingSlot(of: key) else { continue }
      known.rows[slot] = rows.count
      rows.append(row)
    }
    for (node, slot) in zip(nodes, slots) { rowOfNode[node] = slot.flatMap { known.rows[$0] } }
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
    count(entity.entity) { $0.handled += 1 }
    return true
  }

  /// Adds a new row.
  private mutating func addRow(of node: Int, _ entity: EntityPlan) throws -> Int {
    var values: [StoredValue] = []
    values.reserveCapacity(entity.defaults.count)
    for (position, own) in batch.values(of: node).enumerated() {
      guard let value = own ?? entity.defaults[position] else {
        throw RefusedNode(node, entity.entity.attributes[position].name, "is missing, and a new row must have it")
      }
      values.append(value)
    }
    rowOfNode[node] = rows.count
    rows.append(ImportedRow(values, of: entity.entity))
    return rows.count - 1
  }

  /// Gives a row the values of a node, and counts the effect; a key alone that changes nothing has none.
  private mutating func overlay(_ node: Int, on row: Int, _ entity: EntityPlan, _ changes: inout RowChanges) throws {
    let isNew = changes.isInserted(row)
    var isChanged = false
    for (position, value) in batch.values(of: node).enumerated() {
      guard let value, value != rows[row].values[position], position != entity.entity.versionPosition else { continue }
      // It is as it was found by it.
      if batch.nodes[node].isOnlyNamed, entity.identity.contains(position) { continue }
      if entity.keyPositions.contains(position) {
        let own = rows[row].values[position]
        if value.isNull || value.identity(as: entity.entity.types[position]) == own.identity(as: entity.entity.types[position]) { continue }
        if !isNew || !own.isNull {
          let name = entity.entity.attributes[position].name
          throw RefusedNode(node, name, "is \(value), but the row that is found by \(entity.identityNames) has \(own)")
        }
      }
      rows[row].values[position] = value
      isChanged = true
    }
    if isChanged, !isNew { changes.note(updated: row, node) }
    if isChanged || !batch.nodes[node].isOnlyNamed && !batch.nodes[node].isByKey {
      count(entity.entity) { if isChanged { $0.updated += 1 } else { $0.unchanged += 1 } }
    }
  }
}

/// The rows of a group by their identities, each of which has a slot.
private struct KnownRows {
  private(set) var identities: [RowIdentity] = []
  /// The number of each slot's row; nil for a row that is not there.
  var rows: [Int?] = []
  /// The slots; nil while each identity is a higher integer than the one before, and none is looked up: those of new rows mostly are.
  private var slots: [RowIdentity: Int]?

  mutating func slot(of identity: RowIdentity) -> Int {
    if slots != nil || !isHighest(identity), let slot = existingSlot(of: identity) { return slot }
    slots?[identity] = rows.count
    identities.append(identity)
    rows.append(nil)
    return rows.count - 1
  }

  mutating func existingSlot(of identity: RowIdentity) -> Int? {
    if let slots { return slots[identity] }
    let slots = Dictionary(zip(identities, identities.indices), uniquingKeysWith: { first, _ in first })
    self.slots = slots
    return slots[identity]
  }

  private func isHighest(_ identity: RowIdentity) -> Bool {
    guard let integer = identity.integer else { return false }
    return identities.last.map { last in last.integer.map { $0 < integer } ?? false } ?? true
  }
}

/// The rows of a group that are to be written, by their numbers, each with a node that it is of.
private struct RowChanges {
  private(set) var inserted: [(row: Int, node: Int)] = []
  private(set) var updated: [(row: Int, node: Int)] = []
  private var insertedRows: Set<Int> = []
  private var updatedRows: Set<Int> = []

  func isInserted(_ row: Int) -> Bool { insertedRows.contains(row) }

  mutating func note(inserted row: Int, _ node: Int) {
    inserted.append((row, node))
    insertedRows.insert(row)
  }

  mutating func note(updated row: Int, _ node: Int) { if updatedRows.insert(row).inserted { updated.append((row, node)) } }
}

extension ImportNode {
  /// Whether nothing is known but the identity.
  var isOnlyNamed: Bool { isKey || isLink }
}

extension EntityPlan {
  /// The names of the attributes by which rows are found.
  var identityNames: String { identity.map { entity.attributes[$0].name }.joined(separator: ", ") }

  /// The identity of a row; nil where a part of it is null.
  func identity(of row: ImportedRow) -> RowIdentity? { RowIdentity(row, at: identity, as: entity.types) }

  /// The identity of a node; nil where a part of it is missing.
  func identity(of node: Int, in batch: ImportBatch) -> RowIdentity? { batch.identity(of: node, at: identity, as: entity.types) }

  /// The error that several rows have an identity.
  fileprivate func isAmbiguous(_ identity: RowIdentity) -> DAOError {
    .constraint(
      .other, entity: entity.name, attributes: self.identity.map { entity.attributes[$0].name },
      message: "several rows have the identity \(self.identity.indices.map { "\(identity[$0])" }.joined(separator: ", "))")
  }
}
