extension EntityDescription {
  /// Rows as entities, numbered in errors by their places in the result.
  package func read<E: Entity>(_ rows: [StoredRow], at path: FetchPath? = nil) throws -> [E] {
    let columns = RowColumns(types, of: self)
    return try naming(attributes.map(\.name)) {
      try rows.indices.map { number in
        var reader = RowReader(rows[number], columns: columns)
        reader.rowNumber = number
        reader.path = path
        return try E(row: &reader)
      }
    }
  }

  /// A row as an entity.
  package func read<E: Entity>(_ row: StoredRow) throws -> E {
    var reader = RowReader(row, columns: RowColumns(types, of: self))
    return try naming(attributes.map(\.name)) { try E(row: &reader) }
  }

  /// Gives errors of reading the names that they lack.
  package func naming<Result>(_ columns: [String], _ read: () throws -> Result) throws -> Result {
    do { return try read() } catch let problem as RowProblem {
      throw DAOError.undecodable(
        entity: name, column: problem.column < columns.count ? columns[problem.column] : "column \(problem.column)", row: problem.row,
        problem: "\(problem.problem)")
    }
  }
}
