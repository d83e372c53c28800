/// A value that refers to a row of another entity: ``Reference``.
public protocol ReferenceValue: AttributeValue {
  /// The entity that it refers to.
  associatedtype Target: Entity
}
