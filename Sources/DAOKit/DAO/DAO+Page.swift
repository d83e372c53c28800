extension DAO {
  /// One page of what a criteria finds, and whether another follows: one row more than the page is asked for.
  ///
  /// Rows with equal orders stay in place from page to page: the orders always end in the primary key.
  /// - Parameters:
  ///   - criteria: what is paged.
  ///   - number: which page, from 1.
  ///   - size: how many items a full page has, 1 at least.
  ///   - withTotal: whether to count the items of all pages too, in the same snapshot: one statement more.
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

    let page = criteria.limit(size + 1, offset: offset)
    guard withTotal else { return Page(try findAll(page), number: number, size: size, total: nil) }
    let target = target
    return try context.store.read { store in
      let found = try store.find(E.self, in: target, page.criteria)
      return Page(found, number: number, size: size, total: try store.count(in: target, criteria.criteria))
    }
  }
}

extension Page {
  /// A page from what was found when one item more was asked for.
  fileprivate init(_ found: [Item], number: Int, size: Int, total: Int?) {
    self.init(items: Array(found.prefix(size)), number: number, size: size, hasNext: found.count > size, total: total)
  }
}
