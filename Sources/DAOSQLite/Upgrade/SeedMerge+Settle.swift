import DAOCriteria

// Changes that would break the schema's rules are held back, in rounds.
//
// A round does all of its changes, and holds back those that break a rule until none does. Most of them break it whatever else is done: a
// row references a row that nobody brings. Where two changes exclude each other, one is chosen, and may be held back later for a reason of
// its own; then the other could have been done. A round that chose is therefore followed by one about all that is held back. It only holds
// back changes of its own, so that the changes that are held back only become fewer.
extension SeedMerge {
  /// Holds changes back until no rule is broken, so that no change that is held back could be done.
  /// - Parameter retrying: whether changes that are held back may be possible now, whatever this round chooses.
  mutating func settle(retrying: Bool = false) throws {
    round = nil
    try settleRound()
    try retryHeldBack(retrying || hasChosen)
  }

  /// Holds changes of the current round back until no rule is broken. Each step holds at least one back or asks about a pair of rows for
  /// the first time, the rounds therefore end.
  /// - Returns: whether any change of the round is done.
  @discardableResult
  mutating func settleRound() throws -> Bool {
    (hasChosen, stubborn) = (false, [])
    let scope = MergeScope.round(round)
    // A row that makes room may become what another row references.
    if policy.mayMakeRoom { _ = try makeRoom() }
    while true {
      // First, so that no other rule takes it for what is done.
      if try dropRoom() { continue }
      if try keepReferenced(scope) { continue }
      if try holdBack(scope) { continue }
      if try keepApart() { continue }
      if try !makeRoom() { break }
    }
    let isDone = "\(scope.includes("change")) AND change.act <> \(MergeAct.keep.rawValue) AND change.kind"
    // Rows that were held back before the room was made may be possible now.
    for number in rooms.keys
    where try db.hasChanges(of: tables[number], where: "\(isDone) = \(MergeKind.inTheWay.rawValue)") { hasChosen = true }
    return try activeTables.contains { try db.hasChanges(of: $0, where: "\(isDone) <> \(MergeKind.inTheWay.rawValue)") }
  }

  /// Holds changes back.
  /// - Parameter changes: a query of their numbers.
  /// - Returns: whether there are any.
  func keep(_ table: MergeTable, _ reason: MergeReason, _ changes: String) throws -> Bool {
    try db.change(
      """
      UPDATE \(table.changes)
      SET act = \(MergeAct.keep.rawValue), why = \(reason.rawValue)
      WHERE rowid IN (
        \(changes)
      )
      """)
  }

  /// Holds back what depends on changes that the current round has held back for a reason, and what depends on that: all at once, since a
  /// chain of changes would take a pass over all of them for each otherwise.
  /// - Parameter followers: joins of a change `kept` that is held back with the changes `change` that depend on it alone.
  func keepFollowers(_ table: MergeTable, _ reason: MergeReason, _ followers: [String]) throws {
    let first = """
      SELECT kept.rowid
      FROM \(table.changes) AS kept
      WHERE kept.act = \(MergeAct.keep.rawValue) AND kept.why = \(reason.rawValue)
        AND \(MergeScope.round(round).includes("kept"))
      """
    let others = followers.map { join in
      """
      SELECT change.rowid
      FROM held
      CROSS JOIN \(table.changes) AS kept ON kept.rowid = held.number
      \(join)
        AND change.rowid <> kept.rowid
      """
    }
    _ = try keep(
      table, reason,
      """
      WITH RECURSIVE held(number) AS (
        \(([first] + others).united)
      )
      SELECT number FROM held
      """)
  }
}
