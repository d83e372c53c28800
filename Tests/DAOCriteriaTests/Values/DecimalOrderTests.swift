import DAOCriteria
import Foundation
import TestCases
import Testing

@Suite("The order of decimals as text")
struct DecimalOrderTests {
  @Test func `is that of their values, and there is none where one is no number`() {
    var generator = RandomSource(seed: TestCases.seed)
    func text() -> String {
      if Int.random(in: 0..<20, using: &generator) == 0 {
        return ["", "-", "+", ".", "1e3", "1 ", "--1", "1.2.3", "٣"].randomElement(using: &generator) ?? ""
      }
      func digits(_ most: Int) -> String {
        String((0..<Int.random(in: 0...most, using: &generator)).map { _ in "0012359".randomElement(using: &generator) ?? "0" })
      }
      let sign = ["", "", "-", "+"].randomElement(using: &generator) ?? ""
      let most = Int.random(in: 0..<10, using: &generator) == 0 ? 25 : 3
      return sign + digits(most) + (Bool.random(using: &generator) ? "." + digits(most) : "")
    }
    var counts = [0, 0, 0, 0]
    for _ in 0..<TestCases.count(50_000, inSuite: 10_000) {
      let left = text()
      // The same with another zero, now and then.
      let right = Int.random(in: 0..<8, using: &generator) == 0 && left.contains(".") ? left + "0" : text()
      let order = DecimalText.order(left, right)
      guard let a = DecimalText.decimal(left), let b = DecimalText.decimal(right) else {
        // What has too many digits for a Decimal is no number.
        #expect(order == nil || left.utf8.count > 36 || right.utf8.count > 36, "\(left) \(right)")
        counts[3] += 1
        continue
      }
      guard let order else {
        #expect(left.utf8.count > 36 || right.utf8.count > 36, "\(left) \(right)")
        continue
      }
      #expect(order == (a < b ? -1 : a == b ? 0 : 1), "\(left) \(right)")
      counts[order + 1] += 1
    }
    #expect(counts.allSatisfy { $0 > TestCases.count(1000, inSuite: 200) }, "\(counts)")
  }
}
