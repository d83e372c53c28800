import DAOKit
import Testing

@testable import DAODifferential

/// Text without regard to case, beside Unicode's own tables.
struct FoldingTests {
  /// Beyond these no character has case.
  @Test func `every character folds as Unicode has it, alone and among others`() {
    var different: [String] = []
    for scalar in (0...0x1FFFF).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      for text in ["\(scalar)", "A\(scalar)\u{301}"] where !Self.folds(text) {
        different.append(String(scalar.value, radix: 16) + " " + text)
      }
    }
    #expect(different.isEmpty, "\(different.count): \(different.prefix(50))")
  }

  private static func folds(_ text: String) -> Bool { CaseFolding.fold(text).utf8.elementsEqual(UnicodeFolding.fold(text).utf8) }

  @Test func `rows that Unicode's tables would not find are a problem, whatever the stores say`() throws {
    var schema = Schema()
    schema.tables = [
      Schema.Table(
        name: "zone", table: "zone", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)])
    ]
    let world = World(schema: schema, rows: [[[1, "Straße"], [2, "STRASSE"], [3, "Strase"], [4, .null]]])
    let stores = try DAODifferential.Stores(world)
    func problem(_ keys: [[Scalar]], _ filter: Condition) throws -> String? {
      var criteria = Criteria()
      criteria.filter = filter
      let trial = Trial(world: world, table: 0, criteria: criteria, question: .keys)
      return try trial.foldingProblem(keys, in: stores.sqlite, of: stores.catalog.entities[0])
    }
    let match = Condition.matches(.field(FieldPath("name")), .like, "strASSe", caseSensitive: false)
    #expect(try problem([[2], [1]], match) == nil)
    #expect(try problem([[2]], match)?.contains("found [[2]]") == true)
    #expect(try problem([[3], [4]], .not(match)) == nil)
    #expect(try problem([[1], [3], [4]], .not(match)) != nil)
    // What else is asked for is not looked at.
    #expect(try problem([], .all([match, .isNull(.field(FieldPath("id")))])) == nil)
    #expect(try problem([], .matches(.field(FieldPath("name")), .like, "strASSe", caseSensitive: true)) == nil)
  }
}
