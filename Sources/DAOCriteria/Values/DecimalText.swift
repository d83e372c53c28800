import Foundation

/// Decimal numbers as text: an optional sign, digits, and an optional fraction.
package enum DecimalText {
  /// The number that `text` spells, or nil where it is not wholly a number. Digits beyond those that `Decimal` can hold are dropped.
  ///
  /// `Decimal(string:)` reads a prefix ("12abc" is 12), so the form is checked first.
  public static func decimal(_ text: String) -> Decimal? {
    guard isNumber(text.utf8), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN else {
      return nil
    }
    return value
  }

  /// The number that `text` spells, as ``decimal(number:)`` reads it; nil where a `Decimal` can't hold all of its digits.
  package static func exactDecimal(number text: String) -> Decimal? {
    // Each digit takes its time.
    guard text.utf8.count <= 400 else { return nil }
    let digits = significantDigits(text)
    guard digits.count <= 39, let number = decimal(number: text) else { return nil }
    // All numbers of 38 digits fit, and some of 39.
    return digits.count <= 38 || digits == significantDigits(number.description) ? number : nil
  }

  private static func significantDigits(_ text: String) -> [UInt8] {
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let zero = UInt8(ascii: "0")
    return Array(digits.drop { $0 == zero }.reversed().drop { $0 == zero })
  }

  /// Whether bytes have the form of a number.
  package static func isNumber(_ text: some Sequence<UInt8>) -> Bool {
    var digits = 0
    var points = 0
    for (offset, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: "-"), UInt8(ascii: "+"): if offset != 0 { return false }
      default: return false
      }
    }
    return digits > 0 && points <= 1
  }

  /// The number that digits with an exponent spell, as JavaScript writes small ones: `1e-7`; nil where `Decimal` can't hold it.
  static func decimal(number text: String) -> Decimal? {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard var number = parts.first.flatMap({ decimal(String($0)) }) else { return nil }
    guard parts.count == 2 else { return number }
    var scaled = Decimal()
    // No power that `Decimal` knows is beyond these.
    guard let exponent = Int16(parts[1]), NSDecimalMultiplyByPowerOf10(&scaled, &number, exponent, .plain) == .noError else { return nil }
    return scaled
  }
}
