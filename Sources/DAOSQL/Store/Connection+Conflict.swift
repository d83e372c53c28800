import DAOCriteria

extension Connection {
  /// The conflict of an entity whose row has another version; nil where it has the same, or no visible row has the key.
  func conflict<E: Entity>(writing entity: E, in target: EntityTarget) throws -> DAOError? {
    guard target.entity.versionAttribute != nil, let key = entity.primaryKey else { return nil }
    return try conflict(over: key, mine: target.entity.storedValues(of: entity), in: target)
  }

  /// The conflict over the row of a key.
  func conflict(over key: some EntityKey, mine: [StoredValue], in target: EntityTarget) throws -> DAOError? {
    try storedRow(key, in: target).flatMap { target.entity.conflict(mine: mine, theirs: $0) }
  }

  /// The values of the row that has a key, as they are stored; nil where no visible row has it.
  func storedRow(_ key: some EntityKey, in target: EntityTarget) throws -> [StoredValue]? {
    try row(key, in: target) { row -> [StoredValue]? in
      try target.entity.attributes.map { _ in try row.takeStored() }
    } orElse: {
      nil
    }
  }
}
