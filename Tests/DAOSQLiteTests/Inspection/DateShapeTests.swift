import DAOCriteria
import Foundation
import TestCases
import Testing

@testable import DAOSQLite

/// What a pattern writes is laid out as the pattern says.
struct DateShapeTests {
  @Test(arguments: [
    "YYYY-MM-DD", "HH:MM", "HH:MM:SS", "HH:MM:SS.SSS", "YYYY-MM-DD HH:MM", "YYYY-MM-DDTHH:MM:SS", "YYYY-MM-DD HH:MM:SS.SSSSSS",
    "YYYY-MM-DDTHH:MM:SSZ", "YYYY-MM-DDTHH:MM:SS.SSSSSSSSSZ", "YYYY-MM-DD HH:MM:SS+HH:MM", "YYYY-MM-DD HH:MM:SS[.SSSSSS]",
    "YYYY-MM-DDTHH:MM:SS[.SSS]+HH:MM", "YYYY-MM-DD HH:MM:SS.FFFFFFF", "YYYY-MM-DDTHH:MM:SS.FFFFFFFZ",
  ])
  func `many texts of a pattern say the pattern`(_ pattern: String) throws {
    var random = RandomSource(seed: TestCases.seed)
    let type = AttributeType.date(.text(DatePattern(pattern)))
    var shapes: [DateShape: Int] = [:]
    let digits = pattern.filter { $0 == "S" || $0 == "F" }.count - 2
    // Fractions that a double holds exactly, of one digit, two, three …
    let fractions = digits < 1 ? [0] : [0] + (1...min(digits, 7)).map { 1 / Double(1 << $0) }
    let unit = !pattern.contains("HH") ? 86_400 : pattern.contains("SS") ? 1.0 : 60
    for number in 0..<300 {
      let units = random.below(pattern.hasPrefix("HH") ? Int(80_000 / unit) : 20_000)
      let date = Date(timeIntervalSince1970: Double(units) * unit + fractions[number % fractions.count])
      guard case .text(let text) = try type.stored(.date(date)) else { continue }
      shapes[try #require(DateShape(text)), default: 0] += 1
    }
    let frames = Set(shapes.keys.map(\.frame))
    #expect(frames.count == 1 && frames.first?.pattern(of: shapes) == pattern)
  }

  @Test(arguments: [
    "", "2024", "2024-1-1", "2024-01-01 ", "2024-01-01T", "2024-01-01 1:00", "2024-01-01 10:00:00.", "2024-01-01 10:00:00.1234567890",
    "2024-01-01 10:00:00 +01:00", "10:00Z", "2024/01/01", "2024-01-01 10:00:00+0100", "2024-01-01 10:00\u{0}", "２０２４-01-01",
  ])
  func `other texts are laid out as no date`(_ text: String) { #expect(DateShape(text) == nil) }
}
