import DAOCriteria

/// The context of a term: a row's filter, where an aggregate is a subquery over the visible rows, or groups.
enum TermContext {
  case row, group
}

extension SQLRenderer {
  mutating func render(_ term: CheckedTerm, in context: TermContext) -> RenderedTerm {
    RenderedTerm(sql(of: term, in: context), term)
  }

  private mutating func sql(of term: CheckedTerm, in context: TermContext) -> SQLFragment {
    switch term.node {
    case .attribute(let attribute): return table.column(attribute)
    case .value(let value): return "\(value: binding(value))"
    case .beyond(let hop, let inner): return related(hop, inner)
    case .function(let function, let terms): return call(function, terms, as: term.type, in: context)
    case .aggregate(let call):
      // Over all rows of an entity, whichever are reached.
      let called = reaching(.any(table)) { $0.call(call) }
      return context == .row ? visibleRows(called) : called
    case .related(let call, let hops, let condition): return related(call, hops, condition)
    case .search(let result): return render(result)
    case .unknown: return "NULL"
    }
  }

  private mutating func call(
    _ function: Function, _ terms: [CheckedTerm], as type: AttributeType, in context: TermContext
  ) -> SQLFragment {
    let rendered = terms.map { render($0, in: context) }
    var arguments = rendered.map { function.form.subject == .text ? $0.plain : $0.sql }
    if function.form.mayFail { arguments = zip(arguments, terms).map { reached($0, $1) } }
    switch (function, function.form.subject) {
    case (_, .oneType): return "coalesce(\(arguments.joined(", ")))"
    case (_, .json): return "dao_json(\(form(arguments, as: type)))"
    case (.abs, _): return "dao_abs(\(arguments[0]))"
    // SQLite's own know ASCII letters alone, end at a NUL, and take numbers and bytes for texts.
    case (_, .text): return "dao_\(text: function.rawValue)(\(arguments.joined(", ")))"
    case (.round, _) where arguments.count == 1 && type == .real: return "dao_round(\(arguments[0]))"
    // Functions of numbers and dates depend on the form in which the value is stored.
    case (_, .number), (_, .date): return "dao_\(text: function.rawValue)(\(form(arguments, as: terms[0].type)))"
    }
  }

  /// `"soldAt", 'DATETIME_TEXT', ?`: arguments, the form of the first behind it.
  private func form(_ arguments: [SQLFragment], as type: AttributeType) -> SQLFragment {
    "\(arguments[0]), '\(text: type.declaredName)'\(arguments.dropFirst().map { ", \($0)" }.joined(""))"
  }

  /// `MAX("price")`, of a term of the table.
  mutating func call(_ call: CheckedAggregate) -> SQLFragment {
    guard let term = call.term else { return "COUNT(*)" }
    let argument = render(term, in: .group)
    if let list = call.list { return joined(reached(argument.plain, term), list) }
    switch call.aggregate.kind {
    case .count: return "COUNT(\(argument.sql))"
    case .countDistinct: return "COUNT(DISTINCT \(argument.comparable))"
    case .groupConcat: return "NULL"
    case .min: return "MIN(\(argument.bounded))"
    case .max: return "MAX(\(argument.bounded))"
    case .sum, .average:
      return "dao_\(text: call.aggregate.kind.rawValue)(\(reached(argument.sql, term))\(text: form(of: argument.type, call.origin)))"
    }
  }

  /// `dao_groupConcat("name", ?, "rank", 'DESC NULLS LAST INTEGER')`
  private mutating func joined(_ text: SQLFragment, _ list: CheckedTextList) -> SQLFragment {
    let orders = list.orders.map { order -> SQLFragment in
      let term = render(order.term, in: .group)
      let (direction, nulls) = (order.ordering.direction.rawValue, order.ordering.nulls.rawValue)
      return ", \(term.sql), '\(text: direction) NULLS \(text: nulls) \(text: order.term.type.declaredName)'"
    }
    return "dao_groupConcat(\(text), \(value: binding(list.separator))\(orders.joined("")))"
  }

  /// `, 'INTEGER', 'item', 'price'`: what errors about a stored value of another form need to know. A column without a type has no such
  /// values.
  private func form(of type: AttributeType, _ origin: TermOrigin?) -> String {
    guard type != .any, let origin else { return "" }
    return [type.declaredName, origin.entity, origin.attribute].map { ", " + SQLLiteral.text(.text($0)) }.joined()
  }

  /// `(SELECT MAX("price") FROM "item" WHERE scope)`. Of a related entity all rows are visible.
  private mutating func visibleRows(_ call: SQLFragment) -> SQLFragment {
    readsOtherRows = true
    if table.isRelated { return "(SELECT \(call) FROM \(name: table.entity.table) AS \(table.name))" }
    return "(SELECT \(call) FROM \(tableName)\(whereClause(lower(criteria.scope, in: .row))))"
  }
}
