import DAOKit

/// Reads the rows of a table of a Core Data store.
enum CoreDataRows {
  /// The query of values, in the order of the rows' Z_PK.
  ///
  /// Without `NOT INDEXED`, SQLite finds the rows by Core Data's index of Z_ENT and sorts them all before the first is read.
  /// - Parameters:
  ///   - values: columns and other expressions, as SQL.
  ///   - numbers: the entities whose rows are meant; other rows of the table are not.
  static func sql(_ table: String, _ values: [String], of numbers: [Int64], where condition: String = "TRUE") -> String {
    let numbers = numbers.map { "\($0)" }.joined(separator: ", ")
    return "SELECT \(values.joined(separator: ", ")) FROM \(table.asSQLName) NOT INDEXED WHERE Z_ENT IN (\(numbers)) AND \(condition) "
      + "ORDER BY Z_PK"
  }

  /// The value of a column.
  /// - Throws: ``ValueProblem`` for a text that is not UTF-8.
  static func stored(_ row: inout RowReader, _ column: Int) throws -> StoredValue {
    do { return try row.stored(at: [column]).first ?? .null } catch let problem as RowProblem { throw problem.problem }
  }
}
