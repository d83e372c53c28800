import Foundation

/// A sum of decimal numbers that does not depend on their order: digit by digit, carried at the end.
package struct DecimalSum {
  /// How many numbers there are.
  package private(set) var count = 0
  // Ones, tens, hundreds.
  private var whole: [Int] = []
  // Tenths, hundredths.
  private var fraction: [Int] = []
  // Numbers of so many digits after the point, added as integers as long as 64 bits hold them.
  private var units: Int64 = 0
  private var unitDigits = 0

  /// The sum of nothing.
  package init() {}

  /// Adds a number in the form that ``DecimalText`` has.
  /// - Returns: false where the text is none.
  package mutating func add(_ text: some StringProtocol) -> Bool {
    var digits = Array(text.utf8)
    // Longer ones are not values that a `Decimal` could hold.
    guard digits.count <= 400 else { return false }
    let sign = digits.first == UInt8(ascii: "-") ? -1 : 1
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard digits.count > parts.count - 1,
      parts.allSatisfy({ $0.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
    else { return false }
    Self.add(parts[0].reversed(), sign, to: &whole)
    if parts.count > 1 { Self.add(parts[1], sign, to: &fraction) }
    count += 1
    return true
  }

  /// Adds an integer times 10 to the power of minus `digits`.
  package mutating func add(_ number: Int64, digits: Int) {
    if digits != unitDigits { addUnits() }
    unitDigits = digits
    let (sum, overflows) = units.addingReportingOverflow(number)
    if overflows { addUnits() }
    units = overflows ? number : sum
    count += 1
  }

  /// Adds the digits of the integers.
  private mutating func addUnits() {
    let (sign, text) = (units < 0 ? -1 : 1, Array("\(units.magnitude)".utf8))
    Self.add(text.dropLast(unitDigits).reversed(), sign, to: &whole)
    let rest = text.suffix(unitDigits)
    Self.add(Array(repeating: UInt8(ascii: "0"), count: unitDigits - rest.count) + rest, sign, to: &fraction)
    units = 0
  }

  private static func add(_ digits: some Collection<UInt8>, _ sign: Int, to sums: inout [Int]) {
    if sums.count < digits.count { sums += [Int](repeating: 0, count: digits.count - sums.count) }
    for (place, digit) in digits.enumerated() { sums[place] += sign * Int(digit - UInt8(ascii: "0")) }
  }

  /// The sum; nil where it needs more digits than a `Decimal` has.
  package var total: Decimal? {
    let (isNegative, digits, places) = magnitude
    var text = String(decoding: digits.reversed().map { UInt8(ascii: "0") + UInt8($0) }, as: UTF8.self)
    text = String(text.dropLast(places)) + "." + String(text.suffix(places))
    text = String(text.drop { $0 == "0" })
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasSuffix(".") { text.removeLast() }
    if isNegative { text = "-" + text }
    // One with digits more than that has others than these.
    guard let total = DecimalText.decimal(text), total.description == text else { return nil }
    return total
  }

  /// The sum divided by the count, rounded to 38 digits, halves away from zero; nil where there are no numbers.
  package var mean: Decimal? {
    if count == 0 { return nil }
    let (isNegative, digits, places) = magnitude
    var (remainder, place) = (0, 0)
    // Long division: the next digit of the quotient.
    func nextDigit() -> Int {
      remainder = 10 * remainder + (place < digits.count ? digits[digits.count - 1 - place] : 0)
      place += 1
      defer { remainder %= count }
      return remainder / count
    }
    // The power of ten that the last digit stands for. A `Decimal` has none below -128.
    var exponent: Int { digits.count - places - place }
    var (quotient, significant) = (Decimal(0), 0)
    while significant < Self.digits, exponent > -128, remainder > 0 || place < digits.count {
      let digit = nextDigit()
      if digit > 0 || significant > 0 { significant += 1 }
      quotient = quotient * 10 + Decimal(digit)
    }
    let last = exponent
    if nextDigit() >= 5 { quotient += 1 }
    // A negative zero would be no number.
    return Decimal(sign: isNegative && quotient != 0 ? .minus : .plus, exponent: last, significand: quotient)
  }

  /// How many digits every number has that a `Decimal` holds exactly.
  private static let digits = 38

  /// The sum without its sign: its digits, the lowest first, of which some places are behind the point.
  private var magnitude: (isNegative: Bool, digits: [Int], places: Int) {
    var sum = self
    sum.addUnits()
    let all = sum.fraction.reversed() + sum.whole
    var digits = all
    let isNegative = Self.carry(&digits) < 0
    if isNegative {
      digits = all.map { -$0 }
      _ = Self.carry(&digits)
    }
    return (isNegative, digits, sum.fraction.count)
  }

  /// Leaves one digit in each place and adds those that are carried further.
  /// - Returns: -1 where the number is negative; its digits are then of no use.
  private static func carry(_ digits: inout [Int]) -> Int {
    var carried = 0
    for place in digits.indices {
      let sum = digits[place] + carried
      carried = sum >= 0 ? sum / 10 : -((9 - sum) / 10)
      digits[place] = sum - 10 * carried
    }
    while carried > 0 {
      digits.append(carried % 10)
      carried /= 10
    }
    return carried
  }
}
