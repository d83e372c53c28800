/// A sum of numbers that does not depend on their order: integers are added in 128 bits, doubles without rounding until the end.
///
/// SQLite's own `SUM` fails where a part of the sum overflows, and rounds doubles at each step, so an index that changes the order of reading
/// changes the result.
package struct ExactSum {
  /// How many numbers there are.
  package private(set) var count = 0
  // The integers, as one of 128 bits.
  private var high: Int64 = 0
  private var low: UInt64 = 0
  // The doubles, as long as their sum is a double itself; those after that are in `rest`.
  private var doubles = 0.0
  private var hasDoubles = false
  private var rest: WideSum?

  /// The sum of nothing.
  package init() {}

  /// Adds an integer.
  package mutating func add(_ number: Int64) {
    count += 1
    let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: number))
    low = sum
    high &+= (number < 0 ? -1 : 0) + (carry ? 1 : 0)
  }

  /// Adds a double.
  package mutating func add(_ number: Double) {
    count += 1
    hasDoubles = true
    let sum = doubles + number
    // What was lost, exactly (Knuth, The Art of Computer Programming, 4.2.2); not 0 either where the sum is infinite.
    let part = sum - doubles
    if (doubles - (sum - part)) + (number - part) == 0 { doubles = sum } else { addToRest(number) }
  }

  private mutating func addToRest(_ number: Double) {
    if rest == nil { rest = WideSum() }
    rest?.add(number)
  }

  /// The sum: an integer where all numbers are; null over none; nil where an integer is too large for 64 bits.
  package var total: StoredValue? {
    if count == 0 { return .null }
    if hasDoubles { return Self.storable(double) }
    return isInteger ? .integer(Int64(bitPattern: low)) : nil
  }

  /// The sum, as the nearest double, divided by the count; null over no numbers.
  package var mean: StoredValue { count == 0 ? .null : Self.storable(double / Double(count)) }

  private var isInteger: Bool { high == (Int64(bitPattern: low) >> 63) }

  private var double: Double {
    if !hasDoubles, isInteger { return Double(Int64(bitPattern: low)) }
    if rest == nil, high == 0, low == 0 { return doubles }
    var wide = rest ?? WideSum()
    wide.add(doubles)
    // Each half is at most two doubles.
    for half in [(high, 64), (Int64(low >> 32), 32), (Int64(low & 0xFFFF_FFFF), 0)] {
      for part in [(half.0 >> 32) << 32, half.0 & 0xFFFF_FFFF] {
        wide.add(Double(sign: .plus, exponent: half.1, significand: Double(part)))
      }
    }
    return wide.rounded
  }

  /// There is no NaN in a store.
  private static func storable(_ value: Double) -> StoredValue { value.isNaN ? .null : .real(value) }
}

/// A sum of doubles as one long number of all the bits that a double can have, in units of the smallest.
private struct WideSum {
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
    if sinceCarried == 1 << 30 { _ = carry() }
  }

  /// Leaves 32 bits in each limb.
  /// - Returns: what is carried out of the last: -1 where the sum is negative.
  private mutating func carry() -> Int64 {
    var carried: Int64 = 0
    for index in limbs.indices {
      let limb = limbs[index] + carried
      // The last keeps its sign.
      if index == limbs.count - 1 {
        limbs[index] = limb
      } else {
        limbs[index] = limb & 0xFFFF_FFFF
        carried = limb >> 32
      }
    }
    sinceCarried = 0
    return limbs[limbs.count - 1] < 0 ? -1 : 0
  }

  /// The nearest double, the even one of two.
  var rounded: Double {
    if infinite != 0 { return infinite }
    var magnitude = self
    let isNegative = magnitude.carry() < 0
    if isNegative {
      magnitude.limbs = magnitude.limbs.map { -$0 }
      _ = magnitude.carry()
    }
    let limbs = magnitude.limbs.map { UInt64(truncatingIfNeeded: $0) }
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The 64 highest bits; what is below them only tells to which side a half goes.
    let bit = 63 - limbs[top].leadingZeroBitCount
    let (next, last) = (top > 0 ? limbs[top - 1] : 0, top > 1 ? limbs[top - 2] : 0)
    var bits = limbs[top] << UInt64(63 - bit) | next << UInt64(31 - bit) | last >> UInt64(bit + 1)
    if last & (1 << UInt64(bit + 1) - 1) != 0 || limbs.prefix(max(0, top - 2)).contains(where: { $0 != 0 }) { bits |= 1 }
    let exponent = top * 32 + bit - 63 - 1074
    return Double(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Double(bits))
  }
}
