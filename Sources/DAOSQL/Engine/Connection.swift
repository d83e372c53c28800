import DAOCriteria
import DAOSchema

/// One connection of an engine. It stays where it was leased: it is not `Sendable`.
package protocol Connection: AnyObject {
  /// The dialect that its statements are written in.
  var dialect: SQL.Dialect { get }

  /// Whether temporary views may show the tables, and take what is written into them.
  var showsViews: Bool { get }

  /// The statements that the connection keeps.
  var statements: StatementCache { get }

  /// The tables and views there are.
  /// - Parameter isWanted: whether the columns of a view are read, by its name: they take time, and how much is for the view to say.
  func schema(view isWanted: (String) -> Bool) throws -> StoreSchema

  /// Runs a body with an empty store in memory that has the same tables, indexes and statistics: changes there do not affect this store.
  func withEmptyCopy<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Compiles a statement.
  func prepare(_ sql: String) throws -> PreparedStatement

  /// Whether a transaction is open. After a full disk, or where the schema requires it, an engine ends one by itself.
  var isInTransaction: Bool { get }

  /// How many rows the last statement changed.
  var changedRowCount: Int { get }

  /// How many rows all statements have changed.
  var totalChangedRowCount: Int { get }

  /// The lowest key that a new row of a table may have, where the engine would generate a lower one; nil elsewhere. Lower keys may belong
  /// to rows that others will bring.
  func lowestKey(of table: String, column: String) throws -> Int64?

  /// The state of the schema. Facts about a table, and a successful comparison, hold until the mark changes.
  func schemaMark() throws -> SchemaMark

  /// Makes statements that are compiled from now on see the current schema. A connection may know an older one until a statement runs.
  func refreshSchema() throws

  /// The collation that a table's column was declared with, in capitals; nil of a view's column, which has none.
  func collation(of column: String, in table: String) throws -> String?

  /// The properties of a table's current schema that decide how an upsert must be written.
  func rules(of table: String) throws -> TableRules

  /// Lets a statement change the schema; ``schemaHasChanged()`` follows.
  func schemaWillChange() throws

  /// Called after a person's own SQL that changes the schema.
  func schemaHasChanged() throws

  /// Begins a statement: it ends when the call is cancelled, and when its time is over.
  /// - Throws: `CancellationError` and ``DAOError/timedOut(_:message:)`` where the call has ended already.
  func beginStatement() throws

  /// Runs a body whose statements together take no more work than a budget allows.
  func within<Result>(_ budget: RunBudget, _ body: () throws -> Result) rethrows -> Result

  /// The error behind a code that a statement returned: `CancellationError` or ``DAOError``.
  func error(_ code: Int32, sql: String, argumentCount: Int, entity: EntityDescription?) -> any Error

  /// Runs a body whose statements may fail as an answer to what the library asks by them: such failures are not reported.
  /// - Parameter isAnswer: whether an error is one.
  func asking<Result>(_ isAnswer: @escaping (DAOError) -> Bool, _ body: () throws -> Result) rethrows -> Result

  /// Runs a body in a transaction.
  func transaction<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result

  /// Whether changed rows are noted for those who follow the store.
  var capturesChanges: Bool { get }

  /// Runs a body that changes rows by one statement while changed rows are noted: where it fails, nothing of it counts as changed.
  func statement<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a body in a savepoint.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result
}

extension Connection {
  /// Runs a body whose statements together take no more work than a query may, where that is limited.
  @inline(__always)
  package func within<Result>(_ budget: RunBudget?, _ body: () throws -> Result) rethrows -> Result {
    if let budget { try within(budget, body) } else { try body() }
  }

  /// The tables and views there are, with the columns of all views.
  package func schema() throws -> StoreSchema { try schema { _ in true } }
}
