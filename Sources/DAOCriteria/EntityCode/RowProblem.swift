/// A column that could not be read. The store adds the entity and the column's name.
@usableFromInline package struct RowProblem: Error, Sendable {
  /// The column, from 0.
  package let column: Int
  /// The row in its result, from 0.
  package let row: Int
  /// The problem.
  package let problem: ValueProblem

  /// A problem with a column of a row.
  @usableFromInline package init(column: Int, row: Int, problem: ValueProblem) {
    self.column = column
    self.row = row
    self.problem = problem
  }
}
