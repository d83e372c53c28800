import DAOCriteria
import Foundation
import Testing

@Suite("Stored values")
struct StoredValueTests {
  @Test func `are equal where their storage class and their bytes are`() {
    let values: [StoredValue] = [
      .null, .integer(1), .real(1), .text("1"), .text("\u{E9}"), .text("e\u{301}"), .text("\u{212B}"), .text("\u{C5}"), .text(""),
      .text("\0"), .blob(Data()), .blob(Data("1".utf8)),
    ]
    for (i, left) in values.enumerated() {
      for (j, right) in values.enumerated() { #expect((left == right) == (i == j), "\(left) and \(right)") }
    }
  }
}
