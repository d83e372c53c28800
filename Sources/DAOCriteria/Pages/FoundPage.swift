/// A page as a store has read it.
public struct FoundPage<E: Entity>: Sendable {
  /// The entities.
  public let items: [E]
  /// The cursors of the first and the last row.
  public let ends: PageRequest.Ends

  /// A page.
  public init(_ items: [E], _ ends: PageRequest.Ends) {
    self.items = items
    self.ends = ends
  }
}
