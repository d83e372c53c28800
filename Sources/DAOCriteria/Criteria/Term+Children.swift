extension Term {
  /// The terms directly in it, in the order in which they are written.
  package var children: [Term] {
    switch self {
    case .field, .value, .search, .unstorable: []
    case .function(_, let terms): terms
    case .aggregate(_, let term), .related(_, _, let term, _): term.map { [$0] } ?? []
    }
  }

  /// The term with other terms directly in it; its condition stays, where it has one.
  package func map(_ transform: (Term) -> Term) -> Term {
    switch self {
    case .field, .value, .search, .unstorable: self
    case .function(let function, let terms): .function(function, terms.map(transform))
    case .aggregate(let aggregate, let term): .aggregate(aggregate, term.map(transform))
    case .related(let aggregate, let path, let term, let condition): .related(aggregate, path, term.map(transform), condition)
    }
  }
}
