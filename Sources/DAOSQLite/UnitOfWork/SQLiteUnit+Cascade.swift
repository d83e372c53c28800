import DAOCriteria
import DAOSQL
import DAOSchema

extension SQLiteUnit {
  /// Does to the rows that pointed to others what their foreign keys say: those rows are gone, or have other values.
  func cascade(_ lost: [(table: Int, before: [StoredValue], after: [StoredValue]?)], on connection: SQLiteConnection) throws {
    if lost.isEmpty { return }
    let schema = try currentSchema(on: connection)
    for (number, before, after) in lost {
      let table = edits.tables[number]
      for child in schema.tables where !child.isView {
        for key in child.foreignKeys where SchemaName.same(key.table, table.name) {
          let targets = schema.columns(of: key).compactMap { table.position(of: $0) }
          guard targets.count == key.columns.count else { continue }
          let values = targets.map { before[$0] }
          let changed = after.map { after in targets.map { after[$0] } }
          if values.contains(.null) { continue }
          // SQLite follows no change that the columns take for none.
          if let after, targets.allSatisfy({ table.comparable(before[$0], in: $0) == table.comparable(after[$0], in: $0) }) { continue }
          try follow(key, of: child, in: schema, from: values, to: changed, on: connection)
        }
      }
    }
  }

  /// - Parameters:
  ///   - values: the values that the rows point to.
  ///   - changed: the values that they have become; nil where the row is gone.
  private func follow(
    _ key: StoreSchema.ForeignKey, of child: StoreSchema.Table, in schema: StoreSchema, from values: [StoredValue],
    to changed: [StoredValue]?, on connection: SQLiteConnection
  ) throws {
    let action = SchemaName.capitals(changed == nil ? key.onDelete : key.onUpdate)
    guard ["CASCADE", "SET NULL", "SET DEFAULT"].contains(action) else { return }
    let name = child.name.quotedIdentifier
    let collations = schema.columns(of: key).map { schema[key.table]?[$0]?.collation ?? "BINARY" }
    let condition = zip(key.columns, collations).map { column, collation -> String in
      let own = child[column]?.collation ?? "BINARY"
      return "\(column.quotedIdentifier)\(own == collation ? "" : " COLLATE \(collation.quotedIdentifier)") = ?"
    }.joined(separator: " AND ")
    if try connection.keptRows("SELECT 1 FROM \(name) WHERE \(condition) LIMIT 1", values, { _ in true }).isEmpty { return }
    if action == "CASCADE", let changed { try refuseSecond(changed, key, in: schema, on: connection) }
    try shadow(child.name, on: connection)
    switch (action, changed) {
    case ("CASCADE", nil): try connection.runKept("DELETE FROM \(name) WHERE \(condition)", values)
    default:
      let new = key.columns.map { column -> String in
        switch action {
        case "CASCADE": "\(column.quotedIdentifier) = ?"
        case "SET DEFAULT": "\(column.quotedIdentifier) = \(child[column]?.defaultSQL ?? "NULL")"
        default: "\(column.quotedIdentifier) = NULL"
        }
      }.joined(separator: ", ")
      let set = action == "CASCADE" ? changed ?? [] : []
      try connection.runKept("UPDATE \(name) SET \(new) WHERE \(condition)", set + values)
    }
  }

  /// Refuses a value to which others point where another row has it: nothing would tell whose they are.
  private func refuseSecond(
    _ values: [StoredValue], _ key: StoreSchema.ForeignKey, in schema: StoreSchema, on connection: SQLiteConnection
  ) throws {
    let columns = schema.columns(of: key)
    let isRow = columns.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
    let count = try connection.keptRows("SELECT 1 FROM \(key.table.quotedIdentifier) WHERE \(isRow) LIMIT 2", values) { _ in true }.count
    if count > 1 {
      let attributes = edits.number(of: SchemaName(key.table)).map { entity(of: edits.tables[$0]) }
      throw DAOError.constraint(
        .unique, entity: attributes?.name ?? key.table,
        attributes: columns.map { column in attributes?.attributes.first { SchemaName.same($0.column, column) }?.name ?? column },
        message: "two rows with a value to which others point; give one of them another value first")
    }
  }
}
