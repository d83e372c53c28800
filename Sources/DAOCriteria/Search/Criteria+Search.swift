extension Criteria {
  /// A search for words in one attribute, or in all that are searchable, as a plain value. ``FullTextMatch`` wraps it.
  public struct Search: Sendable, Hashable {
    /// The attribute; the root stands for all searchable attributes of the entity.
    public let path: FieldPath
    /// The words.
    public let query: FullTextQuery

    /// A search in an attribute.
    public init(_ path: FieldPath, _ query: FullTextQuery) {
      self.path = path
      self.query = query
    }

    /// A search in all attributes that are searchable.
    public init(_ query: FullTextQuery) { self.init(.root, query) }
  }
}
