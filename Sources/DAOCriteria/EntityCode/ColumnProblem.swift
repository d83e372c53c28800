/// A value that does not fit its attribute. The store adds the entity and the attribute's name.
@usableFromInline package struct ColumnProblem: Error, Sendable {
  /// The attribute's position, from 0.
  package let column: Int
  /// The problem.
  package let problem: ValueProblem

  /// A problem with the value of an attribute.
  @usableFromInline package init(column: Int, problem: ValueProblem) {
    self.column = column
    self.problem = problem
  }
}
