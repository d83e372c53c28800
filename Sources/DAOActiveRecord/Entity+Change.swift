import DAOKit

// Changing rows. Each call is a transaction, or a part of the session or unit of work that it is given.
extension Entity {
  /// Adds an entity, and returns it with its key: `INSERT INTO …`.
  @discardableResult
  public static func create(_ entity: Self, in maker: (any DAOMaker)? = nil) throws -> Self {
    try entity.dao(in: maker).insert(entity)
  }

  /// Awaits `create(_:in:)`.
  @discardableResult
  public static func create(_ entity: Self, in maker: (any DAOMaker & Sendable)? = nil) async throws -> Self {
    try await entity.dao(in: maker).insert(entity)
  }

  /// Adds the entity, or updates the row that has its key. It takes its key and its new version from the store.
  /// - Throws: ``DAOError/conflict(_:)`` where it has a version and somebody else has changed it.
  public mutating func save(in maker: (any DAOMaker)? = nil) throws {
    self = try dao(in: maker).save(self)
  }

  /// Awaits `save(in:)`.
  public mutating func save(in maker: (any DAOMaker & Sendable)? = nil) async throws {
    self = try await dao(in: maker).save(self)
  }

  /// Deletes the entity.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where it is not there, ``DAOError/conflict(_:)`` where somebody else has changed it.
  public func delete(in maker: (any DAOMaker)? = nil) throws {
    try dao(in: maker).delete(self)
  }

  /// Awaits `delete(in:)`.
  public func delete(in maker: (any DAOMaker & Sendable)? = nil) async throws {
    try await dao(in: maker).delete(self)
  }

  /// Takes the values that the store has now.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where it was deleted, or has no key yet.
  public mutating func refresh(in maker: (any DAOMaker)? = nil) throws {
    self = try dao(in: maker).refresh(self)
  }

  /// Awaits `refresh(in:)`.
  public mutating func refresh(in maker: (any DAOMaker & Sendable)? = nil) async throws {
    self = try await dao(in: maker).refresh(self)
  }

  /// Adds a copy with a key of its own and the changes of a closure, and returns it; see ``DAOKit/DAO/clone(_:_:)-(_,(E)->Void)``.
  @discardableResult
  public func clone(in maker: (any DAOMaker)? = nil, _ change: (inout Self) throws -> Void = { _ in }) throws -> Self {
    try dao(in: maker).clone(self, change)
  }

  /// Awaits `clone(in:_:)`.
  @discardableResult
  public func clone(in maker: (any DAOMaker & Sendable)? = nil, _ change: @escaping @Sendable (inout Self) throws -> Void = { _ in })
    async throws -> Self
  {
    try await dao(in: maker).clone(self, change)
  }

  /// Adds entities, all or none, and returns them with their keys.
  @discardableResult
  public static func create(_ entities: [Self], in maker: (any DAOMaker)? = nil) throws -> [Self] {
    try dao(in: maker).insert(entities)
  }

  /// Awaits `create(_:in:)`.
  @discardableResult
  public static func create(_ entities: [Self], in maker: (any DAOMaker & Sendable)? = nil) async throws -> [Self] {
    try await dao(in: maker).insert(entities)
  }

  /// Adds entities, or updates the rows that have their keys, all or none, and returns them with their keys and versions.
  public static func save(_ entities: [Self], in maker: (any DAOMaker)? = nil) throws -> [Self] {
    try dao(in: maker).save(entities)
  }

  /// Awaits `save(_:in:)`.
  public static func save(_ entities: [Self], in maker: (any DAOMaker & Sendable)? = nil) async throws -> [Self] {
    try await dao(in: maker).save(entities)
  }

  /// Deletes every row that a query finds, with the effects of the delete rules, and returns how many there were.
  /// - Throws: ``DAOError/unfiltered(operation:entity:)`` for criteria without a filter: that is `truncate()`.
  @discardableResult
  public static func deleteAll(_ criteria: SearchCriteria<Self>, in maker: (any DAOMaker)? = nil) throws -> Int {
    try dao(in: maker).delete(criteria)
  }

  /// Awaits `deleteAll(_:in:)`.
  @discardableResult
  public static func deleteAll(_ criteria: SearchCriteria<Self>, in maker: (any DAOMaker & Sendable)? = nil) async throws -> Int {
    try await dao(in: maker).delete(criteria)
  }

  /// Deletes every row that the DAO sees, with the effects of the delete rules, and returns how many there were.
  @discardableResult
  public static func truncate(in maker: (any DAOMaker)? = nil) throws -> Int {
    try dao(in: maker).delete(.all, allowUnfiltered: true)
  }

  /// Awaits `truncate(in:)`.
  @discardableResult
  public static func truncate(in maker: (any DAOMaker & Sendable)? = nil) async throws -> Int {
    try await dao(in: maker).delete(.all, allowUnfiltered: true)
  }
}
