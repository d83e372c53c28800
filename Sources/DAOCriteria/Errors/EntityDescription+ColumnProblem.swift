extension EntityDescription {
  /// A value of a key that does not fit its attribute.
  package func invalidKey(_ problem: ColumnProblem) -> DAOError {
    let names = key.attributes
    return DAOError.invalidValue(
      entity: name, attribute: problem.column < names.count ? names[problem.column] : "key", problem: "\(problem.problem)")
  }

  /// A value of an entity that does not fit its attribute.
  package func invalidValue(_ problem: ColumnProblem) -> DAOError {
    let attribute = problem.column < attributes.count ? attributes[problem.column].name : "value \(problem.column)"
    return DAOError.invalidValue(entity: name, attribute: attribute, problem: "\(problem.problem)")
  }
}
