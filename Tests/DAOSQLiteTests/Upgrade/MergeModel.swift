import DAOCriteria

@testable import DAOSQLite

/// The merge as plain loops over rows: slow, and simple enough to be believed.
struct MergeModel {
  struct Change {
    let kind: MergeKind
    var act: MergeAct
    /// What is to be done, if nothing stands in its way.
    var wish: MergeAct
    var why: MergeReason = .undecided
    /// Whether the row was put together.
    var isMade = false
    /// The round in which it was tried last.
    var turn = 0
    /// The row of the store's that it is about.
    let old: Int?
    /// The row to put; of a row to delete what it was in the base.
    var row: MergeRow
    var base: MergeRow?

    init(kind: MergeKind, act: MergeAct, why: MergeReason = .undecided, old: Int?, row: MergeRow, base: MergeRow? = nil) {
      (self.kind, self.act, self.wish, self.why, self.old, self.row, self.base) = (kind, act, act, why, old, row, base)
    }

    var isHeldBack: Bool { act == .keep && wish != .keep }
  }

  struct Place: Hashable {
    let table: Int
    let index: Int
  }

  struct Found {
    let change: Place
    let conflict: SeedConflict
    let decision: SeedConflict.Decision
  }

  let schema: MergeSchema
  let base: MergeRows
  var mine: MergeRows
  let seed: MergeRows
  let policy: SeedConflict.Policy
  var changes: [[Change]] = []
  /// Rows that both sides changed.
  var edited: [Found] = []
  /// The keys that rows of the user's had and have.
  var moved: [Int: [Int64: Int64]] = [:]
  var answers: [[Int]: Found] = [:]
  var round = 0
  var hasChosen = false
  var stubborn: Set<[Int]> = []

  init(_ schema: MergeSchema, base: MergeRows, mine: MergeRows, seed: MergeRows, _ policy: SeedConflict.Policy) throws {
    (self.schema, self.base, self.mine, self.seed, self.policy) = (schema, base, mine, seed, policy)
    for table in schema.tables.indices { moveKeys(table) }
    changes = schema.tables.indices.map { collect($0) }
    for table in schema.tables.indices { try decide(table) }
    try settle()
  }

  // MARK: Keys

  /// Rows of the user's under keys of new rows of the seed's get keys from 2^40 on.
  mutating func moveKeys(_ table: Int) {
    guard [.integer, .autoincrement].contains(schema.tables[table].kind), let column = schema.tables[table].key.first else { return }
    let meeting = mine.tables[table].filter { row in
      !base.tables[table].contains { schema.sameKey(table, $0, row) }
        && seed.tables[table].contains { schema.sameKey(table, $0, row) && $0 != row }
    }
    var next: Int64 = 1 << 40
    for key in meeting.map({ $0[column] }).sorted(by: { [$0].precedes([$1]) }) {
      guard case .integer(let number) = key else { continue }
      for child in schema.tables.indices {
        for reference in schema.tables[child].references where reference.target == table && reference.targetColumns == [column] {
          for index in mine.tables[child].indices where mine.tables[child][index][reference.columns[0]] == key {
            mine.tables[child][index][reference.columns[0]] = .integer(next)
          }
        }
      }
      for index in mine.tables[table].indices where mine.tables[table][index][column] == key {
        mine.tables[table][index][column] = .integer(next)
      }
      moved[table, default: [:]][number] = next
      next += 1
    }
  }

  // MARK: What changed
  func collect(_ table: Int) -> [Change] {
    var changes: [Change] = []
    let rows = mine.tables[table]
    for theirs in seed.tables[table] where schema.hasKey(table, theirs) {
      let old = base.tables[table].first { schema.sameKey(table, $0, theirs) }
      let index = rows.firstIndex { schema.sameKey(table, $0, theirs) }
      if old == theirs || index.map({ rows[$0] }) == theirs { continue }
      var change = Change(kind: old == nil ? .added : .changed, act: .keep, old: index, row: theirs, base: old)
      switch (old, index) {
      case (nil, nil): change.act = .put
      case (_?, nil): change.why = .conflict
      case (let old, let index?): if rows[index] == old { change.act = .put } else { change.why = .conflict }
      }
      change.wish = change.act
      changes.append(change)
    }
    for old in base.tables[table] where schema.hasKey(table, old) {
      guard !seed.tables[table].contains(where: { schema.sameKey(table, $0, old) }),
        let index = rows.firstIndex(where: { schema.sameKey(table, $0, old) })
      else { continue }
      let isUntouched = rows[index] == old
      changes.append(
        Change(
          kind: .deleted, act: isUntouched ? .delete : .keep, why: isUntouched ? .undecided : .conflict, old: index, row: old, base: old))
    }
    return changes + collectWithoutKey(table)
  }

  func collectWithoutKey(_ table: Int) -> [Change] {
    func counts(_ rows: [MergeRow]) -> [MergeRow: Int] {
      rows.filter { !schema.hasKey(table, $0) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let (before, after) = (counts(base.tables[table]), counts(seed.tables[table]))
    var changes: [Change] = []
    for row in Set(before.keys).union(after.keys).sorted(by: { $0.precedes($1) }) {
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

  mutating func decide(_ table: Int) throws {
    for index in changes[table].indices where changes[table][index].why == .conflict {
      let change = changes[table][index]
      let here = change.old.map { mine.tables[table][$0] }
      let conflict = SeedConflict(
        table: schema.tables[table].name, cause: .edited, key: key(table, change.row), base: change.base.map { named(table, $0) },
        mine: here.map { named(table, $0) }, theirs: change.kind == .deleted ? nil : named(table, change.row))
      var decision: SeedConflict.Decision
      switch policy {
      case .keepMine: decision = .mine
      case .takeSeed: decision = .seed
      case .decide(let closure): decision = try closure(conflict)
      case .byColumn:
        decision = .mine
        if change.kind == .changed, let old = change.base, let here {
          let columns = old.indices
          let merged = columns.map { here[$0] == old[$0] ? change.row[$0] : here[$0] }
          let isContested = columns.contains { here[$0] != old[$0] && change.row[$0] != old[$0] && here[$0] != change.row[$0] }
          // With the key as the seed spells it.
          let row = columns.map { schema.tables[table].key.contains($0) ? change.row[$0] : merged[$0] }
          if !isContested {
            if merged != here { put(row, table, index) }
            continue
          }
          if merged != here { decision = .row(named(table, row)) }
        }
      }
      edited.append(Found(change: Place(table: table, index: index), conflict: conflict, decision: decision))
      switch decision {
      case .mine: break
      case .seed:
        changes[table][index].act = change.kind == .deleted ? .delete : .put
        changes[table][index].wish = changes[table][index].act
        changes[table][index].why = .undecided
      case .row(let values): put(completed(values, here ?? change.row, change.row, table), table, index)
      }
    }
  }

  mutating func put(_ row: MergeRow, _ table: Int, _ index: Int) {
    changes[table][index].row = row
    changes[table][index].act = .put
    changes[table][index].wish = .put
    changes[table][index].why = .undecided
    changes[table][index].isMade = true
  }

  /// What a closure leaves out is the store's.
  func completed(_ values: [String: StoredValue], _ rest: MergeRow, _ theirs: MergeRow, _ table: Int) -> MergeRow {
    rest.indices.map { column in
      if schema.tables[table].key.contains(column), schema.hasKey(table, theirs) { return theirs[column] }
      return values[schema.tables[table].columns[column].name] ?? rest[column]
    }
  }

  // MARK: What is reported

  /// The conflicts, and what was decided.
  var conflicts: [Found] {
    edited.map { found in
      Found(
        change: found.change, conflict: found.conflict,
        decision: changes[found.change.table][found.change.index].act == .keep ? .mine : found.decision)
    } + uniqueConflicts
  }

  var uniqueConflicts: [Found] {
    var found: [Found] = []
    for table in schema.tables.indices {
      for (index, change) in changes[table].enumerated() {
        func add(_ other: MergeRow, _ decision: SeedConflict.Decision) {
          found += collisions(table, change.row, other).map { unique in
            Found(change: Place(table: table, index: index), conflict: conflict(table, unique, change, other), decision: decision)
          }
        }
        if change.act == .keep, change.why == .blocked {
          for row in staying(table) where row != change.old { add(mine.tables[table][row], .mine) }
          for other in put(table) { add(other.row, .mine) }
        }
        if change.act == .put {
          for room in changes[table] where room.kind == .inTheWay && room.old != change.old {
            if let row = room.old { add(mine.tables[table][row], .seed) }
          }
        }
      }
    }
    return found
      + answers.values.filter { answer in
        guard case .row = answer.decision else { return false }
        let (all, index) = (changes[answer.change.table], answer.change.index)
        return index >= 0 ? all[index].act == .put : all.contains { $0.kind == .inTheWay && $0.old == -1 - index && $0.act == .put }
      }
  }
}
