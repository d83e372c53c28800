/// A search for words in one attribute, or in all that are searchable, as a plain value: what ``Match`` wraps.
public struct TextSearch: Sendable, Hashable {
  /// The attribute; the root stands for all searchable ones of the entity.
  public let path: FieldPath
  /// The words.
  public let query: TextQuery

  /// A search in an attribute.
  public init(_ path: FieldPath, _ query: TextQuery) {
    self.path = path
    self.query = query
  }

  /// A search in all attributes that are searchable.
  public init(_ query: TextQuery) { self.init(.root, query) }
}
