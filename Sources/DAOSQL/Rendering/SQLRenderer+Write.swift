import DAOCriteria

// The statements that change the rows of a query.
extension SQLRenderer {
  func delete(_ parts: SelectParts) -> SQLPlan {
    plan("DELETE FROM \(tableName)\(rowsToChange(parts))", columns: [], isEmpty: findsNothing(parts))
  }

  func update(_ assignments: [SQLFragment], _ parts: SelectParts) -> SQLPlan {
    // An index would lead to the rows in its own order.
    let order = criteria.changes.contains(where: mayCollide) ? " NOT INDEXED" : ""
    let version = entity.versionAttribute.map { SQLFragment("\(name: $0.column) = \(Self.nextVersion(of: "\(name: $0.column)"))") }
    return plan(
      "UPDATE \(tableName)\(text: order) SET \((assignments + [version].compactMap { $0 }).joined(", "))\(rowsToChange(parts))",
      columns: [], isEmpty: findsNothing(parts))
  }

  /// Whether a row may get a unique value that another has until it changes too, so that it counts which of them is the first.
  private func mayCollide(_ change: CheckedChange) -> Bool {
    if change.value.scalar != nil { return false }
    return entity.indexes.contains { $0.isUnique && $0.attributes.contains(change.attribute.name) }
  }

  /// The rows to change: those of the condition, or those whose key is among the page's. So are all where the condition reads other rows,
  /// which SQLite may do only after it has changed some.
  private func rowsToChange(_ parts: SelectParts) -> SQLFragment {
    // All rows are all rows, whatever else was examined.
    if case .constant(true) = parts.condition, !criteria.hasLimit { return "" }
    guard criteria.hasLimit || readsOtherRows else { return whereClause(parts.condition) }
    let keys = rowNames
    let ordered: SQLFragment = criteria.hasLimit ? "\(pageOrder(parts))\(page)" : ""
    return
      " WHERE \(Self.tuple(keys)) IN (SELECT \(keys.joined(", ")) FROM \(tableName)\(whereClause(parts.condition))\(ordered))"
  }

  /// The columns that identify rows: the key, or SQLite's own number where the key may be null, as none equals null.
  private var rowNames: [SQLFragment] {
    let number = ["_rowid_", "rowid", "oid"].first { name in !entity.attributes.contains { SchemaName.same($0.column, name) } }
    if let number, entity.keyAttributes.contains(where: \.isOptional) { return ["\(name: number)"] }
    return entity.keyAttributes.map { "\(name: $0.column)" }
  }

  /// `"comment" = ?`
  mutating func assignment(_ change: CheckedChange) -> SQLFragment {
    "\(name: change.attribute.column) = \(render(change.value, in: .row).sql)"
  }
}
