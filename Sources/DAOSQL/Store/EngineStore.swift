import DAOCriteria

/// The entity store over an SQL engine or one of its sessions.
///
/// A call's path: the criteria's shape finds the connection's kept statement, or renders and compiles one; the criteria's values are bound;
/// the rows are read by position in one loop that is compiled for the entity.
package final class EngineStore: EntityStore, ChangeSource {
  let source: any ConnectionSource
  /// The engine, where the store is not a session's.
  package let engine: (any Engine)?

  /// Who follows the engine's commits; nil for a session's store.
  package var changeFeed: ChangeFeed? { engine?.feed }

  /// The store of an engine.
  package init(_ engine: any Engine) {
    source = engine
    self.engine = engine
  }

  /// The store of a session, or of a unit of work.
  package init(session source: any ConnectionSource) {
    self.source = source
    engine = nil
  }

  /// The entities of the store's tables and views, read from its schema.
  package func entities() throws -> [EntityDescription] {
    let schema = try source.read(snapshot: true) { try $0.schema() }
    return schema.tables.compactMap { schema.description(of: $0.name) }
  }

  /// The entities of the store's tables, and of the view of a name.
  /// - Throws: ``DAOError/unsupported(_:)`` where that view can't be compiled, or takes too much to compile;
  ///   ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not allow.
  package func entities(withView name: String, correctedBy corrections: SchemaCorrections) throws -> [EntityDescription] {
    let corrected = corrections.tables
    let schema = try source.read(snapshot: true) { connection in
      try connection.schema { $0.isSpelled(as: name) || corrected.contains(SchemaName($0)) }
    }.corrected(by: corrections)
    if let problem = schema.tables.first(where: { $0.name.isSpelled(as: name) })?.problem {
      throw DAOError.unsupported("the view \(name) can't be read: \(problem)")
    }
    return schema.tables.compactMap { schema.description(of: $0.name) }
  }

  /// Runs a body over one snapshot; within a session, over the session's.
  package func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    guard let engine else { return try source.read(snapshot: true) { _ in try body(self) } }
    return try engine.session(.read) { try body(EngineStore(session: $0)) }
  }

  /// Runs a body in one transaction; within a session, in a savepoint.
  package func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    guard let engine else { return try source.write(atomic: true) { _ in try body(self) } }
    return try engine.session(.write) { try body(EngineStore(session: $0)) }
  }

  /// Runs a body in one transaction, which calls of the engine on the body's thread join; within a session, in the session.
  package func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    try source.withSession(mode, body)
  }

  /// Runs a body on a thread of the engine's.
  package func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    guard let engine else { throw DAOError.sessionWithAwait }
    return try await engine.perform(mode, isolation: isolation, body)
  }
}

// MARK: Statements

extension Connection {
  /// The kept statement for a query within a target's scope, made if it is new.
  func entry(_ kind: Criteria.Use, _ criteria: Criteria, _ shape: CriteriaShape, in target: EntityTarget) throws -> StatementCache.Entry {
    let hash = shape.words.hash ^ target.hash
    let source = StatementCache.Source.criteria(shape.words)
    if let kept = statements.entry(hash: hash, source, of: target.entity) {
      if kept.plan.refuses(shape.values) { try criteria.check(kind, in: target, within: dialect.limits) }
      return try chosen(kept, shape.values)
    }
    let checked = try criteria.checked(kind, in: target, within: dialect.limits)
    try checked.expectValues(of: shape)
    let plan = SQLRenderer.plan(kind, checked, ofViews: showsViews)
    var choice: StatementCache.Choice?
    if let sample = plan.sample, !plan.isEmpty {
      let mostFit = SQLRenderer.plan(kind, checked, mostFit: true, ofViews: showsViews)
      choice = StatementCache.Choice(
        sample: try entry(source, sample, target.entity), whereMostFit: try entry(source, mostFit, target.entity))
    }
    return try chosen(statements.keep(try entry(source, plan, target.entity, choice), hash: hash), shape.values)
  }

  /// An entry, or the one that is to be run instead since most rows of the sample fit.
  private func chosen(_ entry: StatementCache.Entry, _ values: [CriteriaValue]) throws -> StatementCache.Entry {
    guard let choice = entry.choice else { return entry }
    var mostFit = false
    do {
      try asking(\.isOfValue) {
        try run(choice.sample, in: entry.entity) { statement in
          try statement.bind(choice.sample.plan, values, of: entry.entity)
          var rows = statement.rows(choice.sample.plan)
          if try rows.advance() { mostFit = try rows.row.next() == 1 }
        }
      }
    } catch let error as DAOError where error.isOfValue {
      // The statement itself reports all values that don't fit, and may never come to the row whose value overflows or breaks its form.
    }
    return mostFit ? choice.whereMostFit : entry
  }

  /// The kept statement over one row, made if it is new.
  func entry(_ statement: RowStatement, _ target: EntityTarget) throws -> StatementCache.Entry {
    guard case .find = statement, !target.isScoped else { return try entry(over: statement, target) }
    if let found = statements.lastFind(of: target.entity) { return found }
    let found = try entry(over: statement, target)
    statements.lastFind = found
    return found
  }

  private func entry(over statement: RowStatement, _ target: EntityTarget) throws -> StatementCache.Entry {
    let hash = statement.tag ^ target.hash
    let scope = target.isScoped ? CriteriaShape(scope: target.scope) : nil
    let source = StatementCache.Source.row(statement, scope: scope?.words)
    if let kept = statements.entry(hash: hash, source, of: target.entity) {
      if kept.plan.refuses(scope?.values ?? []) { _ = try target.checked(within: dialect.limits) }
      return kept
    }
    let plan = try SQLRenderer.plan(statement, in: target, within: dialect.limits)
    return statements.keep(try entry(source, plan, target.entity), hash: hash)
  }

  private func entry(
    _ source: StatementCache.Source, _ plan: SQLPlan, _ entity: EntityDescription, _ choice: StatementCache.Choice? = nil
  ) throws -> StatementCache.Entry {
    let statement: PreparedStatement?
    do { statement = plan.isEmpty ? nil : try prepare(plan.text) } catch {
      throw mismatch(behind: error, of: entity, plan.reached) ?? error
    }
    try checkTypes(of: entity, plan.reached)
    return StatementCache.Entry(entity: entity, source: source, plan: plan, statement: statement, choice: choice)
  }

  /// Runs a body with an entry's statement, and resets it whatever happens; nil where no row can match and nothing is sent. A statement
  /// whose rows are being read further up the stack is left alone; its text is compiled once more.
  @discardableResult
  func run<Result>(
    _ entry: StatementCache.Entry, in entity: EntityDescription, _ body: (PreparedStatement) throws -> Result
  ) throws -> Result? {
    guard let statement = try statement(of: entry) else { return nil }
    defer { statement.finish() }
    do {
      let result = try body(statement)
      try confirm(statement, entry.plan, entity)
      return result
    } catch { throw translated(error, statement, entry.plan, entity) }
  }

  /// An entry's statement, which is in use from here on; nil where no row can match.
  @inline(__always)
  func statement(of entry: StatementCache.Entry) throws -> PreparedStatement? {
    guard let kept = entry.statement else { return nil }
    try beginStatement()
    let statement: PreparedStatement
    if kept.isInUse {
      statement = try prepare(kept.sql)
      try checkTypes(of: entry.entity, entry.plan.reached)
    } else {
      statement = kept
    }
    statement.isInUse = true
    return statement
  }

  /// Compares the entities of a statement that has run with the schema, where the schema has changed: the rows read are returned only if
  /// the entities match.
  @inline(__always)
  func confirm(_ statement: PreparedStatement, _ plan: SQLPlan, _ entity: EntityDescription) throws {
    if statement.isUnchecked { try check(statement, plan, entity) }
  }

  private func check(_ statement: PreparedStatement, _ plan: SQLPlan, _ entity: EntityDescription) throws {
    do { try checkTypes(of: entity, plan.reached) } catch {
      if case DAOError.schemaMismatch = error { throw error }
      // A single write that was stored remains stored: a lock or a limit that prevented the comparison is no error of the write. The next
      // run compares.
      if statement.isReadOnly { throw error }
      return
    }
    statement.isChecked()
  }

  /// Errors of the mapping get the names that they lack.
  func translated(
    _ error: any Error, _ statement: PreparedStatement, _ plan: SQLPlan, _ entity: EntityDescription
  ) -> any Error {
    let failed = (error as? StepFailure).map {
      self.error($0.code, sql: statement.sql, argumentCount: statement.parameterCount, entity: entity)
    }
    if let mismatch = mismatch(behind: failed ?? error, of: entity, plan.reached, isUnchecked: statement.isUnchecked) { return mismatch }
    if let failed { return failed }
    switch error {
    case let problem as RowProblem:
      let column = problem.column < plan.columns.count ? plan.columns[problem.column].name : "column \(problem.column)"
      return DAOError.undecodable(entity: entity.name, column: column, row: problem.row, problem: "\(problem.problem)")
    case let problem as ColumnProblem: return entity.invalidValue(problem)
    default: return error
    }
  }
}

extension CheckedCriteria {
  /// Expects the values of a shape: a statement refers to values by the numbers that the check gave them, and those of later criteria come
  /// from their shapes.
  func expectValues(of shape: CriteriaShape) throws {
    guard values == shape.values else {
      throw DAOError.unsupported("a query whose values are met in two orders; this is an error of DAOKit, please report it")
    }
  }
}

extension EntityTarget {
  /// A hash of the entity's identity; its address is a multiple of 16.
  fileprivate var hash: Int { Int(bitPattern: ObjectIdentifier(entity)) >> 4 }
}

extension PreparedStatement {
  /// Binds the values of the criteria. Where one does not fit and the criteria were read from JSON, the check reports its position there.
  func bind(_ plan: SQLPlan, _ values: [CriteriaValue], _ kind: Criteria.Use, _ criteria: Criteria, in target: EntityTarget) throws {
    do { try bind(plan, values, of: target.entity) } catch {
      if case DAOError.invalidCriteria = error, criteria.places != nil { try criteria.check(kind, in: target) }
      throw error
    }
  }

  /// Binds a plan's values, the first of them to the parameter `first`.
  func bind(_ plan: SQLPlan, _ values: [CriteriaValue], of entity: EntityDescription, first: Int = 1) throws {
    if plan.bindings.isEmpty { return }
    var problems: [DAOError.CriteriaProblem] = []
    var writer = ColumnWriter(statement: handle, functions: writeFunctions, types: [], firstParameter: Int32(first))
    for index in plan.bindings.indices {
      do { try writer.putStored(try plan.bindings[index].value(in: values)) } catch {
        let problem = DAOError.CriteriaProblem(path: plan.bindings[index].path, message: "\(error)")
        if !problems.contains(problem) { problems.append(problem) }
      }
    }
    guard problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: problems) }
    if writer.bindingFailure != 0 { throw StepFailure(code: writer.bindingFailure) }
  }

  /// Binds stored values, from the first parameter on.
  package func bind(_ values: [StoredValue]) throws {
    try bind([]) { writer in for value in values { try writer.putStored(value) } }
  }

  /// Binds the values of a key or an entity, from the first parameter on.
  @inline(__always)
  func bind(_ types: [AttributeType], _ write: (inout ColumnWriter) throws -> Void) throws {
    var writer = ColumnWriter(statement: handle, functions: writeFunctions, types: types)
    try write(&writer)
    if !types.isEmpty { try writer.endRow() }
    if writer.bindingFailure != 0 { throw StepFailure(code: writer.bindingFailure) }
  }

  /// The rows that the statement yields.
  @inline(__always)
  func rows(_ plan: SQLPlan) -> RowCursor {
    RowCursor(statement: handle, functions: functions, run: run, columns: plan.rowColumns)
  }

  /// Runs an upsert of one row.
  /// - Parameter key: the key that the row was given.
  /// - Returns: what became of the row, and the key that it has where it is new.
  func upsert(_ key: StoredValue?) throws -> (outcome: UpsertOutcome, key: Int64) {
    var (found, changed, isNew) = (Int64(0), Int32(0), false)
    if case .integer(let key)? = key { found = key }
    let code = writeFunctions.write(handle, true, &found, &changed, &isNew)
    guard code == 101 || code == 100 else { throw StepFailure(code: code) }
    return (UpsertOutcome(changed: changed, isNew: isNew), found)
  }

  /// Runs a statement that yields no rows.
  func execute() throws {
    let code = functions.step(handle)
    guard code == 101 || code == 100 else { throw StepFailure(code: code) }
  }
}

extension DAOError {
  /// Whether it is one of the criteria's values, or of a value of a row.
  fileprivate var isOfValue: Bool {
    switch self {
    case .invalidCriteria, .overflow, .undecodable: true
    default: false
    }
  }
}
