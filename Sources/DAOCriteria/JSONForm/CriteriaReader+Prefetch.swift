extension CriteriaReader {
  mutating func prefetches(_ node: JSONNode, at place: Place) throws -> [Criteria.Prefetch]? {
    if case .list(let nodes) = node, nodes.count > limits.prefetches {
      try report(place.path, "has \(nodes.count) paths; \(limits.prefetches) are allowed")
      return nil
    }
    return try list(node, at: place) { try $0.prefetch($1, at: $2) }
  }

  /// A path of relationships, or an object with one and the order of its rows.
  private mutating func prefetch(_ node: JSONNode, at place: Place) throws -> Criteria.Prefetch? {
    guard let place = try enter(place) else { return nil }
    guard case .object = node else { return try path(node, at: place).map { Criteria.Prefetch($0.path) } }
    guard let members = try members(node, of: .prefetch, "a prefetch", at: place.path), let relationship = members["relationship"],
      let (path, target) = try path(relationship, at: place["relationship"])
    else { return nil }
    let orders = try members["order"].map { node in
      try list(node, at: beyond(path, target, place["order"])) { try $0.ordering($1, at: $2) }
    }
    return (orders ?? []).map { Criteria.Prefetch(path, orders: $0) }
  }

  /// The rows of the relationships come whole, so all of them must be visible.
  private mutating func path(_ node: JSONNode, at place: Place) throws -> (path: FieldPath, target: EntityDescription)? {
    guard let (path, target) = try way(node, at: place, .none), try isVisible(path.names, at: place) else { return nil }
    return (path, target)
  }
}
