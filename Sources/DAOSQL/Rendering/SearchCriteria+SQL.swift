import DAOCriteria

extension SearchCriteria {
  /// The statement of the criteria, without a connection: for entities, or for their projections, if there are any. A DAO without a scope
  /// that refines no criteria sends exactly this statement, except for quantifiers over ranges, whose form depends on the rows (see
  /// ``Filter/any(_:_:)``); for one with a scope, and for dynamic entities, see ``sql(for:in:)``.
  ///
  /// ```swift
  /// let statement = try SearchCriteria<Zone>.where(\.name == "Europe/Bratislava").sql(for: .sqlite)
  /// statement?.text       // SELECT "id", "name", … FROM "zone" WHERE "name" = ?
  /// statement?.bindings   // ['Europe/Bratislava']
  /// ```
  /// - Returns: nil where no row can match, in which case nothing is sent.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  public func sql(for dialect: SQL.Dialect = .sqlite) throws -> SQLStatement? {
    try sql(for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The statement for the rows visible to a DAO: of a dynamic entity, or within a scope. `criteria.sql(for: .sqlite, in: dao.target)`
  public func sql(for dialect: SQL.Dialect = .sqlite, in target: EntityTarget) throws -> SQLStatement? {
    try SQLStatement.for(criteria.columns.isEmpty ? .entities : .report, criteria, in: target)
  }

  /// The statement of a page of the criteria, which also reads the values of its tokens that are no attributes. ``countSQL(for:)`` shows
  /// that of its total; for ``PageRequest/Total/atMost(_:)``, of the criteria with this limit.
  ///
  /// ```swift
  /// try criteria.pageSQL(PageRequest(.after(token), size: 20))
  /// ```
  /// - Throws: the errors of the page.
  public func pageSQL(_ request: PageRequest, for dialect: SQL.Dialect = .sqlite) throws -> SQLStatement? {
    try pageSQL(request, for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The statement of a page of the rows visible to a DAO.
  public func pageSQL(_ request: PageRequest, for dialect: SQL.Dialect = .sqlite, in target: EntityTarget) throws -> SQLStatement? {
    var page = criteria
    try page.turn(to: request, in: target)
    return try SQLStatement.for(.page, page, in: target)
  }

  /// The statement that counts the criteria's rows, as ``sql(for:)``.
  public func countSQL(for dialect: SQL.Dialect = .sqlite) throws -> SQLStatement? {
    try countSQL(for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The statement that counts the criteria's rows visible to a DAO.
  public func countSQL(for dialect: SQL.Dialect = .sqlite, in target: EntityTarget) throws -> SQLStatement? {
    try SQLStatement.for(.count, criteria, in: target)
  }
}

extension SearchCriteria {
  /// The statements that prefetch the rows of relationships: one for each relationship of ``prefetch(_:)-(KeyPath)``, two through pairs,
  /// those on a path one after the other.
  ///
  /// ```swift
  /// let statements = try SearchCriteria<Zone>().prefetch(\.country).prefetchSQL()
  /// statements[0].path       // country
  /// statements[0].text       // SELECT "code", "name" FROM "country" WHERE "code" IN (SELECT value FROM temp.json_each(?))
  /// ```
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every path that does not consist of relationships.
  public func prefetchSQL(for dialect: SQL.Dialect = .sqlite) throws -> [SQL.PrefetchStatement] {
    try prefetchSQL(for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The same for a DAO's target: the relationships of a dynamic entity. A scope does not apply to related rows.
  public func prefetchSQL(for dialect: SQL.Dialect = .sqlite, in target: EntityTarget) throws -> [SQL.PrefetchStatement] {
    try criteria.prefetchQueries(of: target.entity).compactMap { query in
      try SQLStatement.for(query.kind, query.criteria, in: EntityTarget(query.entity)).map {
        SQL.PrefetchStatement(path: query.path.description, text: $0.text)
      }
    }
  }
}

extension PrefetchQuery {
  /// The kind of result that is read.
  var kind: Criteria.Use { criteria.columns.isEmpty ? .entities : .report }
}

extension SQLStatement {
  static func `for`(_ kind: Criteria.Use, _ criteria: Criteria, in target: EntityTarget) throws -> SQLStatement? {
    try SQLPlan.withStatement(kind, criteria, in: target).statement
  }
}

extension SQLPlan {
  /// The plan for a query within a target's scope, and its statement; nil where no row can match, so that nothing is sent.
  static func withStatement(
    _ kind: Criteria.Use, _ criteria: Criteria, in target: EntityTarget, mostFit: Bool = false
  ) throws -> (plan: SQLPlan, statement: SQLStatement?) {
    let checked = try criteria.checked(kind, in: target, within: SQL.Dialect.sqlite.limits)
    let plan = SQLRenderer.plan(kind, checked, mostFit: mostFit)
    let bindings = try plan.values(checked.values, of: target.entity)
    return (plan, plan.isEmpty ? nil : SQLStatement(plan.text, bindings))
  }

  /// The values for the placeholders.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every value that does not fit.
  func values(_ given: [CriteriaValue], of entity: EntityDescription) throws -> [StoredValue] {
    var problems: [DAOError.CriteriaProblem] = []
    var values: [StoredValue] = []
    values.reserveCapacity(bindings.count)
    for binding in bindings {
      do { values.append(try binding.value(in: given)) } catch {
        let problem = DAOError.CriteriaProblem(path: binding.path, message: "\(error)")
        if !problems.contains(problem) { problems.append(problem) }
      }
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: problems) }
    return values
  }
}
