import DAOKit
import Foundation

/// Text without regard to case by Unicode's full case folding, from the tables of Swift's own library: another way to what ``CaseFolding``
/// takes from Foundation, which both stores share.
enum UnicodeFolding {
  static func fold(_ text: String) -> String {
    let folded = text.precomposedStringWithCanonicalMapping.unicodeScalars.flatMap { fold($0).unicodeScalars }
    return String(String.UnicodeScalarView(folded)).precomposedStringWithCanonicalMapping
  }

  /// The lower case of the upper case of the lower case, by which all that share any of them are one. Two are apart: `ı`, which is no `i`, and
  /// the letters of the Cherokee, which fold to their upper case, since that was there first.
  private static func fold(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x131: String(scalar)
    case 0x13A0...0x13FD, 0xAB70...0xABBF: scalar.properties.uppercaseMapping
    default: lower(upper(lower(String(scalar))))
    }
  }

  private static func lower(_ text: String) -> String { text.unicodeScalars.map(\.properties.lowercaseMapping).joined() }

  private static func upper(_ text: String) -> String { text.unicodeScalars.map(\.properties.uppercaseMapping).joined() }
}
