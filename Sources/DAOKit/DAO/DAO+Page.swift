// One page after the other.
extension DAO {
  /// Returns the page after a cursor in the rows of a query, or the first page: `SELECT … ORDER BY …, key LIMIT ?`.
  ///
  /// ```swift
  /// var page = try zones.page(criteria, size: 20)
  /// while let next = page.next { page = try zones.page(criteria, size: 20, after: next) }
  /// ```
  ///
  /// The pages together are the rows of the criteria in their order, each once, whatever is inserted or deleted meanwhile before the
  /// cursor. With an index over the orders each takes as long as the first, since it begins with a search. The rows after a cursor in
  /// `order(by: .ascending(\.standardOffset), .descending(\.name))` are
  ///
  /// ```sql
  /// SELECT "id", … FROM (SELECT "id" AS "row_key" … WHERE "standardOffset" = ?1 AND "name" = ?2 AND "id" > ?3
  ///   ORDER BY "id" … LIMIT ?4) AS "row_keys" CROSS JOIN "zone" ON "zone"."id" = "row_keys"."row_key"
  /// UNION ALL SELECT "id", … FROM (SELECT "id" AS "row_key" … WHERE "standardOffset" = ?1 AND "name" < ?2
  ///   ORDER BY "name" DESC …, "id" … LIMIT ?4) AS "row_keys" CROSS JOIN "zone" ON "zone"."id" = "row_keys"."row_key"
  /// UNION ALL SELECT "id", … FROM (SELECT "id" AS "row_key" … WHERE "standardOffset" > ?1
  ///   ORDER BY "standardOffset" …, "name" DESC …, "id" … LIMIT ?4) AS "row_keys" CROSS JOIN "zone" ON "zone"."id" = "row_keys"."row_key"
  /// LIMIT ?4
  /// ```
  ///
  /// Rows need a unique key. The key of a dynamic view, all its columns, may not be unique, nor may that of a table where it can be null or
  /// keeps a decimal as text. Where two rows have the same cursor, the page that ends between them is an error, since the next would lose
  /// one of them.
  ///
  /// The query above is served by `Index(on: "standardOffset", "name", descending: ["name"])`. Where no index serves, each of the three may
  /// read the whole table.
  /// - Parameters:
  ///   - criteria: the query, in any order. Rows with equal orders are in the order of the primary key.
  ///   - size: how many items a full page has, 1 at least.
  ///   - token: the cursor, from any page of equal criteria; nil for the first page.
  ///   - total: the information that the page gives about the rows beyond it.
  /// - Throws: ``DAOError/pageToken(_:)`` for a token of another query; ``DAOError/invalidCriteria(entity:problems:)`` for a size below
  ///   1, or a query that has a page already; ``DAOError/invalidDescription(entity:problems:)`` where two rows have the same key.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, size: Int, after token: PageToken? = nil, total: PageRequest.Total = .hasNext
  ) throws -> Page<E> {
    try page(criteria, PageRequest(.after(token), size: size, total: total))
  }

  /// Returns the page before a cursor in the rows of a query, in the criteria's order, or the last page:
  /// ``page(_:size:after:total:)-(_,_,_,_)`` from the other end.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, size: Int, before token: PageToken?, total: PageRequest.Total = .hasNext
  ) throws -> Page<E> {
    try page(criteria, PageRequest(.before(token), size: size, total: total))
  }

  /// Returns the page with a number, from 1: `SELECT … ORDER BY …, key LIMIT ? OFFSET ?`. It skips all rows before the page, which takes
  /// longer the more there are, and rows inserted or deleted there move it. Its tokens continue from it without these drawbacks.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, number: Int, size: Int, total: PageRequest.Total = .hasNext
  ) throws -> Page<E> {
    try page(criteria, PageRequest(.number(number), size: size, total: total))
  }

  private func page(_ criteria: SearchCriteria<E>, _ request: PageRequest) throws -> Page<E> {
    let target = target
    var asked = refine(criteria).criteria
    // The orders of a page before a cursor are reversed, and what is counted has no limit.
    let whole = request.isBackward || request.total.isCounted ? asked : nil
    try asked.turn(to: request, in: target)
    let found = try context.store.page(E.self, in: target, asked, size: request.size)
    let ends = found.ends
    if let offset = asked.offset, ends.first != nil, entity.mayRepeatKeys {
      // The row before has to be another, for the page before this one.
      var before = asked
      (before.offset, before.limit, before.prefetches) = (offset - 1, 2, [])
      _ = try context.store.page(E.self, in: target, before, size: 1)
    }
    func token(_ place: [StoredValue]?) -> PageToken? { place.map { PageToken($0, in: whole ?? asked, of: target) } }
    let near = token(ends.first)
    let far = ends.hasMore || request.total == .omitted ? token(ends.last) : nil
    let total = if let whole { try self.total(whole, request, ends) } else { Int?.none }
    return request.isBackward
      ? Page(items: found.items.reversed(), next: near, previous: far, total: total)
      : Page(items: found.items, next: far, previous: near, total: total)
  }

  /// How many rows all pages have. Where the last page follows only pages whose rows are known, it shows that by itself.
  private func total(_ criteria: Criteria, _ request: PageRequest, _ ends: PageRequest.Ends) throws -> Int? {
    let known: Int? =
      if let offset = request.offset, !ends.hasMore, offset == 0 || ends.count > 0 { offset + ends.count } else { nil }
    switch request.total {
    case .omitted, .hasNext: return nil
    case .exact: return try known ?? context.store.count(in: target, criteria)
    case .atMost(let most):
      var counted = criteria
      counted.limit = most
      return try known.map { min($0, most) } ?? context.store.count(in: target, counted)
    }
  }
}
