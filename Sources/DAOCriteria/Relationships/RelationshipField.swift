/// A relationship as criteria name it, to one row or to many: what `prefetch` takes.
public protocol RelationshipField<Target>: Sendable {
  /// The entity that it leads to.
  associatedtype Target: Entity
  /// The path of relationships.
  var path: FieldPath { get }
}

// To many rows.
extension RelatedField: RelationshipField {
  /// A relationship of the rows that this one leads to: `\.transitions.zone`.
  public subscript<Next: RelationshipField>(dynamicMember next: KeyPath<Target.Fields, Next>) -> Next {
    Target.Fields(path: path)[keyPath: next]
  }
}

/// A value that refers to a row of another entity: ``Reference``.
public protocol ReferenceValue: AttributeValue {
  /// The entity that it refers to.
  associatedtype Target: Entity
}

extension Reference: ReferenceValue {}

// To one row. The field itself stands for the key.
extension Field: RelationshipField where Value.Unwrapped: ReferenceValue {
  /// The entity that the field refers to.
  public typealias Target = Value.Unwrapped.Target

  /// The path of relationships.
  public var path: FieldPath { if case .field(let path) = term { path } else { .root } }

  /// A field of the row that this one refers to: `\.country.name`.
  ///
  /// One that is called like a function of ``Field`` is reached by its name: `.field("country.length")`.
  public subscript<Member>(dynamicMember member: KeyPath<Value.Unwrapped.Target.Fields, Member>) -> Member {
    Target.Fields(path: path)[keyPath: member]
  }
}
