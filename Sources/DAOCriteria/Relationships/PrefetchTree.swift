/// The relationships that a query prefetches of an entity's rows. Paths that begin with the same relationship share its fetch.
struct PrefetchTree {
  /// In which order the rows come that a relationship led to.
  private(set) var orders: [Criteria.Ordering] = []
  /// The relationships whose rows are fetched, each with the relationships fetched of its rows.
  private(set) var branches: [String: PrefetchTree] = [:]
  /// How much work each of its queries may take.
  private let budget: RunBudget?
  /// The positions of the parts of the criteria in JSON.
  private let places: CriteriaPlaces?
  /// Which order of which prefetch each of the orders is.
  private var orderNumbers: [(prefetch: Int, order: Int)] = []

  private init(_ budget: RunBudget?, _ places: CriteriaPlaces?) { (self.budget, self.places) = (budget, places) }

  /// The relationships that a query prefetches of an entity's rows.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every path that is none of relationships.
  init(_ criteria: Criteria, of entity: EntityDescription) throws {
    let prefetches = criteria.prefetches
    (budget, places) = (criteria.budget, criteria.places)
    let problems = prefetches.enumerated().compactMap { number, prefetch in
      entity.problem(ofPrefetching: prefetch.path)?.standing(at: criteria.places?[.prefetch(number)])
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: problems) }
    for (number, prefetch) in prefetches.enumerated() { add(prefetch.path.names[...], prefetch.orders, of: number) }
  }

  private mutating func add(_ names: ArraySlice<String>, _ orders: [Criteria.Ordering], of prefetch: Int) {
    guard let name = names.first else {
      self.orders += orders
      orderNumbers += orders.indices.map { (prefetch, $0) }
      return
    }
    branches[name, default: PrefetchTree(budget, places)].add(names.dropFirst(), orders, of: prefetch)
  }

  /// A query for rows of the relationship, within the budget.
  func limited(_ criteria: Criteria) -> Criteria {
    if budget == nil, places == nil { return criteria }
    var criteria = criteria
    (criteria.budget, criteria.places) = (budget, places?.prefetching(orderNumbers))
    return criteria
  }
}

extension EntityDescription {
  /// Why a path can't be prefetched, if it can't be.
  fileprivate func problem(ofPrefetching path: FieldPath) -> DAOError.CriteriaProblem? {
    // Fetching recurses once for each step of the path.
    guard 1...Criteria.Condition.maximumHops ~= path.names.count else {
      return DAOError.CriteriaProblem(
        path: path.description,
        message: "a prefetch goes through 1 to \(Criteria.Condition.maximumHops) relationships, not \(path.names.count)")
    }
    var entity = self
    for name in path.names {
      guard let relationship = entity.relationship(name) else {
        return DAOError.CriteriaProblem(unknownRelationship: name, of: entity, at: path.description)
      }
      guard let target = relationship.target else {
        return DAOError.CriteriaProblem(path: path.description, message: "leads to an entity that is not there")
      }
      entity = target
    }
    return nil
  }
}
