extension Criteria {
  /// An assignment as a plain value, without Swift types.
  public struct Change: Sendable, Hashable {
    /// The attribute that changes.
    public let target: Criteria.Term
    /// The term whose value is assigned.
    public let value: Criteria.Term

    /// A new value for an attribute.
    public init(_ target: Criteria.Term, _ value: Criteria.Term) {
      self.target = target.checkedForDepth
      self.value = value.checkedForDepth
    }
  }
}
