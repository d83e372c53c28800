import Foundation

/// The decimal number as which a number of SQLite's is read: a double's exact binary value rounded to a scale, the number of digits after
/// the point, halves away from zero.
///
/// The double that is written 0.145 is a little less, and to two digits 0.14; the one that is written 0.125 is just that, and 0.13.
package struct RoundedNumber {
  private let isNegative: Bool
  // The digits as an integer of 128 bits, as many as a `Decimal` has.
  private let high: UInt64
  private let low: UInt64
  private let exponent: Int

  /// The double to a scale of 0 to 18; nil for an infinity, and where the number has more digits than a `Decimal`.
  package init?(_ number: Double, scale: Int) {
    guard number.isFinite, 0...18 ~= scale else { return nil }
    isNegative = number < 0
    if let digits = Self.digits(number.magnitude, scale: scale) {
      (high, low, exponent) = (0, digits, -scale)
      return
    }
    let bits = number.isNormal ? number.significandBitPattern | 1 << 52 : number.significandBitPattern
    // The number is `bits` times 2 to this power.
    let power = max(Int(number.exponentBitPattern), 1) - 1075
    if power >= 0 {
      guard power <= 75 else { return nil }
      (high, low, exponent) = (bits >> (64 - power), bits << power, 0)
      return
    }
    exponent = -scale
    // Less than 2^113, to which a half of the last digit that is dropped can be added.
    let exact = bits.multipliedFullWidth(by: Self.powers[scale])
    let dropped = -power
    guard dropped < 128 else {
      (high, low) = (0, 0)
      return
    }
    // Shifts by 64 and more leave nothing, and by a negative count go the other way.
    let (sum, carry) = exact.low.addingReportingOverflow(1 << (dropped - 1))
    let top = exact.high + (1 << (dropped - 65)) + (carry ? 1 : 0)
    high = top >> dropped
    low = sum >> dropped | top << (64 - dropped)
  }

  /// The double as a decimal number; see ``init(_:scale:)``.
  static func decimal(_ number: Double, scale: Int) -> Decimal? {
    guard 0...18 ~= scale, let digits = digits(number.magnitude, scale: scale) else { return RoundedNumber(number, scale: scale)?.decimal }
    return Decimal(sign: number < 0 && digits > 0 ? .minus : .plus, exponent: -scale, significand: Decimal(digits))
  }

  /// The number times 10 to the power of the scale, rounded, by a product of doubles. Where that is less than 2^52 and not half-way between
  /// integers, its own rounding has not moved it past a half.
  @inline(__always)
  private static func digits(_ magnitude: Double, scale: Int) -> UInt64? {
    // Powers up to 10^22 are doubles.
    var product = 1.0
    for _ in 0..<scale { product *= 10 }
    product *= magnitude
    guard product < 0x1p52 else { return nil }
    let whole = UInt64(product)
    let rest = product - Double(whole)
    return rest == 0.5 ? nil : rest < 0.5 ? whole : whole + 1
  }

  /// 10 to the power of 0 to 18.
  static let powers: [UInt64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// The number.
  package var decimal: Decimal {
    if high == 0, low == 0 { return 0 }
    let digits = high == 0 ? Decimal(low) : Decimal(high) * (Decimal(UInt64.max) + 1) + Decimal(low)
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: digits)
  }

  /// The number times 10 to the power of the scale; nil where it does not fit into 64 bits, or a double of 2^52 and more has no fraction.
  func units(scale: Int) -> Int64? {
    guard high == 0, low <= UInt64(Int64.max), exponent == -scale else { return nil }
    return isNegative ? -Int64(low) : Int64(low)
  }

  /// The double that is nearest to the number.
  package var nearestDouble: Double {
    guard high == 0, low <= 1 << 53 else { return decimal.nearestDouble }
    // A quotient of two whole doubles is the nearest one (IEEE 754).
    let magnitude = Double(low) / Double(Self.powers[-exponent])
    return isNegative && low != 0 ? -magnitude : magnitude
  }
}

extension Decimal {
  /// The double that is nearest to the number.
  var nearestDouble: Double {
    let digits = NSDecimalNumber(decimal: significand).uint64Value
    guard digits <= 1 << 53, -18...18 ~= exponent, Decimal(digits) == significand else { return Double(description) ?? .nan }
    let power = Double(RoundedNumber.powers[Swift.abs(exponent)])
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return sign == .minus ? -magnitude : magnitude
  }
}
