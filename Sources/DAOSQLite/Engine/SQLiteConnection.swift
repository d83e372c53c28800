import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import GRDBSQLite

/// One SQLite connection, with the statements that it keeps. One thread at a time uses it: its ``SerialConnection`` sees to that.
final class SQLiteConnection: Connection {
  // Owned by the queue, which outlives every use of it.
  private unowned let database: Database
  // The queue on which GRDB's own functions are called; nil where the connection is already used inside it.
  private let queue: DatabaseQueue?
  /// Ends its statements early.
  let limits: ConnectionLimits
  let handle: OpaquePointer
  let statements: StatementCache
  private var rollbacks = 0
  // Kept, since they are run before each write. They write the schema's name so that a trace passes over them.
  private var schemaVersion: Statement?
  private var schemaReader: Statement?
  /// The configured start of the keys of new rows.
  let keys: GeneratedKeys
  /// The start of the keys in this store; nil before the first new row.
  var firstKeys: FirstKeys?
  /// What notes the changed rows; nil while nobody follows them.
  var capture: ChangeCapture?
  /// The pre-update hook; nil where changed rows are noted by triggers.
  let preUpdate: PreUpdateFunctions?
  /// The consumers that follow the store while the connection runs.
  var feed: ChangeFeed?
  /// How many rows had changed when the connection had nothing that was neither reported nor rolled back.
  var reportedRowCount = 0
  /// Whether the schema was changed within the call.
  var hasChangedSchema = false
  /// What other connections had committed when that was asked last; nil before.
  var knownDataVersion: Int64?
  private var dataVersion: Statement?
  /// Statements of the library's own, by their text.
  var keptStatements: [String: PreparedStatement] = [:]
  /// Whether temporary views may show the tables. Their triggers change one row for each that is written, which SQLite counts among all
  /// only.
  var showsViews = false
  private let events: (@Sendable (StoreEvent) -> Void)?
  // Which failures are not reported; nil for none.
  private var isAnswer: ((DAOError) -> Bool)?
  /// The statement that was compiled last.
  private(set) var lastPrepared = ""

  init(
    _ database: Database, outside queue: DatabaseQueue?, _ limits: ConnectionLimits = ConnectionLimits(),
    keys: GeneratedKeys = .ofStore, checked: CheckedEntities = CheckedEntities(), preUpdate: PreUpdateFunctions? = .ofSystem,
    events: (@Sendable (StoreEvent) -> Void)? = nil
  ) throws {
    guard let handle = database.sqliteConnection else { throw DAOError.misuse("the store is closed", use: "a new factory") }
    self.database = database
    self.queue = queue
    self.handle = handle
    self.limits = limits
    self.keys = keys
    self.preUpdate = preUpdate
    self.events = events
    statements = StatementCache(checked: checked)
  }

  /// Calls GRDB, which insists on its queue.
  func onQueue<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var code = SQLITE_OK
    defer { limits.settle(nil, code) }
    do {
      guard let queue else { return try body(database) }
      return try queue.unsafeRead(body)
    } catch let error as DatabaseError {
      code = error.extendedResultCode.rawValue
      throw ended(error.extendedResultCode.rawValue, error.sql, nil) ?? reported(DAOError(error, entity: nil))
    }
  }

  var dialect: DAOSQL.SQL.Dialect { .sqlite }

  func schema(view isWanted: (String) -> Bool) throws -> StoreSchema { try onQueue { try StoreSchema(reading: $0, view: isWanted) } }

  func prepare(_ sql: String) throws -> PreparedStatement {
    // SQLite would stop reading there, and a WHERE behind it would be gone.
    guard !sql.utf8.contains(0) else { throw DAOError.unsupported("SQL with a NUL in its text") }
    lastPrepared = sql
    if preUpdate == nil { capture?.mayReplace = sql.range(of: "REPLACE", options: .caseInsensitive) != nil }
    let statement = try onQueue { try $0.makeStatement(sql: sql) }
    let pointer = statement.sqliteStatement
    let columns = (0..<sqlite3_column_count(pointer)).map { index in
      PreparedStatement.Column(
        name: sqlite3_column_name(pointer, index).map { String(cString: $0) } ?? "",
        declaredType: sqlite3_column_decltype(pointer, index).map { String(cString: $0) } ?? "")
    }
    let functions: WriteFunctions = showsViews ? .sqliteViews : .sqlite
    return PreparedStatement(
      handle: pointer, functions: .sqlite, writeFunctions: limits.watch == nil ? functions : functions.watched, sql: sql, columns: columns,
      parameterCount: Int(sqlite3_bind_parameter_count(pointer)), isReadOnly: sqlite3_stmt_readonly(pointer) != 0, owner: statement)
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  var changedRowCount: Int { Int(sqlite3_changes(handle)) }

  var totalChangedRowCount: Int { Int(sqlite3_total_changes(handle)) }

  func schemaMark() throws -> SchemaMark {
    // Another connection may have changed the schema, or a migration: https://sqlite.org/pragma.html#pragma_schema_version.
    let statement = try schemaVersion ?? onQueue { try $0.makeStatement(sql: "PRAGMA 'main'.schema_version") }
    schemaVersion = statement
    var version: Int64 = 0
    try step(statement) { version = sqlite3_column_int64($0, 0) }
    return SchemaMark(version: version, rollbacks: rollbacks)
  }

  /// Releases all statements, before the connection closes.
  func releaseStatements() {
    statements.removeAll()
    keptStatements = [:]
    (schemaVersion, schemaReader, dataVersion) = (nil, nil, nil)
  }

  /// A number that another one replaces when another connection has committed: https://sqlite.org/pragma.html#pragma_data_version.
  func currentDataVersion() throws -> Int64 {
    let statement = try dataVersion ?? onQueue { try $0.makeStatement(sql: "PRAGMA 'main'.data_version") }
    dataVersion = statement
    var version: Int64 = 0
    try step(statement) { version = sqlite3_column_int64($0, 0) }
    return version
  }

  func refreshSchema() throws {
    let statement = try schemaReader ?? onQueue { try $0.makeStatement(sql: "SELECT 1 FROM 'main'.sqlite_schema LIMIT 0") }
    schemaReader = statement
    try step(statement) { _ in }
  }

  /// Runs a statement's first step.
  private func step(_ statement: Statement, _ row: (OpaquePointer) -> Void) throws {
    let pointer = statement.sqliteStatement
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { row(pointer) }
    defer { sqlite3_reset(pointer) }
    guard code == SQLITE_ROW || code == SQLITE_DONE else {
      // Outside of its queue, GRDB ends a process that asks for its text.
      throw error(code, sql: sqlite3_sql(pointer).map { String(cString: $0) } ?? "", argumentCount: 0, entity: nil)
    }
  }

  func collation(of column: String, in table: String) throws -> String? { try onQueue { $0.collation(of: column, in: table) } }

  func rules(of table: String) throws -> TableRules {
    try knownRules(of: table) {
      try onQueue { database in
        TableRules(
          hasNoRowID: try StoreSchema.isWithoutRowID(table, in: database), mayIgnoreRows: try StoreSchema.mayIgnoreRows(table, in: database)
        )
      }
    }
  }

  /// Has the WAL stay when the last connection closes.
  func keepsWAL() { database.keepsWAL() }

  func schemaHasChanged() throws {
    // Whatever ends the call.
    defer { captureSchema(isNew: true) }
    try onQueue { try $0.trustSearchTriggers() }
  }

  func beginStatement() throws { try limits.begin() }

  func within<Result>(_ budget: RunBudget, _ body: () throws -> Result) rethrows -> Result {
    try limits.within(RunMeter(budget), body)
  }

  func error(_ code: Int32, sql: String, argumentCount: Int, entity: EntityDescription?) -> any Error {
    limits.settle(nil, code)
    if let error = ended(code, sql, entity) { return error }
    return reported(
      DAOError(
        DAOError.EngineFailure(
          code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), sql: sql, argumentCount: argumentCount),
        entity: entity))
  }

  func asking<Result>(_ isAnswer: @escaping (DAOError) -> Bool, _ body: () throws -> Result) rethrows -> Result {
    // Nobody receives them.
    if events == nil { return try body() }
    let outer = self.isAnswer
    self.isAnswer = isAnswer
    defer { self.isAnswer = outer }
    return try body()
  }

  /// Reports an error of a call.
  @discardableResult
  func reported(_ error: DAOError) -> DAOError {
    if isAnswer?(error) != true { events?(.failed(error)) }
    return error
  }

  /// The error where a limit has ended a statement, or its wait for a lock.
  private func ended(_ code: Int32, _ sql: String?, _ entity: EntityDescription?) -> (any Error)? {
    if code & 0xFF == SQLITE_TOOBIG, limits.isBrief { return TakesLonger() }
    guard [SQLITE_INTERRUPT, SQLITE_BUSY].contains(code & 0xFF) else { return nil }
    let error = limits.error(entity, sql.map { "the statement \($0)" } ?? "the call")
    if let error = error as? DAOError { events?(.failed(error)) }
    return error
  }

  func transaction<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    try limits.begin()
    try execute(mode == .write ? "BEGIN IMMEDIATE TRANSACTION" : "BEGIN DEFERRED TRANSACTION")
    do {
      // Until it ends, no other connection commits.
      if mode == .write, let feed { reportOthers(to: feed) }
      let result = try body()
      // A call that is over commits nothing. Once COMMIT has begun, its result counts.
      if mode == .write { try limits.begin() }
      guard isInTransaction else {
        throw DAOError.misuse(
          "SQLite had rolled the transaction back by itself, and the error of that was passed over", use: "try without a catch")
      }
      do { try limits.endless { try execute("COMMIT TRANSACTION") } } catch { throw namingDeferredKey(in: error) }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Ends the transaction without its changes, though the call may be cancelled or late. After a full disk and the like SQLite has ended it
  /// by itself.
  func rollBack() {
    rollbacks += 1
    if isInTransaction { limits.endless { try? execute("ROLLBACK TRANSACTION") } }
    events?(.rolledBack)
    forgetCaptured(since: nil)
    reportedRowCount = totalChangedRowCount
  }

  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try limits.begin()
    try execute("SAVEPOINT dao")
    let mark = capture?.mark
    do {
      let result = try body()
      try limits.endless { try execute("RELEASE SAVEPOINT dao") }
      return result
    } catch {
      rollbacks += 1
      if isInTransaction {
        limits.endless {
          try? execute("ROLLBACK TO SAVEPOINT dao")
          try? execute("RELEASE SAVEPOINT dao")
        }
      }
      if let mark { forgetCaptured(since: mark) }
      throw error
    }
  }

  private func execute(_ sql: String) throws {
    try onQueue { try $0.cachedStatement(sql: sql).execute() }
  }
}

extension RowFunctions {
  /// SQLite's own functions, as they are where their form fits.
  static let sqlite = RowFunctions(
    step: sqlite3_step,
    column: sqlite3_column_value,
    type: sqlite3_value_type,
    integer: sqlite3_value_int64,
    real: sqlite3_value_double,
    text: sqlite3_value_text,
    bytes: sqlite3_value_blob,
    byteCount: sqlite3_value_bytes)
}

extension WriteFunctions {
  /// SQLite's own functions, as they are where their form fits.
  static let sqlite = WriteFunctions(
    bindNull: sqlite3_bind_null,
    bindInteger: sqlite3_bind_int64,
    bindReal: sqlite3_bind_double,
    bindText: { statement, index, bytes, count in
      // A text without an address would be null too.
      guard let bytes else { return sqlite3_bind_text64(statement, index, "", 0, transient, UInt8(SQLITE_UTF8)) }
      let characters = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
      return sqlite3_bind_text64(statement, index, characters, UInt64(count), transient, UInt8(SQLITE_UTF8))
    },
    bindKeptText: { statement, index, bytes, count in
      let characters = UnsafeRawPointer(bytes)?.assumingMemoryBound(to: CChar.self)
      return sqlite3_bind_text64(statement, index, characters, UInt64(count), nil, UInt8(SQLITE_UTF8))
    },
    // An empty blob has no address, and SQLite takes a null address for null.
    bindBytes: { statement, index, bytes, count in
      count == 0 ? sqlite3_bind_zeroblob(statement, index, 0) : sqlite3_bind_blob64(statement, index, bytes, UInt64(count), transient)
    },
    write: { statement, isUpsert, key, changed, isNew in
      let database = sqlite3_db_handle(statement)
      // An insert sets the last key, an update leaves it: one that this row can't have tells which of them it was.
      let mark: Int64 = key.pointee == .min ? .max : .min
      if isUpsert { sqlite3_set_last_insert_rowid(database, mark) }
      let code = sqlite3_step(statement)
      key.pointee = sqlite3_last_insert_rowid(database)
      changed.pointee = sqlite3_changes(database)
      isNew.pointee = isUpsert && key.pointee != mark
      return code
    },
    reset: sqlite3_reset,
    compilations: { sqlite3_stmt_status($0, SQLITE_STMTSTATUS_REPREPARE, 0) })
}

extension WriteFunctions {
  /// SQLite's own functions where rows are written through views.
  static let sqliteViews = WriteFunctions(
    bindNull: sqlite.bindNull, bindInteger: sqlite.bindInteger, bindReal: sqlite.bindReal, bindText: sqlite.bindText,
    bindKeptText: sqlite.bindKeptText, bindBytes: sqlite.bindBytes,
    write: { statement, _, _, changed, isNew in
      let database = sqlite3_db_handle(statement)
      let before = sqlite3_total_changes(database)
      let code = sqlite3_step(statement)
      changed.pointee = sqlite3_total_changes(database) - before
      isNew.pointee = false
      return code
    },
    reset: sqlite.reset, compilations: sqlite.compilations)
}

extension WriteFunctions {
  /// The same functions where somebody observes the statements: one that is reset has its result.
  fileprivate var watched: WriteFunctions {
    WriteFunctions(
      bindNull: bindNull, bindInteger: bindInteger, bindReal: bindReal, bindText: bindText, bindKeptText: bindKeptText,
      bindBytes: bindBytes, write: write,
      reset: { statement in
        let code = sqlite3_reset(statement)
        if let statement { ConnectionLimits.settle(statement, code) }
        return code
      }, compilations: compilations)
  }
}

/// SQLITE_TRANSIENT: SQLite copies bound values. The macro is a cast that Swift does not import.
var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
