/// A sum of doubles as one long number of all the bits that a double can have, in units of the smallest.
struct WideSum {
  // 32 bits each, the lowest first, with room for carries. A double has bits 0 to 2097, and 2^31 of them fit before a carry is lost.
  private var limbs = [Int64](repeating: 0, count: 70)
  private var sinceCarried = 0
  // Infinities; both together are no number.
  private var infinite = 0.0

  mutating func add(_ number: Double) {
    guard number.isFinite else {
      infinite += number
      return
    }
    if number == 0 { return }
    let isSubnormal = number.exponentBitPattern == 0
    let bits = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    let place = isSubnormal ? 0 : Int(number.exponentBitPattern) - 1
    let (limb, shift) = (place / 32, UInt64(place % 32))
    let sign: Int64 = number < 0 ? -1 : 1
    let low = bits << shift
    limbs[limb] += sign * Int64(low & 0xFFFF_FFFF)
    limbs[limb + 1] += sign * Int64(low >> 32)
    limbs[limb + 2] += sign * Int64(shift == 0 ? 0 : bits >> (64 - shift))
    sinceCarried += 1
    if sinceCarried == 1 << 30 { carry() }
  }

  /// Leaves 32 bits in each limb but the last, which keeps its sign.
  private mutating func carry() {
    var carried: Int64 = 0
    for index in limbs.indices.dropLast() {
      let limb = limbs[index] + carried
      limbs[index] = limb & 0xFFFF_FFFF
      carried = limb >> 32
    }
    limbs[limbs.count - 1] += carried
    sinceCarried = 0
  }

  /// The nearest double to the sum divided by a count, the even one of two; nil where it is too large for one. An infinity, or no number,
  /// where infinities were added.
  func rounded(dividedBy count: UInt64 = 1) -> Double? {
    if infinite != 0 { return infinite }
    var magnitude = self
    magnitude.carry()
    let isNegative = magnitude.limbs[limbs.count - 1] < 0
    if isNegative {
      magnitude.limbs = magnitude.limbs.map { -$0 }
      magnitude.carry()
    }
    let whole = stride(from: 0, to: limbs.count, by: 2).map { index in
      UInt64(magnitude.limbs[index + 1]) << 32 | UInt64(magnitude.limbs[index])
    }
    // Two words more, so that a quotient has 64 bits, whatever the count.
    var words = [0, 0] + whole
    var remainder: UInt64 = 0
    if count > 1 {
      for index in words.indices.reversed() {
        (words[index], remainder) = count.dividingFullWidth((remainder, words[index]))
      }
    }
    let value = Self.double(words, unit: -1074 - 128, isMore: remainder != 0)
    return value.isInfinite ? nil : isNegative ? -value : value
  }

  /// The nearest double to a number in some unit, the even one of two. The number may be a little more than its words say.
  private static func double(_ words: [UInt64], unit: Int, isMore: Bool) -> Double {
    guard let top = words.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The 64 highest bits; the lowest of them stands for what is below too, which only decides to which side a half goes.
    let shift = UInt64(words[top].leadingZeroBitCount)
    let next = top > 0 ? words[top - 1] : 0
    var bits = words[top] << shift | (shift == 0 ? 0 : next >> (64 - shift))
    if isMore || next << shift != 0 || words.prefix(max(0, top - 1)).contains(where: { $0 != 0 }) { bits |= 1 }
    let exponent = unit + 64 * top + 63 - Int(shift)
    // Subnormal numbers have fewer bits, down to none.
    let kept = min(53, exponent + 1075)
    if kept < 0 { return 0 }
    let dropped = UInt64(64 - kept)
    var significand = kept == 0 ? 0 : bits >> dropped
    let rest = kept == 0 ? bits : bits & (1 << dropped - 1)
    let half: UInt64 = 1 << (dropped - 1)
    if rest > half || rest == half && significand & 1 == 1 { significand += 1 }
    return Double(sign: .plus, exponent: exponent + 1 - kept, significand: Double(significand))
  }
}
