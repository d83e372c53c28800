import DAOKit
import TestCases

extension Values {
  /// Words that are searched for, and what may look like one.
  static let words = [
    "a", "ab", "abc", "b", "Ab", "ÁB", "é", "e\u{301}", "e", "été", "ß", "SS", "Σ", "ς", "ﬁ", "İ", "ı", "K", "k", "ж", "Ж", "й", "ё", "中",
    "中文", "한", "1", "12", "x1", "😀", "\u{E000}", "\u{1FAE0}", "ά", "α", "Ǆ", "ǆ", "ẞ", "\u{1E9B}\u{323}", "o\u{328}\u{301}", "ᾳ", "नि",
  ]

  /// What highlights begin with, which no text has.
  static let mark = "⟦"

  /// A text of a few of these words, mostly with a space after each.
  static func sentence(of words: [String], _ random: inout RandomSource) -> String {
    (0..<random.below(6)).map { _ in
      random.pick(words) + random.pick([" ", " ", " ", " ", " ", "-", ", ", "\0", "\u{301}", "\"", "", "\u{327}", "_"])
    }
    .joined()
  }

  /// A text that is another one in other letters: of ASCII, of those that fold in their own way, and of any that have case at all.
  static func cased(_ random: inout RandomSource) -> String {
    (0..<1 + random.below(4)).map { _ in
      switch random.below(6) {
      case 0, 1: random.pick(["a", "A", "z", "Z", "k", "S", "i", "I", "@", "["])
      // Longer than what is looked at in one step.
      case 2: random.pick(["Abcdefghijklmnopqrstuvwxyzabcdefgh", "J"])
      case 3, 4: random.pick(oddlyFolded)
      default: String(random.pick(allCased))
      }
    }
    .joined()
  }

  private static let oddlyFolded = [
    "ß", "ẞ", "\u{212A}", "ſ", "ﬁ", "ﬅ", "İ", "ı", "Σ", "ς", "σ", "\u{390}", "\u{1FD3}", "ŉ", "ǰ", "\u{30C}", "\u{308}", "ᾳ", "ᾼ",
    "\u{345}",
    "Ω", "Å", "և", "Ⅷ", "ⓐ", "𐐀", "Ꭰ", "ꭰ", "ᏸ", "µ", "ϐ", "ẚ", "Ǆ", "ǅ", "ä", "Ä", "é", "Ж", "ᲀ", "Ა", "ა",
  ]

  private static let allCased = (0x80...0x1FFFF).compactMap { Unicode.Scalar($0) }.filter {
    $0.properties.changesWhenCaseFolded || $0.properties.changesWhenUppercased
  }
}
