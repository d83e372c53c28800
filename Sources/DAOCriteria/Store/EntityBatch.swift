/// Some entities of those that a query finds.
public struct EntityBatch<E: Entity>: Sendable {
  /// The entities.
  public let entities: [E]
  /// Whether it is the last batch.
  public let isLast: Bool

  /// A batch.
  public init(_ entities: [E], isLast: Bool) {
    self.entities = entities
    self.isLast = isLast
  }
}
