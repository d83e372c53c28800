import DAOCriteria
import Foundation

/// How the values of an `in` are written.
enum ListForm: Sendable, Hashable {
  /// As JSON has them.
  case plain
  /// Packed, since JSON can't carry them exactly.
  case packed
  /// Packed, of dates in seconds since 2001, as which they are read from several stored values.
  case sinceReference
}

/// The values of an `in` as one JSON array, so that a list of any length is one binding and the text stays the same.
///
/// Numbers and texts go as they are. Values that JSON can't carry exactly (doubles, bytes, text with NUL) are packed into a text with a
/// letter in front, which the connection's function `dao_unpack` turns back: `i12`, `r3ff0000000000000` (the bits), `tabc`, `t` with NUL
/// and all as hex: `h61…`, `b00ff`.
package enum ListText {
  /// Whether values of a type go as they are, as long as no text has a NUL.
  static func isPlain(_ type: AttributeType) -> Bool {
    switch type.storedForm {
    case .integer, .text: true
    case .real, .number, .blob, .any: false
    }
  }

  static func json(_ scalars: [Scalar], type: AttributeType, _ form: ListForm) throws -> String {
    var json = "["
    for scalar in scalars {
      var stored = try type.stored(scalar)
      // No double is equal to this integer.
      if type == .real, scalar.kind == .integer, scalar.isApproximate { continue }
      if form == .sinceReference, case .date(let storage) = type { stored = storage.secondsSinceReference(stored) }
      if json.utf8.count > 1 { json += "," }
      switch stored {
      case .integer(let value) where form == .plain: json += String(value)
      case .text(let text) where form == .plain: appendQuoted(text, to: &json)
      default: appendQuoted(pack(stored), to: &json)
      }
    }
    return json + "]"
  }

  private static func pack(_ value: StoredValue) -> String {
    switch value {
    case .null: ""
    case .integer(let value): "i\(value)"
    case .real(let value): "r" + String(value.bitPattern, radix: 16)
    case .text(let text): text.utf8.contains(0) ? "h" + hex(text.utf8) : "t" + text
    case .blob(let data): "b" + hex(data)
    }
  }

  /// The value of a packed text; nil where the text is no packed value.
  public static func unpack(_ packed: String) -> StoredValue? {
    let rest = packed.dropFirst()
    return switch packed.utf8.first {
    case UInt8(ascii: "i"): Int64(rest).map { .integer($0) }
    case UInt8(ascii: "r"): UInt64(rest, radix: 16).map { .real(Double(bitPattern: $0)) }
    case UInt8(ascii: "t"): .text(String(packed.unicodeScalars.dropFirst()))
    case UInt8(ascii: "h"): bytes(rest).map { .text(String(decoding: $0, as: UTF8.self)) }
    case UInt8(ascii: "b"): bytes(rest).map { .blob(Data($0)) }
    default: nil
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(_ hex: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in hex {
      guard let digit = character.hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return high == nil ? bytes : nil
  }

  /// RFC 8259, section 7: quotes, backslashes and controls are escaped.
  private static func appendQuoted(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\u{0}"..."\u{1F}":
        json += "\\u00" + hex([UInt8(scalar.value)])
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }
}
