import Foundation
import TestCases
import Testing

@testable import DAOCriteria

@Suite("Means of decimals")
struct DecimalMeanTests {
  private func sum(_ texts: [String]) -> DecimalSum {
    var sum = DecimalSum()
    for text in texts {
      let isAdded = sum.add(text)
      #expect(isAdded, "\(text)")
    }
    return sum
  }

  @Test func `are rounded to 38 digits, halves away from zero`() {
    let nines = String(repeating: "9", count: 38)
    let means: [([String], String)] = [
      ([nines, nines, nines.dropLast() + "8"], nines),
      ([nines, nines.dropLast() + "8"], nines),
      (["-" + nines, "-" + nines.dropLast() + "8"], "-" + nines),
      ([nines, nines], nines),
      (["1", "0", "0"], "0." + String(repeating: "3", count: 38)),
      (["2", "0", "0"], "0." + String(repeating: "6", count: 37) + "7"),
      (["10.00", "0"], "5"), (["1", "0", "0", "0"], "0.25"), (["-0.5", "0.5"], "0"), (["0"], "0"), (["700"], "700"),
    ]
    for (texts, expected) in means {
      #expect(sum(texts.map { String($0) }).mean == Decimal(string: expected), "\(texts)")
    }
    #expect(sum([]).mean == nil)
    // Below what a Decimal holds.
    #expect(sum(["-0." + String(repeating: "0", count: 127) + "1", "0", "0"]).mean == 0)
  }

  @Test func `are the nearest of 38 digits, whatever is added`() throws {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<TestCases.count(2_000, inSuite: 500) {
      let texts = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        let digits = String((0..<Int.random(in: 1...38, using: &random)).map { _ in Character(String(random.below(10))) })
        let point = Int.random(in: 0...digits.count, using: &random)
        let whole = digits.prefix(point).drop { $0 == "0" }
        let fraction = digits.suffix(digits.count - point)
        return (random.once(in: 2) ? "-" : "") + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
      }
      let mean = try #require(sum(texts).mean)
      // count × mean - sum, exactly.
      let negated = texts.map { $0.hasPrefix("-") ? String($0.dropFirst()) : "-" + $0 }
      let rest = sum(negated + texts.map { _ in mean.description })
      let difference = abs(try #require(rest.total))
      // The last of 38 digits, which counts from the first.
      let first = String(describing: abs(mean)).filter { $0 != "." }.drop { $0 == "0" }.count + mean.exponent
      let unit = Decimal(sign: .plus, exponent: max(first - 38, -128), significand: 1)
      #expect(mean == 0 || 2 * difference <= Decimal(texts.count) * unit, "\(texts): \(mean)")
    }
  }
}
