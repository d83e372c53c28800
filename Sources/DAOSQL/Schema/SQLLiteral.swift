import DAOCriteria
import Foundation

/// Values as literals of a schema's DEFAULT clauses. Statements never hold literals; their values are bound.
package enum SQLLiteral {
  /// Returns a DEFAULT clause as an expression for use elsewhere: a name that stands alone in a DEFAULT clause is a text, and elsewhere
  /// would be a column.
  package static func expression(ofDefault sql: String) -> String {
    let tokens = SQLTokens.of(sql)
    guard let token = tokens.first, tokens.count == 1, value(sql) == nil else { return "(\(sql))" }
    let isName = token.kind == .quoted || token.kind == .word && token.text.utf8.first.map { !(0x30...0x39 ~= $0) } == true
    let isTime = ["CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"].contains { token.isWord($0) }
    return isName && !isTime ? text(.text(token.name)) : "(\(sql))"
  }

  /// The literal of a stored value.
  static func text(_ value: StoredValue) -> String {
    switch value {
    case .null, .integer, .blob: value.description
    case .text(let text): "'" + text.doubling("'") + "'"
    // An infinity has no literal; a number too large for a double reads as one.
    case .real(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description
    }
  }

  /// The value of a DEFAULT clause; nil for an expression, such as `CURRENT_TIMESTAMP`.
  package static func value(_ sql: String) -> StoredValue? {
    var text = Substring(sql).trimmed
    while text.first == "(", text.last == ")" { text = text.dropFirst().dropLast().trimmed }
    switch text.uppercased() {
    case "NULL": return .null
    case "TRUE": return .integer(1)
    case "FALSE": return .integer(0)
    default: break
    }
    if let quoted = quoted(text) { return .text(quoted) }
    if text.first == "x" || text.first == "X" { return quoted(text.dropFirst()).flatMap(bytes).map { .blob($0) } }
    // Text that begins like a number only, so that names (`nan`, `infinity`) are not taken for one.
    guard let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
      0x30...0x39 ~= first || first == UInt8(ascii: ".")
    else { return nil }
    return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
  }

  private static func quoted(_ text: Substring) -> String? {
    let scalars = text.unicodeScalars
    guard scalars.count >= 2, scalars.first == "'", scalars.last == "'" else { return nil }
    var value = String.UnicodeScalarView()
    var isOpen = false
    for scalar in scalars.dropFirst().dropLast() {
      // `'a' || 'b'` begins and ends with a quote too; what is between must hold quotes in pairs only.
      guard scalar == "'" || !isOpen else { return nil }
      if isOpen || scalar != "'" { value.append(scalar) }
      isOpen = scalar == "'" && !isOpen
    }
    return isOpen ? nil : String(value)
  }

  private static func bytes(_ hex: String) -> Data? {
    let digits = hex.compactMap(\.hexDigitValue)
    guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
    return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
