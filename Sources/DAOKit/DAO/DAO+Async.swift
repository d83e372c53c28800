// The same functions for `await`: they run their synchronous twin on the store's queue and can't be overridden, so that an override of the
// twin governs both. A task that is cancelled throws `CancellationError`: its wait or its statement
// ends, and nothing is changed. A synchronous call does not end with the task that it is made in.
extension DAO {
  /// Runs `findAll(criteria)` on the store's queue.
  public final func findAll(_ criteria: SearchCriteria<E> = .all) async throws -> [E] {
    try await context.store.perform(.read) { try self.findAll(criteria) }
  }

  /// Runs `findAllIDs(criteria)` on the store's queue.
  public final func findAllIDs(_ criteria: SearchCriteria<E> = .all) async throws -> [E.PrimaryKey] {
    try await context.store.perform(.read) { try self.findAllIDs(criteria) }
  }

  /// Runs `findFirst(criteria)` on the store's queue.
  public final func findFirst(_ criteria: SearchCriteria<E> = .all) async throws -> E? {
    try await context.store.perform(.read) { try self.findFirst(criteria) }
  }

  /// Runs `find(id)` on the store's queue; a ``RuntimeDAO`` runs it on the caller's thread where that takes a few microseconds,
  /// so that the task may go on without having been suspended.
  public final func find(_ id: E.PrimaryKey) async throws -> E { try await awaitFind(id) }

  /// Runs `find(ids)` on the store's queue.
  public final func find(_ ids: [E.PrimaryKey]) async throws -> [E] {
    try await context.store.perform(.read) { try self.find(ids) }
  }

  /// Runs `exists(criteria)` on the store's queue.
  public final func exists(_ criteria: SearchCriteria<E> = .all) async throws -> Bool {
    try await context.store.perform(.read) { try self.exists(criteria) }
  }

  /// Runs `exists(id)` on the store's queue.
  public final func exists(_ id: E.PrimaryKey) async throws -> Bool {
    try await context.store.perform(.read) { try self.exists(id) }
  }

  /// Runs `count(criteria)` on the store's queue.
  public final func count(_ criteria: SearchCriteria<E> = .all) async throws -> Int {
    try await context.store.perform(.read) { try self.count(criteria) }
  }

  /// Runs `refresh(entity)` on the store's queue.
  public final func refresh(_ entity: E) async throws -> E {
    try await context.store.perform(.read) { try self.refresh(entity) }
  }

  /// Runs `insert(entities)` on the store's queue.
  @discardableResult
  public final func insert(_ entities: [E]) async throws -> [E] {
    try await context.store.perform(.write) { try self.insert(entities) }
  }

  /// Runs `insert(entity)` on the store's queue.
  @discardableResult
  public final func insert(_ entity: E) async throws -> E {
    try await context.store.perform(.write) { try self.insert(entity) }
  }

  /// Runs `update(entities)` on the store's queue.
  @discardableResult
  public final func update(_ entities: [E]) async throws -> [E] {
    try await context.store.perform(.write) { try self.update(entities) }
  }

  /// Runs `update(entity)` on the store's queue.
  @discardableResult
  public final func update(_ entity: E) async throws -> E {
    try await context.store.perform(.write) { try self.update(entity) }
  }

  /// Runs `save(entities)` on the store's queue.
  @discardableResult
  public final func save(_ entities: [E]) async throws -> [E] {
    try await context.store.perform(.write) { try self.save(entities) }
  }

  /// Runs `save(entity)` on the store's queue.
  @discardableResult
  public final func save(_ entity: E) async throws -> E {
    try await context.store.perform(.write) { try self.save(entity) }
  }

  /// Runs `upsert(entities, on: target, updating: updating)` on the store's queue.
  @discardableResult
  public final func upsert(_ entities: [E], on target: [String]? = nil, updating: [String]? = nil) async throws -> [Upserted<E>] {
    try await context.store.perform(.write) { try self.upsert(entities, on: target, updating: updating) }
  }

  /// Runs `upsert(entity, on: target, updating: updating)` on the store's queue.
  @discardableResult
  public final func upsert(_ entity: E, on target: [String]? = nil, updating: [String]? = nil) async throws -> Upserted<E> {
    try await context.store.perform(.write) { try self.upsert(entity, on: target, updating: updating) }
  }

  /// Runs `upsert(entities, on: target, updating: updating)` on the store's queue.
  @_disfavoredOverload @discardableResult
  public final func upsert(
    _ entities: [E], on target: [PartialKeyPath<E.Fields>]? = nil, updating: [PartialKeyPath<E.Fields>]? = nil
  ) async throws -> [Upserted<E>] {
    try await upsert(entities, on: target.map(E.names), updating: updating.map(E.names))
  }

  /// Runs `upsert(entity, on: target, updating: updating)` on the store's queue.
  @_disfavoredOverload @discardableResult
  public final func upsert(
    _ entity: E, on target: [PartialKeyPath<E.Fields>]? = nil, updating: [PartialKeyPath<E.Fields>]? = nil
  ) async throws -> Upserted<E> {
    try await upsert(entity, on: target.map(E.names), updating: updating.map(E.names))
  }

  /// Runs `delete(ids)` on the store's queue.
  @discardableResult
  public final func delete(_ ids: [E.PrimaryKey]) async throws -> Int {
    try await context.store.perform(.write) { try self.delete(ids) }
  }

  /// Runs `delete(id)` on the store's queue.
  @discardableResult
  public final func delete(_ id: E.PrimaryKey) async throws -> Bool {
    try await context.store.perform(.write) { try self.delete(id) }
  }

  /// Runs `delete(entity)` on the store's queue.
  public final func delete(_ entity: E) async throws {
    try await context.store.perform(.write) { try self.delete(entity) }
  }

  /// Runs `delete(criteria, allowUnfiltered: allowUnfiltered)` on the store's queue.
  @discardableResult
  public final func delete(_ criteria: SearchCriteria<E>, allowUnfiltered: Bool = false) async throws -> Int {
    try await context.store.perform(.write) { try self.delete(criteria, allowUnfiltered: allowUnfiltered) }
  }

  /// Runs `update(criteria, set: changes, allowUnfiltered: allowUnfiltered)` on the store's queue.
  @discardableResult
  public final func update(_ criteria: SearchCriteria<E>, set changes: [Assignment<E>], allowUnfiltered: Bool = false) async throws -> Int {
    try await context.store.perform(.write) { try self.update(criteria, set: changes, allowUnfiltered: allowUnfiltered) }
  }

  /// Runs `update(criteria, set: changes, allowUnfiltered: allowUnfiltered)` on the store's queue.
  @discardableResult
  public final func update(_ criteria: SearchCriteria<E>, set changes: Assignment<E>..., allowUnfiltered: Bool = false) async throws -> Int
  {
    try await context.store.perform(.write) { try self.update(criteria, set: changes, allowUnfiltered: allowUnfiltered) }
  }

  /// Runs `page(criteria, size: size, after: token, total: total)` on the store's queue.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, size: Int, after token: PageToken? = nil, total: PageRequest.Total = .hasNext
  ) async throws -> Page<E> {
    try await context.store.perform(.read) { try self.page(criteria, size: size, after: token, total: total) }
  }

  /// Runs `page(criteria, size: size, before: token, total: total)` on the store's queue.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, size: Int, before token: PageToken?, total: PageRequest.Total = .hasNext
  ) async throws -> Page<E> {
    try await context.store.perform(.read) { try self.page(criteria, size: size, before: token, total: total) }
  }

  /// Runs `page(criteria, number: number, size: size, total: total)` on the store's queue.
  public final func page(
    _ criteria: SearchCriteria<E> = .all, number: Int, size: Int, total: PageRequest.Total = .hasNext
  ) async throws -> Page<E> {
    try await context.store.perform(.read) { try self.page(criteria, number: number, size: size, total: total) }
  }

  /// Runs `dictionaries(criteria)` on the store's queue.
  public final func dictionaries(_ criteria: SearchCriteria<E>) async throws -> [[String: Scalar]] {
    try await context.store.perform(.read) { try self.dictionaries(criteria) }
  }

  /// Runs `query(sql)` on the store's queue.
  public final func query(_ sql: SQL) async throws -> [E] {
    try await context.store.perform(.read) { try self.query(sql) }
  }

  /// Runs `execute(sql)` on the store's queue.
  @discardableResult
  public final func execute(_ sql: SQL) async throws -> Int {
    try await context.store.perform(.write) { try self.execute(sql) }
  }

  /// Runs `project(projections, matching:)` on the store's queue.
  public final func project<each Value>(
    _ projections: repeat Projection<E, each Value>, matching criteria: SearchCriteria<E> = .all
  ) async throws -> [(repeat each Value)] {
    try await context.store.perform(.read) { try self.project(repeat each projections, matching: criteria) }
  }

  /// Runs `project(criteria, as:)` on the store's queue.
  public final func project<Row: Decodable & Sendable>(_ criteria: SearchCriteria<E>, as type: Row.Type) async throws -> [Row] {
    try await context.store.perform(.read) { try self.project(criteria, as: type) }
  }

  /// Runs `query(sql, as:)` on the store's queue.
  public final func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
    try await context.store.perform(.read) { try self.query(sql, as: type) }
  }

  /// Runs `project(criteria, read)` on the store's queue.
  public final func project<Row: Sendable>(
    _ criteria: SearchCriteria<E>, _ read: @escaping @Sendable (inout RowReader) throws -> Row
  ) async throws -> [Row] {
    try await context.store.perform(.read) { try self.project(criteria, read) }
  }

  /// Runs `query(sql, read)` on the store's queue.
  public final func query<Row: Sendable>(
    _ sql: SQL, _ read: @escaping @Sendable (inout RowReader) throws -> Row
  ) async throws -> [Row] {
    try await context.store.perform(.read) { try self.query(sql, read) }
  }

  /// Runs `minimum(of:matching:)` on the store's queue.
  public final func minimum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) async throws -> V.Unwrapped? {
    let projection = Projection<E, V.Unwrapped?>.min(path)
    return try await context.store.perform(.read) { try self.value(projection, criteria) ?? nil }
  }

  /// Runs `maximum(of:matching:)` on the store's queue.
  public final func maximum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) async throws -> V.Unwrapped? {
    let projection = Projection<E, V.Unwrapped?>.max(path)
    return try await context.store.perform(.read) { try self.value(projection, criteria) ?? nil }
  }

  /// Runs `sum(of:matching:)` on the store's queue.
  public final func sum<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) async throws -> V.Unwrapped? {
    let projection = Projection<E, V.Unwrapped?>.sum(path)
    return try await context.store.perform(.read) { try self.value(projection, criteria) ?? nil }
  }

  /// Runs `average(of:matching:)` on the store's queue.
  public final func average<V>(of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all) async throws -> V.Unwrapped.Mean? {
    let projection = Projection<E, V.Unwrapped.Mean?>.average(path)
    return try await context.store.perform(.read) { try self.value(projection, criteria) ?? nil }
  }

  /// Runs `distinctValues(of:matching:)` on the store's queue.
  public final func distinctValues<V>(
    of path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all
  ) async throws -> [V.Unwrapped] {
    let operand = Operand<E, V>(path)
    return try await context.store.perform(.read) { try self.distinctValues(operand, criteria) }
  }

  /// Runs `dictionary(by:matching:)` on the store's queue.
  public final func dictionary<V>(
    by path: FieldKeyPath<E, V>, matching criteria: SearchCriteria<E> = .all
  ) async throws -> [V.Unwrapped: E] where V.Unwrapped: Hashable {
    let operand = Operand<E, V>(path)
    return try await context.store.perform(.read) { try self.dictionary(operand, criteria) }
  }

  /// Runs `aggregate(_:of:matching:)` on the store's queue.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, matching criteria: SearchCriteria<E> = .all
  ) async throws -> Scalar {
    try await context.store.perform(.read) { try self.aggregate(aggregate, of: name, matching: criteria) }
  }

  /// Runs `aggregate(_:of:groupBy:matching:)` on the store's queue.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: String..., matching criteria: SearchCriteria<E> = .all
  ) async throws -> [[String: Scalar]] {
    try await self.aggregate(aggregate, of: name, groupBy: groups, matching: criteria)
  }

  /// Runs `aggregate(_:of:groupBy:matching:)` on the store's queue.
  public final func aggregate(
    _ aggregate: Aggregate, of name: String? = nil, groupBy groups: [String], matching criteria: SearchCriteria<E> = .all
  ) async throws -> [[String: Scalar]] {
    try await context.store.perform(.read) { try self.aggregate(aggregate, of: name, groupBy: groups, matching: criteria) }
  }

  /// Runs `findFirst(criteria, orInsert:)` on the store's queue.
  @discardableResult
  public final func findFirst(
    _ criteria: SearchCriteria<E>, orInsert make: @autoclosure @escaping @Sendable () throws -> E
  ) async throws -> E {
    try await context.store.perform(.write) { try self.findFirst(criteria, orInsert: try make()) }
  }

  /// Runs `clone(entity, change)` on the store's queue.
  @discardableResult
  public final func clone(_ entity: E, _ change: @escaping @Sendable (inout E) throws -> Void = { _ in }) async throws -> E {
    try await context.store.perform(.write) { try self.clone(entity, change) }
  }
}
