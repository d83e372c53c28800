import DAOCriteria

/// A database as the SQL floor sees it: what a driver must offer.
public protocol Engine: ConnectionSource {
  /// The dialect that its statements are written in.
  var dialect: Dialect { get }

  /// Runs a body over a session of its own: one connection, one transaction.
  func session<Result>(_ mode: SessionMode, _ body: (Session) throws -> Result) throws -> Result

  /// Runs a body that calls this engine on a thread that does not belong to Swift's concurrency; see ``EntityStore``.
  func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result

  /// Runs a body on the calling thread, with a connection to read, if that waits for nobody and takes a few microseconds.
  /// - Returns: false where it would take longer. The body may have begun; nothing that it read counts.
  func readBriefly(_ body: (any Connection) throws -> Void) throws -> Bool

  /// Lets a connection to read, which is its holder's from call to call; nil where the engine has no connection to spare.
  func lease() throws -> (any ConnectionLease)?

  /// The session type, which holds the one connection.
  typealias Session = ConnectionSession
}

/// Where statements get a connection from: an engine, which lends one a call, or a session, which has one.
public protocol ConnectionSource: AnyObject, Sendable {
  /// Lends a connection to read. One statement is a snapshot of its own; `snapshot` asks for one that spans several.
  func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result

  /// Lends the connection that writes. `atomic` asks that several statements take effect whole or not at all.
  func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result

  /// Runs a body inside one transaction, which all calls of this source on the body's thread join; where one is open, inside of that.
  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result
}

/// A connection that is kept from call to call, and goes back when the lease does. It keeps the engine in memory, but not open: an engine that
/// is closed takes the connection back, and calls that follow throw.
public protocol ConnectionLease: AnyObject, Sendable {
  /// What is open over the connection between two calls, such as a statement mid-way. It is let go of before the connection is, and touched
  /// inside of ``run(_:)`` only.
  var held: AnyObject? { get set }

  /// Runs a body with the connection. Threads take turns.
  func run<Result>(_ body: (any Connection) throws -> Result) throws -> Result
}

/// The properties of a table that decide how an upsert must be written.
public struct TableRules: Sendable, Hashable {
  /// Whether the table keeps its rows without a key that the engine generates.
  public let hasNoRowID: Bool
  /// Whether a constraint or trigger may pass over a row without an error.
  public let mayIgnoreRows: Bool

  /// Rules; most tables have none of them.
  public init(hasNoRowID: Bool = false, mayIgnoreRows: Bool = false) {
    self.hasNoRowID = hasNoRowID
    self.mayIgnoreRows = mayIgnoreRows
  }
}

/// One connection of an engine. It stays where it was lent: it is not `Sendable`.
public protocol Connection: AnyObject {
  /// The statements that the connection keeps.
  var statements: StatementCache { get }

  /// The tables and views there are.
  /// - Parameter isWanted: whether the columns of a view are read, by its name: they take time, and how much is for the view to say.
  func schema(view isWanted: (String) -> Bool) throws -> StoreSchema

  /// Runs a body with an empty store in memory that has the same tables, indexes and statistics: what is tried there changes nothing here.
  func withEmptyCopy<Result>(_ body: (any Connection) throws -> Result) throws -> Result

  /// Compiles a statement.
  func prepare(_ sql: String) throws -> PreparedStatement

  /// Whether a transaction is open. After a full disk, or where the schema says so, an engine ends one by itself.
  var isInTransaction: Bool { get }

  /// How many rows the last statement changed.
  var changedRowCount: Int { get }

  /// How many rows all statements have changed.
  var totalChangedRowCount: Int { get }

  /// The key that the last insert generated or was given; set to a value of one's own to see whether an insert took place.
  var lastInsertedKey: Int64 { get set }

  /// Whether the store was made from a seed: no row of the user's is to have a key that the seed has had, nor one of a newer seed's that is
  /// merged.
  var isFromSeed: Bool { get throws }

  /// The key that the user's first row is to have in a table of such a store; nil where the engine generates no lower one.
  func firstKey(of table: String, column: String) throws -> Int64?

  /// The state of the schema. What is known of a table, or was found to fit, holds until it is another.
  func schemaMark() throws -> SchemaMark

  /// Has what is compiled next see the schema as it is now. A connection may know an older one until a statement runs.
  func refreshSchema() throws

  /// What an upsert asks of a table's schema, as the schema is now.
  func rules(of table: String) throws -> TableRules

  /// Called after a person's own SQL that changes the schema.
  func schemaHasChanged() throws

  /// Begins a statement: it ends when the call is cancelled, and when its time is over.
  /// - Throws: `CancellationError` and ``DAOError/timedOut(_:message:)`` where that is so already.
  func beginStatement() throws

  /// Runs a body whose statements together take no more work than a budget allows.
  func within<Result>(_ budget: RunBudget, _ body: () throws -> Result) rethrows -> Result

  /// The error behind a code that a statement returned: `CancellationError` or ``DAOError``.
  func error(_ code: Int32, sql: String, argumentCount: Int, entity: EntityDescription?) -> any Error

  /// Runs a body in a transaction.
  func transaction<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result

  /// Runs a body in a savepoint.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result
}

extension Connection {
  /// Runs a body whose statements together take no more work than a query may, where that is limited.
  @inline(__always)
  func within<Result>(_ budget: RunBudget?, _ body: () throws -> Result) rethrows -> Result {
    if let budget { try within(budget, body) } else { try body() }
  }

  /// The tables and views there are, with the columns of all views.
  public func schema() throws -> StoreSchema { try schema { _ in true } }
}
