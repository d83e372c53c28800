import DAOCriteria

/// Turns a checked criteria into a plan. It looks no name up and reports no problem: ``CriteriaChecker`` has done both.
///
/// The path of a query: `plan` → `+Select` or `+Write` → `+Conditions` → `+Terms` and `+Relationships`.
struct SQLRenderer {
  let criteria: CheckedCriteria
  /// The table whose columns the terms name that are rendered now.
  var table: TableReference
  /// Which rows a function that may fail is worked out for.
  var reach: Reach
  var aliasCount = 0
  /// Whether a subquery has been rendered.
  var readsOtherRows = false
  /// The tables behind the aliases that were given.
  var aliases: [String: String] = [:]
  /// Whether the statement finds a row by its key, or by unique attributes.
  var isOverOneRow = false
  /// Whether views may show the tables, which yield rows in an order of their own where they are joined.
  var isOfViews = false
  /// Whether the samples below were true.
  let mostFit: Bool
  /// For each quantifier whose values decide how it is best asked, whether most rows of a sample fit.
  var samples: [SQLFragment] = []

  var entity: EntityDescription { criteria.entity }

  /// The plan for a use of a query's rows.
  /// - Parameter mostFit: the answer of the plan's sample, where it has one; false where the sample was not run.
  static func plan(_ use: Criteria.Use, _ criteria: CheckedCriteria, mostFit: Bool = false, ofViews: Bool = false) -> SQLPlan {
    var renderer = SQLRenderer(criteria, mostFit: mostFit)
    renderer.isOfViews = ofViews
    return renderer.render(use)
  }

  init(_ criteria: CheckedCriteria, mostFit: Bool = false) {
    self.criteria = criteria
    self.mostFit = mostFit
    table = TableReference(entity: criteria.entity)
    reach = .row(table)
  }

  private mutating func render(_ use: Criteria.Use) -> SQLPlan {
    let condition = conjunction([lower(criteria.scope, in: .row), lower(criteria.filter, in: .row)])
    let columns = criteria.columns.map { ($0.column, render($0.term, in: .group)) }
    let having = lower(criteria.having, in: .group)
    let orders = criteria.orders.map { order in
      RenderedOrder(ordering: order.ordering, term: render(order.term, in: criteria.isGrouped ? .group : .row))
    }
    let assignments = criteria.changes.map { assignment($0) }
    let keyOrders = criteria.keyOrders.map { RenderedOrder(ordering: $0.ordering, term: render($0.term, in: .row)) }
    let branches = branches(orders + keyOrders)
    // Where the order of the rows does not matter, the branches are one condition.
    let isOrdered = if case .report = use { true } else { use.readsRows }
    let position = isOrdered ? [] : branches.map { [disjunction($0.map(\.condition))] } ?? []
    let parts = SelectParts(
      condition: conjunction([condition] + position), columns: columns, having: having, orders: orders, keyOrders: keyOrders,
      branches: branches)
    return switch use {
    case .entities: rows(entity.attributes, parts)
    case .page: selectPage(parts)
    case .keys: rows(entity.keyAttributes, parts)
    case .count: selectCount(parts)
    case .exists: selectExists(parts)
    case .report: selectReport(parts)
    case .delete: delete(parts)
    case .update: update(assignments, parts)
    }
  }

  var tableName: SQLFragment { "\(name: entity.table)" }

  /// `"id", "name"`
  func list(_ attributes: [Attribute]) -> SQLFragment { attributes.map { "\(name: $0.column)" }.joined(", ") }

  /// ` LIMIT ? OFFSET ?`, as far as the criteria have them. SQLite wants a limit before an offset; -1 is none.
  var page: SQLFragment {
    let limit: SQLFragment = criteria.limit.map { " LIMIT \(value: binding($0))" } ?? ""
    guard let offset = criteria.offset else { return limit }
    return criteria.limit == nil ? " LIMIT -1 OFFSET \(value: binding(offset))" : "\(limit) OFFSET \(value: binding(offset))"
  }

  /// The recipe for a value in the form that its use has.
  func binding(_ value: CheckedValue) -> Binding { binding(value, .plain(value.use)) }

  /// The recipe for a value in a form.
  func binding(_ value: CheckedValue, _ form: Binding.Form) -> Binding { Binding(number: value.number, form: form, path: value.path) }
}

/// A query's parts, rendered.
struct SelectParts {
  let condition: LoweredCondition
  let columns: [(column: Criteria.Column, term: RenderedTerm)]
  let having: LoweredCondition
  let orders: [RenderedOrder]
  /// The key's attributes that are not ordered by.
  let keyOrders: [RenderedOrder]
  /// The rows after the criteria's position, where it has one.
  let branches: [PositionBranch]?
}
