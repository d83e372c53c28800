import DAOCriteria
import DAOSchema

/// One statement's changes to the tables. Keys, unique and required attributes are checked as each row is written, as SQLite does; foreign
/// keys, when the statement ends.
struct EvaluatorStatement {
  private let data: EvaluatorData
  let table: EvaluatorTable
  /// The entity that errors name.
  let entity: EntityDescription
  private var written: [(table: EvaluatorTable, place: Int)] = []
  /// Values that rows pointed to and that may have been removed.
  private var left: [(key: EvaluatorTable.ForeignKey, values: StoredRow)] = []

  /// Runs a statement's body and checks the foreign keys. Its writes are rolled back when it throws.
  /// - Parameter write: what the statement is about, for the error of a foreign key.
  static func run<Result>(
    on entity: EntityDescription, _ data: EvaluatorData, _ write: @autoclosure () -> KeyedWrite?,
    _ body: (inout EvaluatorStatement) throws -> Result
  ) throws -> Result {
    let table = try data.table(of: entity)
    if let flaw = table.flaw { throw flaw }
    do {
      return try data.atomic {
        var statement = EvaluatorStatement(data: data, table: table, entity: entity)
        let result = try body(&statement)
        try statement.checkForeignKeys()
        return result
      }
    } catch DAOError.constraint(.foreignKey, let name, [], let message) {
      let named = try? write().flatMap { try data.foreignKeyNaming().error(for: $0, of: entity) }
      throw named ?? DAOError.constraint(.foreignKey, entity: name, attributes: [], message: message)
    }
  }

  private init(data: EvaluatorData, table: EvaluatorTable, entity: EntityDescription) {
    self.data = data
    self.table = table
    self.entity = entity
  }

  /// Adds a row and returns its generated key, if it has one.
  mutating func insert(_ row: StoredRow) throws -> Int64? {
    var row = row
    if let rowKey = table.rowKey, row[rowKey].isNull { row[rowKey] = .integer(table.nextKey(rowKey)) }
    try check(row, in: table, at: nil)
    let place = table.rows.places.count
    data.put(row, at: place, of: table)
    written.append((table, place))
    if let rowKey = table.rowKey, case .integer(let key) = row[rowKey] { return key }
    return nil
  }

  /// Writes another row into a place.
  mutating func update(_ row: StoredRow, at place: Int) throws { try update(row, at: place, in: table) }

  private mutating func update(_ row: StoredRow, at place: Int, in table: EvaluatorTable) throws {
    try check(row, in: table, at: place)
    guard let before = data.put(row, at: place, of: table) else { return }
    written.append((table, place))
    for key in table.pointedAtBy {
      let values = key.there.map { before[$0] }
      if values != key.there.map({ row[$0] }) { left.append((key, values)) }
    }
  }

  /// Deletes the row in a place, and does to those that point to it what their descriptions say.
  /// - Returns: whether it was there; an earlier delete may have taken it along.
  mutating func delete(at place: Int) throws -> Bool {
    guard table.rows.places[place] != nil else { return false }
    // A list, since rows may hang on each other in a long chain.
    var doomed = [(table, place)]
    while let (table, place) = doomed.popLast() {
      guard let row = data.put(nil, at: place, of: table) else { continue }
      for key in table.pointedAtBy {
        let values = key.there.map { row[$0] }
        let children = key.children(of: values)
        switch key.onDelete {
        case .deny: left.append((key, values))
        case .cascade: doomed += children.map { (key.child, $0) }
        case .nullify:
          for place in children {
            guard var child = key.child.rows.places[place] else { continue }
            for column in key.here { child[column] = .null }
            try update(child, at: place, in: key.child)
          }
        }
      }
    }
    return true
  }

  // MARK: Rules

  /// Required attributes; an insert checks them before it looks up existing rows.
  func checkRequired(_ row: StoredRow) throws { try checkRequired(row, in: table) }

  private func checkRequired(_ row: StoredRow, in table: EvaluatorTable) throws {
    for (column, attribute) in table.entity.attributes.enumerated() where row[column].isNull && !attribute.isOptional {
      if column != table.rowKey { throw broken(.notNull, [column], of: table) }
    }
  }

  private func check(_ row: StoredRow, in table: EvaluatorTable, at place: Int?) throws {
    try checkRequired(row, in: table)
    for unique in table.uniques {
      // Nulls are all different.
      let others = table.places(where: unique.columns, are: unique.columns.map { row[$0] })
      if others.contains(where: { $0 != place }) { throw broken(unique.constraint, unique.columns, of: table) }
    }
  }

  private func checkForeignKeys() throws {
    for (table, place) in written {
      guard let row = table.rows.places[place] else { continue }
      for key in table.foreignKeys {
        let values = key.here.map { row[$0] }
        if values.contains(.null) { continue }
        // A row does not find itself by another spelling: SQLite compares the two by their bytes, and knows no other row of the key.
        if key.parent === table, zip(values, key.there).contains(where: { $0.compare(row[$1], as: .any) != 0 }),
          table.places(where: key.there, are: values) == [place]
        {
          throw brokenForeignKey
        }
        try checkForParent(key, values)
      }
    }
    for (key, values) in left where !key.children(of: values).isEmpty { try checkForParent(key, values) }
  }

  private func checkForParent(_ key: EvaluatorTable.ForeignKey, _ values: StoredRow) throws {
    if key.parent.places(where: key.there, are: values).isEmpty { throw brokenForeignKey }
  }

  private var brokenForeignKey: DAOError {
    .constraint(.foreignKey, entity: entity.name, attributes: [], message: "FOREIGN KEY constraint failed")
  }

  private func broken(_ constraint: DAOError.Constraint, _ columns: [Int], of table: EvaluatorTable) -> DAOError {
    let names = columns.map { "\(table.entity.table).\(table.entity.attributes[$0].column)" }
    return DAOError.constraint(
      constraint, entity: entity.name, attributes: table === self.table ? columns.map { entity.attributes[$0].name } : [],
      message: "\(constraint == .notNull ? "NOT NULL" : "UNIQUE") constraint failed: \(names.joined(separator: ", "))")
  }
}
