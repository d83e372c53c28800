import DAOKit
import TestCases
import Testing

@testable import DAODifferential

/// Text without regard to case, beside Foundation's tables.
struct FoldingTests {
  /// Beyond these no character has case. In the suite every seventh.
  @Test func `a character folds as Unicode has it, alone and among others`() {
    var different: [String] = []
    for scalar in stride(from: TestCases.offset(7), through: 0x1FFFF, by: TestCases.areAll ? 1 : 7).compactMap({
      Unicode.Scalar(UInt32($0))
    }) {
      for text in ["\(scalar)", "A\(scalar)\u{301}"] {
        World(schema: Schema(), rows: [[[.text(text)]]]).foldingProblem.map { different.append($0) }
      }
    }
    #expect(different.isEmpty, "\(different.count): \(different.prefix(50))")
  }

  @Test func `a text that is folded as Unicode has it is no problem`() {
    let world = World(schema: Schema(), rows: [[[1, "Straße"], [2, "ΟΔΟΣ"], [3, "J\u{30C}"]], [[.null]]])
    #expect(world.foldingProblem == nil)
    let folded = UnicodeFolding.fold("Straße İıΟΔΟΣ J\u{30C} Ꭰꭰ")
    #expect(Array(folded.utf8) == Array("strasse i\u{307}ıοδοσ j\u{30C} ꭰꭰ".utf8))
  }
}
