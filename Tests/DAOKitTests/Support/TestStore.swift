import DAOKit
import DAOTestSupport
import GRDB
import Testing

/// A store in memory that tells which statements SQLite ran.
struct TestStore {
  let engine: SQLiteEngine
  let store: EngineStore
  let factory: DAOFactory
  let trace: StatementRecorder

  /// A store with the entities' tables and what the SQL adds.
  init(_ entities: [EntityDescription] = [Zone.entityDescription], sql: String = "", notesByTriggers: Bool = false) throws {
    let statements = try SchemaSQL.statements(for: entities)
    let trace = StatementRecorder()
    engine = try SQLiteEngine(
      inMemory: { database in
        for statement in statements { try database.execute(sql: statement) }
        try database.execute(sql: sql)
        // What begins as a comment runs within another: a trigger, or a search table's own. What writes the schema's name so asks for the
        // schema.
        database.trace {
          if case .statement(let statement) = $0, !statement.sql.hasPrefix("--"), !statement.sql.contains("'main'.") {
            trace.append(statement.sql, expanded: statement.expandedSQL)
          }
        }
      }, notesByTriggers: notesByTriggers)
    self.trace = trace
    store = EngineStore(engine)
    factory = DAOFactory(over: store)
  }

  /// A store with the sample zones.
  static func zones() throws -> TestStore {
    let store = try TestStore()
    try store.zones.insert(Zone.samples)
    store.trace.clear()
    return store
  }

  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }

  /// How SQLite has a value: its storage class and its literal.
  func stored(_ column: String, in table: String) throws -> [String] {
    try store.query("SELECT typeof(\(identifier: column)) || ' ' || quote(\(identifier: column)) FROM \(identifier: table) ORDER BY rowid")
    {
      row, _ in try row.next(String.self)
    }
  }
}

/// Asserts what a query becomes, that exactly this is run, and what it returns.
func assertQuery<E: Entity>(
  _ criteria: SearchCriteria<E>, _ text: String, _ bindings: [StoredValue] = [], finds keys: [E.PrimaryKey],
  in store: TestStore, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try assertQuery(
    criteria, on: store.factory.runtimeDAO(E.self), sql: text, bindings: bindings, rows: keys, in: store.trace,
    sourceLocation: sourceLocation)
}

/// Asserts the condition of a filter over the sample zones, the rows that it finds, and that its negation finds all others.
func assertFilter(
  _ filter: Filter<Zone>, _ condition: String, _ bindings: [StoredValue] = [], finds keys: [Int64],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let store = try TestStore.zones()
  let select = #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "#
  try assertQuery(.where(filter), select + condition, bindings, finds: keys, in: store, sourceLocation: sourceLocation)
  let others = try store.zones.findAllIDs(SearchCriteria.where(!filter).order(by: \.id))
  #expect(others == (1...6).filter { !keys.contains($0) }, sourceLocation: sourceLocation)
  #expect(try store.zones.findAllIDs(SearchCriteria.where(!(!filter)).order(by: \.id)) == keys, sourceLocation: sourceLocation)
}

/// The same for the sample zones.
func assertZones(
  _ criteria: SearchCriteria<Zone>, _ text: String, _ bindings: [StoredValue] = [], finds keys: [Int64], in store: TestStore,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try assertQuery(criteria, text, bindings, finds: keys, in: store, sourceLocation: sourceLocation)
}
