/// A term with the entity it belongs to and the Swift type of its values: an ``Operand`` in filters, orders and groups, a ``Projection`` in
/// reports. Functions and aggregates are members of both, so that each is written alike everywhere.
///
/// ```swift
/// .where(.lower(\.name) == "europe/bratislava")     // dao_lower("name") = ?
/// .order(by: .descending(.lower(\.name)))           // ORDER BY dao_lower("name") DESC NULLS LAST
/// zones.project(.lower(\.name), .sum(.abs(\.offset)))  // SELECT dao_lower("name"), dao_sum(dao_abs("offset"))
/// ```
///
/// Where a function or an aggregate takes a key path, it takes an ``Operand`` too.
public protocol TypedTerm {
  /// The entity.
  associatedtype Root: Entity
  /// The type of the values.
  associatedtype Value: AttributeValue

  /// A typed form of a term.
  init(_ term: Criteria.Term)
}

// Attributes themselves: `.concat(.field(\.name), .upper(\.comment))`.
extension TypedTerm {
  /// The attribute itself: `"name"`.
  public static func field(_ path: FieldKeyPath<Root, Value>) -> Self { Self(Root.term(path)) }
}

extension TypedTerm where Value == Scalar {
  /// The attribute of this name; `"country.code"` goes through a relationship.
  public static func field(_ name: String) -> Self { Self(.field(FieldPath(name))) }
}
