// One entity with rows of its relationships. Like ``DAO/find(_:)`` they go by the key alone.
extension DAO {
  /// The entity with a key, with the rows of these relationships: `find(7, prefetch: \.country, \.transitions)`.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where no visible row has the key.
  public final func find<First: RelationshipField, each Other: RelationshipField>(
    _ id: E.PrimaryKey, prefetch first: KeyPath<E.Fields, First>, _ others: repeat KeyPath<E.Fields, each Other>
  ) throws -> E {
    try find(id, SearchCriteria().prefetch(first).prefetch(repeat each others))
  }

  /// The entity with a key, with the rows of the relationships of these names: `find(7, prefetch: "country", "transitions.zone")`.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where no visible row has the key.
  public final func find(_ id: E.PrimaryKey, prefetch names: String...) throws -> E { try find(id, Self.criteria(names)) }

  /// Runs `find(id, prefetch: …)` on the store's queue.
  public final func find<First: RelationshipField, each Other: RelationshipField>(
    _ id: E.PrimaryKey, prefetch first: KeyPath<E.Fields, First>, _ others: repeat KeyPath<E.Fields, each Other>
  ) async throws -> E {
    let prefetching = SearchCriteria<E>().prefetch(first).prefetch(repeat each others)
    return try await context.store.perform(.read) { try self.find(id, prefetching) }
  }

  /// Runs `find(id, prefetch: names)` on the store's queue.
  public final func find(_ id: E.PrimaryKey, prefetch names: String...) async throws -> E {
    let prefetching = Self.criteria(names)
    return try await context.store.perform(.read) { try self.find(id, prefetching) }
  }

  private static func criteria(_ names: [String]) -> SearchCriteria<E> { names.reduce(SearchCriteria()) { $0.prefetch($1) } }

  private func find(_ id: E.PrimaryKey, _ prefetching: SearchCriteria<E>) throws -> E {
    let criteria = prefetching.filter(Filter(try entity.condition(for: id))).criteria
    guard let found = try context.store.find(E.self, in: target, criteria).first else {
      throw DAOError.notFound(entity: entity.name, key: "\(id)")
    }
    return found
  }
}
