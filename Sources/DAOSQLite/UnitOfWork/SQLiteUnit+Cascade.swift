import DAOCriteria
import DAOSQL
import DAOSchema

extension SQLiteUnit {
  /// Does to the rows that pointed to others what their foreign keys say: those rows are gone, or have other values.
  func cascade(_ lost: [(table: Int, before: [StoredValue], after: [StoredValue]?)], on connection: SQLiteConnection) throws {
    if lost.isEmpty { return }
    let schema = try currentSchema(on: connection)
    for (number, rows) in Dictionary(grouping: lost, by: \.table).sorted(by: { $0.key < $1.key }) {
      let table = edits.tables[number]
      for child in schema.tables where !child.isView {
        for key in child.foreignKeys where SchemaName.same(key.table, table.name) {
          let targets = schema.columns(of: key).compactMap { table.position(of: $0) }
          guard targets.count == key.columns.count else { continue }
          let moves = rows.compactMap { row -> Move? in
            let values = targets.map { row.before[$0] }
            if values.contains(.null) { return nil }
            let changed = row.after.map { after in targets.map { after[$0] } }
            func comparable(_ values: [StoredValue]) -> [StoredValue] { zip(values, targets).map { table.comparable($0, in: $1) } }
            // SQLite follows no change that the columns take for none.
            if let changed, changed == values || comparable(changed) == comparable(values) { return nil }
            return Move(values: values, changed: changed, known: comparable(values), next: changed.map(comparable))
          }
          for move in try inOrder(moves, key, in: schema) {
            try follow(key, of: child, in: schema, from: move.values, to: move.changed, on: connection)
          }
        }
      }
    }
  }

  /// A row that is gone, or has other values, to which others may point.
  private struct Move {
    let values: [StoredValue]
    let changed: [StoredValue]?
    /// The same, to be compared.
    let known: [StoredValue]
    let next: [StoredValue]?
  }

  /// The moves of one statement in an order in which none takes the followers of another: a value is given away before it is taken.
  private func inOrder(_ moves: [Move], _ key: StoreSchema.ForeignKey, in schema: StoreSchema) throws -> [Move] {
    if moves.count < 2 || SchemaName.capitals(key.onUpdate) != "CASCADE" { return moves }
    let byValue = Dictionary(moves.indices.map { (moves[$0].known, $0) }, uniquingKeysWith: { first, _ in first })
    var (ordered, placed): ([Move], Set<Int>) = ([], [])
    for first in moves.indices {
      var (chain, open): ([Int], Set<Int>) = ([], [])
      var next: Int? = first
      while let index = next, !placed.contains(index) {
        guard open.insert(index).inserted else { throw second(key, in: schema) }
        chain.append(index)
        next = moves[index].next.flatMap { byValue[$0] }
      }
      for index in chain.reversed() {
        placed.insert(index)
        ordered.append(moves[index])
      }
    }
    return ordered
  }

  /// - Parameters:
  ///   - values: the values that the rows point to.
  ///   - changed: the values that they have become; nil where the row is gone.
  private func follow(
    _ key: StoreSchema.ForeignKey, of child: StoreSchema.Table, in schema: StoreSchema, from values: [StoredValue],
    to changed: [StoredValue]?, on connection: SQLiteConnection
  ) throws {
    let acting = ["CASCADE", "SET NULL", "SET DEFAULT"]
    let actions = [key.onDelete, key.onUpdate].map(SchemaName.capitals)
    guard actions.contains(where: acting.contains) else { return }
    let action = actions[changed == nil ? 0 : 1]
    let name = child.name.quotedIdentifier
    let targets = schema.columns(of: key).map { schema[key.table]?[$0] }
    let condition = zip(zip(key.columns, targets), values).map { columns, value in
      comparison(columns.0, child[columns.0], columns.1, value)
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
        case "SET NULL": "\(column.quotedIdentifier) = NULL"
        case "SET DEFAULT": "\(column.quotedIdentifier) = \(child[column]?.defaultSQL ?? "NULL")"
        // The commit writes a changed row where the unit has replaced one, or the other way; the store may then do more to this one.
        default: "\(column.quotedIdentifier) = \(column.quotedIdentifier)"
        }
      }.joined(separator: ", ")
      let set = action == "CASCADE" ? changed ?? [] : []
      try connection.runKept("UPDATE \(name) SET \(new) WHERE \(condition)", set + values)
    }
  }

  /// A comparison with a value of the column pointed to, which says how: https://sqlite.org/foreignkeys.html#fk_basics.
  private func comparison(
    _ name: String, _ column: StoreSchema.Column?, _ target: StoreSchema.Column?, _ value: StoredValue
  ) -> String {
    let collation = target?.collation ?? "BINARY"
    let collated = column?.collation ?? "BINARY" == collation ? "" : " COLLATE \(collation.quotedIdentifier)"
    let isText = if case .text = value { true } else { false }
    let isCast = !isText && isNumeric(target) && !isNumeric(column)
    return "\(name.quotedIdentifier)\(collated) = \(isCast ? "CAST(? AS NUMERIC)" : "?")"
  }

  /// Refuses a value to which others point where another row has it: nothing would tell whose they are.
  private func refuseSecond(
    _ values: [StoredValue], _ key: StoreSchema.ForeignKey, in schema: StoreSchema, on connection: SQLiteConnection
  ) throws {
    let columns = schema.columns(of: key)
    let isRow = columns.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
    let count = try connection.keptRows("SELECT 1 FROM \(key.table.quotedIdentifier) WHERE \(isRow) LIMIT 2", values) { _ in true }.count
    if count > 1 { throw second(key, in: schema) }
  }

  private func second(_ key: StoreSchema.ForeignKey, in schema: StoreSchema) -> DAOError {
    let columns = schema.columns(of: key)
    let attributes = edits.number(of: SchemaName(key.table)).map { entity(of: edits.tables[$0]) }
    return DAOError.constraint(
      .unique, entity: attributes?.name ?? key.table,
      attributes: columns.map { column in attributes?.attributes.first { SchemaName.same($0.column, column) }?.name ?? column },
      message: "two rows with a value to which others point; give one of them another value first")
  }

  private func isNumeric(_ column: StoreSchema.Column?) -> Bool { Affinity(declaredName: column?.declaredType ?? "").isNumeric }
}
