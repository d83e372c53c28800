import DAOCriteria

@testable import DAOSQLite

/// The merge as plain loops over rows: slow, and simple enough to be believed.
struct MergeModel {
  struct Change {
    let kind: MergeKind
    var act: MergeAct
    var why: MergeReason = .none
    /// The row of the store's that it is about.
    let old: Int?
    /// The row to put; of a row to delete what it was in the base.
    var row: MergeRow
    var base: MergeRow?
    var cause: Int?
  }

  struct Found {
    let table: Int
    let change: Int
    let conflict: SeedConflict
    let decision: ConflictDecision
  }

  let schema: MergeSchema
  let base: MergeRows
  let mine: MergeRows
  let seed: MergeRows
  let policy: ConflictPolicy
  var changes: [[Change]] = []
  var found: [Found] = []
  private var asked: Set<[Int]> = []

  init(_ schema: MergeSchema, base: MergeRows, mine: MergeRows, seed: MergeRows, _ policy: ConflictPolicy) throws {
    (self.schema, self.base, self.mine, self.seed, self.policy) = (schema, base, mine, seed, policy)
    changes = schema.tables.indices.map { collect($0) }
    for table in schema.tables.indices { try decide(table) }
    try settle()
  }

  // MARK: What changed

  private func collect(_ table: Int) -> [Change] {
    var changes: [Change] = []
    let rows = mine.tables[table]
    for theirs in seed.tables[table] where schema.hasKey(table, theirs) {
      let old = base.tables[table].first { schema.sameKey(table, $0, theirs) }
      let index = rows.firstIndex { schema.sameKey(table, $0, theirs) }
      if old == theirs || index.map({ rows[$0] }) == theirs { continue }
      var change = Change(kind: old == nil ? .added : .changed, act: .keep, old: index, row: theirs, base: old)
      switch (old, index) {
      case (nil, nil): change.act = .put
      case (_?, nil): change.why = .deletionKept
      case (let old, let index?): if rows[index] == old { change.act = .put } else { change.why = .conflict }
      }
      changes.append(change)
    }
    for old in base.tables[table] where schema.hasKey(table, old) {
      guard !seed.tables[table].contains(where: { schema.sameKey(table, $0, old) }),
        let index = rows.firstIndex(where: { schema.sameKey(table, $0, old) })
      else { continue }
      let isUntouched = rows[index] == old
      changes.append(
        Change(
          kind: .deleted, act: isUntouched ? .delete : .keep, why: isUntouched ? .none : .conflict, old: index, row: old, base: old))
    }
    return changes + collectWithoutKey(table)
  }

  private func collectWithoutKey(_ table: Int) -> [Change] {
    func counts(_ rows: [MergeRow]) -> [MergeRow: Int] {
      rows.filter { !schema.hasKey(table, $0) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let (before, after) = (counts(base.tables[table]), counts(seed.tables[table]))
    var changes: [Change] = []
    for row in Set(before.keys).union(after.keys) {
      let difference = (after[row] ?? 0) - (before[row] ?? 0)
      for _ in 0..<max(0, difference) { changes.append(Change(kind: .added, act: .put, old: nil, row: row)) }
      let here = mine.tables[table].indices.filter { mine.tables[table][$0] == row }
      for index in here.prefix(max(0, -difference)) { changes.append(Change(kind: .deleted, act: .delete, old: index, row: row)) }
    }
    return changes
  }

  // MARK: Conflicts

  func named(_ table: Int, _ row: MergeRow) -> [String: StoredValue] {
    Dictionary(uniqueKeysWithValues: zip(schema.tables[table].columns.map(\.name), row).map { ($0, $1) })
  }

  func key(_ table: Int, _ row: MergeRow) -> [String: StoredValue] {
    schema.hasKey(table, row)
      ? named(table, row).filter { name, _ in schema.tables[table].key.contains { schema.tables[table].columns[$0].name == name } }
      : named(table, row)
  }

  private mutating func decide(_ table: Int) throws {
    for index in changes[table].indices where changes[table][index].why == .conflict {
      let change = changes[table][index]
      let here = change.old.map { mine.tables[table][$0] } ?? []
      let conflict = SeedConflict(
        table: schema.tables[table].name, cause: .edited, key: key(table, change.row), base: change.base.map { named(table, $0) },
        mine: named(table, here), theirs: change.kind == .deleted ? nil : named(table, change.row))
      var decision: ConflictDecision
      switch policy {
      case .keepMine: decision = .mine
      case .takeSeed: decision = .seed
      case .decide(let closure): decision = try closure(conflict)
      case .byColumn:
        decision = .mine
        if change.kind == .changed, let old = change.base {
          let columns = old.indices
          let merged = columns.map { here[$0] == old[$0] ? change.row[$0] : here[$0] }
          let isContested = columns.contains { here[$0] != old[$0] && change.row[$0] != old[$0] && here[$0] != change.row[$0] }
          if !isContested {
            if merged != here { put(merged, table, index) }
            continue
          }
          if merged != here { decision = .row(named(table, merged)) }
        }
      }
      found.append(Found(table: table, change: index, conflict: conflict, decision: decision))
      switch decision {
      case .mine: break
      case .seed: changes[table][index].act = change.kind == .deleted ? .delete : .put
      case .row(let values): put(completed(values, here, change.row, table), table, index)
      }
    }
  }

  private mutating func put(_ row: MergeRow, _ table: Int, _ index: Int) {
    changes[table][index].row = row
    changes[table][index].act = .put
    changes[table][index].why = .made
  }

  /// What a closure leaves out is the store's.
  private func completed(_ values: [String: StoredValue], _ rest: MergeRow, _ theirs: MergeRow, _ table: Int) -> MergeRow {
    rest.indices.map { column in
      if schema.tables[table].key.contains(column), schema.hasKey(table, theirs) { return theirs[column] }
      return values[schema.tables[table].columns[column].name] ?? rest[column]
    }
  }

  // MARK: The schema's rules

  /// The rows of the store that stay as they are.
  private func staying(_ table: Int) -> [Int] {
    mine.tables[table].indices.filter { index in !changes[table].contains { $0.old == index && $0.act != .keep } }
  }

  private func put(_ table: Int) -> [MergeRow] { changes[table].filter { $0.act == .put }.map(\.row) }

  /// All rows as they would be.
  func result(_ table: Int) -> [MergeRow] { staying(table).map { mine.tables[table][$0] } + put(table) }

  private mutating func keep(_ table: Int, _ indices: [Int], _ why: MergeReason) -> Bool {
    for index in indices {
      changes[table][index].act = .keep
      changes[table][index].why = why
    }
    return !indices.isEmpty
  }

  private mutating func settle() throws {
    while true {
      while keepReferenced() {}
      if holdBack() { continue }
      if dropNeedlessRoom() { continue }
      if keepMadeApart() { continue }
      if try !makeRoom() { return }
    }
  }

  private mutating func keepReferenced() -> Bool {
    var isChanged = false
    for child in schema.tables.indices {
      for reference in schema.tables[child].references {
        let parent = reference.target
        let indices = changes[parent].indices.filter { index in
          let change = changes[parent][index]
          guard change.act != .keep, let old = change.old else { return false }
          let row = mine.tables[parent][old]
          func isMet(_ other: MergeRow) -> Bool {
            schema.meet(row, reference.targetColumns, other, reference.targetColumns, in: parent)
          }
          let isReferenced = result(child).contains { schema.meet(row, reference.targetColumns, $0, reference.columns, in: parent) }
          return isReferenced && !put(parent).contains(where: isMet)
        }
        if keep(parent, indices, .referenced) { isChanged = true }
      }
    }
    return isChanged
  }

  private mutating func holdBack() -> Bool {
    var isChanged = false
    for child in schema.tables.indices {
      for reference in schema.tables[child].references {
        let indices = changes[child].indices.filter { index in
          let change = changes[child][index]
          guard change.act == .put, !reference.columns.contains(where: { change.row[$0].isNull }) else { return false }
          return !result(reference.target).contains {
            schema.meet($0, reference.targetColumns, change.row, reference.columns, in: reference.target)
          }
        }
        if keep(child, indices, .heldBack) { isChanged = true }
      }
    }
    return isChanged
  }

  private mutating func dropNeedlessRoom() -> Bool {
    var isChanged = false
    for table in schema.tables.indices {
      let indices = changes[table].indices.filter { index in
        let change = changes[table][index]
        return change.kind == .inTheWay && change.act != .keep && change.cause.map { changes[table][$0].act != .put } == true
      }
      if keep(table, indices, .none) { isChanged = true }
    }
    return isChanged
  }

  private mutating func keepMadeApart() -> Bool {
    var isChanged = false
    for table in schema.tables.indices {
      guard let unique = schema.tables[table].unique else { continue }
      let pairs = changes[table].indices.compactMap { index -> (index: Int, other: Int)? in
        let change = changes[table][index]
        guard change.act == .put, change.why == .made else { return nil }
        let others = changes[table].indices.filter { other in
          other != index && changes[table][other].act == .put && (changes[table][other].why != .made || other < index)
            && schema.meet(change.row, [unique], changes[table][other].row, [unique], in: table)
        }
        return (others.first { changes[table][$0].why != .made } ?? others.first).map { (index, $0) }
      }
      for (index, other) in pairs {
        let row = changes[table][index].row
        let conflict = SeedConflict(
          table: schema.tables[table].name, cause: .unique(columns: [schema.tables[table].columns[unique].name]), key: key(table, row),
          base: nil, mine: named(table, changes[table][other].row), theirs: named(table, row))
        found.append(Found(table: table, change: index, conflict: conflict, decision: .mine))
      }
      if keep(table, pairs.map(\.index), .blocked) { isChanged = true }
    }
    return isChanged
  }

  private mutating func makeRoom() throws -> Bool {
    var isChanged = false
    for table in schema.tables.indices {
      guard let unique = schema.tables[table].unique else { continue }
      let blocked = changes[table].indices.compactMap { index -> (change: Int, row: Int, isDecided: Bool)? in
        guard changes[table][index].act == .put else { return nil }
        return staying(table).first { schema.meet(mine.tables[table][$0], [unique], changes[table][index].row, [unique], in: table) }.map {
          row in
          (index, row, changes[table].contains { $0.old == row })
        }
      }
      for (index, row, isDecided) in blocked {
        isChanged = true
        try makeRoom(table, unique, index, row, isDecided)
      }
    }
    return isChanged
  }

  private mutating func makeRoom(_ table: Int, _ unique: Int, _ index: Int, _ row: Int, _ isDecided: Bool) throws {
    let change = changes[table][index]
    var decision = ConflictDecision.mine
    if asked.insert([table, index, row]).inserted {
      let conflict = SeedConflict(
        table: schema.tables[table].name, cause: .unique(columns: [schema.tables[table].columns[unique].name]), key: key(table, change.row),
        base: change.base.map { named(table, $0) }, mine: named(table, mine.tables[table][row]), theirs: named(table, change.row))
      if !isDecided {
        switch policy {
        case .keepMine, .byColumn: break
        case .takeSeed: decision = .seed
        case .decide(let closure): decision = try closure(conflict)
        }
      }
      found.append(Found(table: table, change: index, conflict: conflict, decision: decision))
    }
    switch decision {
    case .mine: _ = keep(table, [index], .blocked)
    case .seed:
      let here = mine.tables[table][row]
      let hasKey = schema.hasKey(table, here)
      let theirs = hasKey ? seed.tables[table].first { schema.sameKey(table, $0, here) } : nil
      let old = hasKey ? base.tables[table].first { schema.sameKey(table, $0, here) } : nil
      changes[table].append(
        Change(kind: .inTheWay, act: theirs == nil ? .delete : .put, old: row, row: theirs ?? here, base: old, cause: index))
    case .row(let values):
      let own = change.old.map { mine.tables[table][$0] } ?? change.row
      put(completed(values, own, change.row, table), table, index)
    }
  }
}
