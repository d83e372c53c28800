extension DAOFactory {
  /// Follows the commits that change some entities, whoever makes them: DAOs, sessions, cascades, triggers, SQL of your own, other
  /// processes.
  ///
  /// ```swift
  /// for await changes in try factory.changes(of: Account.self) {
  ///   let accounts = changes[Account.self]
  ///   print(accounts.inserted, accounts.updated, accounts.deleted)     // keys
  /// }
  /// ```
  ///
  /// What is rolled back, in a session or a savepoint, is never reported. A commit of another process is reported within 100 ms as unknown
  /// rows of every entity; so is whatever happened while the store was closed, suspended, reset or upgraded, when it is open again, and its
  /// closing itself: what you read then has the error that says so.
  ///
  /// While nobody follows, nothing is noted. SQLite's pre-update hook notes the keys (sqlite.org/c3ref/preupdate_blobwrite.html); no
  /// statement of yours is changed, and nothing is added to your schema.
  /// - Parameters:
  ///   - entities: the entities; without any, those that the factory was made with.
  ///   - attributes: whether each updated row comes with the names of the attributes that changed. A row that was written with the values
  ///     that it had is not reported then.
  ///   - limit: how many commits may wait for the loop, with no more than a million changes together; beyond that one change set that
  ///     asks to reload takes their place.
  /// - Throws: ``DAOError/unsupported(_:)`` over a store that reports no changes; the error of a query where an entity does not fit the
  ///   store.
  public final func changes(
    of entities: any Entity.Type..., attributes: Bool = false, buffering limit: Int = 64
  ) throws -> ChangeSequence {
    try changes(of: entities.map { $0.entityDescription }, attributes: attributes, buffering: limit)
  }

  /// Follows the commits that change entities without a Swift type.
  /// - Parameters: as for ``changes(of:attributes:buffering:)-(Entity.Type...,_,_)``; without any entity, all that the store has.
  /// - Throws: the same.
  public final func changes(
    of entities: [EntityDescription], attributes: Bool = false, buffering limit: Int = 64
  ) throws -> ChangeSequence {
    ChangeSequence(try changeFeed(), of: try followed(entities), withAttributes: attributes, buffering: limit)
  }

  /// Calls a closure after each commit that changes some entities, on a queue of the observer's and in the order of the commits. The
  /// closure may call DAOs of the store.
  /// - Parameters: as for ``changes(of:attributes:buffering:)-(Entity.Type...,_,_)``.
  /// - Returns: the observer. It ends when it is released.
  /// - Throws: the same.
  public final func onChange(
    of entities: any Entity.Type..., attributes: Bool = false, buffering limit: Int = 64,
    perform: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> ChangeObserver {
    try onChange(of: entities.map { $0.entityDescription }, attributes: attributes, buffering: limit, perform: perform)
  }

  /// Calls a closure after each commit that changes entities without a Swift type.
  public final func onChange(
    of entities: [EntityDescription], attributes: Bool = false, buffering limit: Int = 64,
    perform: @escaping @Sendable (ChangeSet) -> Void
  ) throws -> ChangeObserver {
    ChangeObserver(try changeFeed(), of: try followed(entities), withAttributes: attributes, buffering: limit, perform)
  }

  private func changeFeed() throws -> ChangeFeed {
    guard let source = store as? any ChangeSource, let feed = source.changeFeed else {
      throw DAOError.unsupported("a store that reports no changes can't be followed")
    }
    return feed
  }

  /// The entities that are followed, each of which a query would find.
  private func followed(_ asked: [EntityDescription]) throws -> [EntityDescription] {
    let own = asked.isEmpty ? self.entities.map { $0.entityDescription } : asked
    let entities = own.isEmpty ? try store.entities() : own
    for entity in entities { _ = try store.exists(in: EntityTarget(entity), Criteria()) }
    return entities
  }
}
