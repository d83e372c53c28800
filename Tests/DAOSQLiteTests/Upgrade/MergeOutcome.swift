import DAOCriteria

@testable import DAOSQLite

/// The rows after a merge, held against the three sides without any knowledge of how the merge goes about it: is each reason in the report
/// true, and could anything that was held back be done after all?
struct MergeOutcome {
  /// What the policy wants of a row and the merge did not do.
  struct Held {
    let table: Int
    let key: MergeRow
    /// The row that the policy wants under the key; nil where it wants none.
    let wanted: MergeRow?
  }

  let schema: MergeSchema
  let base: MergeRows
  /// The store before the merge, with the keys that the merge gave to the user's rows.
  let mine: MergeRows
  let seed: MergeRows
  let after: MergeRows
  let policy: String

  private func row(_ rows: MergeRows, _ table: Int, _ key: MergeRow) -> MergeRow? {
    rows.tables[table].first { schema.sameKey(table, $0, key) }
  }

  private func keys(_ table: Int) -> [MergeRow] {
    [base, mine, seed].flatMap { $0.tables[table] }.filter { schema.hasKey(table, $0) }.reduce(into: []) { keys, row in
      if !keys.contains(where: { schema.sameKey(table, $0, row) }) { keys.append(row) }
    }
  }

  /// The row that the policy wants under a key, if nothing stands in its way.
  func wanted(_ table: Int, _ key: MergeRow) -> MergeRow? {
    let (base, mine, seed) = (row(self.base, table, key), row(self.mine, table, key), row(self.seed, table, key))
    if base == seed || mine == seed { return mine }
    if mine == base { return seed }
    switch policy {
    case "takeSeed": return base == nil || mine != nil || seed != nil ? seed : mine
    case "byColumn":
      guard let base, let mine, let seed else { return mine }
      let merged = mine.indices.map { mine[$0] == base[$0] ? seed[$0] : mine[$0] }
      // With the key as the seed spells it.
      return merged == mine ? mine : mine.indices.map { schema.tables[table].key.contains($0) ? seed[$0] : merged[$0] }
    default: return mine
    }
  }

  var held: [Held] {
    schema.tables.indices.flatMap { table in
      keys(table).compactMap { key in
        let (wanted, seed) = (wanted(table, key), row(seed, table, key))
        // A row of the user's that gave way is none of these.
        guard row(after, table, key) != wanted, row(base, table, key) != seed || wanted != row(mine, table, key) else { return nil }
        return Held(table: table, key: key, wanted: wanted)
      }
    }
  }

  // MARK: Rules

  /// Whether the schema allows the rows.
  func isValid(_ rows: MergeRows) -> Bool {
    schema.tables.indices.allSatisfy { table in
      rows.tables[table].indices.allSatisfy { index in
        let row = rows.tables[table][index]
        let uniques = schema.tables[table].uniques.map { [$0] }
        let isDouble = rows.tables[table].indices.contains { other in
          other != index && uniques.contains { schema.meet(row, $0, rows.tables[table][other], $0, in: table) }
        }
        return !isDouble && schema.tables[table].references.allSatisfy { isMet($0, row, rows) }
      }
    }
  }

  func isMet(_ reference: MergeSchema.Table.Reference, _ row: MergeRow, _ rows: MergeRows) -> Bool {
    reference.columns.contains { row[$0].isNull }
      || rows.tables[reference.target].contains { schema.meet($0, reference.targetColumns, row, reference.columns, in: reference.target) }
  }

  /// The rows with some of what was held back done. Under the seed's rule, rows of the user's give way.
  func rows(doing changes: [Held]) -> MergeRows {
    var rows = after
    for change in changes {
      rows.tables[change.table].removeAll { schema.sameKey(change.table, $0, change.key) }
      if let wanted = change.wanted { rows.tables[change.table].append(wanted) }
    }
    guard policy == "takeSeed" else { return rows }
    for _ in 0..<8 {
      for change in changes {
        guard let wanted = change.wanted else { continue }
        for other in rows.tables[change.table] where other != wanted && collide(other, wanted, change.table) {
          guard mayGiveWay(other, change.table) else { continue }
          rows.tables[change.table].removeAll { $0 == other }
          if schema.hasKey(change.table, other), let own = row(seed, change.table, other) { rows.tables[change.table].append(own) }
        }
      }
    }
    return rows
  }

  private func collide(_ a: MergeRow, _ b: MergeRow, _ table: Int) -> Bool {
    schema.tables[table].uniques.contains { schema.meet(a, [$0], b, [$0], in: table) }
  }

  /// Whether a row is the user's, and the seed has no news about it.
  private func mayGiveWay(_ row: MergeRow, _ table: Int) -> Bool {
    guard schema.hasKey(table, row) else { return true }
    guard self.row(mine, table, row) == row else { return false }
    return self.row(base, table, row) == self.row(seed, table, row) || self.row(seed, table, row) == row
  }

  /// Some of what was held back that could have been done, all of it together.
  func feasible() -> [Held]? {
    let held = held
    if let one = held.first(where: { isValid(rows(doing: [$0])) }) { return [one] }
    guard held.count <= 10 else { return nil }
    let sets = (1..<(1 << held.count)).filter { 2...5 ~= $0.nonzeroBitCount }.sorted { ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1) }
    for set in sets {
      let changes = held.indices.filter { set >> $0 & 1 == 1 }.map { held[$0] }
      if policy != "takeSeed" || isRing(changes), isValid(rows(doing: changes)) { return changes }
    }
    return nil
  }

  /// Whether rows of one table exchange unique values: each is in the way of another.
  private func isRing(_ changes: [Held]) -> Bool {
    changes.allSatisfy { change in
      guard let now = row(after, change.table, change.key) else { return false }
      return changes.contains { other in
        other.table == change.table && !schema.sameKey(change.table, other.key, change.key)
          && other.wanted.map { collide($0, now, change.table) } == true
      }
    }
  }

  // MARK: Room

  /// Rows of the user's that the seed has no news about, and that are not as the user had them: they gave way to rows of the seed's.
  private var gaveWay: [Held] {
    schema.tables.indices.flatMap { table in
      keys(table).compactMap { key in
        guard let mine = row(mine, table, key), wanted(table, key) == mine, row(after, table, key) != mine else { return nil }
        return Held(table: table, key: key, wanted: mine)
      }
    }
  }

  /// Rows of the user's that gave way for nothing: the schema allows them beside all that was done.
  func lostForNothing() -> [Held]? {
    let gone = gaveWay
    let sets = gone.count <= 10 ? Array(1..<(1 << gone.count)) : gone.indices.map { 1 << $0 } + [(1 << gone.count) - 1]
    return sets.lazy.map { set in gone.indices.filter { set >> $0 & 1 == 1 }.map { gone[$0] } }.first { rows in
      var restored = after
      for row in rows {
        restored.tables[row.table].removeAll { schema.sameKey(row.table, $0, row.key) }
        if let mine = row.wanted { restored.tables[row.table].append(mine) }
      }
      return isValid(restored)
    }
  }

  // MARK: Reasons

  private func key(_ values: [String: StoredValue], _ table: Int) -> MergeRow? {
    let described = schema.tables[table]
    let row = described.columns.map { values[$0.name] ?? .null }
    return schema.hasKey(table, row) ? row : nil
  }

  private func full(_ values: [String: StoredValue], _ table: Int) -> MergeRow {
    schema.tables[table].columns.map { values[$0.name] ?? .null }
  }

  /// What the report says and is not so.
  func untruths(_ report: [SeedUpgradeReport.Table]) -> [String] {
    report.flatMap { report -> [String] in
      guard let table = schema.tables.firstIndex(where: { $0.name == report.name }) else { return ["no such table"] }
      let held = report.heldBack.compactMap { values in key(values, table).flatMap { untruth(heldBack: $0, table) } }
      let referenced = report.referenced.compactMap { values in key(values, table).flatMap { untruth(referenced: $0, table) } }
      return held + referenced + report.conflicts.compactMap { untruth($0, table) }
    }
  }

  private func untruth(heldBack key: MergeRow, _ table: Int) -> String? {
    guard let wanted = wanted(table, key) else { return "held back is what nobody wants: \(key)" }
    if row(after, table, key) == wanted { return "held back is what is there: \(wanted)" }
    let rows = rows(doing: [Held(table: table, key: key, wanted: wanted)])
    return schema.tables[table].references.allSatisfy { isMet($0, wanted, rows) }
      ? "what is held back references what is there: \(wanted)" : nil
  }

  private func untruth(referenced key: MergeRow, _ table: Int) -> String? {
    let wanted = wanted(table, key)
    guard row(after, table, key) != wanted else { return "kept as referenced is what is not there: \(key)" }
    let rows = rows(doing: [Held(table: table, key: key, wanted: wanted)])
    let isReferenced = schema.tables.indices.contains { child in
      schema.tables[child].references.contains { reference in
        reference.target == table && rows.tables[child].contains { !isMet(reference, $0, rows) }
      }
    }
    return isReferenced ? nil : "kept as referenced is what nothing references: \(key)"
  }

  private func untruth(_ found: SeedUpgradeReport.Conflict, _ table: Int) -> String? {
    let (conflict, decision) = (found.conflict, found.decision)
    let mine = conflict.mine.map { full($0, table) }
    let theirs = conflict.theirs.map { full($0, table) }
    switch (conflict.cause, decision) {
    case (.edited, .mine): return mine == key(conflict.key, table).flatMap { row(after, table, $0) } ? nil : "mine is not there: \(found)"
    case (.edited, .seed):
      return theirs == key(conflict.key, table).flatMap { row(after, table, $0) } ? nil : "the seed's is not there: \(found)"
    case (.unique, .mine):
      guard let mine, let theirs else { return "a conflict without its rows: \(found)" }
      if !after.tables[table].contains(mine) { return "what is in the way is not there: \(found)" }
      if !collide(mine, theirs, table) { return "what is in the way is not: \(found)" }
      return schema.hasKey(table, theirs) && after.tables[table].contains(theirs) ? "what was not put is there: \(found)" : nil
    case (.unique, .seed):
      guard let mine, let theirs else { return "a conflict without its rows: \(found)" }
      if !after.tables[table].contains(theirs) { return "what was put is not there: \(found)" }
      return schema.hasKey(table, mine) && after.tables[table].contains(mine) ? "what gave way is there: \(found)" : nil
    case (_, .row(let values)):
      let full = full(values, table)
      return schema.hasKey(table, full) && !after.tables[table].contains(full) ? "what was made is not there: \(found)" : nil
    default: return nil
    }
  }
}
