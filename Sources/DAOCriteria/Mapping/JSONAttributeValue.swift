/// A `Codable` type kept as JSON text, keys sorted.
public protocol JSONAttributeValue: AttributeValue, Codable {}

extension JSONAttributeValue {
  /// JSON text.
  public static var attributeType: AttributeType { .json }

  /// Decodes the JSON.
  public init(scalar: Scalar) throws { self = try JSONText.decode(scalar) }

  /// Encodes to JSON.
  public var scalar: Scalar { get throws { try JSONText.encode(self) } }
}
