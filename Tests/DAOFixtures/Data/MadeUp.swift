import DAODifferential
import TestCases

/// Made-up words, names and dates, from syllables.
extension RandomSource {
  /// A word of two or three syllables, with a capital.
  mutating func word() -> String {
    var word = ""
    for _ in 0..<Int.random(in: 2...3, using: &self) { word += pick(Self.onsets) + pick(Self.rimes) }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  /// Some words, seldom with a mark that means something in patterns or in SQL.
  mutating func title() -> String {
    var words = (0..<Int.random(in: 1...4, using: &self)).map { _ in word() }
    if once(in: 9) { words.append(pick(["(Live)", "50%", "no_1", "D'Or", "\"Bis\"", "& Co.", "- Remix", "[Demo]", "*"])) }
    return words.joined(separator: " ")
  }

  /// A word with a letter beyond ASCII, one time in four.
  mutating func surname() -> String { word() + (once(in: 4) ? pick(["é", "ß", "ová", "ø", "Ö"]) : "") }

  /// A moment of some years, as most programs write it.
  mutating func moment(_ years: ClosedRange<Int>) -> String {
    "\(day(years)) \(twoDigits(0...23)):\(twoDigits(0...59)):00"
  }

  /// A day of some years at midnight.
  mutating func midnight(_ years: ClosedRange<Int>) -> String { "\(day(years)) 00:00:00" }

  private mutating func day(_ years: ClosedRange<Int>) -> String {
    "\(Int.random(in: years, using: &self))-\(twoDigits(1...12))-\(twoDigits(1...28))"
  }

  mutating func twoDigits(_ range: ClosedRange<Int>) -> String {
    let number = Int.random(in: range, using: &self)
    return number < 10 ? "0\(number)" : "\(number)"
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  private static let onsets = ["b", "br", "d", "f", "g", "k", "kl", "l", "m", "n", "p", "r", "s", "st", "t", "v", "z", "w", "j", "h"]
  private static let rimes = ["a", "an", "ar", "e", "el", "en", "i", "in", "o", "on", "or", "u", "un", "ai", "eau", "ou"]
}
