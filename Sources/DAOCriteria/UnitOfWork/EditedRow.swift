/// A row that a unit of work has edited.
package struct EditedRow: Sendable, Hashable {
  /// The row as the unit read it; nil for a new one.
  package var base: [StoredValue]?
  /// The row as it is in the unit; nil where it is deleted.
  package var mine: [StoredValue]?
  /// Whether the key of the new row is the unit's own, until the store generates one.
  package var hasProvisionalKey = false

  package init(base: [StoredValue]?, mine: [StoredValue]?, hasProvisionalKey: Bool = false) {
    self.base = base
    self.mine = mine
    self.hasProvisionalKey = hasProvisionalKey
  }

  /// Whether a commit has anything to write.
  package var isChange: Bool { base != mine }
}

extension EditedRow {
  /// The edit over another row of the store: attributes that the unit has changed stay, the others become those of the row.
  /// - Parameters:
  ///   - theirs: the row; nil where somebody has deleted it, so that the edited row is a new one.
  ///   - version: the position of the version, which is raised over that of the row.
  /// - Returns: nil where nothing is edited any more.
  package func rebased(on theirs: [StoredValue]?, of table: EditedTable, version: Int?) -> EditedRow? {
    guard let theirs else { return mine.map { EditedRow(base: nil, mine: $0) } }
    guard let mine else { return EditedRow(base: theirs, mine: nil) }
    guard let base else { return EditedRow(base: theirs, mine: mine) }
    var merged = theirs
    for column in table.differences(base, mine) { merged[column] = mine[column] }
    if let version, merged != theirs, case .integer(let number) = theirs[version] { merged[version] = .integer(number.nextVersion) }
    return EditedRow(base: theirs, mine: merged)
  }
}

extension EditedRow {
  /// The place in the order in which edits are put: rows that go first, new ones last, since another may have their key until then.
  package static func place(_ row: EditedRow?) -> Int {
    guard let row else { return 0 }
    return row.base == nil ? 2 : 1
  }
}
