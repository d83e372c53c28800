// Values that are coded as their texts.
extension Decoder {
  /// The value of a text.
  /// - Parameter example: a text that is one, for the error of one that is not.
  func value<Value: LosslessStringConvertible>(like example: String) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expects a text like \(example), not \(text)")
    }
    return value
  }
}

extension Encoder {
  /// Writes a value as its text.
  func encode(textOf value: some LosslessStringConvertible) throws {
    var container = singleValueContainer()
    try container.encode(value.description)
  }
}
