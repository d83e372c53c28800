extension Criteria {
  /// A relationship whose rows are fetched along, as a plain value.
  public struct Prefetch: Sendable, Hashable {
    /// The path of relationships. The rows of each of them are fetched.
    public let path: FieldPath
    /// The order of the rows at its end.
    public let orders: [Criteria.Ordering]

    /// The rows of the relationships of a path.
    public init(_ path: FieldPath, orders: [Criteria.Ordering] = []) {
      self.path = path
      self.orders = orders
    }
  }
}

extension SearchCriteria {
  /// Fetches the rows of these relationships too.
  ///
  /// ```swift
  /// zones.findAll(criteria.prefetch(\.country, \.transitions))
  /// ```
  ///
  /// takes one further statement for each, however many zones there are, in the same snapshot:
  ///
  /// ```sql
  /// SELECT "id", "name", "country" FROM "zone" WHERE …
  /// SELECT "code", "name" FROM "country" WHERE "code" IN (SELECT value FROM temp.json_each(?))
  /// SELECT "zone", "instant", "offset" FROM "transition" WHERE "zone" IN (SELECT value FROM temp.json_each(?))
  /// ```
  ///
  /// (Through pairs it takes two: the pairs and the rows.) A path fetches the rows of all its relationships: `\.transitions.zone.country`.
  /// A row that several rows lead to is fetched once. Scopes of DAOs don't apply to related rows.
  ///
  /// Counts, deletes and updates ignore it. In a report it is an error, since a report has no entities to hold the rows.
  public func prefetch<each Related: RelationshipField>(_ paths: repeat KeyPath<Root.Fields, each Related>) -> SearchCriteria {
    var added: [Criteria.Prefetch] = []
    for path in repeat each paths { added.append(Criteria.Prefetch(Root.Fields(path: .root)[keyPath: path].path)) }
    return prefetching(added)
  }

  /// With the rows of this relationship, in an order: `prefetch(\.transitions, order: .descending(\.instant))`.
  public func prefetch<Related: RelationshipField>(
    _ path: KeyPath<Root.Fields, Related>, order first: Order<Related.Target>, _ others: Order<Related.Target>...
  ) -> SearchCriteria {
    prefetching([Criteria.Prefetch(Root.Fields(path: .root)[keyPath: path].path, orders: ([first] + others).map(\.ordering))])
  }

  /// With the rows of the relationships of these names, for dynamic entities: `prefetch("country", "transitions.zone")`.
  public func prefetch(_ names: String...) -> SearchCriteria { prefetching(names.map { Criteria.Prefetch(FieldPath($0)) }) }

  private func prefetching(_ prefetches: [Criteria.Prefetch]) -> SearchCriteria {
    var changed = criteria
    changed.prefetches += prefetches
    return SearchCriteria(changed)
  }
}
