/// An assignment as a plain value, without Swift types.
public struct Change: Sendable, Hashable {
  /// The attribute that changes.
  public let target: Term
  /// What it takes.
  public let value: Term

  /// A new value for an attribute.
  public init(_ target: Term, _ value: Term) {
    self.target = target.checkedForDepth
    self.value = value.checkedForDepth
  }
}
