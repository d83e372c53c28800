extension Criteria {
  /// Which rows the query searches for words.
  package enum SearchedRows: Int, Comparable {
    /// None.
    case none
    /// The entity's own.
    case own
    /// Those that a relationship leads to, perhaps the entity's own too.
    case related

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// Which rows the query searches for words.
  package var searchedRows: SearchedRows {
    let terms = orders.map(\.term) + columns.map(\.term)
    return ([filter.searchedRows, having.searchedRows] + terms.map(\.searchedRows)).max() ?? .none
  }
}

extension Criteria.Condition {
  /// Which rows it searches for words.
  package var searchedRows: Criteria.SearchedRows {
    if case .search(let search) = node { return search.searchedRows }
    let found = (terms.map(\.searchedRows) + children.map(\.searchedRows)).max() ?? .none
    if case .some = node, found != .none { return .related }
    return found
  }
}

extension Criteria.Term {
  fileprivate var searchedRows: Criteria.SearchedRows {
    switch self {
    case .search(_, let search): return search.searchedRows
    case .related(_, _, _, let condition):
      return (children.map(\.searchedRows) + [condition.searchedRows]).contains { $0 != .none } ? .related : .none
    default: return children.map(\.searchedRows).max() ?? .none
    }
  }
}

extension Criteria.Search {
  /// Which rows it searches: a path of several names leads to others.
  fileprivate var searchedRows: Criteria.SearchedRows { path.rest.isEmpty ? .own : .related }
}
