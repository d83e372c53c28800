import DAOMacros

/// Keeps the limit of each query's criteria.
final class CountingDAO: DAO<Person>, @unchecked Sendable {
  let limits = Printed()
  override func refine(_ criteria: SearchCriteria<Person>) -> SearchCriteria<Person> {
    limits.append("\(criteria.criteria.limit ?? -1)")
    return criteria.filter { $0.city != nil }
  }
}
