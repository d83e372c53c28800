// Reads a value at a path inside a JSON attribute.
extension TypedTerm {
  /// The value at a path inside a JSON attribute, for filters, orders and reports.
  ///
  /// ```swift
  /// .where(.json(\.details, "address", "city", as: String.self) == "Berlin")
  /// // dao_json("details", 'TEXT', ?, ?) = ?
  /// .order(by: .descending(.json(\.details, "sizes", 0, as: Int.self)))
  /// // ORDER BY dao_json("details", 'INTEGER', ?, ?) DESC NULLS LAST
  /// ```
  ///
  /// A step is a key, or an index in an array from 0. The type is one that is kept as text, integer, double or Bool. The value is nil where
  /// the path leads nowhere or the document is no JSON (RFC 8259), and where the value is null, an object, an array or of another type.
  /// Nothing is converted: `"1"` is no number and `1.0` no integer; an integer is a double too, and an integer beyond 64 bits is a double
  /// only. A number too large for a double is nil. Of equal keys the first counts. A report reads the value as it does an attribute's: an
  /// integer that the type has no room for, or a text that is none of its cases, is an error. A `Float` is compared as the double that it
  /// is, and 0.1 of a document is another one: compare as `Double`.
  ///
  /// Each row's document is read. No index can help, since no store's schema uses functions of DAOKit's: give a value by which rows are
  /// searched an attribute of its own.
  public static func json<V, T: AttributeValue>(_ path: FieldKeyPath<Root, V>, _ steps: any JSONStepConvertible..., as type: T.Type)
    -> Self
  where Value == T.Unwrapped? {
    Self(.json(Root.term(path), steps.map(\.jsonStep), as: T.attributeType))
  }

  /// The value at a path inside a term that is JSON: `.json(.coalesce(\.draft, \.details), "address", "city", as: String.self)`.
  public static func json<V, T: AttributeValue>(_ operand: Operand<Root, V>, _ steps: any JSONStepConvertible..., as type: T.Type)
    -> Self
  where Value == T.Unwrapped? {
    Self(.json(operand.term, steps.map(\.jsonStep), as: T.attributeType))
  }

  /// The value at a path inside the JSON attribute of this name: `.json("details", "address", "city", as: String.self)`.
  public static func json<T: AttributeValue>(_ name: String, _ steps: any JSONStepConvertible..., as type: T.Type) -> Self
  where Value == T.Unwrapped? {
    Self(.json(.field(FieldPath(name)), steps.map(\.jsonStep), as: T.attributeType))
  }
}

extension Field {
  /// The value at a path inside a JSON attribute: `{ $0.details.jsonValue("address", "city", as: String.self) == "Berlin" }`.
  public func jsonValue<T: AttributeValue>(_ steps: any JSONStepConvertible..., as type: T.Type) -> Field<T.Unwrapped?> {
    Field<T.Unwrapped?>(.json(term, steps.map(\.jsonStep), as: T.attributeType))
  }
}
