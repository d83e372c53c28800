import DAOCriteria

/// A change of a row within a transaction: the row before and after; nil where there was none, or is none.
struct RowChange {
  let table: EvaluatorTable
  let before: StoredRow?
  let after: StoredRow?

  private struct Place: Hashable {
    let table: ObjectIdentifier
    let number: Int
  }

  /// The changes of a transaction, from what was in the places before each.
  static func changes(_ undo: [(table: EvaluatorTable, place: Int, row: StoredRow?)]) -> [RowChange] {
    var later: [Place: StoredRow?] = [:]
    let changes = undo.reversed().map { change in
      let place = Place(table: ObjectIdentifier(change.table), number: change.place)
      let after = later[place] ?? change.table.rows.places[change.place]
      later[place] = .some(change.row)
      return RowChange(table: change.table, before: change.row, after: after)
    }
    return changes.reversed()
  }

  /// The changes of one entity, as its followers want them.
  static func noted(_ changes: [RowChange], of followed: FollowedEntity) -> NotedRows {
    let entity = followed.entity
    let keyPlaces = entity.key.attributes.compactMap { entity.position(of: $0) }
    func key(_ row: StoredRow) -> [StoredValue] { keyPlaces.map { row[$0] } }
    var noted = NotedRows()
    func add(_ kind: NotedRows.Kind, before: StoredRow? = nil, after: StoredRow? = nil, _ changed: AttributeSet = AttributeSet()) {
      guard let row = after ?? before else { return }
      let takesRow = followed.withRows && noted.takesRow
      noted.append(kind, key: key(row))
      if followed.withAttributes { noted.append(changed: changed) }
      if takesRow { noted.append(ChangedRow(before: before, after: after)) }
    }
    for change in changes where SchemaName.same(change.table.entity.table, entity.table) {
      guard let before = change.before, let after = change.after, key(before) == key(after) else {
        if let before = change.before { add(.delete, before: before) }
        if let after = change.after { add(.insert, after: after) }
        continue
      }
      var changed = AttributeSet()
      for position in after.indices where before[position] != after[position] { changed.insert(position) }
      if !changed.isEmpty || !followed.withAttributes { add(.update, before: before, after: after, changed) }
    }
    return noted
  }
}
