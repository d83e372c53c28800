/// Checks a query against an entity and resolves its names, collecting every problem on the way.
///
/// The path of a check: `checked` → `+Conditions` → `+Terms`, `+Relationships`, `+Search` and `+JSON`; then `+Use` for what the use of the
/// rows forbids.
struct CriteriaChecker {
  let target: EntityTarget
  let criteria: Criteria
  let limits: Criteria.StatementLimits
  /// The entity whose attributes the terms name that are checked now.
  var subject: Subject
  private(set) var problems: [DAOError.CriteriaProblem] = []
  private var known: Set<DAOError.CriteriaProblem> = []
  /// More problems than these are not reported.
  private static let maximumProblems = 100
  /// More values of one list than these are not reported, so that its other values leave room for other problems.
  static let maximumProblemsOfList = 10
  /// The values that were met, by their numbers.
  var values: [CriteriaValue] = []
  /// The entities that relationships lead to.
  var reached: [EntityDescription] = []
  /// The kinds of arguments of the functions met so far that may fail.
  var failing: Set<FunctionForm.Subject> = []
  /// The symbols of the scope, which the SQL of an aggregate over all rows has in it.
  var scopeSymbols = 0
  /// The part and nodes that are checked now, for positions in JSON.
  var standing = Standing()

  /// An entity whose attributes terms name: the criteria's, or one that a relationship leads to.
  struct Subject {
    let entity: EntityDescription
    /// How messages name the way to it: `country.`.
    var path = ""
    var isRelated: Bool { !path.isEmpty }
  }

  var entity: EntityDescription { target.entity }

  init(_ criteria: Criteria, in target: EntityTarget, within limits: Criteria.StatementLimits) {
    self.criteria = criteria
    self.target = target
    self.limits = limits
    subject = Subject(entity: target.entity)
  }

  mutating func checked(_ use: Criteria.Use) -> CheckedCriteria {
    let scope = checkedScope()
    scopeSymbols = scope.depth.symbols
    let filter = standing(at: .filter) { $0.checked($0.criteria.filter, in: .row) }
    let columns = criteria.columns.enumerated().map { number, column in standing(at: .project(number)) { $0.checked(column) } }
    let having = standing(at: .having) { $0.checked($0.criteria.having, in: .group) }
    let isGrouped = criteria.columns.contains { $0.isGroup || $0.term.hasAggregate }
    let orders = criteria.orders.enumerated().map { number, order in
      standing(at: .order(number)) { checker in
        let term = checker.checked(order.term, in: isGrouped ? .group : .row)
        return CheckedOrder(ordering: order, term: checker.noDeeper(checker.limits.orderSymbols, term))
      }
    }
    // The assigned values are computed for the rows found.
    let failing = failing
    let changes = use.changes.compactMap { checked($0) }
    let limit = criteria.limit.map { rows in standing(at: .limit) { $0.value(.scalar(.integer(Int64(rows))), .rowCount, "limit") } }
    let offset = criteria.offset.map { rows in standing(at: .offset) { $0.value(.scalar(.integer(Int64(rows))), .rowCount, "offset") } }
    let keyOrders = checkedKeyOrders()
    let after = checkedPosition(orders + keyOrders)
    let uses =
      scope.values + filter.values + columns.flatMap(\.term.values) + having.values + orders.flatMap(\.term.values)
      + changes.flatMap(\.value.values) + [limit, offset].compactMap { $0 } + (after ?? [])
    let result = CheckedCriteria(
      entity: entity, scope: scope, filter: filter, columns: columns, having: having, orders: orders, keyOrders: keyOrders,
      changes: changes, limit: limit, offset: offset, after: after, isDistinct: criteria.isDistinct, values: values, uses: uses,
      reached: reached, failing: failing)
    standing(at: .filter) { $0.checkDepth(of: scope, beside: filter) }
    if values.count > limits.values { report("", "has \(values.count) values; a statement takes at most \(limits.values)") }
    refuseMisuse(use, result)
    check(uses)
    return result
  }

  /// The scope. An aggregate in the scope would be computed over the visible rows, which the scope itself defines.
  mutating func checkedScope() -> CheckedCondition {
    if target.scope.rowTerms.contains(where: \.hasAggregate) {
      report("", "a scope can't have aggregates: they speak of the rows that it lets be seen")
      return CheckedCondition(.constant(true))
    }
    return checked(target.scope, in: .row)
  }

  /// Reports a scope and a filter that are deeper side by side than an engine reads.
  private mutating func checkDepth(of scope: CheckedCondition, beside filter: CheckedCondition) {
    if target.scope.isAlwaysTrue { return }
    if StatementDepth(joining: [scope.depth, filter.depth]).symbols > limits.symbols + 1 {
      report("", "the filter within the scope \(Criteria.Condition.tooDeep)")
    }
  }

  /// The key's attributes that are not ordered by: a page without them could repeat or lose rows.
  private func checkedKeyOrders() -> [CheckedOrder] {
    criteria.keyOrders(in: entity).compactMap { ordering in
      guard case .field(let path) = ordering.term, let key = entity[path.description] else { return nil }
      return CheckedOrder(ordering: ordering, term: CheckedTerm(key, path: key.name))
    }
  }

  /// The position after which the rows begin.
  private mutating func checkedPosition(_ orders: [CheckedOrder]) -> [CheckedValue]? {
    guard let position = criteria.after else { return nil }
    if criteria.isDistinct || criteria.columns.contains(where: { $0.isGroup || $0.term.hasAggregate }) {
      report("", "a report of groups or of different rows can't go on from a place")
    }
    if criteria.offset != nil { report("", "a place takes no offset besides") }
    if let number = criteria.orders.firstIndex(where: { $0.term.isRelevance }) {
      report(
        criteria.places?[.order(number)] ?? "",
        "a page can't go on from a place in the order of relevance, in which each row moves the others; use pages by number"
      )
    }
    guard position.count == orders.count else {
      report("", "the place has \(position.count) values for \(orders.count) orders")
      return []
    }
    return zip(position, orders).map { stored, order in value(.stored(stored), .position(order.term.type), order.term.path) }
  }

  // MARK: Values

  /// A value that was met, with the next number.
  mutating func value(_ value: CriteriaValue, _ use: ValueUse, _ path: String) -> CheckedValue {
    values.append(value)
    return CheckedValue(number: values.count - 1, value: value, use: use, path: path, place: currentPlace)
  }

  /// Reports the values that can't be used as they are to be. Those of later criteria of the same shape are checked when a kept statement
  /// is run for them.
  private mutating func check(_ values: [CheckedValue]) {
    for value in values where problems.count < Self.maximumProblems {
      do { _ = try value.use.stored(value.value) } catch {
        report(DAOError.CriteriaProblem(path: value.path, message: "\(error)"), at: value.place)
      }
    }
  }

  // MARK: Problems

  mutating func report(_ path: String, _ message: String) { report(DAOError.CriteriaProblem(path: path, message: message)) }

  /// - Parameter place: where it stands in the criteria's JSON; nil for where the checker stands.
  mutating func report(_ problem: DAOError.CriteriaProblem, at place: String? = nil) {
    let problem = problem.standing(at: place ?? currentPlace)
    if problems.count < Self.maximumProblems, known.insert(problem).inserted { problems.append(problem) }
  }
}

extension Criteria.Term {
  fileprivate var isRelevance: Bool { if case .search(.relevance, _) = self { true } else { false } }
}
