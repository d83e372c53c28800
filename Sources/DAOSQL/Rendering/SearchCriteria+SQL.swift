import DAOCriteria

extension SearchCriteria {
  /// The statement that the criteria becomes, without a connection: for entities, or for its projections where it has some. What a DAO
  /// without a scope sends is exactly this; for one with a scope, and for dynamic entities, see ``sql(for:in:)``.
  ///
  /// ```swift
  /// let statement = try SearchCriteria<Zone>.where(\.name == "Europe/Bratislava").sql(for: .sqlite)
  /// statement?.text       // SELECT "id", "name", … FROM "zone" WHERE "name" = ?
  /// statement?.bindings   // ['Europe/Bratislava']
  /// ```
  /// - Returns: nil where no row can match, so that nothing is sent.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with all problems.
  public func sql(for dialect: Dialect = .sqlite) throws -> SQLStatement? {
    try sql(for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The statement for what a DAO sees: a dynamic entity's, or within a scope. `criteria.sql(for: .sqlite, in: dao.target)`
  public func sql(for dialect: Dialect = .sqlite, in target: EntityTarget) throws -> SQLStatement? {
    try SQLStatement.for(criteria.columns.isEmpty ? .entities : .report, criteria, in: target)
  }

  /// The statement of a page of the criteria, by which the values that its tokens hold are read too where they are no attributes.
  /// ``countSQL(for:)`` shows that of its total; for ``PageTotal/atMost(_:)``, of the criteria with this limit.
  ///
  /// ```swift
  /// try criteria.pageSQL(PageRequest(.after(token), size: 20))
  /// ```
  /// - Throws: what the page throws.
  public func pageSQL(_ request: PageRequest, for dialect: Dialect = .sqlite) throws -> SQLStatement? {
    try pageSQL(request, for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The statement of a page of what a DAO sees.
  public func pageSQL(_ request: PageRequest, for dialect: Dialect = .sqlite, in target: EntityTarget) throws -> SQLStatement? {
    let page = try criteria.page(request, in: target)
    return try SQLStatement.for(.page, page, in: target)
  }

  /// The statement that counts the criteria's rows, as ``sql(for:)``.
  public func countSQL(for dialect: Dialect = .sqlite) throws -> SQLStatement? {
    try countSQL(for: dialect, in: EntityTarget(Root.entityDescription))
  }

  /// The statement that counts the criteria's rows among what a DAO sees.
  public func countSQL(for dialect: Dialect = .sqlite, in target: EntityTarget) throws -> SQLStatement? {
    try SQLStatement.for(.count, criteria, in: target)
  }
}

extension SQLStatement {
  static func `for`(_ kind: StatementKind, _ criteria: Criteria, in target: EntityTarget) throws -> SQLStatement? {
    var criteria = criteria
    criteria.scope = target.scope
    let plan = try SQLRenderer.plan(kind, criteria, in: target.entity)
    let bindings = try plan.values(CriteriaShape(kind, criteria).literals, of: target.entity)
    return plan.isEmpty ? nil : SQLStatement(plan.text, bindings)
  }
}

extension SQLPlan {
  /// The values for the placeholders.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every value that does not fit.
  func values(_ literals: [Literal], of entity: EntityDescription) throws -> [StoredValue] {
    var problems: [CriteriaProblem] = []
    var values: [StoredValue] = []
    values.reserveCapacity(bindings.count)
    for binding in bindings {
      do { values.append(try binding.value(in: literals)) } catch {
        let problem = CriteriaProblem(path: binding.path, message: "\(error)")
        if !problems.contains(problem) { problems.append(problem) }
      }
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: problems) }
    return values
  }
}
