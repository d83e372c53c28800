import DAOMacros

final class CzechDAO: DAO<Person>, @unchecked Sendable {
  override func refine(_ criteria: SearchCriteria<Person>) -> SearchCriteria<Person> { criteria.filter { $0.city != nil } }
}
