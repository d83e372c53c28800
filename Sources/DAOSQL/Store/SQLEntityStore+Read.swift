import DAOCriteria

extension SQLEntityStore {
  /// `SELECT … FROM … WHERE … ORDER BY … LIMIT`.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    try rows(.entities, in: target, criteria) { try E.read(&$0, upTo: .max) } ?? []
  }

  /// `SELECT … FROM … WHERE key = ?`.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E? {
    try source.read(snapshot: false) { try $0.find(type, in: target, key: key) }
  }

  /// The same statement for each key, in one snapshot.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    if keys.isEmpty { return [] }
    return try source.read(snapshot: true) { connection in
      var found: [E] = []
      found.reserveCapacity(keys.count)
      for key in keys { if let entity = try connection.find(type, in: target, key: key) { found.append(entity) } }
      return found
    }
  }

  /// `SELECT key FROM … WHERE …`.
  public func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    try rows(.keys, in: target, criteria) { rows in
      var keys: [E.PrimaryKey] = []
      while try rows.advance() { keys.append(try E.PrimaryKey(row: &rows.row)) }
      return keys
    } ?? []
  }

  /// `SELECT COUNT(*) FROM … WHERE …`.
  public func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try rows(.count, in: target, criteria) { try $0.advance() ? $0.row.next() : 0 } ?? 0
  }

  /// `SELECT EXISTS (SELECT 1 FROM … WHERE …)`.
  public func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool {
    try rows(.exists, in: target, criteria) { try $0.advance() ? $0.row.next() : false } ?? false
  }

  /// `SELECT projections FROM … GROUP BY … HAVING …`.
  public func report<Row>(
    in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    try rows(.report, in: target, criteria) { rows in
      var report: [Row] = []
      while try rows.advance() { report.append(try read(&rows.row)) }
      return report
    } ?? []
  }

  /// Runs a criteria's statement and reads its rows; nil where no row can match and nothing is sent.
  private func rows<Result>(
    _ kind: StatementKind, in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowCursor) throws -> Result
  ) throws -> Result? {
    let shape = CriteriaShape(kind, criteria, scope: target.scope)
    return try source.read(snapshot: false) { connection in
      let entry = try connection.entry(kind, criteria, shape, in: target)
      return try connection.run(entry, in: target.entity) { statement in
        try statement.bind(entry.plan, shape.literals, of: target.entity)
        var rows = statement.rows(entry.plan, of: target.entity)
        return try read(&rows)
      }
    }
  }
}

extension Connection {
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E? {
    let entry = try entry(.find, target)
    guard let statement = try statement(of: entry) else { return nil }
    defer { statement.finish() }
    do {
      try statement.bind(target.entity, key: key, scope: target.scope, entry.plan)
      var rows = statement.rows(entry.plan, of: target.entity)
      return try rows.advance() ? try E(row: &rows.row) : nil
    } catch { throw translated(error, statement, entry.plan, target.entity) }
  }
}

extension PreparedStatement {
  /// Binds a key, and a scope's values after it.
  func bind(_ entity: EntityDescription, key: some EntityKey, scope: Condition, _ plan: SQLPlan) throws {
    let types = entity.keyTypes
    do { try bind(types) { try key.write(to: &$0) } } catch let problem as ColumnProblem {
      throw entity.invalidKey(problem)
    }
    try bindScope(scope, of: entity, plan, first: types.count + 1)
  }

  /// Binds a scope's values.
  func bindScope(_ scope: Condition, of entity: EntityDescription, _ plan: SQLPlan, first: Int) throws {
    if plan.bindings.isEmpty { return }
    var criteria = Criteria()
    criteria.scope = scope
    try bind(plan, CriteriaShape(.keys, criteria).literals, of: entity, first: first)
  }
}

extension EntityDescription {
  /// A value of a key that does not fit its attribute.
  func invalidKey(_ problem: ColumnProblem) -> DAOError {
    let names = key.attributes
    return DAOError.invalidValue(
      entity: name, attribute: problem.column < names.count ? names[problem.column] : "key", problem: "\(problem.problem)")
  }
}
