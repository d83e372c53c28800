/// The target of a store's query: the entity, and the rows that are visible to the DAO.
public struct EntityTarget: Sendable {
  /// The entity.
  public let entity: EntityDescription
  /// True of the visible rows.
  public let scope: Criteria.Condition
  /// How the rows are reached that are fetched along with others; nil for those that are asked for.
  package var path: FetchPath?
  /// Whether there is a scope: kept, since each statement over one row asks for it.
  package let isScoped: Bool

  /// The rows of an entity that a scope is true of.
  public init(_ entity: EntityDescription, scope: Criteria.Condition = .constant(true)) {
    self.entity = entity
    self.scope = scope
    isScoped = if case .constant(true) = scope.node { false } else { true }
  }
}
