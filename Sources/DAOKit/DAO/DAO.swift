/// Access to the entities of one kind: the class to build business logic on.
///
/// ```swift
/// final class ZoneDAO: DAO<Zone>, @unchecked Sendable {
///   func inhabited(in code: String) throws -> [Zone] { try findAll(.where { $0.countryCode == code }.order(by: \.name)) }
///   func inhabited(in code: String) async throws -> [Zone] { try await read { try self.inhabited(in: code) } }
/// }
///
/// let zones = factory.dao(ZoneDAO.init)
/// ```
///
/// A function of several steps takes effect as a whole or not at all in ``write(_:)-(()->Result)``, wherever it is called. `@unchecked
/// Sendable` stands at each subclass since Swift can't check a class that is open for subclasses, and requires each subclass to state it:
/// it is true as long as the subclass has no `var` of its own and its `let`s are `Sendable`.
///
/// A DAO holds nothing but its context, and is therefore cheap to make and safe to share; a subclass adds no mutable state. One made by the
/// factory runs each call by itself; one made by a ``Session`` runs all of them in the session's transaction and ends with it.
///
/// The synchronous functions are the ones to override. Their `async` twins run them on the store's queue, so one override governs both;
/// those for one entity call those for many.
open class DAO<E: Entity>: @unchecked Sendable {
  /// The context, which holds the store of the DAO's data.
  public let context: DAOContext
  /// The description of its entities.
  public let entity: EntityDescription

  /// A DAO in a context, as `factory.dao` and `session.dao` hand it out.
  public init(_ context: DAOContext) {
    self.context = context
    self.entity = context.entity ?? E.entityDescription
  }

  /// The rows that are visible to this DAO: a tenant's, those not deleted softly. Every query, update and delete is confined to them, once,
  /// and aggregates inside filters too. It is not the filter that a delete needs.
  ///
  /// A relationship bypasses it: all rows that a query reaches over a relationship count, whatever the scope of their own DAO, and there
  /// and back those of this entity too. Prefetched rows are not confined either. For untrusted criteria there is
  /// ``CriteriaDecoder/AllowList/visible``.
  ///
  /// ```swift
  /// override var scope: Filter<Order> { \.tenant == tenant && \.deletedAt == nil }
  /// ```
  open var scope: Filter<E> { .everything }

  /// The entity and the scope of the DAO's queries. `dao.refine(criteria).sql(for: .sqlite, in: dao.target)` shows the SQL.
  public final var target: EntityTarget { EntityTarget(entity, scope: scope.condition) }

  /// Returns the criteria that a query runs with, made from those that its caller gave. Finds, pages, counts, `exists`, reports, cursors,
  /// streams and `explain` call it once each, so that an override governs them all alike:
  ///
  /// ```swift
  /// override func refine(_ criteria: SearchCriteria<Zone>) -> SearchCriteria<Zone> { criteria.filter { $0.validUntil == nil } }
  /// ```
  ///
  /// The projections of a report are not changed. Finds by key, updates and deletes don't call it. Rows that this DAO must never see or
  /// change are left out by ``scope``.
  open func refine(_ criteria: SearchCriteria<E>) -> SearchCriteria<E> { criteria }

  // MARK: Find

  /// Returns the entities of a query: `SELECT … WHERE … ORDER BY … LIMIT`, and a statement for each relationship that it prefetches.
  ///
  /// An override governs ``findFirst(_:)`` too, but no pages: use ``refine(_:)`` for conditions that all queries of a DAO have in common.
  /// - Throws: ``DAOError``.
  open func findAll(_ criteria: SearchCriteria<E> = .all) throws -> [E] {
    try context.store.find(E.self, in: target, refine(criteria).criteria)
  }

  /// The keys of the entities that a query finds: `SELECT key … WHERE …`.
  open func findAllIDs(_ criteria: SearchCriteria<E> = .all) throws -> [E.PrimaryKey] {
    try context.store.findKeys(E.self, in: target, refine(criteria).criteria)
  }

  /// The first entity that a query finds; by key where no order is given: `… ORDER BY key LIMIT 1`.
  open func findFirst(_ criteria: SearchCriteria<E> = .all) throws -> E? {
    try findAll(criteria.limit(min(1, criteria.criteria.limit ?? 1), offset: criteria.criteria.offset ?? 0)).first
  }

  /// The entity with a key: `SELECT … WHERE key = ?`.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where no visible row has the key.
  open func find(_ id: E.PrimaryKey) throws -> E { try context.store.find(E.self, in: target, key: id) }

  /// Performs `await find(id)`.
  func awaitFind(_ id: E.PrimaryKey) async throws -> E { try await context.store.perform(.read) { try self.find(id) } }

  /// The entities with these keys, in the keys' order, from one snapshot. Keys that no visible row has are left out.
  open func find(_ ids: [E.PrimaryKey]) throws -> [E] { try context.store.find(E.self, in: target, keys: ids) }

  /// Whether a query finds anything: `SELECT EXISTS (…)`.
  open func exists(_ criteria: SearchCriteria<E> = .all) throws -> Bool { try context.store.exists(in: target, refine(criteria).criteria) }

  /// Whether a visible row has the key.
  open func exists(_ id: E.PrimaryKey) throws -> Bool { try context.store.exists(in: target, key: id) }

  /// How many rows a query finds, of a page no more than it has: `SELECT COUNT(*) …`.
  open func count(_ criteria: SearchCriteria<E> = .all) throws -> Int { try context.store.count(in: target, refine(criteria).criteria) }

  /// The entity as the store has it now.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where it was deleted, or has no key yet.
  open func refresh(_ entity: E) throws -> E { try find(try key(of: entity)) }

  // MARK: Change

  /// Adds entities, all or none: `INSERT INTO …`. They come back in the same order, with the keys that the store generated.
  /// - Throws: ``DAOError/constraint(_:entity:attributes:message:)``, ``DAOError/invalidValue(entity:attribute:problem:)``.
  @discardableResult
  open func insert(_ entities: [E]) throws -> [E] { try context.store.insert(entities, in: target) }

  /// Writes every attribute of existing entities, all or none: `UPDATE … WHERE key = ?`. They come back with their new versions, where they
  /// have one: `UPDATE … SET … "version" = ? + 1 WHERE key = ? AND "version" = ?`.
  /// - Throws: ``DAOError/notFound(entity:key:)`` for one that does not exist, ``DAOError/conflict(_:)`` for one that somebody else has
  ///   changed, and the errors of ``insert(_:)-([E])``.
  @discardableResult
  open func update(_ entities: [E]) throws -> [E] {
    for entity in entities { _ = try key(of: entity) }
    return try context.store.update(entities, in: target)
  }

  /// Adds entities, or updates the rows that have their key, all or none. They come back with their keys.
  @discardableResult
  open func save(_ entities: [E]) throws -> [E] { try upsert(entities).map { $0.entity } }

  /// Adds entities, or updates the rows that they meet, all or none, and reports the effect for each: `INSERT … ON CONFLICT (target) DO
  /// UPDATE SET …`. Never REPLACE, which would delete the row and all rows that reference it.
  ///
  /// A null in the target meets no row, as in SQL: an entity with one is inserted.
  /// - Parameters:
  ///   - entities: the entities.
  ///   - target: the attributes of the unique constraint that decides whether a row is met; the primary key by default.
  ///   - updating: the attributes that take the new values; all but key and target by default.
  @discardableResult
  open func upsert(_ entities: [E], on target: [String]? = nil, updating: [String]? = nil) throws -> [Upserted<E>] {
    try context.store.upsert(entities, UpsertRule(target: target, updating: updating), in: self.target)
  }

  /// The same by key paths: `upsert(zones, on: [\.country, \.name], updating: [\.comment])`. It calls the function that takes names, so
  /// that an override of that governs it.
  @_disfavoredOverload @discardableResult
  public final func upsert(
    _ entities: [E], on target: [PartialKeyPath<E.Fields>]? = nil, updating: [PartialKeyPath<E.Fields>]? = nil
  ) throws -> [Upserted<E>] {
    try upsert(entities, on: target.map(E.names), updating: updating.map(E.names))
  }

  /// Deletes the rows with these keys and returns how many there were.
  @discardableResult
  open func delete(_ ids: [E.PrimaryKey]) throws -> Int { try context.store.delete(E.self, keys: ids, in: target) }

  /// Deletes every row that a query finds and returns how many there were: `DELETE FROM … WHERE …`.
  /// - Parameters:
  ///   - criteria: which rows.
  ///   - allowUnfiltered: must be true where the criteria have no filter, or one that is true of every row (`notIn []`).
  /// - Throws: ``DAOError/unfiltered(operation:entity:)``.
  @discardableResult
  open func delete(_ criteria: SearchCriteria<E>, allowUnfiltered: Bool = false) throws -> Int {
    try refuseUnfiltered("delete", criteria, allowUnfiltered)
    return try context.store.delete(in: target, criteria.criteria)
  }

  /// Changes attributes of every row that a query finds and returns how many there were: `UPDATE … SET … WHERE …`.
  /// - Parameters:
  ///   - criteria: which rows.
  ///   - changes: the attributes and their new values.
  ///   - allowUnfiltered: must be true where the criteria have no filter, since that changes every visible row.
  /// - Throws: ``DAOError/unfiltered(operation:entity:)``.
  @discardableResult
  open func update(_ criteria: SearchCriteria<E>, set changes: [Assignment<E>], allowUnfiltered: Bool = false) throws -> Int {
    try refuseUnfiltered("update", criteria, allowUnfiltered)
    return try context.store.update(in: target, criteria.criteria, set: changes.map { $0.change })
  }

  final func key(of entity: E) throws -> E.PrimaryKey {
    guard let key = entity.primaryKey else { throw DAOError.notFound(entity: self.entity.name, key: "nil: it was never inserted") }
    return key
  }

  private func refuseUnfiltered(_ operation: String, _ criteria: SearchCriteria<E>, _ allowed: Bool) throws {
    guard allowed || !criteria.criteria.filter.isAlwaysTrue else { throw DAOError.unfiltered(operation: operation, entity: entity.name) }
  }
}
