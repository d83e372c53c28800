import DAOCriteria

@testable import DAOSQLite

/// The merge as plain loops over rows: slow, and simple enough to be believed.
struct MergeModel {
  struct Change {
    let kind: MergeKind
    var act: MergeAct
    /// What is to be done, if nothing stands in its way.
    var wish: MergeAct
    var why: MergeReason = .none
    /// Whether the row was put together.
    var isMade = false
    /// The round in which it was tried last.
    var turn = 0
    /// The row of the store's that it is about.
    let old: Int?
    /// The row to put; of a row to delete what it was in the base.
    var row: MergeRow
    var base: MergeRow?

    init(kind: MergeKind, act: MergeAct, why: MergeReason = .none, old: Int?, row: MergeRow, base: MergeRow? = nil) {
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
    let decision: ConflictDecision
  }

  let schema: MergeSchema
  let base: MergeRows
  private(set) var mine: MergeRows
  let seed: MergeRows
  let policy: ConflictPolicy
  var changes: [[Change]] = []
  /// Rows that both sides changed.
  var edited: [Found] = []
  /// The keys that rows of the user's had and have.
  private(set) var moved: [Int: [Int64: Int64]] = [:]
  private var answers: [[Int]: Found] = [:]
  private var round = 0
  private var hasChosen = false
  private var stubborn: Set<[Int]> = []

  init(_ schema: MergeSchema, base: MergeRows, mine: MergeRows, seed: MergeRows, _ policy: ConflictPolicy) throws {
    (self.schema, self.base, self.mine, self.seed, self.policy) = (schema, base, mine, seed, policy)
    for table in schema.tables.indices { moveKeys(table) }
    changes = schema.tables.indices.map { collect($0) }
    for table in schema.tables.indices { try decide(table) }
    try settle()
  }

  // MARK: Keys

  /// Rows of the user's under keys of new rows of the seed's get keys from 2^40 on.
  private mutating func moveKeys(_ table: Int) {
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

  private mutating func decide(_ table: Int) throws {
    for index in changes[table].indices where changes[table][index].why == .conflict {
      let change = changes[table][index]
      let here = change.old.map { mine.tables[table][$0] }
      let conflict = SeedConflict(
        table: schema.tables[table].name, cause: .edited, key: key(table, change.row), base: change.base.map { named(table, $0) },
        mine: here.map { named(table, $0) }, theirs: change.kind == .deleted ? nil : named(table, change.row))
      var decision: ConflictDecision
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
        changes[table][index].why = .none
      case .row(let values): put(completed(values, here ?? change.row, change.row, table), table, index)
      }
    }
  }

  private mutating func put(_ row: MergeRow, _ table: Int, _ index: Int) {
    changes[table][index].row = row
    changes[table][index].act = .put
    changes[table][index].wish = .put
    changes[table][index].why = .none
    changes[table][index].isMade = true
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

  private func put(_ table: Int) -> [Change] { changes[table].filter { $0.act == .put } }

  /// All rows as they would be.
  func result(_ table: Int) -> [MergeRow] { staying(table).map { mine.tables[table][$0] } + put(table).map(\.row) }

  private mutating func keep(_ table: Int, _ indices: [Int], _ why: MergeReason) -> Bool {
    for index in indices {
      changes[table][index].act = .keep
      changes[table][index].why = why
    }
    return !indices.isEmpty
  }

  /// The changes of this round that are done.
  private func tried(_ table: Int) -> [Int] {
    changes[table].indices.filter { changes[table][$0].act != .keep && (round == 0 || changes[table][$0].turn == round) }
  }

  private var heldBack: [Place] {
    schema.tables.indices.flatMap { table in
      changes[table].indices.filter { changes[table][$0].isHeldBack }.map { Place(table: table, index: $0) }
    }
  }

  private mutating func settle() throws {
    _ = try settleRound()
    while hasChosen, !heldBack.isEmpty {
      if try settle(trying: heldBack) { continue }
      guard try hasChosen && (retryAlone() || retryRings()) else { return }
      hasChosen = true
    }
  }

  private mutating func settle(trying places: [Place]) throws -> Bool {
    round += 1
    for place in places {
      changes[place.table][place.index].act = changes[place.table][place.index].wish
      changes[place.table][place.index].why = .none
      changes[place.table][place.index].turn = round
    }
    return try settleRound()
  }

  private mutating func settleRound() throws -> Bool {
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
  private func isReferenced(_ change: Change, of parent: Int, by rows: (_ child: Int) -> [MergeRow]) -> Bool {
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

  private mutating func keepReferenced() -> Bool {
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
  private mutating func keepFollowersReferenced(_ table: Int) {
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

  private mutating func holdBack() -> Bool {
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

  private func isInThisRound(_ change: Change) -> Bool { round == 0 || change.turn == round }

  /// Rows that reference rows which are held back, and would be held back for it one after the other.
  private mutating func holdBackFollowers(_ table: Int, _ reference: MergeSchema.Table.Reference) {
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

  private func isMet(_ reference: MergeSchema.Table.Reference, _ row: MergeRow, _ rows: (Int) -> [MergeRow]) -> Bool {
    reference.columns.contains { row[$0].isNull }
      || rows(reference.target).contains { schema.meet($0, reference.targetColumns, row, reference.columns, in: reference.target) }
  }

  /// The unique columns in which two rows are equal.
  private func collisions(_ table: Int, _ a: MergeRow, _ b: MergeRow) -> [Int] {
    schema.tables[table].uniques.filter { schema.meet(a, [$0], b, [$0], in: table) }
  }

  private func collide(_ table: Int, _ a: MergeRow, _ b: MergeRow) -> Bool { !collisions(table, a, b).isEmpty }

  private mutating func dropRoom() -> Bool {
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
  private func neededRoom(_ table: Int) -> Set<Int> {
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

  private mutating func keepApart() -> Bool {
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
  private func stands(_ table: Int, _ index: Int, before other: Int) -> Bool {
    func key(_ index: Int) -> MergeRow { schema.tables[table].key.map { changes[table][index].row[$0] } }
    return key(index) == key(other) ? index < other : key(index).precedes(key(other))
  }

  private mutating func makeRoom() throws -> Bool {
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
  private mutating func keepFollowersBlocked(_ table: Int) {
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

  private mutating func makeRoom(_ table: Int, _ index: Int, _ rows: [Int]) throws {
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

  private mutating func decision(_ table: Int, _ index: Int, _ row: Int) throws -> ConflictDecision {
    let isDecided = changes[table].contains { $0.old == row && $0.kind != .inTheWay }
    if isDecided { return .mine }
    let decision: ConflictDecision
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

  private func conflict(_ table: Int, _ unique: Int, _ change: Change, _ other: MergeRow) -> SeedConflict {
    let old = schema.hasKey(table, change.row) ? base.tables[table].first { schema.sameKey(table, $0, change.row) } : nil
    return SeedConflict(
      table: schema.tables[table].name, cause: .unique(columns: [schema.tables[table].columns[unique].name]), key: key(table, change.row),
      base: old.map { named(table, $0) }, mine: named(table, other), theirs: named(table, change.row))
  }

  // MARK: Once more

  private mutating func retryAlone() throws -> Bool {
    let places = possibleAlone()
    if places.isEmpty { return false }
    if try settle(trying: places) { return true }
    guard hasChosen else { return false }
    for place in places where try settle(trying: [place]) { return true }
    return false
  }

  /// The changes that could be done if nothing else is. The others get their reason.
  private mutating func possibleAlone() -> [Place] {
    var possible: [Place] = []
    for place in heldBack {
      let why = reason(place)
      changes[place.table][place.index].why = why ?? .none
      if why == nil { possible.append(place) }
    }
    return schema.tables.indices.flatMap { table in
      possible.filter { $0.table == table }.sorted { stands(table, $0.index, before: $1.index) }
    }
  }

  private func reason(_ place: Place) -> MergeReason? {
    var alone = self
    let (table, change) = (place.table, changes[place.table][place.index])
    alone.changes[table][place.index].act = change.wish
    var others = alone
    others.changes[table][place.index].act = .delete
    if alone.isReferenced(change, of: table, by: { others.result($0) }) { return .referenced }
    guard change.wish == .put else { return nil }
    if schema.tables[table].references.contains(where: { !alone.isMet($0, change.row) { alone.result($0) } }) { return .heldBack }
    let isBlocked = alone.staying(table).contains { row in
      guard collide(table, mine.tables[table][row], change.row) else { return false }
      switch policy {
      case .keepMine, .byColumn: return true
      case .takeSeed, .decide: return changes[table].contains { $0.old == row }
      }
    }
    let isApart = changes[table].contains { $0.act == .put && ($0.isMade || change.isMade) && collide(table, $0.row, change.row) }
    return isBlocked || isApart ? .blocked : nil
  }

  private mutating func retryRings() throws -> Bool {
    var failed: Set<Place> = []
    for start in heldBack {
      let ring = ring(from: start)
      guard ring.count > 1, failed.isDisjoint(with: ring) else { continue }
      let before = self
      _ = try settle(trying: ring)
      if ring.allSatisfy({ changes[$0.table][$0.index].act != .keep }) { return true }
      let (round, answers) = (round, answers)
      self = before
      (self.round, self.answers) = (round, answers)
      failed.insert(start)
    }
    return false
  }

  /// A change and those whose rows have to move out of its way.
  private func ring(from start: Place) -> [Place] {
    var (ring, ahead) = ([start], [start])
    while let next = ahead.popLast() {
      let change = changes[next.table][next.index]
      guard change.wish == .put else { continue }
      for row in staying(next.table) where row != change.old && collide(next.table, mine.tables[next.table][row], change.row) {
        guard let other = changes[next.table].firstIndex(where: { $0.old == row && $0.isHeldBack }) else { continue }
        let place = Place(table: next.table, index: other)
        if !ring.contains(place) {
          ring.append(place)
          ahead.append(place)
        }
      }
    }
    return ring
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

  private var uniqueConflicts: [Found] {
    var found: [Found] = []
    for table in schema.tables.indices {
      for (index, change) in changes[table].enumerated() {
        func add(_ other: MergeRow, _ decision: ConflictDecision) {
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
