import DAOKit
import Foundation
import GRDB
import Testing

/// A store in memory that tells which statements SQLite ran.
struct TestStore {
  let engine: SQLiteEngine
  let store: SQLEntityStore
  let factory: DAOFactory
  let trace: StatementTrace

  /// A store with the entities' tables and what the SQL adds.
  init(_ entities: [EntityDescription] = [Zone.entityDescription], sql: String = "") throws {
    let statements = try SchemaSQL.statements(for: entities)
    let trace = StatementTrace()
    engine = try SQLiteEngine(inMemory: { database in
      for statement in statements { try database.execute(sql: statement) }
      try database.execute(sql: sql)
      // What begins as a comment runs within another: a trigger, or a search table's own.
      database.trace {
        if case .statement(let statement) = $0, !statement.sql.hasPrefix("--") { trace.append(statement.sql, statement.expandedSQL) }
      }
    })
    self.trace = trace
    store = SQLEntityStore(engine)
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

/// The statements that a connection ran.
final class StatementTrace: @unchecked Sendable {
  // Guards `statements`.
  private let lock = NSLock()
  private var statements: [(text: String, expanded: String)] = []

  func append(_ text: String, _ expanded: String) { lock.withLock { statements.append((text, expanded)) } }
  func clear() { lock.withLock { statements = [] } }

  /// The texts, with placeholders.
  var texts: [String] { lock.withLock { statements.map(\.text) } }
  /// The texts, with values.
  var expanded: [String] { lock.withLock { statements.map(\.expanded) } }

  /// What ran during a body.
  func during<Result>(_ body: () throws -> Result) rethrows -> (result: Result, texts: [String], expanded: [String]) {
    clear()
    let result = try body()
    return (result, texts, expanded)
  }
}

extension SQLStatement {
  /// The statement as SQLite shows it with its values.
  var expanded: String {
    var places = bindings.indices.makeIterator()
    let parts = text.split(separator: "?", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { expanded, part in
      let number = part.prefix { $0.isASCII && $0.isNumber }
      let place = Int(number).map { $0 - 1 } ?? places.next()
      expanded += (place.map { bindings[$0].description } ?? "?") + part.dropFirst(number.count)
    }
  }
}

/// Asserts what a criteria becomes, that exactly this is run, and what it returns.
func assertQuery<E: Entity>(
  _ criteria: SearchCriteria<E>, _ text: String, _ bindings: [StoredValue] = [], finds keys: [E.PrimaryKey],
  in store: TestStore, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let statement = try #require(try criteria.sql(for: .sqlite), sourceLocation: sourceLocation)
  #expect(statement.text == text, sourceLocation: sourceLocation)
  #expect(statement.bindings == bindings, sourceLocation: sourceLocation)
  let run = try store.trace.during { try store.factory.runtimeDAO(E.self).findAll(criteria) }
  #expect(run.texts == [statement.text], sourceLocation: sourceLocation)
  #expect(run.expanded == [statement.expanded], sourceLocation: sourceLocation)
  let found = run.result.compactMap(\.primaryKey)
  // Without an order, SQLite may go through an index.
  let isOrdered = !criteria.criteria.orders.isEmpty || criteria.criteria.limit != nil || criteria.criteria.offset != nil
  #expect(isOrdered ? found == keys : found.count == keys.count && Set(found) == Set(keys), "\(found)", sourceLocation: sourceLocation)
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

/// The problems of a criteria, as they read.
func problems(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
  do { try body() } catch DAOError.invalidCriteria(_, let problems) { return problems.map(\.description) } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return []
}

/// The call to use instead, of a misuse.
func misuse(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
  do { try body() } catch DAOError.misuse(_, let use) { return use } catch { Issue.record(error, sourceLocation: sourceLocation) }
  return nil
}

/// The same for the sample zones.
func assertZones(
  _ criteria: SearchCriteria<Zone>, _ text: String, _ bindings: [StoredValue] = [], finds keys: [Int64], in store: TestStore,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try assertQuery(criteria, text, bindings, finds: keys, in: store, sourceLocation: sourceLocation)
}
