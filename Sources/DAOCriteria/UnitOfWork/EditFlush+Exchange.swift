import Foundation

// Unique values that rows of the commit take from each other.
extension EditFlush {
  /// A row that has a unique value which another one is to have, and gives it away.
  mutating func holder(of index: Int) -> Int? {
    let (number, table) = (writes[index].id.table, writes[index].table)
    func values(_ columns: [Int], _ row: [StoredValue]) -> [StoredValue] { columns.map { table.comparable(row[$0], in: $0) } }
    if holders[number] == nil {
      holders[number] = table.uniques.map { columns in
        var rows: [[StoredValue]: Int] = [:]
        for (index, write) in writes.enumerated() where write.id.table == number {
          guard let before = write.before.map({ values(columns, $0) }), before != write.after.map({ values(columns, $0) }) else { continue }
          rows[before] = index
        }
        return rows
      }
    }
    guard let after = writes[index].after, let rows = holders[number] else { return nil }
    return zip(table.uniques, rows).lazy.compactMap { $1[values($0, after)] }.first { $0 != index && progress[$0] != .written }
  }

  /// Rows that take unique values from each other in a circle: each gives its own away first.
  mutating func exchange() throws {
    for index in waiting {
      let write = try current(index)
      guard let before = write.before, let after = write.after else {
        // Of rows that go and point to each other, one has to be the first.
        leave(index)
        continue
      }
      let differences = Set(write.table.differences(before, after))
      // These become others with what it points to.
      let followed = followed(index)?.columns ?? []
      var columns = Set(write.table.uniques.joined()).intersection(differences).subtracting(followed)
      columns.formUnion(columnsToLeave(index))
      // An index may be over an expression.
      if columns.isEmpty, blocker(of: index) == nil { columns = differences.subtracting(followed) }
      if !columns.isEmpty { try park(index, write, columns) }
    }
    try retry()
  }

  /// Gives a row values of its own in some columns, for a while.
  private mutating func park(_ index: Int, _ write: EditWrite, _ columns: Set<Int>) throws {
    guard let before = write.before else { return }
    // A CHECK may refuse the first.
    for isLow in [true, false] {
      var row = before
      for column in columns {
        let isRequired =
          write.table.required.contains(column) || write.table.key.contains(column) || moved.isTarget(column, of: write)
        row[column] = Self.placeholder(for: before[column], write, isRequired: isRequired, isLow: isLow)
      }
      if try writer.write(EditWrite(id: write.id, table: write.table, before: before, after: row)) != nil { continue }
      leave(index)
      // Its own cascade may have changed it.
      parked[index] = try writer.row(write.table.key(of: row), of: write.table) ?? row
      pointsAway[index, default: []].formUnion(columns)
      return
    }
  }

  /// A value that no other row has, or none where that is enough.
  private static func placeholder(for value: StoredValue, _ write: EditWrite, isRequired: Bool, isLow: Bool) -> StoredValue {
    if !isRequired { return .null }
    let real = Double.greatestFiniteMagnitude / Double(1 + write.id.number)
    return switch value {
    case .integer: .integer(isLow ? .min + write.id.number : .max - write.id.number)
    case .real: .real(isLow ? -real : real)
    case .blob: .blob(Data("\u{1}dao \(write.id.number)".utf8))
    default: .text("\u{1}dao \(write.id.number)")
    }
  }
}
