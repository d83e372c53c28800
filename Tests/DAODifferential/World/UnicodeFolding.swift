import DAOKit
import Foundation

/// Text without regard to case by Unicode's full case folding, from the tables of Swift's own library: another way to what ``CaseFolding``
/// takes from Foundation, which both stores share.
enum UnicodeFolding {
  /// Whether all of a text's characters are in Unicode 8 or before: Foundation on Linux does not fold letters that came later.
  static func knows(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in scalar.properties.age.map { $0.major <= 8 } ?? true }
  }

  static func fold(_ text: String) -> String {
    let folded = text.precomposedStringWithCanonicalMapping.unicodeScalars.flatMap { fold($0).unicodeScalars }
    return String(String.UnicodeScalarView(folded)).precomposedStringWithCanonicalMapping
  }

  /// The lower case of the upper case of the lower case, by which all that share any of them are one; but for `ı`, which is no `i`.
  ///
  /// CaseFolding.txt has the upper case for the letters of the Cherokee, Foundation the lower: what is equal is the same.
  private static func fold(_ scalar: Unicode.Scalar) -> String { scalar == "ı" ? "ı" : lower(upper(lower(String(scalar)))) }

  private static func lower(_ text: String) -> String { text.unicodeScalars.map(\.properties.lowercaseMapping).joined() }

  private static func upper(_ text: String) -> String { text.unicodeScalars.map(\.properties.uppercaseMapping).joined() }
}
