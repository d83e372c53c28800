import DAOCriteria

extension QueryPlan {
  /// An index that would serve a statement.
  public struct MissingIndex: Sendable, Hashable {
    /// The entity whose table it is of.
    public let entity: String
    /// The index, for the entity's description.
    public let index: Index
    /// Its name in the store.
    public let name: String
    /// The statement that creates the index: `CREATE INDEX "zone_on_country_name" ON "zone" ("country", "name")`.
    public let sql: String
  }
}
