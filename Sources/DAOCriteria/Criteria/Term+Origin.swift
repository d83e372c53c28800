/// The attribute whose stored values a term reads, for errors about them.
package struct TermOrigin: Sendable, Hashable {
  /// The entity that has the attribute.
  package let entity: String
  /// The attribute; for what is none, the name that a report gives to it.
  package let attribute: String

  /// An attribute of an entity.
  package init(entity: String, attribute: String) { (self.entity, self.attribute) = (entity, attribute) }

  /// The error that a stored value of the attribute breaks its form, as reading its row has it.
  package func undecodable(_ problem: ValueProblem) -> DAOError {
    .undecodable(entity: entity, column: attribute, row: 0, problem: problem.description)
  }
}

extension Term {
  /// The attribute whose stored values the term reads: its own, or that of the first term in it.
  package func origin(in entity: EntityDescription) -> TermOrigin {
    switch self {
    case .field(let path):
      // A name may have dots of its own.
      if entity[path.description] == nil, !path.rest.isEmpty, let target = entity.target(of: path.names.dropLast()) {
        return TermOrigin(entity: target.name, attribute: path.names.last ?? "")
      }
      return TermOrigin(entity: entity.name, attribute: path.description)
    case .function(_, let terms):
      let first = terms.first { if case .value = $0 { false } else { true } }
      return first?.origin(in: entity) ?? TermOrigin(entity: entity.name, attribute: projectedName)
    case .value, .aggregate, .related, .search, .unstorable: return TermOrigin(entity: entity.name, attribute: projectedName)
    }
  }
}
