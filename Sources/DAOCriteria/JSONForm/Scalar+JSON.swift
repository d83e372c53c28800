import Foundation

// A plain value has the type of the attribute that it is compared with: numbers for integers and doubles, texts for most others. A value of
// another kind names it: `{"integer":3}` beside a decimal number.

extension JSONNode {
  /// The value that the JSON says where values of a type are expected.
  /// - Throws: ``ValueProblem`` where it says none.
  package func scalar(as type: AttributeType) throws -> Scalar {
    switch (self, type) {
    case (.null, _): return .null
    case (.object(let members), _):
      guard members.count == 1, let member = members.first, let type = Self.kinds[member.name] else {
        throw ValueProblem("expects a value, or an object with its kind as in {\"date\":…}, not \(kind)")
      }
      // Not every language has integers of 64 bits.
      if type == .integer, case .text(let digits) = member.value { return try JSONNode.number(digits).scalar(as: .integer) }
      return try member.value.scalar(as: type)
    case (.bool(let value), .bool), (.bool(let value), .boolText), (.bool(let value), .any): return .bool(value)
    case (.number(let digits), .integer):
      guard let value = Int64(digits) else { throw ValueProblem("expects an integer of 64 bits, not \(kind)") }
      return .integer(value)
    case (.number(let digits), .any): return try Int64(digits).map { .integer($0) } ?? .real(Self.real(digits))
    case (.number(let digits), .real): return .real(try Self.real(digits))
    case (.text("infinity"), .real): return .real(.infinity)
    case (.text("-infinity"), .real): return .real(-.infinity)
    case (.text(let text), .text), (.text(let text), .storedText), (.text(let text), .json), (.text(let text), .any): return .text(text)
    case (.text(let text), .data):
      guard let value = Data(base64Encoded: text) else { throw ValueProblem("expects Base64, not \(kind)") }
      return .data(value)
    case (.text(let text), .uuid):
      guard let value = UUID(uuidString: text) else { throw ValueProblem("expects a UUID, not \(kind)") }
      return .uuid(value)
    case (.text(let text), .date(let storage)):
      // Days and times of day are mostly written as their column has them.
      guard let value = ISO8601Text.exactDate(text) ?? storage.dateOfPattern(text) else {
        throw ValueProblem("expects a date like 2026-11-21T06:19:00Z, not \(kind)")
      }
      return .date(value)
    case (.text(let text), .decimal):
      guard DecimalText.isNumber(text.utf8), let value = DecimalText.exactDecimal(number: text) else {
        throw ValueProblem("expects decimal digits, not \(kind)")
      }
      return .decimal(value)
    case (.number(let digits), .decimal):
      guard let value = DecimalText.exactDecimal(number: digits) else { throw ValueProblem("expects decimal digits, not \(kind)") }
      return .decimal(value)
    default: throw ValueProblem("expects \(type), not \(kind)")
    }
  }

  /// The kinds that a value can name, and how each is read.
  private static let kinds: [String: AttributeType] = [
    "bool": .bool, "integer": .integer, "real": .real, "text": .text, "data": .data, "uuid": .uuid(.blob), "date": .date(.iso8601),
    "decimal": .decimal(.text),
  ]

  private static func real(_ digits: String) throws -> Double {
    guard let value = Double(digits), value.isFinite else {
      throw ValueProblem("expects a double, not \(digits.shown); write \"infinity\" if that is meant")
    }
    return value
  }
}

extension Scalar {
  /// The value as JSON where values of a type are expected.
  /// - Throws: ``ValueProblem`` where it can't be stored.
  func json(as type: AttributeType) throws -> JSONNode {
    let (kind, plain) = try kindAndPlainJSON
    if let read = try? plain.scalar(as: type), read == self { return plain }
    return .object([JSONNode.Member(name: kind, value: plain)])
  }

  private var kindAndPlainJSON: (String, JSONNode) {
    get throws {
      switch self {
      case .null: return ("null", .null)
      case .bool(let value): return ("bool", .bool(value))
      case .integer(let value): return ("integer", .number(String(value)))
      case .real(let value):
        guard !value.isNaN else { throw ValueProblem("can't hold NaN") }
        if value.isInfinite { return ("real", .text(value < 0 ? "-infinity" : "infinity")) }
        // As JavaScript and others would write it too, so that a text that went through them is the same.
        let digits = String(value)
        return ("real", .number(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits))
      case .text(let value): return ("text", .text(value))
      case .data(let value): return ("data", .text(value.base64EncodedString()))
      case .uuid(let value): return ("uuid", .text(value.uuidString.lowercased()))
      case .date(let value):
        guard let text = ISO8601Text.exactText(value) else { throw ValueProblem("can't hold a date outside the years 0001 to 9999") }
        return ("date", .text(text))
      case .decimal(let value):
        guard !value.isNaN else { throw ValueProblem("can't hold NaN") }
        return ("decimal", .text(value.description))
      }
    }
  }
}
