/// A multiple of 2^-1075, of any size: every double is one, and so is the middle between two. Slow, and plain enough to be believed.
struct ExactNumber {
  // 32 bits each, the lowest first; any of them may be negative.
  private var limbs: [Int64]

  init(_ double: Double) {
    let exponent = double.isNormal ? Int(double.exponent) - 52 : -1074
    let bits = double.significandBitPattern | (double.isNormal ? 1 << 52 : 0)
    self.init(bits: bits, exponent: exponent, isNegative: double < 0)
  }

  init(_ integer: Int64) { self.init(bits: integer.magnitude, exponent: 0, isNegative: integer < 0) }

  /// 2^1024, the next double after the largest, if there were one.
  static let beyondDoubles = ExactNumber(bits: 1, exponent: 1024, isNegative: false)

  private init(bits: UInt64, exponent: Int, isNegative: Bool) {
    limbs = [Int64](repeating: 0, count: 72)
    for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 {
      let place = bit + exponent + 1075
      limbs[place / 32] += (isNegative ? -1 : 1) << Int64(place % 32)
    }
  }

  static func + (left: ExactNumber, right: ExactNumber) -> ExactNumber {
    var sum = left
    for index in sum.limbs.indices { sum.limbs[index] += right.limbs[index] }
    sum.carry()
    return sum
  }

  static func * (left: ExactNumber, right: Int) -> ExactNumber {
    var product = left
    product.carry()
    for index in product.limbs.indices { product.limbs[index] *= Int64(right) }
    product.carry()
    return product
  }

  /// Less than 0, 0 or more, as the left is smaller than, equal to or larger than the right.
  static func compare(_ left: ExactNumber, _ right: ExactNumber) -> Int {
    let difference = left + right * -1
    if let last = difference.limbs.last, last < 0 { return -1 }
    return difference.limbs.allSatisfy { $0 == 0 } ? 0 : 1
  }

  private mutating func carry() {
    for index in limbs.indices.dropLast() {
      limbs[index + 1] += limbs[index] >> 32
      limbs[index] &= 0xFFFF_FFFF
    }
  }
}

extension ExactNumber {
  /// Whether a double is the nearest one to a quotient, the even one of two; nil stands for a quotient that is too large for a double.
  static func isNearest(_ double: Double?, to sum: ExactNumber, dividedBy count: Int) -> Bool {
    let twice = sum * 2
    guard let double else {
      let bound = (ExactNumber(.greatestFiniteMagnitude) + .beyondDoubles) * count
      return compare(twice, bound) >= 0 || compare(twice, bound * -1) <= 0
    }
    guard double.isFinite else { return false }
    func exact(_ double: Double) -> ExactNumber {
      double.isFinite ? ExactNumber(double) : double < 0 ? beyondDoubles * -1 : beyondDoubles
    }
    let low = compare((exact(double.nextDown) + exact(double)) * count, twice)
    let high = compare(twice, (exact(double) + exact(double.nextUp)) * count)
    let isEven = double.significandBitPattern & 1 == 0
    return (low < 0 || low == 0 && isEven) && (high < 0 || high == 0 && isEven)
  }
}
