import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Sums and means beside exact arithmetic.
struct SumTests {
  /// Doubles that cancel, that round, that are subnormal or nearly too large, and any at all.
  private func double(_ random: inout RandomSource) -> Double {
    let sign: FloatingPointSign = random.once(in: 2) ? .minus : .plus
    let significand = 1 + Double(random.next() >> 12) * 0x1p-52
    func scaled(_ exponents: ClosedRange<Int>) -> Double {
      Double(sign: sign, exponent: Int.random(in: exponents, using: &random), significand: significand)
    }
    switch random.below(7) {
    case 0: return Double(Int64(bitPattern: random.next()) >> 40)
    case 1: return Double(Int64(bitPattern: random.next()) >> 10)
    case 2: return scaled(1020...1023)
    case 3: return Double(bitPattern: random.next() >> 40) * (sign == .minus ? -1 : 1)
    case 4: return scaled(-1074 ... -1000)
    case 5: return random.pick([1.7e308, -1.7e308, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0x1p53, 1, -1, 0.1, 0.2, 0.3, 0])
    default: return scaled(-20...60)
    }
  }

  @Test func `random sums and means are the nearest doubles, or do not fit`() {
    var random = RandomSource(seed: TestCases.seed)
    var (tooLarge, subnormal) = (0, 0)
    for _ in 0..<TestCases.count(20_000, inSuite: 4_000) {
      let hasIntegers = random.once(in: 3)
      var numbers = (0...random.below(6)).map { _ in
        hasIntegers && random.once(in: 2)
          ? Number.integer(Int64(bitPattern: random.next()) >> random.pick([0, 0, 1, 40])) : .double(double(&random))
      }
      if random.once(in: 4), let first = numbers.first { numbers += Array(repeating: first, count: 1 + random.below(9)) }
      if let problem = Number.sumProblem(numbers) { Issue.record(Comment(rawValue: problem)) }
      var sum = ExactSum()
      for case .double(let value) in numbers { sum.add(value) }
      if sum.total == nil { tooLarge += 1 }
      if case .real(let mean) = sum.mean, mean.isSubnormal { subnormal += 1 }
    }
    #expect(tooLarge > TestCases.count(100, inSuite: 20) && subnormal > TestCases.count(100, inSuite: 20))
  }

  @Test(arguments: Both.allCases)
  func `the mean of doubles whose sum does not fit is the nearest double`(which: Both) throws {
    let entity = EntityDescription("row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("real", .real)])
    func report(_ aggregate: Aggregate, _ numbers: [Double]) throws -> Scalar? {
      let store = try which.store(for: [entity])
      let target = EntityTarget(entity)
      _ = try store.insert(numbers.map { try DynamicEntity(entity, ["real": .real($0)]) }, in: target)
      var criteria = Criteria()
      criteria.columns = [Criteria.Column(.aggregate(aggregate, .field(FieldPath("real"))))]
      return try store.report(in: target, criteria) { try $0.takeScalar() }.first
    }
    #expect(try report(.average, [1.7e308, 1.7e308]) == 1.7e308)
    #expect(try report(.average, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]) == 0.4)
    let least = Double.leastNonzeroMagnitude
    #expect(try report(.average, [least, least, 0, 0]) == 0.0 && report(.average, [least, least, least, 0]) == .real(least))
    #expect(try report(.average, [.infinity, 1]) == .real(.infinity) && report(.sum, [.infinity, 1]) == .real(.infinity))
    for numbers in [[1.7e308, 1.7e308], [-1.7e308, -1.7e308, 1]] {
      #expect { try report(.sum, numbers) } throws: {
        if case DAOError.overflow(let entity, let message) = $0 { entity == "row" && message == "the sum overflows" } else { false }
      }
    }
  }

  @Test(arguments: Both.allCases, [AttributeType.DecimalStorage.text, .scaled(0)])
  func `the mean of decimals whose sum does not fit is their mean`(which: Both, storage: AttributeType.DecimalStorage) throws {
    let entity = EntityDescription(
      "row", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", .decimal(storage))])
    let largest = storage == .text ? String(repeating: "9", count: 38) : "9223372036854775807"
    let store = try which.store(for: [entity])
    let values = try [largest, largest, largest].map { try #require(Decimal(string: $0)) }
    _ = try store.insert(values.map { try DynamicEntity(entity, ["value": .decimal($0)]) }, in: EntityTarget(entity))
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(.aggregate(.average, .field(FieldPath("value"))))]
    #expect(try store.report(in: EntityTarget(entity), criteria) { try $0.takeScalar() } == [.decimal(values[0])])
    // A quarter less than the largest: of 38 digits, the nearest is the largest; of three quarters less it is the one before.
    if storage == .scaled(0) { return }
    for (less, mean) in [(1, values[0]), (3, values[0] - 1)] as [(Decimal, Decimal)] {
      let store = try which.store(for: [entity])
      let values = [values[0], values[0], values[0], values[0] - less]
      _ = try store.insert(values.map { try DynamicEntity(entity, ["value": .decimal($0)]) }, in: EntityTarget(entity))
      let found = try store.report(in: EntityTarget(entity), criteria) { try $0.takeScalar() }
      #expect(found == [.decimal(mean)], "\(found) and not \(mean)")
    }
  }
}
