/// The rows of a commit that go, or give away values to which others point: the store acts on those that do.
struct MovedRows {
  /// A reference to a table in which rows move.
  struct Link {
    /// The positions of its columns, and of those that they point to.
    let columns, targets: [Int]
    /// The table pointed to.
    let table: EditedTable
    /// Done by the store to rows that point to one that has other values, and to those of one that goes.
    let onUpdate, onDelete: EditedTable.Reference.Action
    /// The moved rows by the values that they give away.
    fileprivate let rows: [[StoredValue]: Int]

    /// The row of the commit that gives away the values to which a row points.
    func moved(under row: [StoredValue]) -> Int? {
      rows[values(columns, of: row)]
    }

    /// Whether a row points to another one.
    func isFollowed(by row: [StoredValue], to other: [StoredValue]) -> Bool { values(columns, of: row) == values(targets, of: other) }

    private func values(_ columns: [Int], of row: [StoredValue]) -> [StoredValue] {
      zip(columns, targets).map { table.comparable(row[$0], in: $1) }
    }
  }

  private var links: [[Link]] = []
  /// Whether no row moves to which others may point.
  var isEmpty: Bool { links.isEmpty }
  private var columns: [Int: Set<Int>] = [:]

  /// Nothing that moves.
  init() {}

  init(_ writes: [EditWrite], of tables: [EditedTable]) {
    let numbers = Dictionary(tables.indices.map { (SchemaName(tables[$0].name), $0) }, uniquingKeysWith: { first, _ in first })
    for reference in tables.lazy.flatMap(\.references) {
      guard let number = numbers[reference.table] else { continue }
      columns[number, default: []].formUnion(reference.targets.compactMap { tables[number].position(of: $0.text) })
    }
    if columns.isEmpty { return }
    var moved: [Int: [Int]] = [:]
    for (index, write) in writes.enumerated() where isMoved(write) { moved[write.id.table, default: []].append(index) }
    if moved.isEmpty { return }
    links = tables.map { table in
      table.references.compactMap { reference -> Link? in
        guard let number = numbers[reference.table], let rows = moved[number] else { return nil }
        let other = tables[number]
        let targets = reference.targets.compactMap { other.position(of: $0.text) }
        guard targets.count == reference.columns.count else { return nil }
        func values(_ row: [StoredValue]) -> [StoredValue] { targets.map { other.comparable(row[$0], in: $0) } }
        let given = rows.compactMap { index -> ([StoredValue], Int)? in
          guard let before = writes[index].before.map(values), before != writes[index].after.map(values), !before.contains(.null) else {
            return nil
          }
          return (before, index)
        }
        if given.isEmpty { return nil }
        return Link(
          columns: reference.columns, targets: targets, table: other, onUpdate: reference.onUpdate, onDelete: reference.onDelete,
          rows: Dictionary(given, uniquingKeysWith: { first, _ in first }))
      }
    }
  }

  /// The links of a row of the commit.
  func links(of write: EditWrite) -> [Link] { links.isEmpty ? [] : links[write.id.table] }

  /// Whether others may point to a column.
  func isTarget(_ column: Int, of write: EditWrite) -> Bool { columns[write.id.table]?.contains(column) ?? false }

  /// Whether a write takes away a row, or a value, to which others may point.
  func isMoved(_ write: EditWrite) -> Bool {
    guard let before = write.before, let columns = columns[write.id.table] else { return false }
    return write.after.map { after in columns.contains { before[$0] != after[$0] } } ?? true
  }
}
