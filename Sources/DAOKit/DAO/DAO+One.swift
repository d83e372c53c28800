// The same for one entity. They call the functions for many, so that an override of those governs these.
extension DAO {
  /// Adds an entity and returns it with the key that the store generated: `INSERT INTO …`.
  @discardableResult
  public final func insert(_ entity: E) throws -> E { try one(insert([entity])) }

  /// Writes every attribute of an existing entity, and returns it with its new version, where it has one: `UPDATE … WHERE key = ?`.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where it is not, ``DAOError/conflict(_:)`` where somebody else has changed it.
  @discardableResult
  public final func update(_ entity: E) throws -> E { try one(update([entity])) }

  /// Adds an entity, or updates the row that has its key, and returns it with its key.
  @discardableResult
  public final func save(_ entity: E) throws -> E { try one(save([entity])) }

  /// Adds an entity, or updates the row that it meets, and reports which; see ``upsert(_:on:updating:)-([E],_,_)``.
  @discardableResult
  public final func upsert(_ entity: E, on target: [String]? = nil, updating: [String]? = nil) throws -> Upserted<E> {
    try one(upsert([entity], on: target, updating: updating))
  }

  /// The same by key paths: `upsert(zone, on: [\.name])`.
  @_disfavoredOverload @discardableResult
  public final func upsert(
    _ entity: E, on target: [PartialKeyPath<E.Fields>]? = nil, updating: [PartialKeyPath<E.Fields>]? = nil
  ) throws -> Upserted<E> {
    try one(upsert([entity], on: target, updating: updating))
  }

  /// Deletes an entity.
  /// - Throws: ``DAOError/notFound(entity:key:)`` where it is not there, ``DAOError/conflict(_:)`` where it has a version and somebody else
  ///   has changed it.
  public final func delete(_ entity: E) throws {
    let key = try key(of: entity)
    let count =
      self.entity.versionAttribute == nil
      ? try delete([key]) : try write { try context.store.checkVersion(of: entity, in: target) ? delete([key]) : 0 }
    if count != 1 { throw DAOError.notFound(entity: self.entity.name, key: "\(key)") }
  }

  /// Deletes the row with a key and returns whether there was one.
  @discardableResult
  public final func delete(_ id: E.PrimaryKey) throws -> Bool { try delete([id]) == 1 }

  /// Changes attributes of every row that a query finds; see ``update(_:set:allowUnfiltered:)-(_,[Assignment<E>],_)``.
  @discardableResult
  public final func update(_ criteria: SearchCriteria<E>, set changes: Assignment<E>..., allowUnfiltered: Bool = false) throws -> Int {
    try update(criteria, set: changes, allowUnfiltered: allowUnfiltered)
  }

  /// Returns the one value that an override for many values returned.
  private func one<Value>(_ values: [Value]) throws -> Value {
    guard let value = values.first else {
      throw DAOError.misuse("an override returned nothing for an entity of \(entity.name)", use: "an error thrown from it")
    }
    return value
  }
}
