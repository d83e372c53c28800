import DAOCriteria

extension EngineStore {
  /// `SELECT … FROM … WHERE … ORDER BY … LIMIT`.
  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    if !criteria.prefetches.isEmpty { return try findPrefetching(type, in: target, criteria) }
    return try entities(type, in: target, criteria, nil)
  }

  @inline(__always)
  private func entities<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ notes: RowNotes?) throws -> [E] {
    var found: [E] = []
    // A page is mostly full, and an array that grows moves what it has: where the page is short, it is made as long at once.
    let page = criteria.limit.map { $0 <= 64 ? max($0, 0) : .max } ?? .max
    try withExtendedLifetime(notes) {
      try rows(.entities, in: target, criteria) { rows, expected in
        found.reserveCapacity(expected)
        rows.notes = notes.map { .passUnretained($0) }
        try E.read(&rows, upTo: page, into: &found)
      }
    }
    return found.withoutSpareRoom
  }

  /// `SELECT … FROM … WHERE key = ?`.
  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E {
    try source.read(snapshot: false) { connection in
      try connection.row(key, in: target) {
        try E(row: &$0)
      } orElse: {
        throw DAOError.notFound(entity: target.entity.name, key: "\(key)")
      }
    }
  }

  /// The same statement, run by the task itself where that is brief: waking another thread takes ten times as long as the statement.
  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) async throws -> E {
    try Task.checkCancellation()
    var found: E?
    let isBrief = try engine?.readBriefly { connection in
      found = try connection.row(key, in: target) {
        try E(row: &$0)
      } orElse: {
        throw DAOError.notFound(entity: target.entity.name, key: "\(key)")
      }
    }
    if isBrief == true, let found { return found }
    return try await perform(.read) { try self.find(type, in: target, key: key) }
  }

  /// The same statement for each key, in one snapshot.
  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    if keys.isEmpty { return [] }
    return try source.read(snapshot: true) { connection in
      var found: [E] = []
      found.reserveCapacity(keys.count)
      for key in keys {
        try connection.row(key, in: target) {
          found.append(try E(row: &$0))
        } orElse: {
        }
      }
      return found
    }
  }

  /// `SELECT key FROM … WHERE …`.
  package func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    var keys: [E.PrimaryKey] = []
    try rows(.keys, in: target, criteria) { rows, expected in
      keys.reserveCapacity(expected)
      try E.PrimaryKey.readAll(&rows, into: &keys)
    }
    return keys.withoutSpareRoom
  }

  /// `SELECT COUNT(*) FROM … WHERE …`.
  package func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    var count = 0
    try rows(.count, in: target, criteria) { rows, _ in if try rows.advance() { count = try rows.row.next() } }
    return count
  }

  /// `SELECT EXISTS (SELECT 1 FROM … WHERE …)`.
  package func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool {
    var exists = false
    try rows(.exists, in: target, criteria) { rows, _ in if try rows.advance() { exists = try rows.row.next() } }
    return exists
  }

  /// The statement of `find`, of whose row nothing is read.
  package func exists(in target: EntityTarget, key: some EntityKey) throws -> Bool {
    try source.read(snapshot: false) { connection in
      try connection.row(key, in: target) { _ in
        true
      } orElse: {
        false
      }
    }
  }

  /// `SELECT projections FROM … GROUP BY … HAVING …`.
  package func report<Row>(
    in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    var report: [Row] = []
    try rows(.report, in: target, criteria) { rows, expected in
      report.reserveCapacity(expected)
      while try rows.advance() { report.append(try read(&rows.row)) }
    }
    return report.withoutSpareRoom
  }

  /// Runs a query's statement and reads its rows; nothing is sent where no row can match. The rows read leave `read` by a variable: a
  /// generic result costs a lookup of its type at each call.
  /// - Parameter read: receives the rows and their expected number: as many as the statement yielded last, at most 65,536. An array with
  ///   that capacity is not moved while it grows, and takes half the memory.
  private func rows(
    _ kind: Criteria.Use, in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowCursor, _ expected: Int) throws -> Void
  ) throws {
    let shape = CriteriaShape(kind, criteria, scope: target.scope)
    try source.read(snapshot: false) { connection in
      try connection.within(criteria.budget) {
        let entry = try connection.entry(kind, criteria, shape, in: target)
        try connection.run(entry, in: target.entity) { statement in
          let plan = entry.plan
          try statement.bind(plan, shape.values, kind, criteria, in: target)
          var rows = statement.rows(plan)
          if let path = target.path { rows.row.path = path }
          try read(&rows, min(entry.lastCount, 65_536))
          entry.lastCount = rows.row.rowNumber + 1
        }
      }
    }
  }
}

extension Array {
  /// The elements without the capacity reserved for rows that did not come, where it is more than half of all.
  fileprivate var withoutSpareRoom: Self { capacity <= 2 * count + 64 ? self : withUnsafeBufferPointer { Self($0) } }
}

extension EngineStore: NotingStore {
  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, noting notes: RowNotes) throws -> [E] {
    try entities(type, in: target, criteria, notes)
  }
}

extension Connection {
  /// Runs a body with the row that a key has; another where no visible row has it. (A function that returned an optional would have its
  /// type looked up at each call.)
  func row<Result>(
    _ key: some EntityKey, in target: EntityTarget, _ read: (inout RowReader) throws -> Result, orElse missing: () throws -> Result
  ) throws -> Result {
    let entry = try entry(.find, target)
    guard let statement = try statement(of: entry) else { return try missing() }
    defer { statement.finish() }
    do {
      try statement.bind(target.entity, key: key, scope: target.scope, entry.plan)
      var rows = statement.rows(entry.plan)
      if try rows.advance() {
        let result = try read(&rows.row)
        try confirm(statement, entry.plan, target.entity)
        return result
      }
      try confirm(statement, entry.plan, target.entity)
    } catch { throw translated(error, statement, entry.plan, target.entity) }
    return try missing()
  }
}

extension PreparedStatement {
  /// Binds a key, and a scope's values after it.
  func bind(_ entity: EntityDescription, key: some EntityKey, scope: Criteria.Condition, _ plan: SQLPlan) throws {
    let types = entity.keyTypes
    do { try bind(types) { try key.write(to: &$0) } } catch let problem as ColumnProblem {
      throw entity.invalidKey(problem)
    }
    try bindScope(scope, of: entity, plan, first: types.count + 1)
  }

  /// Binds a scope's values.
  func bindScope(_ scope: Criteria.Condition, of entity: EntityDescription, _ plan: SQLPlan, first: Int) throws {
    if plan.bindings.isEmpty { return }
    try bind(plan, CriteriaShape(scope: scope).values, of: entity, first: first)
  }
}
