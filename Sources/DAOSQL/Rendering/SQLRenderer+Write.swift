import DAOCriteria

// The statements that change the rows of a criteria.
extension SQLRenderer {
  mutating func delete(_ parts: SelectParts) -> SQLPlan {
    refuseReport("rows to delete")
    return plan("DELETE FROM \(table)" + target(parts), columns: [], isEmpty: findsNothing(parts))
  }

  mutating func update(_ changes: [Change], _ assignments: [SQLFragment], _ parts: SelectParts) -> SQLPlan {
    refuseReport("rows to update")
    if changes.isEmpty { report("", "an update needs something to set") }
    // An index would lead to the rows in its own order.
    let order = changes.contains(where: mayCollide) ? " NOT INDEXED" : ""
    return plan(
      "UPDATE \(table)\(order) SET " + assignments.joined(", ") + target(parts), columns: [],
      isEmpty: findsNothing(parts))
  }

  /// Whether a row may get a unique value that another has until it changes too, so that it counts which of them is the first.
  private func mayCollide(_ change: Change) -> Bool {
    guard case .field(let path) = change.target else { return false }
    if case .value = change.value { return false }
    return entity.indexes.contains { $0.isUnique && $0.attributes.contains(path.description) }
  }

  /// The rows to change: those of the condition, or those whose key is among the page's. So are all where the condition reads other rows, which
  /// SQLite may do only after it has changed some.
  private func target(_ parts: SelectParts) -> SQLFragment {
    // All rows are all rows, whatever else was looked at.
    if case .constant(true) = parts.condition, !hasLimit { return SQLFragment("") }
    guard hasLimit || readsOtherRows else { return whereClause(parts.condition) }
    let keys = rowNames
    let list = keys.joined(separator: ", ")
    let page = hasLimit ? pageOrder(parts) + parts.page : SQLFragment("")
    let rows = "SELECT \(list) FROM \(table)" + whereClause(parts.condition) + page
    return " WHERE \(keys.count == 1 ? list : "(\(list))") IN (" + rows + ")"
  }

  /// What tells rows apart: the key, or SQLite's own number where the key may be null, as none equals null.
  private var rowNames: [String] {
    let number = ["_rowid_", "rowid", "oid"].first { name in !entity.attributes.contains { SchemaName.same($0.column, name) } }
    if let number, entity.keyAttributes.contains(where: \.isOptional) { return [number.quotedIdentifier] }
    return entity.keyAttributes.map { $0.column.quotedIdentifier }
  }

  /// `"comment" = ?`
  mutating func assignment(_ change: Change) -> SQLFragment {
    guard case .field(let path) = change.target, let attribute = entity[path.description] else {
      _ = render(change.target, in: .row)
      _ = render(change.value, in: .row)
      return SQLFragment("")
    }
    if entity.key.attributes.contains(attribute.name) { report(attribute.name, "is part of the key, which an update can't change") }
    var value = render(change.value, in: .row, beside: change.target).adopting(attribute.type)
    value.sql.bindings = value.sql.bindings.map { Binding(literal: $0.literal, form: $0.form, path: attribute.name) }
    checkKind(value)
    if value.scalar?.isNull == true, !attribute.isOptional { report(attribute.name, "can't be nil") }
    // While an update runs, some of its rows have the new values already.
    if change.value.isRelated(to: entity), problems.isEmpty { report(attribute.name, "can't take a value from a relationship") }
    // A double compares with an integer, but can't be kept as one; and a value of any kind with all.
    let isNarrower = attribute.type == .integer && value.type == .real || attribute.type != .any && value.type == .any
    if value.scalar == nil, isNarrower || !value.type.isComparable(with: attribute.type) {
      report(attribute.name, "can't take \(value.path): \(attribute.type) and \(value.type), or stored in different forms")
    }
    return "\(attribute.column.quotedIdentifier) = " + value.sql
  }
}
