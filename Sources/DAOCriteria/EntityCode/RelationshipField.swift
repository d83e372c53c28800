/// A relationship as criteria name it, to one row or to many, for `prefetch`.
@_documentation(visibility: internal)
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

extension Reference: ReferenceValue {}

extension Optional: OptionalReferenceValue where Wrapped: ReferenceValue {
  /// The entity that the reference leads to, where there is one.
  public typealias Target = Wrapped.Target
}

// To one row. The field itself stands for the key.
extension Field: RelationshipField where Value.Unwrapped: ReferenceValue {
  /// The entity that the field refers to.
  public typealias Target = Value.Unwrapped.Target

  /// The path of relationships.
  public var path: FieldPath { named }
}

// The fields of the row that a reference leads to: `\.country.name`. Beyond an optional reference everything is optional; see
// ``OptionalFields``.
//
// One that is called like a function of ``Field`` is reached by its name: `.field("country.length")`.
extension Field {
  /// A field of the row that this one refers to: `\.country.name`.
  public subscript<Member>(dynamicMember member: KeyPath<Value.Target.Fields, Member>) -> Member where Value: ReferenceValue {
    Value.Target.Fields(path: named)[keyPath: member]
  }

  /// A field of the row that this one may refer to, which is optional: `\.country.name`.
  public subscript<V>(dynamicMember member: KeyPath<Value.Target.Fields, Field<V>>) -> Field<V.Unwrapped?>
  where Value: OptionalReferenceValue {
    OptionalFields(Value.Target.Fields(path: named))[dynamicMember: member]
  }

  /// A to-many relationship of the row that this one may refer to: `\.country.zones`.
  public subscript<T>(dynamicMember member: KeyPath<Value.Target.Fields, RelatedField<T>>) -> RelatedField<T>
  where Value: OptionalReferenceValue {
    OptionalFields(Value.Target.Fields(path: named))[dynamicMember: member]
  }

  /// The fields of a row beyond the one that this one may refer to, where they were written by hand.
  public subscript<Next: EntityFields>(dynamicMember member: KeyPath<Value.Target.Fields, Next>) -> OptionalFields<Next>
  where Value: OptionalReferenceValue {
    OptionalFields(Value.Target.Fields(path: named))[dynamicMember: member]
  }

  /// The path of the attribute that it stands for.
  private var named: FieldPath { if case .field(let path) = term { path } else { .root } }
}
