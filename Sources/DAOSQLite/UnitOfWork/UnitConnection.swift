import DAOCriteria
import DAOSQL
import DAOWaiting
import GRDBSQLite

/// The connection of a unit of work. Over a file it is one that reads beside others, and holds no lock between two calls; over a store in
/// memory, which has no second connection, it is one to a copy that is made again when the store has changed.
final class UnitConnection {
  private enum Kind {
    case lease(ReaderLease)
    case copy(SerialConnection, of: WriterSlot)
  }

  private let kind: Kind
  private let engine: SQLiteEngine
  /// The rows that its statements have edited.
  let touched: EditedRowIDs
  private var isInstalled = false
  // Of the store in memory when it was copied.
  private var copied: (changes: Int, mark: SchemaMark)?

  init(of engine: SQLiteEngine, _ numbers: EditNumbers) throws {
    self.engine = engine
    touched = EditedRowIDs(numbers)
    switch engine.mode {
    case .readWrite(_, let readers), .readOnly(let readers): kind = .lease(try ReaderLease(from: readers, of: engine, isPrivate: true))
    case .single(let slot): kind = .copy(try SQLiteEngine.memory({ _ in }, engine.configuration), of: slot)
    }
  }

  /// Whether the store has closed it.
  var isOver: Bool { if case .lease(let lease) = kind { lease.isOver } else { false } }

  /// Runs a body with the connection.
  func run<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    switch kind {
    case .lease(let lease):
      return try lease.run { connection in
        guard let connection = connection as? SQLiteConnection else { throw DAOError.unsupported("a unit of work needs SQLite") }
        return try installed(on: connection, body)
      }
    case .copy(let connection, let slot):
      try slot.run(for: engine, .statement) { source in try connection.run(for: engine) { try copy(source, to: $0) } }
      return try connection.run(for: engine) { try installed(on: $0, body) }
    }
  }

  private func installed<Result>(on connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if !isInstalled {
      touched.install(on: connection.handle)
      // Edits stay in memory, and a row that a cascade reaches again by itself is deleted too.
      try connection.onQueue { database in
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA recursive_triggers = ON")
      }
      connection.showsViews = true
      isInstalled = true
    }
    return try body(connection)
  }

  /// A state of the store, as the connection knows it: another one after each commit of others.
  struct State: Equatable {
    let version: Int64
    let schema: SchemaMark?
  }

  /// The state that its connection shows, or an earlier one.
  func state(on connection: SQLiteConnection) throws -> State {
    switch kind {
    case .lease: State(version: try connection.currentDataVersion(), schema: nil)
    case .copy: State(version: Int64(copied?.changes ?? 0), schema: copied?.mark)
    }
  }

  /// The schema of the store that its connection shows.
  func schemaMark(on connection: SQLiteConnection) throws -> SchemaMark? {
    switch kind {
    case .lease: try connection.schemaMark()
    case .copy: copied?.mark
    }
  }

  /// The state of the store while nobody else writes.
  /// - Parameter writer: the connection that writes.
  func state(for writer: SQLiteConnection) throws -> State {
    switch kind {
    case .lease: try run { try state(on: $0) }
    case .copy: State(version: Int64(writer.totalChangedRowCount), schema: try writer.schemaMark())
    }
  }

  private func copy(_ source: SQLiteConnection, to target: SQLiteConnection) throws {
    let state = (changes: source.totalChangedRowCount, mark: try source.schemaMark())
    if let copied, copied == state { return }
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw target.error(sqlite3_errcode(target.handle), sql: "the copy of a store in memory", argumentCount: 0, entity: nil)
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      throw target.error(code, sql: "the copy of a store in memory", argumentCount: 0, entity: nil)
    }
    copied = state
  }
}
