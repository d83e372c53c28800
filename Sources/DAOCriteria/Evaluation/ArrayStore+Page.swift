extension ArrayStore {
  /// The entities of a page, and where they begin and end.
  public func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E> {
    let query = query(target, criteria)
    let positions = try query.positions()
    let shown = positions.prefix(size)
    let items = try shown.enumerated().map { try target.entity.read(E.self, query.rows[$1], number: $0) }
    let isFirst = criteria.after == nil && criteria.offset == nil
    return FoundPage(
      items,
      PageEnds(
        count: shown.count, first: isFirst ? nil : try shown.first.map(query.place),
        last: shown.count == size ? try shown.last.map(query.place) : nil,
        hasMore: positions.count > size))
  }
}
