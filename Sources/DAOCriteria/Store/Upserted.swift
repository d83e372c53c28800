/// An entity after an upsert, and the effect of the upsert.
public struct Upserted<E: Entity>: Sendable {
  /// The entity as the store has it, with its key.
  public let entity: E
  /// The effect on the row.
  public let outcome: UpsertOutcome

  /// An entity after an upsert.
  public init(_ entity: E, _ outcome: UpsertOutcome) {
    self.entity = entity
    self.outcome = outcome
  }
}
