extension DAO {
  /// One page of what a criteria finds, and whether another follows: one row more than the page is asked for.
  ///
  /// Rows with equal orders stay in place from page to page: the orders always end in the primary key.
  /// - Parameters:
  ///   - criteria: what is paged.
  ///   - number: which page, from 1.
  ///   - size: how many items a full page has, 1 at least.
  ///   - withTotal: whether to tell the number of items of all pages too, which takes a count unless this is the last page. Inside a session
  ///     both see the same snapshot.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` for a number or size below 1, or a criteria that has a page already.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, number: Int = 1, size: Int, withTotal: Bool = false
  ) throws -> Page<E> {
    let (offset, overflow) = max(number, 1).advanced(by: -1).multipliedReportingOverflow(by: max(size, 1))
    var problems: [CriteriaProblem] = []
    if number < 1 { problems.append(CriteriaProblem(path: "", message: "the page's number is \(number); pages count from 1")) }
    if size < 1 || size == .max { problems.append(CriteriaProblem(path: "", message: "the page's size is \(size)")) }
    if overflow { problems.append(CriteriaProblem(path: "", message: "page \(number) of size \(size) is beyond any row")) }
    if criteria.criteria.limit != nil || criteria.criteria.offset != nil {
      problems.append(CriteriaProblem(path: "", message: "the criteria has a limit or an offset, which are the page's here"))
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: problems) }

    let found = try findAll(criteria.limit(size + 1, offset: offset))
    let hasNext = found.count > size
    // The last page, if it has any, shows the total by itself.
    let total: Int? =
      if withTotal { try hasNext || found.isEmpty && number > 1 ? count(criteria) : offset + found.count } else { nil }
    return Page(items: Array(found.prefix(size)), number: number, size: size, hasNext: hasNext, total: total)
  }
}
