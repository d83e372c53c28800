import DAOCriteria
import DAOSQL
import DAOWaiting

/// The entity store of a unit of work over SQLite: what it is asked is answered from the unit's connection by the same SQL as outside, and
/// what is written becomes an edit.
package final class SQLiteUnitStore: EntityStore, RawSQLStore, @unchecked Sendable {
  let unit: SQLiteUnit
  // The unit, or a session of it.
  let source: any ConnectionSource
  let store: EngineStore

  /// The store of a new unit over an engine.
  package convenience init(over engine: SQLiteEngine) { self.init(SQLiteUnit(engine)) }

  convenience init(_ unit: SQLiteUnit) { self.init(unit, unit) }

  init(_ unit: SQLiteUnit, _ source: any ConnectionSource) {
    self.unit = unit
    self.source = source
    store = EngineStore(session: source)
  }

  // MARK: Questions

  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    if !criteria.prefetches.isEmpty { return try findPrefetching(type, in: target, criteria) }
    return try asking(target, criteria) { noted(try $0.find(type, in: target, criteria), target) }
  }

  package func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E> {
    if !criteria.prefetches.isEmpty { return try pagePrefetching(type, in: target, criteria, size: size) }
    return try asking(target, criteria) { store in
      let page = try store.page(type, in: target, criteria, size: size)
      _ = noted(page.items, target)
      return page
    }
  }

  package func withCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    if !criteria.prefetches.isEmpty { return try withPrefetchingCursor(type, in: target, criteria, body) }
    return try asking(target, criteria) { try $0.withCursor(type, in: target, criteria, body) }
  }

  /// All of them in one batch: between two batches the unit may be edited.
  package func batches<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> EntityBatches<E> {
    if source is UnitSession { throw DAOError.sessionStreamed }
    return EntityBatches(next: { EntityBatch(try self.find(type, in: target, criteria), isLast: true) }, close: {})
  }

  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E {
    try asking(target) { store in
      let found: E = try store.find(type, in: target, key: key)
      _ = noted([found], target)
      return found
    }
  }

  package func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    try asking(target) { noted(try $0.find(type, in: target, keys: keys), target) }
  }

  package func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    try asking(target, criteria) { try $0.findKeys(type, in: target, criteria) }
  }

  package func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try asking(target, criteria) { try $0.count(in: target, criteria) }
  }

  package func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool {
    try asking(target, criteria) { try $0.exists(in: target, criteria) }
  }

  package func exists(in target: EntityTarget, key: some EntityKey) throws -> Bool {
    try asking(target) { try $0.exists(in: target, key: key) }
  }

  package func report<Row>(
    in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    try asking(target, criteria) { try $0.report(in: target, criteria, read) }
  }

  package func checkVersion<E: Entity>(of entity: E, in target: EntityTarget) throws -> Bool {
    try asking(target) { try $0.checkVersion(of: entity, in: target) }
  }

  package func query<Row>(_ sql: SQL, _ read: (inout RowReader, [String]) throws -> Row) throws -> [Row] { try store.query(sql, read) }

  package func query<E: Entity>(_ sql: SQL, _ type: E.Type, of entity: EntityDescription) throws -> [E] {
    try store.query(sql, type, of: entity)
  }

  package func entities() throws -> [EntityDescription] { try store.entities() }

  package func entities(withView name: String, correctedBy corrections: SchemaCorrections) throws -> [EntityDescription] {
    try store.entities(withView: name, correctedBy: corrections)
  }

  // MARK: Sessions

  package func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    if source is UnitSession { return try source.read(snapshot: true) { _ in try body(self) } }
    return try unit.session(.read) { try body(SQLiteUnitStore(unit, $0)) }
  }

  package func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result {
    if source is UnitSession { return try source.write(atomic: true) { _ in try body(self) } }
    return try unit.session(.write) { try body(SQLiteUnitStore(unit, $0)) }
  }

  package func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    try source.withSession(mode, body)
  }

  package func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    if source is UnitSession { throw DAOError.sessionWithAwait }
    return try await unit.line.perform(
      mode == .read ? .asyncRead : .asyncWrite, by: unit.engine.waitLimit, isolation: isolation, unit.engine.carrying(body))
  }

  // MARK: Inside a turn

  /// Runs a body that asks the store within one turn. A search in a table with edits is refused: its words are those of the store.
  private func asking<Result>(
    _ target: EntityTarget, _ criteria: Criteria = Criteria(), _ body: (EngineStore) throws -> Result
  ) throws -> Result {
    try source.read(snapshot: false) { connection in
      try unit.refuseSearch(criteria, target)
      return try body(EngineStore(session: OpenConnection(connection)))
    }
  }

  private func noted<E: Entity>(_ found: [E], _ target: EntityTarget) -> [E] {
    unit.note(found, of: target.entity)
    return found
  }
}
