/// The store of a DAO's entities: it takes criteria and entities, never SQL.
///
/// A DAO reaches its data only through this protocol, so that one DAO class runs unchanged on an SQL engine, inside a session, and on a
/// store in memory. Every function throws ``DAOError``.
///
/// Functions that return entities also fetch the rows of the relationships that the criteria prefetch; a store leaves that to
/// ``findPrefetching(_:in:_:)`` and ``withPrefetchingCursor(_:in:_:_:)``, which query it for one relationship after the other.
public protocol EntityStore: Sendable {
  /// The entities that a query finds.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E]

  /// The entities that a query finds, `size` at most, and where they begin and end: what ``Page`` is made of.
  func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E>

  /// Runs a body with a cursor over the entities that a query finds, from one snapshot.
  func withCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result

  /// The entities that a query finds, batch by batch, from one snapshot. Nothing is read before the first batch is.
  func batches<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> EntityBatches<E>

  /// The entity with a key; ``DAOError/notFound(entity:key:)`` where no visible row has it.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E

  /// The same for a task, which a busy store never keeps from being cancelled. It runs only brief work on the task's thread.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) async throws -> E

  /// The visible entities with these keys, in the keys' order, from one snapshot.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E]

  /// The keys of the entities that a query finds.
  func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey]

  /// How many rows a query returns.
  func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int

  /// Whether a query returns a row.
  func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool

  /// Whether a visible row has a key.
  func exists(in target: EntityTarget, key: some EntityKey) throws -> Bool

  /// The rows of a query's projections, each read by a closure.
  func report<Row>(in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row) throws -> [Row]

  /// Adds entities, all or none, and returns them with the keys that the store generated, in the same order.
  func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E]

  /// Writes every attribute of existing entities, all or none, and returns them with their new versions.
  /// - Throws: ``DAOError/conflict(_:)`` where a row has another version than its entity.
  func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E]

  /// Adds entities or updates existing ones, all or none.
  func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>]

  /// Compares an entity's version with that of the visible row that has its key, as both are stored: a row that can't be read is compared
  /// too.
  /// - Returns: whether there is such a row.
  /// - Throws: ``DAOError/conflict(_:)`` of a delete where the row has another version.
  func checkVersion<E: Entity>(of entity: E, in target: EntityTarget) throws -> Bool

  /// Deletes the entities with these keys and returns how many there were.
  func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int

  /// Changes attributes of every row that a query finds and returns how many there were.
  func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Criteria.Change]) throws -> Int

  /// Deletes every row that a query finds and returns how many there were.
  func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int

  /// The entities that the store has, by its own account.
  func entities() throws -> [EntityDescription]

  /// The same for one who asks for a name: views of other names have no attributes, since nobody knows how long a view takes to describe.
  /// - Parameter corrections: what is known of the store beyond its schema.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` with each correction that the store does not allow.
  func entities(withView name: String, correctedBy corrections: SchemaCorrections) throws -> [EntityDescription]

  /// Runs a body over one snapshot. The store that it gets is valid until the body ends.
  func read<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result

  /// Runs a body in one transaction, which commits when it returns and rolls back when it throws; within a transaction, in a savepoint. The
  /// store that it gets is valid until the body ends.
  func write<Result>(_ body: (any EntityStore) throws -> Result) throws -> Result

  /// Runs a body in one transaction, or over one snapshot, which all calls of this store on the body's thread join. Within another body,
  /// and in a session's store, the body joins the open session: a body that writes runs in a savepoint.
  func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result

  /// Runs a body that calls this store on a thread that does not belong to Swift's concurrency. The caller's actor waits for it without a
  /// detour.
  ///
  /// Bodies that write begin one after the other, in the order in which they were requested; until its turn comes, a body has no thread. A
  /// task that is cancelled ends the wait, or the statement that the body runs, with `CancellationError`.
  /// - Parameter mode: whether the body may write.
  func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result
}

extension EntityStore {
  /// All of the store's entities, for a store whose views cost nothing, and which knows its entities as they are.
  public func entities(withView name: String, correctedBy corrections: SchemaCorrections) throws -> [EntityDescription] { try entities() }

  /// Finds the entity on a thread that does not belong to Swift's concurrency.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) async throws -> E {
    try await perform(.read) { try self.find(type, in: target, key: key) }
  }

  /// Runs a body that calls this store on a thread that does not belong to Swift's concurrency.
  public func perform<Result: Sendable>(
    _ mode: SessionMode, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await perform(mode, isolation: nil, body)
  }
}
