import DAOCriteria

/// Turns a criteria into a plan: checks it against the entity and writes the SQL, collecting every problem on the way.
///
/// The path of a query: `plan` → `+Select` or `+Write` → `+Conditions` → `+Terms` and
/// `+Relationships`. Literals are counted in the order of
/// ``CriteriaShape``'s walk, which is why every part is visited even when it turns out to be constant.
struct SQLRenderer {
  let entity: EntityDescription
  let criteria: Criteria
  /// Whose columns the terms name that are rendered now.
  var subject: Subject
  /// Which rows a function that may fail is worked out for.
  var reach: Reach
  /// Whether `abs` is anywhere in the criteria; see ``equalSign(_:_:)``.
  let hasAbs: Bool
  var aliasCount = 0
  /// Whether a subquery has been rendered.
  var readsOtherRows = false
  /// The tables behind the aliases that were given.
  var aliases: [String: String] = [:]
  /// Whether the statement finds a row by its key, or by what is unique.
  var isOverOneRow = false
  /// Whether the samples below were true.
  let mostFit: Bool
  /// For each quantifier whose values decide how it is best asked, whether most rows of a sample fit.
  var samples: [SQLFragment] = []
  var problems: [CriteriaProblem] = []
  var nextLiteral = 0
  /// The entities that relationships lead to.
  var reached: [EntityDescription] = []
  /// What is rendered, for places in JSON.
  var standing = Standing()

  /// The plan for what is done with the rows that a criteria finds.
  /// - Parameter mostFit: what the plan's sample tells, where it has one; false where nobody asked.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  static func plan(_ kind: StatementKind, _ criteria: Criteria, in entity: EntityDescription, mostFit: Bool = false) throws -> SQLPlan {
    let flaws = entity.problems
    guard flaws.isEmpty else { throw DAOError.invalidDescription(entity: entity.name, problems: flaws) }
    var renderer = SQLRenderer(entity: entity, criteria: criteria, mostFit: mostFit)
    let plan = renderer.render(kind)
    // Values are told with the rest here; for later criteria of this shape they are checked as they are bound.
    let literals = CriteriaShape(kind, criteria).literals
    for binding in plan.bindings {
      do { _ = try binding.value(in: literals) } catch {
        renderer.report(CriteriaProblem(path: binding.path, message: "\(error)"), at: renderer.standing.literals[binding.literal])
      }
    }
    guard renderer.problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: renderer.problems) }
    return plan
  }

  init(entity: EntityDescription, criteria: Criteria, mostFit: Bool = false) {
    self.entity = entity
    self.criteria = criteria
    self.mostFit = mostFit
    hasAbs = criteria.hasAbs
    subject = Subject(entity: entity)
    reach = .row(subject)
  }

  private mutating func render(_ kind: StatementKind) -> SQLPlan {
    let scope = lowerScope()
    let filter = standing(at: .filter) { renderer in
      let filter = renderer.lower(renderer.criteria.filter, in: .row)
      if renderer.criteria.isTooDeep { renderer.report("", "the filter within the scope \(Condition.tooDeep)") }
      return filter
    }
    let condition = conjunction([scope, filter])
    let columns = criteria.columns.enumerated().map { number, column in
      (column, standing(at: .project(number)) { $0.projected(column) })
    }
    let having = standing(at: .having) { $0.lower($0.criteria.having, in: .group) }
    let orderContext: TermContext = isGrouped ? .group : .row
    let orders = criteria.orders.enumerated().map { number, order in
      RenderedOrder(ordering: order, term: standing(at: .order(number)) { $0.render(order.term, in: orderContext) })
    }
    let assignments = kind.changes.map { assignment($0) }
    let page = page()
    let keyOrders = keyOrders
    standing(at: .projects) { $0.refuseMore(than: Self.maximumColumns, columns.count, "project") }
    standing(at: .orders) { $0.refuseMore(than: Self.maximumColumns, orders.count + ($0.isPaged ? keyOrders.count : 0), "order") }
    let branches = branches(orders + keyOrders)
    // Where the rows' order is of no account, the branches are one condition.
    let place = kind.readsRows ? [] : branches.map { [disjunction($0.map(\.condition))] } ?? []
    let parts = SelectParts(
      condition: conjunction([condition] + place), columns: columns, having: having, orders: orders, keyOrders: keyOrders,
      branches: branches, page: page)
    return switch kind {
    case .entities: selectEntities(parts)
    case .page: selectPage(parts)
    case .keys: selectKeys(parts)
    case .count: selectCount(parts)
    case .exists: selectExists(parts)
    case .report: selectReport(parts)
    case .delete: delete(parts)
    case .update(let changes): update(changes, assignments, parts)
    }
  }

  /// The scope, whose literals come first. An aggregate in it would be over the rows that it lets be seen, which is itself.
  mutating func lowerScope() -> LoweredCondition {
    nextLiteral = 0
    guard !criteria.scope.terms.contains(where: \.hasAggregate) else {
      report("", "a scope can't have aggregates: they speak of the rows that it lets be seen")
      return .constant(true)
    }
    return lower(criteria.scope, in: .row)
  }

  /// What SQLite's statements take at most, of columns and of orders (sqlite.org/limits.html, number 2).
  private static let maximumColumns = 2_000

  private mutating func refuseMore(than maximum: Int, _ count: Int, _ path: String) {
    if count > maximum { report(path, "has \(count) terms; a statement takes \(maximum)") }
  }

  /// Whether the criteria's rows are groups.
  var isGrouped: Bool { criteria.columns.contains { $0.isGroup || $0.term.hasAggregate } }

  var table: String { entity.table.quotedIdentifier }

  /// `"id", "name"`
  func list(_ attributes: [Attribute]) -> String { attributes.map { $0.column.quotedIdentifier }.joined(separator: ", ") }

  mutating func report(_ path: String, _ message: String) { report(CriteriaProblem(path: path, message: message)) }

  /// - Parameter place: where it stands in the criteria's JSON; nil for where the renderer stands.
  mutating func report(_ problem: CriteriaProblem, at place: String? = nil) {
    let problem = problem.standing(at: place ?? currentPlace)
    if !problems.contains(problem) { problems.append(problem) }
  }

  /// ` LIMIT ? OFFSET ?`, as far as the criteria has them. SQLite wants a limit before an offset; -1 is none.
  private mutating func page() -> SQLFragment {
    var page = SQLFragment("")
    if criteria.limit != nil {
      page = page + SQLFragment(" LIMIT ?", [standing(at: .limit) { $0.literal(.rowCount, path: "limit") }])
    }
    if criteria.offset != nil {
      let binding = standing(at: .offset) { $0.literal(.rowCount, path: "offset") }
      page = page + SQLFragment(criteria.limit == nil ? " LIMIT -1 OFFSET ?" : " OFFSET ?", [binding])
    }
    return page
  }

  /// The key's attributes that are not ordered by already: a page without them could repeat or lose rows.
  private var keyOrders: [RenderedOrder] {
    criteria.keyOrders(in: entity).compactMap { ordering in
      guard case .field(let path) = ordering.term, let key = entity[path.description] else { return nil }
      let column = SQLFragment(key.column.quotedIdentifier)
      return RenderedOrder(
        ordering: ordering, term: RenderedTerm(sql: column, type: key.type, isNullable: key.isOptional, path: key.name))
    }
  }

  /// The recipe for the literal that comes next in the walk.
  mutating func literal(_ form: Binding.Form, path: String) -> Binding {
    defer { nextLiteral += 1 }
    if let currentPlace { standing.literals[nextLiteral] = currentPlace }
    return Binding(literal: nextLiteral, form: form, path: path)
  }
}

/// A criteria's parts, rendered.
struct SelectParts {
  let condition: LoweredCondition
  let columns: [(column: ProjectedColumn, term: RenderedTerm)]
  let having: LoweredCondition
  let orders: [RenderedOrder]
  /// The key's attributes that are not ordered by.
  let keyOrders: [RenderedOrder]
  /// The rows after the criteria's place, where it has one.
  let branches: [PlaceBranch]?
  let page: SQLFragment
}
