/// A value that refers to a row of another entity: ``Reference``.
@_documentation(visibility: internal)
public protocol ReferenceValue: AttributeValue {
  /// The entity that it refers to.
  associatedtype Target: Entity
}
