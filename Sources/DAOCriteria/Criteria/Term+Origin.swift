extension Criteria.Term {
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
