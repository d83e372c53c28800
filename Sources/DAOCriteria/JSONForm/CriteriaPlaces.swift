/// The positions of the parts of criteria in the JSON that they were read from, for problems that a store finds later: `$.filter.all[1]`.
@usableFromInline package final class CriteriaPlaces: Sendable {
  /// A part of the criteria.
  package enum Part: Hashable, Sendable {
    case filter, having, distinct, limit, offset, projects, orders, prefetches
    /// One of the orders or projections, by its number.
    case order(Int), project(Int)
    /// One of the paths that are prefetched, by its number.
    case prefetch(Int)

    /// Nodes of all orders and of all projections are looked up together.
    fileprivate var whole: Part {
      switch self {
      case .order: .orders
      case .project: .projects
      default: self
      }
    }
  }

  /// A condition or term, whose rows it is about, and in which part it stands. Equal ones have equal problems: one position is enough.
  package struct Node: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case condition(Criteria.Condition)
      case term(Criteria.Term)
    }

    private let content: Content
    private let part: Part
    private let entity: String

    package init(_ content: Content, in part: Part, of entity: EntityDescription) {
      (self.content, self.part, self.entity) = (content, part.whole, entity.name)
    }
  }

  private let nodes: [Node: JSONPath]
  private let parts: [Part: JSONPath]
  /// The nodes of the orders of rows that are prefetched.
  private let prefetchedNodes: [Node: JSONPath]

  init(_ nodes: [Node: JSONPath], _ parts: [Part: JSONPath], prefetchedNodes: [Node: JSONPath] = [:]) {
    (self.nodes, self.parts, self.prefetchedNodes) = (nodes, parts, prefetchedNodes)
  }

  /// The positions of a query for rows that are prefetched.
  /// - Parameter orders: for each order of the query the number of the prefetch that has it, and its number there.
  func prefetching(_ orders: [(prefetch: Int, order: Int)]) -> CriteriaPlaces {
    let lists = orders.map { JSONPath.member(.item(.member(.root, "prefetch"), $0.prefetch), "order") }
    var parts: [Part: JSONPath] = [:]
    parts[.orders] = lists.first
    for (number, list) in lists.enumerated() { parts[.order(number)] = .member(.item(list, orders[number].order), "by") }
    return CriteriaPlaces(prefetchedNodes, parts)
  }

  /// The position of a part.
  package subscript(part: Part) -> String? { parts[part].map { "\($0)" } }

  /// The position of a node.
  package subscript(node: Node) -> String? { nodes[node].map { "\($0)" } }
}

extension Criteria.Condition {
  /// Whether it is one that has a position of its own: a joined node may have been joined again.
  var isPlaced: Bool {
    switch node {
    case .constant, .all, .any, .not, .tooDeep: false
    case .compare, .between, .among, .isNull, .matches, .search, .some: true
    }
  }
}

extension Criteria.Term {
  /// Whether it is one that has a position of its own: whether an attribute is valid depends on its use, and whether a value is valid
  /// depends on the term beside it.
  var isPlaced: Bool {
    switch self {
    case .field, .value, .unstorable: false
    case .function, .aggregate, .related, .search: true
    }
  }
}

extension DAOError.CriteriaProblem {
  /// The problem at a position in JSON, its message with its subject; the problem as it is where there is no position.
  package func standing(at place: String?) -> DAOError.CriteriaProblem {
    guard let place else { return self }
    return DAOError.CriteriaProblem(path: place, message: path.isEmpty ? message : "\(path): \(message)", suggestion: suggestion)
  }
}
