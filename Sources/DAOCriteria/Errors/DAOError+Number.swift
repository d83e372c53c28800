extension DAOError {
  /// The error with the number of the entity that it is about, where there are several.
  package func about(_ index: Int, of total: Int) -> DAOError {
    let which = " (number \(index) of those given, from 0)"
    return switch self {
    case _ where total == 1: self
    case .invalidValue(let entity, let attribute, let problem):
      .invalidValue(entity: entity, attribute: attribute, problem: problem + which)
    case .constraint(let constraint, let entity, let attributes, let message):
      .constraint(constraint, entity: entity, attributes: attributes, message: message + which)
    default: self
    }
  }
}
