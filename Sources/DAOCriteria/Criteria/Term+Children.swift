extension Criteria.Term {
  /// The terms directly in it, in the order in which they are written.
  package var children: [Criteria.Term] {
    switch self {
    case .field, .value, .search, .unstorable: []
    case .function(_, let terms): terms
    case .aggregate(let aggregate, let term), .related(let aggregate, _, let term, _):
      (term.map { [$0] } ?? []) + aggregate.orders.map(\.term)
    }
  }

  /// The term with other terms directly in it; its condition stays, where it has one.
  package func map(_ transform: (Criteria.Term) -> Criteria.Term) -> Criteria.Term {
    switch self {
    case .field, .value, .search, .unstorable: self
    case .function(let function, let terms): .function(function, terms.map(transform))
    case .aggregate(let aggregate, let term): .aggregate(aggregate.map(transform), term.map(transform))
    case .related(let aggregate, let path, let term, let condition):
      .related(aggregate.map(transform), path, term.map(transform), condition)
    }
  }
}
