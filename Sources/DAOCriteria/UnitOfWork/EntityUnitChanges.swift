/// What a unit of work changes of one entity.
public struct EntityUnitChanges<E: Entity>: Sendable {
  /// The new ones; after a commit with the keys that the store generated.
  public internal(set) var inserted: [E] = []
  /// The changed ones, before and after.
  public internal(set) var updated: [(before: E, after: E)] = []
  /// The deleted ones, as they were.
  public internal(set) var deleted: [E] = []
}
