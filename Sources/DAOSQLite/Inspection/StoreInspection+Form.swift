import DAOCriteria

extension StoreInspection {
  /// A form that the values of a column may have, with the number of those that have it.
  public struct Form: Sendable, Hashable {
    /// The type that an attribute would have.
    public let type: AttributeType
    /// The values that are read as such: those for it.
    public let matching: Int
    /// The values that are not, or lose something by it: those against it.
    public let others: Int
    /// The first value against it, as messages show it.
    public let example: String?
    /// Why it is thought of, in a few words; nil for the plain reading.
    public let reason: String?
  }
}
