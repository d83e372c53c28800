import Foundation

/// Decimal numbers as text: an optional sign, digits, and an optional fraction.
package enum DecimalText {
  /// The number that `text` spells, or nil where it is not wholly a number or has more digits than `Decimal` can hold.
  ///
  /// `Decimal(string:)` reads a prefix ("12abc" is 12), so the form is checked first.
  public static func decimal(_ text: String) -> Decimal? {
    guard isNumber(text.utf8), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN else {
      return nil
    }
    return value
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
    let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    guard var number = parts.first.flatMap({ decimal(String($0)) }) else { return nil }
    guard parts.count == 2 else { return number }
    var scaled = Decimal()
    // No power that `Decimal` knows is beyond these.
    guard let exponent = Int16(parts[1]), NSDecimalMultiplyByPowerOf10(&scaled, &number, exponent, .plain) == .noError else { return nil }
    return scaled
  }
}
