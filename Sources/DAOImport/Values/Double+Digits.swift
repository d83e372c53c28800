extension Double {
  /// The number that decimal digits say. `Double` itself also reads hexadecimal ones, "nan", and infinity where a number is too large.
  init?(digits text: String) {
    if let number = Self.short(text) {
      self = number
      return
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard let value = Double(text), value.isFinite else { return nil }
    self = value
  }

  /// The number of at most 15 digits, as most are; nil for other texts.
  ///
  /// The digits and the power of ten below them are doubles without a rounding, so their quotient is the double that is nearest to the
  /// text: William D. Clinger, "How to Read Floating Point Numbers Accurately", 1990.
  private static func short(_ text: String) -> Double? {
    var (number, digits, power, isFraction, isNegative) = (Int64(0), 0, 1.0, false, false)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        digits += 1
        if digits > 15 { return nil }
        if isFraction { power *= 10 }
      case UInt8(ascii: ".") where !isFraction && digits > 0: isFraction = true
      case UInt8(ascii: "-") where digits == 0 && !isNegative: isNegative = true
      default: return nil
      }
    }
    if digits == 0 || isFraction && power == 1 { return nil }
    return (isNegative ? -Double(number) : Double(number)) / power
  }
}
