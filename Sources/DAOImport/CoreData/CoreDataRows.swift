import DAOKit

/// Reads the rows of a table of a Core Data store.
enum CoreDataRows {
  /// The query of columns, in the order of the rows' Z_PK.
  /// - Parameter numbers: the entities whose rows are meant; other rows of the table are not.
  static func sql(_ table: String, _ columns: [String], of numbers: [Int64], where condition: String = "TRUE") -> String {
    "SELECT \(columns.map(\.asSQLName).joined(separator: ", ")) \(from(table, of: numbers, where: condition)) ORDER BY Z_PK"
  }

  /// The part of a query that names the rows.
  static func from(_ table: String, of numbers: [Int64], where condition: String = "TRUE") -> String {
    "FROM \(table.asSQLName) WHERE Z_ENT IN (\(numbers.map { "\($0)" }.joined(separator: ", "))) AND \(condition)"
  }

  /// The value of a column.
  /// - Throws: ``ValueProblem`` for a text that is not UTF-8.
  static func stored(_ row: inout RowReader, _ column: Int) throws -> StoredValue {
    do { return try row.stored(at: [column]).first ?? .null } catch let problem as RowProblem { throw problem.problem }
  }
}
