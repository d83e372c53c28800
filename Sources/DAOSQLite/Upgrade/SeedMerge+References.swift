// The rules of foreign keys. A change whose reason is found alone is held back already.
extension SeedMerge {
  /// A row that is deleted or gets other values stays as it is where a row that stays references it, or one that is put.
  mutating func keepReferenced(_ scope: MergeScope) throws -> Bool {
    var isChanged = false
    for child in tables {
      for reference in child.references where active.contains(reference.target) {
        let parent = tables[reference.target]
        // A key never changes.
        let leaves = reference.isToKey ? "= \(MergeAct.delete.rawValue)" : "<> \(MergeAct.keep.rawValue)"
        let act = "d.\(scope.act) \(leaves) AND \(scope.includes("d"))"
        guard try has("\(act) AND d.o0 IS NOT NULL", in: parent) else { continue }
        let leaving = act + (reference.isToKey ? "" : " AND NOT \(isProvided(reference, parent, scope))")
        func isReferenced(byRowsOf round: String) -> String { byPut(child, reference, parent, "\(leaving)\(round)") }
        var (certain, chosen) = ([byOld(child, reference, parent, leaving, scope)], "")
        switch scope {
        case .alone: certain.append(isReferenced(byRowsOf: ""))
        case .round(nil): chosen = isReferenced(byRowsOf: "")
        case .round(let number?):
          certain.append(isReferenced(byRowsOf: " AND w.turn IS NOT \(number)"))
          chosen = isReferenced(byRowsOf: " AND w.turn = \(number)")
        }
        if try keep(parent, .referenced, certain.joined(separator: " UNION ")) {
          isChanged = true
          if child.number == parent.number, !scope.isAlone { try keepReferencedFollowers(reference, parent, leaving) }
        }
        // Of a row that goes and one that needs it, the second is chosen.
        if !chosen.isEmpty, try keep(parent, .referenced, chosen) { (isChanged, hasChosen) = (true, true) }
      }
    }
    return isChanged
  }

  /// Rows that are kept reference others of their table, which are kept for it.
  private mutating func keepReferencedFollowers(_ reference: MergeTable.Reference, _ table: MergeTable, _ leaving: String) throws {
    let references = zip(reference.columns, reference.targetColumns.positions).map {
      "p.\(table.columns[$1].quoted) = c.\(table.columns[$0].quoted)"
    }.joined(separator: " AND ")
    try keepFollowers(
      table, .referenced,
      [
        "CROSS JOIN \(table.quoted) AS c ON \(table.isAbout("x", "c")) CROSS JOIN \(table.quoted) AS p ON \(references) "
          + "CROSS JOIN \(table.changes) AS d ON \(table.isAbout("d", "p")) WHERE \(leaving)"
      ])
  }

  /// Another row, or the row of the change `d` itself, has the values that the store's row `p` is referenced by.
  private func isProvided(_ reference: MergeTable.Reference, _ parent: MergeTable, _ scope: MergeScope) -> String {
    "EXISTS (SELECT 1 FROM \(parent.changes) AS q WHERE \(isPut("q", or: "d", scope)) AND "
      + zip(reference.targetColumns.positions, reference.targetColumns.collations).map {
        "q.\(parent.changed($0))\(MergeTable.collate($1)) = p.\(parent.columns[$0].quoted)"
      }.joined(separator: " AND ") + ")"
  }

  /// A change `q` puts its row, or is the one that is tried alone.
  private func isPut(_ q: String, or d: String, _ scope: MergeScope) -> String {
    let put = MergeAct.put.rawValue
    return scope.isAlone ? "(\(q).act = \(put) OR \(q).rowid = \(d).rowid AND \(q).wish = \(put))" : "\(q).act = \(put)"
  }

  /// The changes of a parent whose row is referenced by one that the store has and that stays as it is.
  private func byOld(
    _ child: MergeTable, _ reference: MergeTable.Reference, _ parent: MergeTable, _ leaving: String, _ scope: MergeScope
  ) -> String {
    let references = zip(reference.columns, reference.targetColumns.positions).map {
      "p.\(parent.columns[$1].quoted) = c.\(child.columns[$0].quoted)"
    }.joined(separator: " AND ")
    let about = parent.isAbout("d", "p")
    // From the few to the many where there is an index, else each child once.
    let tables =
      reference.isIndexed
      ? "\(parent.changes) AS d CROSS JOIN \(parent.quoted) AS p ON \(about) CROSS JOIN \(child.quoted) AS c ON \(references)"
      : "\(child.quoted) AS c CROSS JOIN \(parent.quoted) AS p ON \(references) CROSS JOIN \(parent.changes) AS d ON \(about)"
    let isOther = child.number == parent.number ? scope.isOther(child, row: "c", than: "d") : ""
    return "SELECT d.rowid FROM \(tables) WHERE \(leaving) AND NOT \(child.isOverridden("c"))\(isOther)"
  }

  /// The changes of a parent whose row is referenced by another one that is put.
  private func byPut(_ child: MergeTable, _ reference: MergeTable.Reference, _ parent: MergeTable, _ leaving: String) -> String {
    let references = zip(reference.columns, reference.targetColumns.positions).map {
      "p.\(parent.columns[$1].quoted) = w.\(child.changed($0))"
    }.joined(separator: " AND ")
    return "SELECT d.rowid FROM \(child.changes) AS w CROSS JOIN \(parent.quoted) AS p ON \(references) "
      + "CROSS JOIN \(parent.changes) AS d ON \(parent.isAbout("d", "p")) WHERE w.act = \(MergeAct.put.rawValue) AND \(leaving)"
      + (child.number == parent.number ? " AND w.rowid <> d.rowid" : "")
  }

  /// A row is not put where the row that it references is not there.
  /// - Returns: whether there was one, with the others of its table; the rest is for the next call, when room that it needed has been
  ///   dropped.
  mutating func holdBack(_ scope: MergeScope) throws -> Bool {
    for child in activeTables {
      for columns in child.columnsToNoTable where try keep(child, .heldBack, toNoTable(columns, of: child, scope)) {
        if !scope.isAlone { return true }
      }
      for reference in child.references {
        let parent = tables[reference.target]
        let pairs = zip(reference.columns, zip(reference.targetColumns.positions, reference.targetColumns.collations))
        let inStore = pairs.map { "p.\(parent.columns[$1.0].quoted) = w.\(child.changed($0))" }.joined(separator: " AND ")
        let inChanges = pairs.map { "q.\(parent.changed($1.0))\(MergeTable.collate($1.1)) = w.\(child.changed($0))" }
        let isSet = reference.columns.map { "w.\(child.changed($0)) IS NOT NULL" }
        let isOwn = child.number == parent.number
        let changes =
          "SELECT w.rowid FROM \(child.changes) AS w WHERE \(scope.puts("w")) AND \(isSet.joined(separator: " AND ")) "
          + "AND NOT EXISTS (SELECT 1 FROM \(parent.quoted) AS p WHERE \(inStore) AND NOT \(parent.isOverridden("p"))"
          + "\(isOwn ? scope.isOther(parent, row: "p", than: "w") : "")) "
          + "AND NOT EXISTS (SELECT 1 FROM \(parent.changes) AS q "
          + "WHERE \(isOwn ? isPut("q", or: "w", scope) : "q.act = \(MergeAct.put.rawValue)") AND \(inChanges.joined(separator: " AND ")))"
        guard try keep(child, .heldBack, changes), !scope.isAlone else { continue }
        if isOwn { try holdBackFollowers(reference, child) }
        return true
      }
    }
    return false
  }

  /// The changes that put a row with values in columns that reference a table which the store does not have, unless the store's row has
  /// them already.
  private func toNoTable(_ columns: [Int], of table: MergeTable, _ scope: MergeScope) -> String {
    let isSet = columns.map { " AND w.\(table.changed($0)) IS NOT NULL" }.joined()
    let isSame = columns.map { " AND m.\(table.columns[$0].quoted) IS w.\(table.changed($0))" }.joined()
    return "SELECT w.rowid FROM \(table.changes) AS w WHERE \(scope.puts("w"))\(isSet) "
      + "AND NOT EXISTS (SELECT 1 FROM \(table.quoted) AS m WHERE \(table.isAbout("w", "m"))\(isSame))"
  }

  /// Rows that are held back are referenced by others of their table, which are held back for it, unless another row has the values.
  private mutating func holdBackFollowers(_ reference: MergeTable.Reference, _ table: MergeTable) throws {
    let pairs = zip(reference.columns, zip(reference.targetColumns.positions, reference.targetColumns.collations))
    let (inStore, put) = (
      pairs.map { "p.\(table.columns[$1.0].quoted) = d.\(table.changed($0))" }.joined(separator: " AND "), MergeAct.put.rawValue
    )
    func inChanges(_ q: String) -> String {
      pairs.map { "\(q).\(table.changed($1.0))\(MergeTable.collate($1.1)) = d.\(table.changed($0))" }.joined(separator: " AND ")
    }
    try index(
      table, "f\(reference.columns.map(String.init).joined(separator: "_"))", pairs.map { table.changed($0) + MergeTable.collate($1.1) })
    try keepFollowers(
      table, .heldBack,
      [
        "CROSS JOIN \(table.changes) AS d ON \(inChanges("x")) WHERE \(MergeScope.round(round).puts("d", isFound: true)) "
          // A row of the user's that makes room may be there again.
          + "AND NOT EXISTS (SELECT 1 FROM \(table.quoted) AS p WHERE \(inStore) AND (\(table.isAbout("x", "p")) OR NOT EXISTS ("
          + "SELECT 1 FROM \(table.changes) AS o WHERE \(table.isAbout("o", "p")) AND o.act <> \(MergeAct.keep.rawValue) "
          + "AND o.kind <> \(MergeKind.inTheWay.rawValue)))) "
          + "AND NOT EXISTS (SELECT 1 FROM \(table.changes) AS q WHERE q.act = \(put) AND \(inChanges("q")) AND q.rowid <> x.rowid)"
      ])
  }
}
