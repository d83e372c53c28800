import DAOCriteria
import Foundation
import TestCases
import Testing

/// Doubles as the decimal numbers that they are read as, beside the exact digits that C's `printf` writes.
struct RoundedNumberTests {
  /// The exact value of a double to some digits after the point, halves away from zero, from all its digits.
  static func rounded(_ number: Double, _ scale: Int) -> String {
    let text = String(format: "%.1100f", number.magnitude)
    let point = text.firstIndex(of: ".") ?? text.endIndex
    var digits = Array((text[..<point] + text[text.index(after: point)...].prefix(scale)).utf8)
    if text[text.index(point, offsetBy: scale + 1)] >= "5" {
      var place = digits.count - 1
      while place >= 0, digits[place] == UInt8(ascii: "9") {
        digits[place] = UInt8(ascii: "0")
        place -= 1
      }
      if place >= 0 { digits[place] += 1 } else { digits.insert(UInt8(ascii: "1"), at: 0) }
    }
    var all = String(decoding: digits, as: UTF8.self)
    if scale > 0 { all.insert(".", at: all.index(all.endIndex, offsetBy: -scale)) }
    while all.contains("."), all.last == "0" || all.last == "." { if all.removeLast() == "." { break } }
    while all.count > 1, all.first == "0", all.dropFirst().first != "." { all.removeFirst() }
    return number < 0 && all != "0" ? "-" + all : all
  }

  static func number(_ random: inout RandomSource) -> Double {
    let whole = Double(Int64(random.below(2_000_001)) - 1_000_000)
    switch random.below(8) {
    case 0: return whole / 100
    case 1: return (whole / 100).nextUp
    case 2: return (whole / 1000 * 1.1).nextDown
    case 3: return (whole * 2 + 1) / pow(2, Double(random.below(12)))
    case 4: return whole * pow(10, Double(random.below(30)) - 10)
    case 5: return whole * 0x1p52 + 0.5
    case 6: return Double(bitPattern: UInt64(0x3E00_0000_0000_0000) + UInt64(random.below(1 << 30)) << 28)
    default: return whole / 3
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 6, 9, 17, 18])
  func `a double is the decimal number that is nearest to its exact value, of two the one farther from zero`(scale: Int) throws {
    var random = RandomSource(seed: TestCases.seed &+ UInt64(scale))
    let edges: [Double] = [
      0, -0.0, 0.145, 0.125, -0.125, 2.675, 1.005, 0.005, -0.005, 0.5, -0.5, 1.5, 2.5, 0.1 + 0.2, 1.989_999_999_999_999_8,
      .leastNonzeroMagnitude, 1e-300,
      0x1p52 + 0.5, 0x1p52, 0x1p53 - 1, 0x1p53, -0x1p63, 0x1p100, 1e20, 0.499_999_999_999_999_94, 4_503_599_627_370_497.5, 0x1p-64,
      0x1.8p-65,
    ]
    for number in edges + (0..<TestCases.count(20_000, inSuite: 2000)).map({ _ in Self.number(&random) }) {
      let read = try #require(RoundedNumber(number, scale: scale), "\(number)")
      #expect(read.decimal.description == Self.rounded(number, scale), "\(number)")
      #expect(try AttributeType.DecimalStorage.numeric(scale).decimal(.real(number)) == read.decimal, "\(number)")
      // The one double that stands for all that are read so is read so.
      let nearest = read.nearestDouble
      #expect(RoundedNumber(nearest, scale: scale)?.decimal == read.decimal && Double(read.decimal.description) == nearest, "\(number)")
    }
  }

  @Test func `an infinity, and a number of more digits than a Decimal has, is none`() throws {
    for number in [Double.infinity, -.infinity, .nan, 0x1p128, -1e300] { #expect(RoundedNumber(number, scale: 2) == nil) }
    #expect(try #require(RoundedNumber(0x1p128.nextDown, scale: 2)).decimal.description == "340282366920938425684442744474606501888")
    #expect(RoundedNumber(1, scale: 19) == nil && RoundedNumber(1, scale: -1) == nil)
  }

  @Test(arguments: [AttributeType.DecimalStorage.numeric(0), .numeric(2), .numeric(6), .numeric(18), .real(0), .real(2)])
  func `the bounds of a number are the first and the last value that are read as it`(storage: AttributeType.DecimalStorage) throws {
    let type = AttributeType.decimal(storage)
    let scale = try #require(storage.scale)
    var random = RandomSource(seed: TestCases.seed &+ UInt64(scale))
    var checked = 0
    for _ in 0..<TestCases.count(5000, inSuite: 500) {
      let value = try #require(RoundedNumber(Self.number(&random), scale: scale)).decimal
      let stored = try storage.stored(value)
      #expect(try storage.decimal(stored) == value)
      let (lower, upper) = try type.bounds(of: .decimal(value))
      #expect(try storage.decimal(lower) == value && storage.decimal(upper) == value)
      #expect(lower.compare(stored, as: .any) <= 0 && upper.compare(stored, as: .any) >= 0)
      guard case (.real(let first), .real(let last)) = (lower, upper) else { continue }
      #expect(try #require(RoundedNumber(first.nextDown, scale: scale)).decimal < value)
      #expect(try #require(RoundedNumber(last.nextUp, scale: scale)).decimal > value)
      checked += 1
    }
    #expect(checked > 10)
  }

  @Test func `two values are equal, and in order, as the numbers that they are read as`() throws {
    let type = AttributeType.decimal(.numeric(2))
    var random = RandomSource(seed: TestCases.seed)
    let values: [StoredValue] = (0..<120).map { number in
      number.isMultiple(of: 3) ? .integer(Int64(random.below(40))) : .real((Double(random.below(4000)) / 100).nextUp)
    }
    for a in values {
      for b in values {
        let (left, right) = (try AttributeType.DecimalStorage.numeric(2).decimal(a), try AttributeType.DecimalStorage.numeric(2).decimal(b))
        #expect(a.compare(b, as: type) == (left < right ? -1 : left == right ? 0 : 1))
        #expect((a.identity(as: type) == b.identity(as: type)) == (left == right))
      }
    }
  }

  @Test func `digits are lost where a number has more than its form, and not where it was computed with`() {
    let storage = AttributeType.DecimalStorage.numeric(2)
    for number in [1.994, 1.990_001, 1.990_000_001, -0.001, 123_456.789, 1e-5, 1_234_567_890_123.4549] {
      #expect(storage.losesDigits(of: .real(number)), "\(number)")
    }
    for number in [1.99, 1.99.nextUp, 0.1 + 0.2, 0.1 + 0.2 - 0.3, 123_456.78, 123_456.78.nextUp, 0x1p52 + 1, 1e20, 1e15 + 0.13] {
      #expect(!storage.losesDigits(of: .real(number)), "\(number)")
    }
    #expect(!storage.losesDigits(of: .integer(7)) && !AttributeType.DecimalStorage.text.losesDigits(of: .text("1.994")))
  }

  @Test func `what no number is read as is refused`() {
    func refusal(_ text: String, _ storage: AttributeType.DecimalStorage) -> String? {
      do {
        _ = try storage.stored(Decimal(string: text) ?? .nan)
        return nil
      } catch { return "\(error)" }
    }
    #expect(refusal("1.995", .numeric(2)) == "holds 2 digits after the point; 1.995 has more")
    #expect(refusal("1.990", .numeric(2)) == nil)
    #expect(
      refusal("12345678901234567.12", .numeric(2))
        == "holds doubles, and no double is read as 12345678901234567.12 with 2 digits after the point")
    // In NUMERIC columns integers stay what they are, in REAL columns they become doubles.
    #expect(refusal("9007199254740993", .numeric(2)) == nil && refusal("9223372036854775807", .numeric(0)) == nil)
    #expect(refusal("9007199254740993", .real(2))?.hasPrefix("holds doubles, and no double") == true)
    #expect(refusal("100000000000000000000", .real(2)) == nil && refusal("100000000000000000001", .numeric(2)) != nil)
  }

  @Test func `sums and means are those of the numbers that are read`() throws {
    for storage in [AttributeType.DecimalStorage.numeric(2), .real(2)] {
      var (sum, mean) = (AttributeSum(.decimal(storage), isMean: false), AttributeSum(.decimal(storage), isMean: true))
      for value in [0.1 + 0.2, 1.989_999_999_999_999_8, 0.125, -0.005, 1e20, 9_007_199_254_740_990, 0.1] {
        try sum.add(.real(value))
        try mean.add(.real(value))
      }
      try sum.add(.integer(.max))
      try mean.add(.integer(.max))
      // 0.30 + 1.99 + 0.13 - 0.01 + …
      #expect(sum.result == .text("109232379236109516799.51"), "\(storage)")
      #expect(mean.result == .text("13654047404513689599.93875"), "\(storage)")
      #expect(throws: ValueProblem.self) { try sum.add(.text("1.5")) }
      #expect(throws: ValueProblem.self) { try sum.add(.real(.infinity)) }
    }
    #expect(AttributeSum(.decimal(.numeric(2)), isMean: false).result == .null)
    var small = AttributeSum(.decimal(.numeric(4)), isMean: false)
    for value in [0.0005, -0.0001] { try small.add(.real(value)) }
    #expect(small.result == .text("0.0004"))
  }
}
