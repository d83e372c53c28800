import DAOKit

/// All pages of a query from both ends, and what is wrong with them.
struct Walk {
  /// The criteria's rows, by one statement.
  let rows: [[Scalar]]
  private(set) var problem: String?

  init(_ dao: ScopedDAO, _ criteria: Criteria, size: Int) throws {
    let search = SearchCriteria<DynamicEntity>(criteria)
    rows = try dao.findAll(search.limit(.max)).map(\.values)

    var forward = [try dao.page(search, size: size)]
    while let next = forward.last?.next, forward.count <= rows.count {
      forward.append(try dao.page(search, size: size, after: PageToken(next.text)))
    }
    check(forward.flatMap(\.items).map(\.values) == rows, "the pages forward are not the full sort")
    check(forward.dropLast().allSatisfy { $0.items.count == size }, "a page is not full")
    check(forward.first?.previous == nil && forward.last?.next == nil, "an end is not nil")
    if forward.count > 1 {
      let (last, before) = (forward[forward.count - 1], forward[forward.count - 2])
      let back = try dao.page(search, size: size, before: last.previous, total: .exact)
      check(back.items.map(\.values) == before.items.map(\.values), "a page back is not the page before")
      check(back.total == rows.count && back.hasNext, "a page back does not know the total or what follows")
    }

    var backward = [try dao.page(search, size: size, before: nil)]
    while let previous = backward.last?.previous, backward.count <= rows.count {
      backward.append(try dao.page(search, size: size, before: PageToken(previous.text)))
    }
    check(backward.reversed().flatMap(\.items).map(\.values) == rows, "the pages backward are not the full sort")
    check(backward.first?.next == nil && backward.last?.previous == nil, "an end backward is not nil")
  }

  private mutating func check(_ holds: Bool, _ problem: String) { if !holds, self.problem == nil { self.problem = problem } }
}
