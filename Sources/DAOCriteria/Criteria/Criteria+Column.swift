extension Criteria {
  /// A projection as a plain value, without Swift types.
  public struct Column: Sendable, Hashable {
    /// The term that is projected.
    public let term: Criteria.Term
    /// Whether there is one row for each of its values.
    public let isGroup: Bool
    /// The key in dictionaries: the attribute's name, `function:attribute`, or the name that was given.
    public let name: String

    /// A column for a term.
    public init(_ term: Criteria.Term, isGroup: Bool = false, name: String? = nil) {
      self.term = term.checkedForDepth
      self.isGroup = isGroup
      self.name = name ?? self.term.projectedName
    }

    /// The same column under another name.
    public func named(_ name: String) -> Criteria.Column { Criteria.Column(term, isGroup: isGroup, name: name) }
  }
}
