import DAOCriteria

/// The entities that a query finds on one connection, read batch by batch with the statement mid-way in between. Used where the
/// connection may be.
final class OpenRows<E: Entity> {
  private let connection: any Connection
  private let entity: EntityDescription
  private let plan: SQLPlan
  // Nil where no row is left.
  private var statement: PreparedStatement?
  private var rows: RowCursor?
  private let budget: RunBudget?
  private var size = BatchSize()
  // The error that ended the rows, reported after the rows before it.
  private var failure: (any Error)?

  /// Begins a run; nothing is read yet.
  init(_ connection: any Connection, in target: EntityTarget, _ criteria: Criteria) throws {
    let shape = CriteriaShape(.entities, criteria, scope: target.scope)
    let entry = try connection.within(criteria.budget) { try connection.entry(.entities, criteria, shape, in: target) }
    budget = criteria.budget
    self.connection = connection
    entity = target.entity
    plan = entry.plan
    statement = try connection.statement(of: entry)
    do { try statement?.bind(plan, shape.values, .entities, criteria, in: target) } catch { throw ended(by: error) }
    rows = statement?.rows(plan)
  }

  deinit { close() }

  /// The rows that follow. One that can't be read is an error after those before it.
  func next() throws -> EntityBatch<E> {
    if let failure { throw failure }
    guard var rows else { return EntityBatch([], isLast: true) }
    let count = size.count
    var found: [E] = []
    do {
      try connection.beginStatement()
      // The budget starts again with each batch: time between two batches is not spent.
      try connection.within(budget) { try size.reading { try E.read(&rows, upTo: count, into: &found) } }
      if let statement { try connection.confirm(statement, plan, entity) }
      self.rows = rows
      let isLast = found.count < count
      if isLast { close() }
      return EntityBatch(found, isLast: isLast)
    } catch {
      let failure = ended(by: error)
      // Rows that were read as what they are not count no more than those that follow.
      if case DAOError.schemaMismatch = failure { throw failure }
      if found.isEmpty { throw failure }
      self.failure = failure
      return EntityBatch(found, isLast: false)
    }
  }

  /// Resets the statement.
  func close() {
    statement?.finish()
    statement = nil
    rows = nil
  }

  private func ended(by error: any Error) -> any Error {
    defer { close() }
    return statement.map { connection.translated(error, $0, plan, entity) } ?? error
  }
}
