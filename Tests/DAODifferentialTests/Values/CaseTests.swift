import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Matching without regard to case, beside matching with it and beside ``SlowMatch``.
struct CaseTests {
  /// Letters that fold to several, that fold alike, marks that compose with others, and what patterns give a meaning.
  private static let letters = [
    "a", "A", "e", "E", "s", "S", "ß", "ẞ", "ﬁ", "f", "i", "I", "İ", "ı", "é", "É", "\u{301}", "\u{327}", "\u{308}", "Σ", "ς", "k",
    "\u{212A}",
    "Å", "\u{212B}", "\u{30A}", "ΐ", "\0", "中",
  ]

  private func text(_ random: inout RandomSource, _ pool: [String]) -> String {
    (0..<random.below(6)).map { _ in random.pick(pool) }.joined()
  }

  @Test(arguments: Criteria.TextComparison.allCases)
  func `texts fit as the words of the documentation say, and never less without regard to case`(match: Criteria.TextComparison) {
    var random = RandomSource(seed: TestCases.seed)
    var (found, more) = (0, 0)
    for _ in 0..<TestCases.count(20_000, inSuite: 1_500) {
      let letters = (0..<3).map { _ in random.pick(Self.letters) }
      let text = text(&random, letters + ["a"])
      var pattern = self.text(&random, match == .like ? letters + ["?", "*", "\\"] : letters)
      if random.once(in: 4) {
        pattern = random.pick([
          text.uppercased(), text.lowercased(), text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        ])
      }
      if let problem = SlowMatch.problem(text, match, pattern) { Issue.record(Comment(rawValue: problem)) }
      let fits = [true, false].map { SlowMatch.fits(text, match, pattern, caseSensitive: $0) }
      found += fits[0] ? 1 : 0
      more += fits[1] && !fits[0] ? 1 : 0
    }
    #expect(found > TestCases.count(500, inSuite: 38) && more > TestCases.count(500, inSuite: 38), "\(found), \(more) more")
  }

  @Test func `long patterns, whose places take several words, fit as short ones do`() {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<TestCases.count(1_000, inSuite: 100) {
      let letters = ["a", "b", random.pick(Self.letters)]
      let text = (0..<random.below(200)).map { _ in random.pick(letters) }.joined()
      var pattern = Array(text.unicodeScalars)
      for _ in 0..<random.below(8) where !pattern.isEmpty {
        let place = random.below(pattern.count)
        switch random.below(4) {
        case 0: pattern[place] = "?"
        case 1: pattern.replaceSubrange(place..<min(pattern.count, place + random.below(20)), with: ["*"])
        case 2: pattern.insert("\\", at: place)
        default: pattern.remove(at: place)
        }
      }
      let like = String(String.UnicodeScalarView(pattern))
      if let problem = SlowMatch.problem(text, .like, like) { Issue.record(Comment(rawValue: problem)) }
      let part = String(String.UnicodeScalarView(Array(text.unicodeScalars).dropFirst(random.below(90)).prefix(random.below(120))))
      if let problem = SlowMatch.problem(text + text, .contains, part + random.pick(["", "a", "b"])) {
        Issue.record(Comment(rawValue: problem))
      }
    }
  }

  @Test(arguments: Both.allCases)
  func `a text that has a mark behind its letter has the letter, with regard to case and without`(which: Both) throws {
    let entity = EntityDescription(
      "place", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", .text, optional: true)])
    let store = try which.store(["cafe\u{301}", "café", "Straße", "CAFE\u{301} Noir"].map { .text($0) }, in: entity)
    func keys(_ match: Criteria.TextComparison, _ pattern: String, _ caseSensitive: Bool) throws -> [Int64] {
      try store.keys(.matches(.field(FieldPath("value")), match, .text(pattern), caseSensitive: caseSensitive), of: entity)
    }
    #expect(try keys(.contains, "cafe", true) == [1] && keys(.contains, "cafe", false) == [1, 4])
    #expect(try keys(.beginsWith, "cafe", true) == [1] && keys(.beginsWith, "CAFE", false) == [1, 4])
    #expect(try keys(.endsWith, "\u{301}", true) == [1] && keys(.endsWith, "\u{301}", false) == [1])
    #expect(try keys(.like, "cafe?", true) == [1] && keys(.like, "cafe?", false) == [1])
    // In either spelling.
    #expect(try keys(.like, "CAFÉ", false) == [1, 2] && keys(.beginsWith, "CAFÉ", false) == [1, 2, 4])
    #expect(try keys(.like, "Stra?e", true) == [3] && keys(.like, "STRA?E", false) == [3] && keys(.like, "stra??e", false) == [3])
  }
}
