/// A sum of numbers that does not depend on their order: integers are added in 128 bits, doubles without rounding until the end.
///
/// SQLite's own `SUM` fails where a part of the sum overflows, and rounds doubles at each step, so an index that changes the order of
/// reading changes the result.
package struct ExactSum {
  /// How many numbers there are.
  @usableFromInline package internal(set) var count = 0
  // The integers, as one of 128 bits.
  private var high: Int64 = 0
  private var low: UInt64 = 0
  // The doubles, as long as their sum is a double itself; those after that are in `rest`.
  @usableFromInline var doubles = 0.0
  @usableFromInline var hasDoubles = false
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
  @inlinable @inline(__always)
  package mutating func add(_ number: Double) {
    count += 1
    hasDoubles = true
    let sum = doubles + number
    // The exact rounding error (Knuth, The Art of Computer Programming, 4.2.2); not 0 either where the sum is infinite.
    let part = sum - doubles
    if (doubles - (sum - part)) + (number - part) == 0 { doubles = sum } else { addToRest(number) }
  }

  @usableFromInline mutating func addToRest(_ number: Double) {
    if rest == nil { rest = WideSum() }
    rest?.add(number)
  }

  /// The sum: an integer where all numbers are, else the nearest double. Null over no numbers and for the sum of both infinities; nil where
  /// an integer is too large for 64 bits, or finite numbers for a double.
  package var total: StoredValue? {
    if count == 0 { return .null }
    if !hasDoubles { return integer.map { .integer($0) } }
    if rest == nil, high == 0, low == 0 { return .real(doubles) }
    return wide.rounded().map(Self.storable)
  }

  /// The nearest double to the mean, which always fits. Null over no numbers and for the mean of both infinities.
  package var mean: StoredValue {
    if count == 0 { return .null }
    // Of two doubles that are what they mean the quotient is the nearest one.
    if !hasDoubles, let integer, integer.magnitude <= 1 << 53, count <= 1 << 53 { return .real(Double(integer) / Double(count)) }
    if rest == nil, high == 0, low == 0, count <= 1 << 53 { return .real(doubles / Double(count)) }
    return wide.rounded(dividedBy: UInt64(count)).map(Self.storable) ?? .null
  }

  /// The integers' sum, where it fits into 64 bits.
  private var integer: Int64? { high == (Int64(bitPattern: low) >> 63) ? Int64(bitPattern: low) : nil }

  /// Everything that was added.
  private var wide: WideSum {
    var wide = rest ?? WideSum()
    wide.add(doubles)
    // Each half is at most two doubles.
    for half in [(high, 64), (Int64(low >> 32), 32), (Int64(low & 0xFFFF_FFFF), 0)] {
      for part in [(half.0 >> 32) << 32, half.0 & 0xFFFF_FFFF] {
        wide.add(Double(sign: .plus, exponent: half.1, significand: Double(part)))
      }
    }
    return wide
  }

  /// There is no NaN in a store.
  private static func storable(_ value: Double) -> StoredValue { value.isNaN ? .null : .real(value) }
}
