import DAOCriteria
import DAORecords
import Foundation

/// Reads the values of records as an attribute stores them.
///
/// | attribute | from JSON, and from the text of a cell |
/// |---|---|
/// | integer | `42`, `42.0`, `4.2e1`, `"42"`: each that is an integer of 64 bits, exactly; `true` of JSON is 1 |
/// | real | `1.5`, `"1.5"`, `"infinity"` |
/// | decimal | `19.90`, `"19.90"`: all digits, or none |
/// | bool | `true`, `1`, `"true"`, `"yes"`, `"1"`, and their opposites, in any case |
/// | text | a text; the digits of a number as they are written; `true` |
/// | date | see ``DateForm`` |
/// | UUID | 36 characters, or the 32 digits alone |
/// | data | Base64, also with the characters of URLs and without padding |
/// | JSON | any value; the text of a cell is that of a document |
///
/// A value that says none of these is a problem, never another value.
struct ValueReader {
  private let type: AttributeType
  let dates: DateReader

  init(_ type: AttributeType, dates: [DateForm]) {
    self.type = type
    self.dates = DateReader(dates)
  }

  /// The value in its stored form.
  /// - Parameter value: one that is not null, and no blank cell.
  /// - Throws: ``ValueProblem``.
  func stored(_ value: Int, of record: Record) throws -> StoredValue {
    let kind = record.kind(of: value)
    switch (type, kind) {
    case (.json, .cell):
      let text = record.text(of: value)
      if let problem = JSONScanner.problem(in: text) { throw ValueProblem("expects JSON, not the text \"\(text.shown)\": \(problem)") }
      return .text(text)
    case (.json, _): return .text(record.node(of: value).json)
    case (_, .list), (_, .object), (_, .null), (_, .blank): break
    case (.text, .bool), (.storedText, .bool): return try type.stored(.text(record.bool(of: value) ? "true" : "false"))
    case (.text, _): return .text(record.text(of: value))
    case (.storedText, _): return try type.stored(.text(record.text(of: value)))
    case (.boolText, .bool): return try type.stored(.bool(record.bool(of: value)))
    case (.bool, .bool), (.integer, .bool), (.any, .bool): return .integer(record.bool(of: value) ? 1 : 0)
    case (_, .bool): break
    case (.bool, _): if let bool = Self.bool(record.text(of: value)) { return .integer(bool ? 1 : 0) }
    case (.boolText, _): if let bool = Self.bool(record.text(of: value)) { return try type.stored(.bool(bool)) }
    case (.integer, _): if let integer = Self.integer(value, of: record) { return .integer(integer) }
    case (.real, _): if let real = Self.real(record.text(of: value)) { return .real(real) }
    case (.decimal, _):
      if let decimal = Self.decimal(record.text(of: value)) { return try type.stored(.decimal(decimal)) }
    case (.date, .number):
      if let date = Double(digits: record.text(of: value)).flatMap(dates.date(number:)) { return try type.stored(.date(date)) }
    case (.date(let storage), _):
      let text = record.text(of: value)
      if let date = dates.date(text) ?? storage.dateOfPattern(text) { return try type.stored(.date(date)) }
    case (.any, .number):
      if let integer = Self.integer(value, of: record) { return .integer(integer) }
      if let real = Self.real(record.text(of: value)) { return .real(real) }
    case (.any, _): return .text(record.text(of: value))
    case (_, .number): break
    case (.uuid, _): if let uuid = Self.uuid(record.text(of: value)) { return try type.stored(.uuid(uuid)) }
    case (.data, _): if let data = Self.data(record.text(of: value)) { return .blob(data) }
    }
    throw ValueProblem("expects \(expected), not \(record.shown(value))")
  }

  private var expected: String {
    switch type {
    case .bool, .boolText: "true or false"
    case .integer: "an integer of 64 bits"
    case .real: "a double"
    case .text, .storedText: "a text"
    case .any: "a number or a text"
    case .data: "Base64"
    case .uuid: "a UUID"
    case .date: dates.expected
    case .decimal: "decimal digits"
    case .json: "JSON"
    }
  }

  // MARK: Single values

  private static func bool(_ text: String) -> Bool? {
    let word = trimmed(text).lowercased()
    return BoolText.trueWords.contains(word) ? true : BoolText.falseWords.contains(word) ? false : nil
  }

  private static func integer(_ value: Int, of record: Record) -> Int64? {
    // Most are digits, which need no text.
    if let integer = record.withBytes(of: value, plainInteger), let integer { return integer }
    let text = trimmed(record.text(of: value))
    if let integer = Int64(text) { return integer }
    // A number with a fraction or an exponent may still be an integer.
    return decimal(text).flatMap { Int64($0.description) }
  }

  /// The integer of at most 18 digits.
  private static func plainInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = bytes.dropFirst(isNegative ? 1 : 0)
    guard 1...18 ~= digits.count else { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -number : number
  }

  private static func real(_ text: String) -> Double? {
    let text = trimmed(text)
    switch text {
    case "infinity": return .infinity
    case "-infinity": return -.infinity
    default:
      return Double(digits: text)
    }
  }

  private static func decimal(_ text: String) -> Decimal? {
    DecimalText.exactDecimal(number: trimmed(text))
  }

  private static func uuid(_ text: String) -> UUID? {
    if let uuid = UUID(uuidString: text) { return uuid }
    guard text.utf8.count == 32, text.utf8.count == text.count else { return nil }
    var digits = text
    for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
    return UUID(uuidString: digits)
  }

  private static func data(_ text: String) -> Data? {
    if let data = Data(base64Encoded: text) { return data }
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
  }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last, first <= 0x20 || last <= 0x20 else { return text }
    return text.trimmingCharacters(in: .whitespaces)
  }
}
