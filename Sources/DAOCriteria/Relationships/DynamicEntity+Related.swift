extension DynamicEntity {
  /// The rows of a relationship, as they were when they were fetched; of a to-one relationship one or none.
  ///
  /// ```swift
  /// let zones = try factory.runtimeDAO("zone")
  /// let zone = try zones.findFirst(SearchCriteria().prefetch("country"))
  /// try zone?.related("country").first?["name"]
  /// ```
  /// - Throws: ``DAOError/notFetched(entity:relationship:use:)`` where the criteria did not prefetch them;
  ///   ``DAOError/invalidCriteria(entity:problems:)`` where there is no such relationship.
  public func related(_ relationship: String) throws -> [DynamicEntity] {
    if let rows = fetched[relationship] { return rows }
    guard entity.relationship(relationship) != nil else {
      throw DAOError.invalidCriteria(
        entity: entity.name, problems: [DAOError.CriteriaProblem(unknownRelationship: relationship, of: entity)])
    }
    throw DAOError.notFetched(
      entity: entity.name, relationship: relationship, use: "prefetch(\"\(path?.path(to: relationship) ?? relationship)\") on the criteria")
  }

  /// Takes the rows of each relationship that the criteria prefetch.
  public static func prefetch(_ rows: inout Prefetching<DynamicEntity>) throws {
    for name in rows.names { try rows.fetch(name, DynamicEntity.self) { entity, found in entity.fetched[name] = found } }
  }
}

extension DAOError.CriteriaProblem {
  /// A name that no relationship of the entity has, reached by a path that is the name itself where the criteria name the entity.
  public init(unknownRelationship name: String, of entity: EntityDescription, at path: String? = nil) {
    self.init(
      path: path ?? name, message: "\(entity.name) has no relationship '\(name)'",
      suggestion: Nearest.name(to: name, among: entity.relationships.map(\.name)))
  }
}
