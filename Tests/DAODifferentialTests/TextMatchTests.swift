import DAODifferential
import DAOKit
import TestCases
import Testing

/// Every pattern against every text: what random cases seldom bring together.
struct TextMatchTests {
  @Test(arguments: Criteria.TextComparison.allCases, [true, false])
  func `every pattern fits the same texts in both stores`(match: Criteria.TextComparison, caseSensitive: Bool) throws {
    var random = RandomSource(seed: TestCases.seed)
    let texts = Everything.texts + ["ab", "\u{D7FF}x", "\u{E000}x", "a*", "A[B", "a\\", "\u{10FFFF}\u{10FFFF}", "_%", "é", "É"]
    var rows = Everything.rows(texts.count + 1, &random)
    for (index, text) in texts.enumerated() { rows[index]["text?"] = .text(text) }
    rows[texts.count]["text?"] = .null
    let (array, sqlite) = (try Stores.array(rows), try Stores.sqlite(rows))
    var found = 0
    for pattern in Everything.patterns + ["\u{10FFFF}\u{10FFFF}", "\\\\", "a\\\\b", "[b", "É", "*\\*", "\\"] {
      let condition = Criteria.Condition.matches(.field(FieldPath("text?")), match, .text(pattern), caseSensitive: caseSensitive)
      for filter in [condition, .not(condition)] {
        var criteria = Criteria()
        criteria.filter = filter
        let target = EntityTarget(Everything.entity)
        let keys = try sqlite.findKeys(EverythingRow.self, in: target, criteria)
        found += keys.count
        #expect(try keys == array.findKeys(EverythingRow.self, in: target, criteria), "\(filter.text)")
      }
    }
    // A filter and its negation part the rows.
    #expect(found == rows.count * (Everything.patterns.count + 7))
  }
}
