/// A store in a live query: it notes each query before it is run.
final class ObservedStore: EntityStore {
  private let store: any EntityStore
  private let met: MetQueries

  init(_ store: any EntityStore, _ met: MetQueries) {
    self.store = store
    self.met = met
  }

  private func note(_ criteria: Criteria, _ target: EntityTarget, _ reading: ObservedQuery.Reading) {
    met.note(ObservedQuery(criteria, in: target, reading: reading))
  }

  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    note(criteria, target, .entities)
    return try store.find(type, in: target, criteria)
  }

  func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E> {
    note(criteria, target, .entities)
    return try store.page(type, in: target, criteria, size: size)
  }

  func withCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    note(criteria, target, .entities)
    return try store.withCursor(type, in: target, criteria, body)
  }

  func batches<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> EntityBatches<E> {
    note(criteria, target, .entities)
    return try store.batches(type, in: target, criteria)
  }

  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E {
    met.note(try ObservedQuery(keys: [key], in: target))
    return try store.find(type, in: target, key: key)
  }

  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    met.note(try ObservedQuery(keys: keys, in: target))
    return try store.find(type, in: target, keys: keys)
  }

  func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    note(criteria, target, .keys)
    return try store.findKeys(type, in: target, criteria)
  }

  func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    note(criteria, target, .presence)
    return try store.count(in: target, criteria)
  }

  func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool {
    note(criteria, target, .presence)
    return try store.exists(in: target, criteria)
  }

  func exists(in target: EntityTarget, key: some EntityKey) throws -> Bool {
    met.note(try ObservedQuery(keys: [key], in: target))
    return try store.exists(in: target, key: key)
  }

  func report<Row>(in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row) throws -> [Row] {
    note(criteria, target, .report)
    return try store.report(in: target, criteria, read)
  }

  // MARK: A snapshot is only read

  func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] { throw DAOError.sessionOnlyReads }

  func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] { throw DAOError.sessionOnlyReads }

  func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    throw DAOError.sessionOnlyReads
  }

  func checkVersion<E: Entity>(of entity: E, in target: EntityTarget) throws -> Bool { throw DAOError.sessionOnlyReads }

  func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int { throw DAOError.sessionOnlyReads }

  func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Criteria.Change]) throws -> Int {
    throw DAOError.sessionOnlyReads
  }

  func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int { throw DAOError.sessionOnlyReads }

  func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result { throw DAOError.sessionOnlyReads }

  // MARK: The store

  func entities() throws -> [EntityDescription] { try store.entities() }

  func entities(withView name: String, correctedBy corrections: SchemaCorrections) throws -> [EntityDescription] {
    try store.entities(withView: name, correctedBy: corrections)
  }

  func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result { try body(self) }

  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    guard case .read = mode else { throw DAOError.sessionOnlyReads }
    return try store.withSession(.read, body)
  }

  func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await store.perform(mode, isolation: isolation, body)
  }
}
