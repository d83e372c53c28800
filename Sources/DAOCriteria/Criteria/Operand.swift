/// A term with the entity it belongs to and the Swift type that its values have: a function of an attribute, an aggregate, or an attribute
/// by its name.
///
/// ```swift
/// .where(.lower(\.name) == "europe/bratislava")           // dao_lower("name") = ?
/// .where(\.standardOffset == .max(\.standardOffset))      // "standardOffset" = (SELECT MAX("standardOffset") FROM "zone")
/// .where(.field("standardOffset") > 3600)                 // "standardOffset" > ?
/// ```
public struct Operand<Root: Entity, Value: AttributeValue>: TypedTerm, Sendable, Hashable {
  /// The part of a query that it stands for.
  public let term: Criteria.Term

  /// An operand that stands for a term.
  public init(_ term: Criteria.Term) { self.term = term.checkedForDepth }

  /// An operand for the field at a key path.
  @inlinable public init(_ path: KeyPath<Root.Fields, Field<Value>>) { term = Root.term(path) }
}

extension Entity {
  /// The term for the field at a key path.
  @inlinable @inline(__always)
  public static func term<Value>(_ path: FieldKeyPath<Self, Value>) -> Criteria.Term { Fields(path: .root)[keyPath: path].term }
}

extension Entity {
  /// The names of the attributes at key paths. The check reports a path that is no attribute.
  package static func names(_ paths: [PartialKeyPath<Fields>]) -> [String] {
    let fields = Fields(path: .root)
    return paths.map { path in
      switch fields[keyPath: path] {
      case let field as any NamedField: field.name
      case let related as any RelationshipField: related.path.description
      default: "a key path"
      }
    }
  }
}

/// A field of any type.
private protocol NamedField { var name: String { get } }

extension Field: NamedField {
  fileprivate var name: String { if case .field(let path) = term { path.description } else { term.projectedName } }
}
