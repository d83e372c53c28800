import DAOCriteria

@testable import DAOSQLite

// What was held back is tried once more: each change alone, then those that go round.
extension MergeModel {
  mutating func retryAlone() throws -> Bool {
    let places = possibleAlone()
    if places.isEmpty { return false }
    if try settle(trying: places) { return true }
    guard hasChosen else { return false }
    for place in places where try settle(trying: [place]) { return true }
    return false
  }

  /// The changes that could be done if nothing else is. The others get their reason.
  mutating func possibleAlone() -> [Place] {
    var possible: [Place] = []
    for place in heldBack {
      let why = reason(place)
      changes[place.table][place.index].why = why ?? .undecided
      if why == nil { possible.append(place) }
    }
    return schema.tables.indices.flatMap { table in
      possible.filter { $0.table == table }.sorted { stands(table, $0.index, before: $1.index) }
    }
  }

  func reason(_ place: Place) -> MergeReason? {
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

  mutating func retryRings() throws -> Bool {
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
  func ring(from start: Place) -> [Place] {
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
}
