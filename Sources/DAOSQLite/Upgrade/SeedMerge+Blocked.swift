import DAOCriteria
import GRDB

/// A row that is to be put, and a row of the store's with unique values of it, which stays.
struct BlockedRow {
  /// The change.
  let change: Int64
  /// What tells the store's row apart.
  let identity: [StoredValue]
  /// Whether the store's row is one that was decided to stay.
  let isDecided: Bool
  /// The row that the store has under the key of the one to put.
  let ownRow: [String: StoredValue]?
  let conflict: SeedConflict
}

extension SeedMerge {
  /// A table's rows to put that another row is in the way of. Nulls are equal to nothing.
  func blocked(_ table: MergeTable) throws -> [BlockedRow] {
    let positions = table.allPositions
    return try table.uniques.flatMap { unique -> [BlockedRow] in
      let columns =
        ["d.rowid", "d.kind", "EXISTS (SELECT 1 FROM \(table.changes) AS x WHERE \(table.isAbout("x", "m")))"] + table.identity(of: "m")
        + positions.map { "d.\(table.changed($0))" } + positions.map(table.mine) + baseOfChange(table)
        + positions.map { "o.\(table.columns[$0].quoted)" }
      let rows = try Row.fetchAll(
        db,
        sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.changes) AS d "
          + "CROSS JOIN \(table.quoted) AS m ON \(table.equal(unique, mine: "m", changed: "d")) "
          + "LEFT JOIN \(table.quoted) AS o ON \(table.isAbout("d", "o")) \(joinedBase(table)) "
          + "WHERE d.act = \(MergeAct.put.rawValue) AND NOT \(table.isOverridden("m")) "
          + "ORDER BY d.rowid, \(table.identity(of: "m").joined(separator: ", "))")
      return rows.map { row in
        let values: [DatabaseValue] = Array(row.databaseValues)
        let start = 3 + table.identity.count
        let theirs = table.row(values, from: start)
        let hasOwn = (MergeKind(rawValue: row[1]) ?? .changed) != .added
        return BlockedRow(
          change: row[0], identity: values[3..<start].map { StoredValue($0) }, isDecided: row[2],
          ownRow: hasOwn ? table.row(values, from: start + 3 * positions.count) : nil,
          conflict: SeedConflict(
            table: table.name, cause: .unique(columns: unique.positions.map { table.columns[$0].name }), key: table.keyValues(of: theirs),
            base: hasOwn ? table.row(values, from: start + 2 * positions.count) : nil,
            mine: table.row(values, from: start + positions.count), theirs: theirs))
      }
    }
  }
}
