/// An attribute in criteria, or a function of one, with the Swift type that its values have.
///
/// ```swift
/// .where { $0.name.lowercased() == "europe/bratislava" && $0.comment != nil }
/// .where(\.name == "Europe/Bratislava")
/// ```
@dynamicMemberLookup
public struct Field<Value: AttributeValue>: Sendable, Hashable {
  /// The part of a query that it stands for.
  public let term: Criteria.Term

  /// A field that stands for a term.
  @inlinable public init(_ term: Criteria.Term) { self.term = term.checkedForDepth }
}
