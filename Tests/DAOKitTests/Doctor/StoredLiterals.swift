import DAODifferential
import Foundation
import TestCases

/// Values as any tool may have stored them, as SQL: of every storage class, in forms that DAOKit writes, and near those.
struct StoredLiterals {
  private var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  mutating func next() -> String {
    switch random.below(20) {
    case 0: return "NULL"
    case 1, 2: return random.pick(["0", "1", "2", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808", "253402300800"])
    case 3: return "\(Int64.random(in: -100_000_000_000...2_000_000_000_000, using: &random))"
    case 4:
      return random.pick(["0.0", "1.0", "0.1", "0.5", "-2.5", "1e400", "-1e400", "9007199254740992.0", "1795241940.25", "1e15", "3e11"])
    case 5: return "\(Double(Int64.random(in: -100_000_000_000...2_000_000_000_000, using: &random)) / 4096)"
    case 6: return "x'" + hex(random.pick([0, 1, 16, 16, 16, 17])) + "'"
    case 7: return "CAST(x'" + random.pick(["61ff", "ff", "c3", "2d31ff", "31c0"]) + "' AS TEXT)"
    case 8: return text(random.pick(["true", "false", "TRUE", "False", "yes", "t", "1", "0", "true\u{0}", "falſe"]))
    case 9, 10: return text(date())
    case 11, 12: return text(uuid())
    case 13, 14: return text(decimal())
    case 15:
      return text(
        random.pick([
          #"{"number":1,"street":"x"}"#, #"{"street":"x","number":1}"#, #"{"street":"x"}"#, #"{ "street": "x" }"#, "{}", "[]", "[1,2]",
          "[1, 2]",
          "[", #"{"street":5}"#, #"["a/b"]"#, #"["a\/b"]"#,
        ]))
    case 16:
      return text(
        random.pick(["https://example.com", "https://example.com/a b", "https://example.com/ä", "a:b", "", "%", "http://[", "x y"]))
    case 17:
      return text(random.pick(["land", "sea", "Sea", "air", "e\u{301}", "\u{e9}", "a'b", "a\u{0}b", "\u{FFFD}", " 5", "5 ", "+5", "05"]))
    case 18: return "'\(Int64.random(in: -1000...1000, using: &random))'"
    default:
      return text(String((0..<random.below(6)).map { _ in Character(random.pick(["a", "Z", "0", "9", "-", ".", "é", "\u{1F600}"])) }))
    }
  }

  /// A text as SQL, with its NULs.
  private func text(_ text: String) -> String {
    text.unicodeScalars.contains("\u{0}")
      ? "CAST(x'" + text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "' AS TEXT)"
      : "'" + text.replacing("'", with: "''") + "'"
  }

  private mutating func hex(_ count: Int) -> String {
    (0..<count).map { _ in String(random.below(16), radix: 16) + String(random.below(16), radix: 16) }.joined()
  }

  private mutating func date() -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let year = random.pick([1, 1582, 1969, 1970, 2026, 9999])
    let day = "\(String(repeating: "0", count: 4 - "\(year)".count))\(year)-\(two(random.below(14)))-\(two(random.below(33)))"
    let time = "\(two(random.below(26))):\(two(random.below(61))):\(two(random.below(61)))"
    let fraction = random.pick(["", ".000", ".019", ".5", ".25", ".", ".1234"])
    return day + random.pick(["T", "T", " ", "t"]) + time + fraction + random.pick(["Z", "Z", "z", "", "+01:00"])
  }

  private mutating func uuid() -> String {
    let text = [4, 2, 2, 2, 6].map { hex($0) }.joined(separator: random.once(in: 8) ? "" : "-")
    return switch random.below(5) {
    case 0: text.uppercased()
    case 1: String(text.dropLast())
    case 2: text.prefix(8).uppercased() + text.dropFirst(8)
    case 3: random.once(in: 2) ? "{\(text)}" : text + "\u{0}"
    default: text
    }
  }

  private mutating func decimal() -> String {
    let digits = String((0..<random.pick([1, 2, 5, 20, 39, 45])).map { _ in Character("\(random.below(10))") })
    let sign = random.pick(["", "", "-", "+", "--"])
    let place = random.below(digits.count + 1)
    return sign + digits.prefix(place) + random.pick([".", ".", "", ","]) + digits.dropFirst(place)
      + random.pick(["", "", "0", "00", "e3"])
  }
}
