extension MergeTable {
  /// Columns of the changes with the collations by which they are equal.
  func changedColumns(_ columns: Columns) -> [String] {
    zip(columns.positions, columns.collations).map { changed($0) + Self.collate($1) }
  }

  /// A row of the store, which is searched, and a change have equal values.
  func equal(_ columns: Columns, mine row: String, changed change: String) -> String {
    zip(columns.positions, columns.collations).map { position, collation in
      "\(row).\(self.columns[position].quoted)\(Self.collate(collation)) = \(change).\(changed(position))"
    }.allHold
  }

  /// A change, which is searched, and a row of the store have equal values.
  func equal(_ columns: Columns, changed change: String, to row: String) -> String {
    zip(columns.positions, columns.collations).map { position, collation in
      "\(change).\(changed(position))\(Self.collate(collation)) = \(row).\(self.columns[position].quoted)"
    }.allHold
  }

  /// Two changes have equal values; `other` is the one that is searched.
  func equal(_ columns: Columns, changed other: String, changed change: String) -> String {
    zip(columns.positions, columns.collations).map { position, collation in
      "\(other).\(changed(position))\(Self.collate(collation)) = \(change).\(changed(position))"
    }.allHold
  }
}
