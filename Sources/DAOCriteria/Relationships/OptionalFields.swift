/// The fields of a row that may not be there, since an optional reference leads to it. Each of them is optional, so that a report reads nil
/// where there is no row.
///
/// ```swift
/// invoices.project(.group(by: \.customer.supportRep.lastName), .count)      // [(String?, Int)], where an invoice may have no customer
/// ```
///
/// A ``Reference`` leads to these fields by itself. Written by hand, without one: `var twin: OptionalFields<City.Fields> {
/// path.optionalFields("twin") }`.
@dynamicMemberLookup
public struct OptionalFields<Fields: EntityFields>: Sendable {
  private let fields: Fields

  /// Fields of a row that may not be there.
  public init(_ fields: Fields) { self.fields = fields }

  /// A field of the row, which is optional.
  public subscript<V>(dynamicMember member: KeyPath<Fields, Field<V>>) -> Field<V.Unwrapped?> {
    Field<V.Unwrapped?>(fields[keyPath: member].term)
  }

  /// A to-many relationship of the row. Without a row it leads to none.
  public subscript<Target>(dynamicMember member: KeyPath<Fields, RelatedField<Target>>) -> RelatedField<Target> {
    fields[keyPath: member]
  }

  /// The fields of a row beyond this one.
  public subscript<Next: EntityFields>(dynamicMember member: KeyPath<Fields, Next>) -> OptionalFields<Next> {
    OptionalFields<Next>(fields[keyPath: member])
  }

  /// The fields of a row beyond this one that may not be there either.
  public subscript<Next>(dynamicMember member: KeyPath<Fields, OptionalFields<Next>>) -> OptionalFields<Next> { fields[keyPath: member] }
}

extension FieldPath {
  /// The fields of the row that an optional relationship of this name leads to.
  public func optionalFields<Fields>(_ name: String) -> OptionalFields<Fields> { OptionalFields(Fields(path: appending(name))) }
}
