/// A value that may refer to a row of another entity: an optional ``Reference``.
@_documentation(visibility: internal)
public protocol OptionalReferenceValue: AttributeValue {
  /// The entity that it may refer to.
  associatedtype Target: Entity
}
