/// A value that does not fit its attribute. The store adds the entity and the attribute's name.
public struct ColumnProblem: Error, Sendable {
  /// The attribute's position, from 0.
  public let column: Int
  /// What is wrong.
  public let problem: ValueProblem

  /// A problem with the value of an attribute.
  public init(column: Int, problem: ValueProblem) {
    self.column = column
    self.problem = problem
  }
}
