/// The types of a result's columns, made once for a statement and shared by its readers.
@_documentation(visibility: internal)
public final class RowColumns: Sendable {
  /// The columns' types, in order.
  public let types: [AttributeType]
  /// The entity whose attributes the columns are, where they are those of one.
  public let entity: EntityDescription?

  // Whether a text may have to be made of another: asked for each cell that is read as a `String`.
  @usableFromInline let hasEncodedText: Bool

  /// Columns of these types.
  public init(_ types: [AttributeType], of entity: EntityDescription? = nil) {
    self.types = types
    self.entity = entity
    hasEncodedText = types.contains { $0.encodedText != nil }
  }
}
