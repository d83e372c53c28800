import DAOKit
import Foundation

/// What attributes can hold: mostly what is known to make trouble.
enum Values {
  /// Values of a type; small ones have sums that fit, whatever the rows.
  static func of(_ type: AttributeType, isSmall: Bool = false) -> [Scalar] {
    switch type {
    case .bool, .boolText: [true, false]
    case .integer where isSmall: [-2, -1, 0, 1, 2, 3, 7]
    case .integer: [.integer(.min), .integer(.min + 1), .integer(.max), -1, 0, 1, 2, 5, 12, 9_007_199_254_740_993]
    case .real where isSmall: [-1.5, -0.25, 0.0, -0.0, 0.5, 1.0, 2.5, 3.0]
    case .real:
      [
        .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(-.greatestFiniteMagnitude),
        .real(.leastNonzeroMagnitude),
        .real(0.49999999999999994), .real(-0.49999999999999994), 0.0, -0.0, 0.5, -0.5, 1.5, -2.5, 4.35, 0.1, 0.2, 0.3, 1.0,
        9_007_199_254_740_992.0, -9_007_199_254_740_994.0, 4_503_599_627_370_497.5, 0x1p63, -0x1p63, 1e300, 1e16, -1e16,
      ]
    case .text: texts.map { .text($0) }
    case .storedText: (texts + foldedTexts).map { .text($0) }.filter { (try? type.stored($0)) != nil }
    case .json: (Documents.all + texts).map { .text($0) }
    case .data: [Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8), Data("Ä".utf8)].map { .data($0) }
    case .uuid: uuids
    // Days, minutes and nanoseconds have not all of them.
    case .date: dates.filter { (try? type.stored($0)) != nil }
    case .decimal(.scaled) where isSmall: decimals("0", "0.1", "0.2", "-0.05", "12.3")
    case .decimal(.scaled): decimals("0", "0.01", "-5", "9", "10", "92233720368547758.07", "-92233720368547758.08")
    case .decimal(.numeric(0)): decimals("0", "1", "-1", "7", "12", "9007199254740993", "-9223372036854775808", "100000000000000000000")
    case .decimal(.numeric) where isSmall, .decimal(.real) where isSmall: decimals("0", "0.1", "0.2", "-0.05", "12.3", "0.29", "1.99")
    case .decimal(.numeric), .decimal(.real):
      decimals(
        "0", "0.01", "-5", "9", "10", "-0.29", "1.99", "0.13", "92233720368547.75", "9007199254740993", "-9007199254740994",
        "9223372036854775807", "100000000000000000000", "-340282366920938463463374607431768211000"
      ).filter { (try? type.stored($0)) != nil }
    case .decimal(.text) where isSmall: decimals("0", "0.1", "0.2", "-0.3", "10", "9", "0.000001")
    case .decimal(.text):
      decimals(
        "0", "1", "-0.3", "9", "10", "0.1", "12345678901234567890.123", "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999", "0.0000000000000000001")
    case .any:
      [0, 1, -1, 5, 12, 0.5, 1.0, -2.5, 1e300, "", "0", "1", "5", "12", "abc", "Ä", "ä", "a\0b", " a "]
        + [Data(), Data("1".utf8)].map { .data($0) }
    }
  }

  /// Integers beside which doubles lie, and some that are none.
  static let betweenDoubles: [Int64] = [
    9_007_199_254_740_993, -9_007_199_254_740_993, 9_007_199_254_740_992, .max, .max - 1, .min, .min + 1, 4_503_599_627_370_498,
  ]

  static let texts = [
    "", "a\0b", "\0", "a\0", "ß", "ẞ", "SS", "ss", "\u{212A}", "K", "k", "ſ", "S", "s", "ﬁ", "fi", "FI", "İ", "I", "i", "ı", "i\u{307}",
    "Σ", "ς",
    "σ", "ΟΔΟΣ", "οδος", "Ä", "A\u{308}", "ä", "É", "é", "e\u{301}", "a", "A", "b", "abc", "ABC", "aBcabc", "a%b", "a_b", "a*b", "a?b",
    "[a]", "[",
    "a\\b", "\\", "\\*", "'", "\"", "'; DROP TABLE x --", "😀", "👩\u{200D}👩\u{200D}👧", "\u{301}", "\u{10FFFF}", "a\u{10FFFF}", "\u{D7FF}",
    "\u{E000}", "12", "012",
    "1", "1e3", "9223372036854775808", " a ", "  ", "NULL", "a\nb", "\t", "\u{1F}", "x\u{FEFF}", "?", "*", "%", "_",
  ]

  /// What a collation finds equal, or nearly so.
  private static let foldedTexts = [
    "Ab", "aB", "AB ", "ab", "ab  ", "ab ", "ab\t", "ab\u{A0}", " ab", "z", "Z", "[", "{", "@", "`", "_", "a\0B", "A\0b", "a\0 ", "a\0\0 ",
    " ", "   ",
    "Ä ", "ä", "ﬁ ",
  ]

  static let patterns =
    texts + [
      "??", "a*", "*a", "*b*", "a\\*b", "*\\", "a\\?b", "[a-z]", "[^a]", "a%", "*\u{10FFFF}", "?*?", "A*", "*Σ", "*\0*", "%b%", "*ß",
      "*\\\\*", "a\\*", "\\**", "*\\?",
    ]

  private static let uuids: [Scalar] = [
    "00000000-0000-0000-0000-000000000000", "0AbCdEf0-1111-2222-3333-444455556666", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "12345678-9ABC-DEF0-1234-56789ABCDEF0",
  ].compactMap { UUID(uuidString: $0).map { .uuid($0) } }

  private static let dates: [Scalar] = [
    0, 0.25, -0.5, 0.1, -0.001, 315_532_800.3, 1, 1_800_000_000, 1_800_000_000.125, -62_135_596_800, 253_402_300_799,
    1_800_000_000.123_456, 253_402_300_799.999_96, 86_400, 1_799_971_200, 951_782_400, -3600, 43_200, 1_792_891_800, 1_792_888_200, 18_000,
    1_799_989_200,
  ].map { .date(Date(timeIntervalSince1970: $0)) }

  private static func decimals(_ texts: String...) -> [Scalar] { texts.compactMap { Decimal(string: $0).map { .decimal($0) } } }
}

extension Attribute {
  /// Whether its values are small numbers, by its name.
  var isSmall: Bool { name.hasSuffix("small") }
}
