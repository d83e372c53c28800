// The rules of foreign keys. A change whose reason is found alone is held back already.
extension SeedMerge {
  // MARK: Rows that are referenced

  /// A row that is deleted or gets other values stays as it is where a row that stays references it, or one that is put.
  mutating func keepReferenced(_ scope: MergeScope) throws -> Bool {
    var isChanged = false
    for child in tables {
      for reference in child.references where active.contains(reference.target) {
        let parent = tables[reference.target]
        // A key never changes.
        let leaves = reference.isToKey ? "= \(MergeAct.delete.rawValue)" : "<> \(MergeAct.keep.rawValue)"
        let act = "change.\(scope.act) \(leaves) AND \(scope.includes("change"))"
        guard try db.hasChanges(of: parent, where: "\(act) AND change.o0 IS NOT NULL") else { continue }
        let leaving = act + (reference.isToKey ? "" : " AND NOT \(isProvided(reference, parent, scope))")
        func isReferenced(byRowsOf round: String) -> String { byPut(child, reference, parent, "\(leaving)\(round)") }
        var (certain, chosen) = ([byOld(child, reference, parent, leaving, scope)], "")
        switch scope {
        case .alone: certain.append(isReferenced(byRowsOf: ""))
        case .round(nil): chosen = isReferenced(byRowsOf: "")
        case .round(let number?):
          certain.append(isReferenced(byRowsOf: " AND referring.turn IS NOT \(number)"))
          chosen = isReferenced(byRowsOf: " AND referring.turn = \(number)")
        }
        if try keep(parent, .referenced, certain.united) {
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
  private func keepReferencedFollowers(_ reference: MergeTable.Reference, _ table: MergeTable, _ leaving: String) throws {
    let followers = """
      CROSS JOIN \(table.quoted) AS child ON \(table.isAbout("kept", "child"))
      CROSS JOIN \(table.quoted) AS parent ON \(leads(reference, from: table, to: table))
      CROSS JOIN \(table.changes) AS change ON \(table.isAbout("change", "parent"))
      WHERE \(leaving)
      """
    try keepFollowers(table, .referenced, [followers])
  }

  /// A row `child` of the store references a row `parent` of it.
  private func leads(_ reference: MergeTable.Reference, from child: MergeTable, to parent: MergeTable) -> String {
    zip(reference.columns, reference.targetColumns.positions).map {
      "parent.\(parent.columns[$1].quoted) = child.\(child.columns[$0].quoted)"
    }.allHold
  }

  /// A change references a row `parent` of the store.
  private func leads(_ reference: MergeTable.Reference, from child: MergeTable, changed change: String, to parent: MergeTable) -> String {
    zip(reference.columns, reference.targetColumns.positions).map {
      "parent.\(parent.columns[$1].quoted) = \(change).\(child.changed($0))"
    }.allHold
  }

  /// A change references the row of another, which is searched.
  private func leads(
    _ reference: MergeTable.Reference, from child: MergeTable, changed change: String, to parent: MergeTable, changed other: String
  ) -> String {
    let targets = zip(reference.targetColumns.positions, reference.targetColumns.collations)
    return zip(reference.columns, targets).map { column, target in
      "\(other).\(parent.changed(target.0))\(MergeTable.collate(target.1)) = \(change).\(child.changed(column))"
    }.allHold
  }

  /// Another row, or the row of the change `change` itself, has the values that the store's row `parent` is referenced by.
  private func isProvided(_ reference: MergeTable.Reference, _ parent: MergeTable, _ scope: MergeScope) -> String {
    let isSame = parent.equal(reference.targetColumns, changed: "other", to: "parent")
    return "EXISTS (SELECT 1 FROM \(parent.changes) AS other WHERE \(isPut("other", or: "change", scope)) AND \(isSame))"
  }

  /// A change puts its row, or is the one that is tried alone.
  private func isPut(_ other: String, or change: String, _ scope: MergeScope) -> String {
    let put = MergeAct.put.rawValue
    let isPut = "\(other).act = \(put)"
    return scope.isAlone ? "(\(isPut) OR \(other).rowid = \(change).rowid AND \(other).wish = \(put))" : isPut
  }

  /// The changes of a parent whose row is referenced by one that the store has and that stays as it is.
  private func byOld(
    _ child: MergeTable, _ reference: MergeTable.Reference, _ parent: MergeTable, _ leaving: String, _ scope: MergeScope
  ) -> String {
    let references = leads(reference, from: child, to: parent)
    let isAbout = parent.isAbout("change", "parent")
    let isOther = child.number == parent.number ? scope.isOther(child, row: "child", than: "change") : []
    // From the few to the many where there is an index, else each child once.
    let rows =
      reference.isIndexed
      ? """
      FROM \(parent.changes) AS change
      CROSS JOIN \(parent.quoted) AS parent ON \(isAbout)
      CROSS JOIN \(child.quoted) AS child ON \(references)
      """
      : """
      FROM \(child.quoted) AS child
      CROSS JOIN \(parent.quoted) AS parent ON \(references)
      CROSS JOIN \(parent.changes) AS change ON \(isAbout)
      """
    return """
      SELECT change.rowid
      \(rows)
      WHERE \(([leaving, "NOT \(child.isOverridden("child"))"] + isOther).allHold)
      """
  }

  /// The changes of a parent whose row is referenced by another one that is put.
  private func byPut(_ child: MergeTable, _ reference: MergeTable.Reference, _ parent: MergeTable, _ leaving: String) -> String {
    let isOther = child.number == parent.number ? ["referring.rowid <> change.rowid"] : []
    return """
      SELECT change.rowid
      FROM \(child.changes) AS referring
      CROSS JOIN \(parent.quoted) AS parent ON \(leads(reference, from: child, changed: "referring", to: parent))
      CROSS JOIN \(parent.changes) AS change ON \(parent.isAbout("change", "parent"))
      WHERE \((["referring.act = \(MergeAct.put.rawValue)", leaving] + isOther).allHold)
      """
  }

  // MARK: Rows that reference

  /// A row is not put where the row that it references is not there.
  /// - Returns: whether there was one, with the others of its table; the rest is for the next call, when room that it needed has been
  ///   dropped.
  func holdBack(_ scope: MergeScope) throws -> Bool {
    for child in activeTables {
      for columns in child.columnsToNoTable where try keep(child, .heldBack, toNoTable(columns, of: child, scope)) {
        if !scope.isAlone { return true }
      }
      for reference in child.references {
        let changes = toNoRow(reference, of: child, tables[reference.target], scope)
        guard try keep(child, .heldBack, changes), !scope.isAlone else { continue }
        if child.number == reference.target { try holdBackFollowers(reference, child) }
        return true
      }
    }
    return false
  }

  /// The changes that put a row which references one that is neither in the store nor put.
  private func toNoRow(
    _ reference: MergeTable.Reference, of child: MergeTable, _ parent: MergeTable, _ scope: MergeScope
  ) -> String {
    let isSet = reference.columns.map { "change.\(child.changed($0)) IS NOT NULL" }
    let isOwn = child.number == parent.number
    let stays = ["NOT \(parent.isOverridden("parent"))"] + (isOwn ? scope.isOther(parent, row: "parent", than: "change") : [])
    return """
      SELECT change.rowid
      FROM \(child.changes) AS change
      WHERE \(scope.puts("change")) AND \(isSet.allHold)
        AND NOT EXISTS (
          SELECT 1
          FROM \(parent.quoted) AS parent
          WHERE \(leads(reference, from: child, changed: "change", to: parent)) AND \(stays.allHold)
        )
        AND NOT EXISTS (
          SELECT 1
          FROM \(parent.changes) AS other
          WHERE \(isOwn ? isPut("other", or: "change", scope) : "other.act = \(MergeAct.put.rawValue)")
            AND \(leads(reference, from: child, changed: "change", to: parent, changed: "other"))
        )
      """
  }

  /// The changes that put a row with values in columns that reference a table which the store does not have, unless the store's row has
  /// them already.
  private func toNoTable(_ columns: [Int], of table: MergeTable, _ scope: MergeScope) -> String {
    let isSet = columns.map { "change.\(table.changed($0)) IS NOT NULL" }
    let isSame = columns.map { "\(table.mine($0)) IS change.\(table.changed($0))" }
    return """
      SELECT change.rowid
      FROM \(table.changes) AS change
      WHERE \(([scope.puts("change")] + isSet).allHold)
        AND NOT EXISTS (
          SELECT 1
          FROM \(table.quoted) AS mine
          WHERE \(([table.isAbout("change", "mine")] + isSame).allHold)
        )
      """
  }

  /// Rows that are held back are referenced by others of their table, which are held back for it, unless another row has the values.
  private func holdBackFollowers(_ reference: MergeTable.Reference, _ table: MergeTable) throws {
    let name = "f\(reference.columns.map(String.init).joined(separator: "_"))"
    try index(table, name, table.changedColumns(reference.targetColumns))
    func leads(to other: String) -> String { self.leads(reference, from: table, changed: "change", to: table, changed: other) }
    // A row of the user's that makes room may be there again.
    let followers = """
      CROSS JOIN \(table.changes) AS change ON \(leads(to: "kept"))
      WHERE \(MergeScope.round(round).puts("change", isFound: true))
        AND NOT EXISTS (
          SELECT 1
          FROM \(table.quoted) AS parent
          WHERE \(self.leads(reference, from: table, changed: "change", to: table))
            AND (\(table.isAbout("kept", "parent")) OR NOT EXISTS (
              SELECT 1
              FROM \(table.changes) AS own
              WHERE \(table.isAbout("own", "parent")) AND own.act <> \(MergeAct.keep.rawValue)
                AND own.kind <> \(MergeKind.inTheWay.rawValue)
            ))
        )
        AND NOT EXISTS (
          SELECT 1
          FROM \(table.changes) AS other
          WHERE other.act = \(MergeAct.put.rawValue) AND \(leads(to: "other")) AND other.rowid <> kept.rowid
        )
      """
    try keepFollowers(table, .heldBack, [followers])
  }
}
