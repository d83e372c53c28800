import DAOCriteria
import DAOSQL
import DAOWaiting

extension SQLiteUnit {
  /// Runs a body that looks at the edits, in the unit's turn or in that of the thread.
  func looking<Result>(_ body: () throws -> Result) throws -> Result {
    if ThreadMarker.session(of: self) is UnitSession { return try body() }
    return try alone(.statement) {
      if parent != nil { try connected { _ in } }
      return try body()
    }
  }

  /// Runs a body whose edits are one step.
  func group<Result>(named name: String?, _ body: () throws -> Result) throws -> Result {
    if ThreadMarker.session(of: self) is UnitSession { return try withSession(.write, body) }
    return try session(.write, named: name) { session in try ThreadMarker.entering(self, session: session, body) }
  }

  /// Bases edits on the rows of the store, or of the parent, as they are now.
  func refresh(_ wanted: (description: EntityDescription, key: [StoredValue])?, keeping side: RefreshedSide) throws {
    if parent != nil { throw DAOError.unsupported("the refresh of a unit that commits into another, which it follows by itself") }
    try step(named: nil) { connection in
      for write in edits.changes {
        let (id, table, row) = (write.id, write.table, write.row)
        guard let known = row.base ?? row.mine, isMeant(known, row.mine, of: table, wanted) else { continue }
        let theirs = row.hasProvisionalKey ? nil : try stored(table.key(of: known), of: table, on: connection)
        if theirs == row.base { continue }
        let refreshed =
          side == .mine
          ? row.rebased(on: theirs, of: table, version: entity(of: table).versionAttribute.flatMap { table.position(of: $0.column) }) : nil
        try put(refreshed, as: id, on: connection)
        edits.set(id, refreshed)
      }
    }
  }

  private func isMeant(
    _ row: [StoredValue], _ mine: [StoredValue]?, of table: EditedTable, _ wanted: (description: EntityDescription, key: [StoredValue])?
  ) -> Bool {
    guard let wanted else { return true }
    guard SchemaName(table.name) == SchemaName(wanted.description.table) else { return false }
    func key(_ row: [StoredValue]) -> [StoredValue] {
      wanted.description.keyAttributes.compactMap { table.position(of: $0.column) }.map { row[$0] }
    }
    return key(row) == wanted.key || mine.map(key) == wanted.key
  }

  /// The row of the store that has a key, whatever the unit shows.
  private func stored(_ key: [StoredValue], of table: EditedTable, on connection: SQLiteConnection) throws -> [StoredValue]? {
    let columns = table.columns.map(\.quotedIdentifier).joined(separator: ", ")
    let isRow = table.key.map { "\(table.columns[$0].quotedIdentifier) = ?" }.joined(separator: " AND ")
    return try connection.onQueue { database in
      try database.bareRows("SELECT \(columns) FROM main.\(table.name.quotedIdentifier) WHERE \(isRow)", binding: key) {
        $0.values(from: 0, count: table.columns.count)
      }.first
    }
  }
}
