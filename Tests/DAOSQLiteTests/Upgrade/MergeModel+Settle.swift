import DAOCriteria

@testable import DAOSQLite

// What the schema's rules take back.
extension MergeModel {
  /// The rows of the store that stay as they are.
  func staying(_ table: Int) -> [Int] {
    mine.tables[table].indices.filter { index in !changes[table].contains { $0.old == index && $0.act != .keep } }
  }

  func put(_ table: Int) -> [Change] { changes[table].filter { $0.act == .put } }

  /// All rows as they would be.
  func result(_ table: Int) -> [MergeRow] { staying(table).map { mine.tables[table][$0] } + put(table).map(\.row) }

  mutating func keep(_ table: Int, _ indices: [Int], _ why: MergeReason) -> Bool {
    for index in indices {
      changes[table][index].act = .keep
      changes[table][index].why = why
    }
    return !indices.isEmpty
  }

  /// The changes of this round that are done.
  func tried(_ table: Int) -> [Int] {
    changes[table].indices.filter { changes[table][$0].act != .keep && (round == 0 || changes[table][$0].turn == round) }
  }

  var heldBack: [Place] {
    schema.tables.indices.flatMap { table in
      changes[table].indices.filter { changes[table][$0].isHeldBack }.map { Place(table: table, index: $0) }
    }
  }

  mutating func settle() throws {
    _ = try settleRound()
    while hasChosen, !heldBack.isEmpty {
      if try settle(trying: heldBack) { continue }
      guard try hasChosen && (retryAlone() || retryRings()) else { return }
      hasChosen = true
    }
  }

  mutating func settle(trying places: [Place]) throws -> Bool {
    round += 1
    for place in places {
      changes[place.table][place.index].act = changes[place.table][place.index].wish
      changes[place.table][place.index].why = .undecided
      changes[place.table][place.index].turn = round
    }
    return try settleRound()
  }

  mutating func settleRound() throws -> Bool {
    (hasChosen, stubborn) = (false, [])
    switch policy {
    case .takeSeed, .decide: _ = try makeRoom()
    case .keepMine, .byColumn: break
    }
    while true {
      if dropRoom() { continue }
      if keepReferenced() { continue }
      if holdBack() { continue }
      if keepApart() { continue }
      if try !makeRoom() { break }
    }
    let done = schema.tables.indices.flatMap { table in tried(table).map { changes[table][$0].kind } }
    if done.contains(.inTheWay) { hasChosen = true }
    return done.contains { $0 != .inTheWay }
  }

  /// A row of the store's that is lost with a change, and that a row of some rows references.
  func isReferenced(_ change: Change, of parent: Int, by rows: (_ child: Int) -> [MergeRow]) -> Bool {
    guard let old = change.old else { return false }
    let row = mine.tables[parent][old]
    return schema.tables.indices.contains { child in
      schema.tables[child].references.contains { reference in
        guard reference.target == parent else { return false }
        let isProvided = (put(parent) + (change.wish == .put ? [change] : [])).contains {
          schema.meet(row, reference.targetColumns, $0.row, reference.targetColumns, in: parent)
        }
        return !isProvided && rows(child).contains { schema.meet(row, reference.targetColumns, $0, reference.columns, in: parent) }
      }
    }
  }

  mutating func keepReferenced() -> Bool {
    var isChanged = false
    for parent in schema.tables.indices {
      for index in tried(parent) {
        let change = changes[parent][index]
        func done(_ child: Int, inThisRound: Bool) -> [MergeRow] {
          changes[child].indices.filter { child != parent || $0 != index }.map { changes[child][$0] }
            .filter { $0.act == .put && inThisRound == (round == 0 || $0.turn == round) }.map(\.row)
        }
        let isCertain = isReferenced(change, of: parent) { child in
          staying(child).map { mine.tables[child][$0] } + done(child, inThisRound: false)
        }
        let isChosen = isReferenced(change, of: parent) { done($0, inThisRound: true) }
        guard isCertain || isChosen else { continue }
        if !isCertain { hasChosen = true }
        isChanged = keep(parent, [index], .referenced) || isChanged
      }
      if isChanged { keepFollowersReferenced(parent) }
    }
    return isChanged
  }

  /// Rows that rows which are kept reference, and would be kept for it one after the other.
  mutating func keepFollowersReferenced(_ table: Int) {
    var ahead = changes[table].filter { $0.act == .keep && $0.why == .referenced && isInThisRound($0) }
    while let kept = ahead.popLast() {
      guard let old = kept.old else { continue }
      for index in tried(table) where changes[table][index].old != old {
        let change = changes[table][index]
        guard isReferenced(change, of: table, by: { $0 == table ? [mine.tables[table][old]] : [] }) else { continue }
        _ = keep(table, [index], .referenced)
        ahead.append(change)
      }
    }
  }

  mutating func holdBack() -> Bool {
    for child in schema.tables.indices {
      for reference in schema.tables[child].references {
        let indices = tried(child).filter { index in
          let change = changes[child][index]
          return change.act == .put && !isMet(reference, change.row) { result($0) }
        }
        guard keep(child, indices, .heldBack) else { continue }
        if reference.target == child { holdBackFollowers(child, reference) }
        return true
      }
    }
    return false
  }

  func isInThisRound(_ change: Change) -> Bool { round == 0 || change.turn == round }

  /// Rows that reference rows which are held back, and would be held back for it one after the other.
  mutating func holdBackFollowers(_ table: Int, _ reference: MergeSchema.Table.Reference) {
    let before = changes[table]
    // A row of the user's that makes room may be there again.
    let staying = mine.tables[table].indices.filter { index in
      !before.contains { $0.old == index && $0.act != .keep && $0.kind != .inTheWay }
    }
    func meets(_ row: MergeRow, _ other: MergeRow) -> Bool {
      schema.meet(row, reference.targetColumns, other, reference.columns, in: table)
    }
    var ahead = before.indices.filter { before[$0].act == .keep && before[$0].why == .heldBack && isInThisRound(before[$0]) }
    while let index = ahead.popLast() {
      for other in tried(table) where other != index && changes[table][other].act == .put {
        let (kept, row) = (before[index], changes[table][other].row)
        guard meets(kept.row, row), !(kept.old.map { meets(mine.tables[table][$0], row) } ?? false),
          !staying.contains(where: { meets(mine.tables[table][$0], row) }),
          !before.indices.contains(where: { $0 != index && before[$0].act == .put && meets(before[$0].row, row) })
        else { continue }
        _ = keep(table, [other], .heldBack)
        ahead.append(other)
      }
    }
  }

  func isMet(_ reference: MergeSchema.Table.Reference, _ row: MergeRow, _ rows: (Int) -> [MergeRow]) -> Bool {
    reference.columns.contains { row[$0].isNull }
      || rows(reference.target).contains { schema.meet($0, reference.targetColumns, row, reference.columns, in: reference.target) }
  }

  /// The unique columns in which two rows are equal.
  func collisions(_ table: Int, _ a: MergeRow, _ b: MergeRow) -> [Int] {
    schema.tables[table].uniques.filter { schema.meet(a, [$0], b, [$0], in: table) }
  }

  func collide(_ table: Int, _ a: MergeRow, _ b: MergeRow) -> Bool { !collisions(table, a, b).isEmpty }

  mutating func dropRoom() -> Bool {
    var isChanged = false
    for table in schema.tables.indices {
      let needed = neededRoom(table)
      for index in changes[table].indices.reversed() where changes[table][index].kind == .inTheWay {
        let room = changes[table][index]
        if let old = room.old, room.act == .keep { stubborn.insert([table, old]) }
        guard room.act == .keep || !needed.contains(index) else { continue }
        if room.act != .keep { isChanged = true }
        changes[table].remove(at: index)
      }
    }
    return isChanged
  }

  /// The room that is made for what is put: for the seed's rows first, then for the rows that make that room.
  func neededRoom(_ table: Int) -> Set<Int> {
    let all = changes[table]
    var needed: Set<Int> = []
    var ahead = all.indices.filter { all[$0].kind != .inTheWay }
    while let index = ahead.popLast() {
      guard all[index].act == .put else { continue }
      for other in all.indices where other != index && all[other].kind == .inTheWay && !needed.contains(other) {
        guard let old = all[other].old, collide(table, mine.tables[table][old], all[index].row) else { continue }
        needed.insert(other)
        ahead.append(other)
      }
    }
    return needed
  }

  mutating func keepApart() -> Bool {
    var isChanged = false
    for table in schema.tables.indices {
      let others = tried(table)
      let done = changes[table].indices.filter { changes[table][$0].act == .put && !others.contains($0) }
      func mayCollide(_ index: Int, _ other: Int) -> Bool {
        let (one, two) = (changes[table][index], changes[table][other])
        return index != other && one.act == .put && two.act == .put && (one.isMade || two.isMade) && collide(table, one.row, two.row)
      }
      if keep(table, others.filter { index in done.contains { mayCollide(index, $0) } }, .blocked) { isChanged = true }
      for unique in schema.tables[table].uniques {
        let tried = tried(table)
        let losers = tried.flatMap { index in
          tried.compactMap { other -> Int? in
            guard changes[table][index].isMade, mayCollide(index, other),
              collisions(table, changes[table][index].row, changes[table][other].row).contains(unique)
            else { return nil }
            return changes[table][other].isMade && stands(table, index, before: other) ? other : index
          }
        }
        if keep(table, Array(Set(losers)), .blocked) { (isChanged, hasChosen) = (true, true) }
      }
    }
    return isChanged
  }

  /// Ties go by the key.
  func stands(_ table: Int, _ index: Int, before other: Int) -> Bool {
    func key(_ index: Int) -> MergeRow { schema.tables[table].key.map { changes[table][index].row[$0] } }
    return key(index) == key(other) ? index < other : key(index).precedes(key(other))
  }

  mutating func makeRoom() throws -> Bool {
    var isChanged = false
    for table in schema.tables.indices {
      let blocked = tried(table).map { index in
        let row = changes[table][index]
        return (index, row.act == .put ? staying(table).filter { collide(table, mine.tables[table][$0], row.row) } : [])
      }
      for (index, rows) in blocked where !rows.isEmpty {
        isChanged = true
        try makeRoom(table, index, rows)
      }
      if blocked.contains(where: { !$0.1.isEmpty && changes[table][$0.0].why == .blocked }) { keepFollowersBlocked(table) }
    }
    return isChanged
  }

  /// Rows with unique values of rows that are kept, and would be blocked for it one after the other.
  mutating func keepFollowersBlocked(_ table: Int) {
    var ahead = changes[table].filter { $0.act == .keep && $0.why == .blocked && isInThisRound($0) }
    while let kept = ahead.popLast() {
      guard let old = kept.old else { continue }
      for index in tried(table) where changes[table][index].act == .put {
        guard changes[table][index].old != old, collide(table, mine.tables[table][old], changes[table][index].row) else { continue }
        ahead.append(changes[table][index])
        _ = keep(table, [index], .blocked)
      }
    }
  }

  mutating func makeRoom(_ table: Int, _ index: Int, _ rows: [Int]) throws {
    let decisions = try rows.map { try decision(table, index, $0) }
    if decisions.allSatisfy({ $0 == .seed }) {
      for row in rows where !changes[table].contains(where: { $0.old == row }) {
        let here = mine.tables[table][row]
        let hasKey = schema.hasKey(table, here)
        let theirs = hasKey ? seed.tables[table].first { schema.sameKey(table, $0, here) } : nil
        let old = hasKey ? base.tables[table].first { schema.sameKey(table, $0, here) } : nil
        changes[table].append(Change(kind: .inTheWay, act: theirs == nil ? .delete : .put, old: row, row: theirs ?? here, base: old))
        changes[table][changes[table].count - 1].turn = round
      }
      return
    }
    for case .row(let values) in decisions where !decisions.contains(.mine) {
      let change = changes[table][index]
      let own = change.old.map { mine.tables[table][$0] } ?? change.row
      put(completed(values, own, change.row, table), table, index)
      hasChosen = true
      return
    }
    _ = keep(table, [index], .blocked)
  }

  mutating func decision(_ table: Int, _ index: Int, _ row: Int) throws -> SeedConflict.Decision {
    let isDecided = changes[table].contains { $0.old == row && $0.kind != .inTheWay }
    if isDecided { return .mine }
    let decision: SeedConflict.Decision
    // Of a row that makes room the number of the store's row: it may make room once more.
    let number = changes[table][index].kind == .inTheWay ? -1 - (changes[table][index].old ?? 0) : index
    switch policy {
    case .keepMine, .byColumn: return .mine
    case .takeSeed: decision = .seed
    case .decide(let closure):
      if let answer = answers[[table, number, row]] {
        if case .row = answer.decision { return .mine }
        decision = answer.decision
      } else {
        let change = changes[table][index]
        let columns = collisions(table, change.row, mine.tables[table][row]).prefix(1)
        let conflict = conflict(table, columns.first ?? 0, change, mine.tables[table][row])
        decision = try closure(conflict)
        answers[[table, number, row]] = Found(change: Place(table: table, index: number), conflict: conflict, decision: decision)
      }
    }
    return decision == .seed && stubborn.contains([table, row]) ? .mine : decision
  }

  func conflict(_ table: Int, _ unique: Int, _ change: Change, _ other: MergeRow) -> SeedConflict {
    let old = schema.hasKey(table, change.row) ? base.tables[table].first { schema.sameKey(table, $0, change.row) } : nil
    return SeedConflict(
      table: schema.tables[table].name, cause: .unique(columns: [schema.tables[table].columns[unique].name]), key: key(table, change.row),
      base: old.map { named(table, $0) }, mine: named(table, other), theirs: named(table, change.row))
  }
}
