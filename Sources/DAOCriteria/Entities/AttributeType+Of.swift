extension AttributeType {
  /// The attribute type that holds values of a Swift type: `@Entity` writes it for a type that it does not know by name.
  ///
  /// ```swift
  /// enum Kind: String, AttributeValue { case land, sea }             // an enum with raw values: AttributeValue
  /// struct Address: JSONAttributeValue { var street: String }        // a Codable value, kept as JSON: JSONAttributeValue
  /// ```
  public static func of<Value: AttributeValue>(_ type: Value.Type) -> AttributeType { type.attributeType }

  /// The attribute type of arrays and dictionaries, by the types of their elements: `.json(of: .of(Address.self))` is written by `@Entity`
  /// for `[Address]`, so that the compiler names the conformance that `Address` lacks.
  public static func json(of held: AttributeType...) -> AttributeType { .json }

  /// Whether values of a Swift type may be nil: `@Entity` writes it for a type that may be another name of an optional.
  public static func isOptional(_ type: Any.Type) -> Bool { (type as? any AttributeValue.Type)?.isOptional ?? false }

  /// Names the conformance that an enum with raw values lacks.
  @available(
    *, unavailable,
    message: "an enum with raw values is an attribute once it conforms to AttributeValue: 'enum Kind: String, AttributeValue'"
  )
  public static func of<Value: RawRepresentable>(_ type: Value.Type) -> AttributeType { .any }

  /// Names the conformance that a `Codable` value lacks.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "a Codable value is an attribute once it conforms to JSONAttributeValue: 'struct Address: JSONAttributeValue'"
  )
  public static func of<Value: Codable>(_ type: Value.Type) -> AttributeType { .any }

  /// Names the conformances that make a type an attribute.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      an attribute's type conforms to AttributeValue (an enum with raw values), JSONAttributeValue (a Codable value) or \
      ConvertedAttributeValue
      """
  )
  public static func of<Value>(_ type: Value.Type) -> AttributeType { .any }
}
