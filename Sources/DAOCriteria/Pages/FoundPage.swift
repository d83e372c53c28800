/// A page as a store has read it.
public struct FoundPage<E: Entity>: Sendable {
  /// The entities.
  public let items: [E]
  /// Where they begin and end.
  public let ends: PageRequest.Ends

  /// A page.
  public init(_ items: [E], _ ends: PageRequest.Ends) {
    self.items = items
    self.ends = ends
  }
}
