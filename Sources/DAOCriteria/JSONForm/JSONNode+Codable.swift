/// Any tree in any format that `Codable` knows.
extension JSONNode: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { return nil }
  }

  /// Each level is ten frames on the stack here and in Foundation's decoder; 190 are too many for 512 KB. ``CriteriaDecoder`` needs no
  /// stack, and goes as deep.
  private static let maximumCodingDepth = CriteriaDecoder.Limits.own.jsonDepth

  package init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.maximumCodingDepth else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "is nested too deep"))
    }
    if let container = try? decoder.container(keyedBy: Name.self) {
      self = .object(try container.allKeys.map { Member(name: $0.stringValue, value: try container.decode(JSONNode.self, forKey: $0)) })
    } else if var container = try? decoder.unkeyedContainer() {
      var items: [JSONNode] = []
      while !container.isAtEnd { items.append(try container.decode(JSONNode.self)) }
      self = .list(items)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .number("\(value)")
      } else if let value = try? container.decode(Double.self) {
        self = .number("\(value)")
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for member in members { try container.encode(member.value, forKey: Name(member.name)) }
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(item) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let digits):
      if let value = Int64(digits) { try value.encode(to: encoder) } else { try (Double(digits) ?? .nan).encode(to: encoder) }
    case .text(let text): try text.encode(to: encoder)
    }
  }
}
