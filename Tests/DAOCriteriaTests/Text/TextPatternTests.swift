import Testing

@testable import DAOCriteria

@Suite("A text that is looked through")
struct TextPatternTests {
  private struct Ended: Error {}

  @Test(
    arguments: [
      (Criteria.TextComparison.like, "*?*b"), (.like, "*?" + String(repeating: "a", count: 999) + "b"), (.contains, "b"),
      (.contains, "aab"),
    ],
    [false, true])
  func `can be left in the middle: whoever waits is asked again and again, the more often the more work there is`(
    _ pattern: (Criteria.TextComparison, String), _ caseSensitive: Bool
  ) throws {
    for character in caseSensitive ? ["a"] : ["a", "ǎ"] {
      var text = String(repeating: character, count: 200_000)
      let pattern = TextPattern(pattern.0, pattern.1, caseSensitive: caseSensitive)
      text.withUTF8 { text in
        var calls = 0
        let fits = pattern.fits(text) { calls += 1 }
        #expect(!fits)
        // A call for what 8,000 steps of a budget pay for, at the least; `contains` may find at once that there is nothing.
        if calls == 0 { return }
        #expect(calls > 1)
        #expect(calls >= pattern.steps(bytes: text.count) / 8000)
        for last in [1, calls] {
          var left = last
          #expect(throws: Ended.self) {
            try pattern.fits(text) {
              left -= 1
              if left == 0 { throw Ended() }
            }
          }
          #expect(left == 0)
        }
      }
    }
  }
}
