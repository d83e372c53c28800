/// A column that could not be read. The store adds the entity and the column's name.
public struct RowProblem: Error, Sendable {
  /// The column, from 0.
  public let column: Int
  /// The row in its result, from 0.
  public let row: Int
  /// What is wrong.
  public let problem: ValueProblem

  /// A problem with a column of a row.
  public init(column: Int, row: Int, problem: ValueProblem) {
    self.column = column
    self.row = row
    self.problem = problem
  }
}
