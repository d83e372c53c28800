import DAOCriteria

extension EvaluatorStore {
  /// The entities of a page, and where they begin and end.
  public func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E> {
    if !criteria.prefetches.isEmpty { return try pagePrefetching(type, in: target, criteria, size: size) }
    return try reading { data in
      let query = try data.query(.page, criteria, in: target)
      let places = try query.places()
      let shown = places.prefix(size)
      let items: [E] = try target.entity.read(query.rows(at: shown))
      let isFirst = criteria.after == nil && criteria.offset == nil
      return FoundPage(
        items,
        PageRequest.Ends(
          count: shown.count, first: isFirst ? nil : try shown.first.map(query.start),
          last: shown.count == size ? try shown.last.map(query.start) : nil, hasMore: places.count > size))
    }
  }
}
