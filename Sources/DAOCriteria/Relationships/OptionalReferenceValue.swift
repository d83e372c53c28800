/// A value that may refer to a row of another entity: an optional ``Reference``.
public protocol OptionalReferenceValue: AttributeValue {
  /// The entity that it may refer to.
  associatedtype Target: Entity
}
