import DAODifferential
import DAOKit
import Foundation
import TestCases

/// An entity with every attribute type, required and optional, and the values that its rows and literals are drawn from.
///
/// "small" attributes have values whose sums are exact in any order and never overflow; the others have the extremes.
enum Everything {
  static let entity = EntityDescription(
    "everything", table: "every\"thing", key: .generated("id"), attributes: [Attribute("id", .integer)] + attributes)

  static let attributes: [Attribute] =
    [
      Attribute("tenant", .integer),
      Attribute("other text", .text, column: "other \"text\" %_", searchable: true),
      Attribute("quarter", .real), Attribute("small", .integer), Attribute("price", .decimal(.scaled(2))),
      Attribute("amount", .decimal(.text)),
    ]
    + types.flatMap { name, type in
      [
        Attribute(name, type, searchable: type == .text),
        Attribute(name + "?", type, column: "opt_" + name, optional: true, searchable: type == .text),
      ]
    }

  private static let types: [(String, AttributeType)] = [
    ("bool", .bool), ("integer", .integer), ("real", .real), ("text", .text), ("json", .json), ("data", .data), ("uuid", .uuid(.blob)),
    ("uuidText", .uuid(.text)), ("iso", .date(.iso8601)), ("seconds", .date(.unixSeconds)), ("milliseconds", .date(.unixMilliseconds)),
    ("scaled", .decimal(.scaled(2))), ("decimal", .decimal(.text)), ("numeric", .decimal(.numeric(2))), ("doubles", .decimal(.real(2))),
    ("word", .boolText("t/f")), ("capitals", .uuid(.spelled([.capitals]))), ("nocase", .text(.nocase)), ("rtrim", .text(.rtrim)),
    ("padded", .text(.padded(20))), ("bytes", .text(.blob)),
  ]

  /// Attributes whose sums and magnitudes fit whatever the rows.
  static let small: Set<String> = ["quarter", "small", "price", "amount"]

  /// What an attribute of a name and type can be.
  static func pool(_ name: String, _ type: AttributeType) -> [Scalar] {
    switch (name, type) {
    case ("tenant", _): [1, 2]
    case ("small", _): [-2, -1, 0, 1, 3]
    case ("quarter", _): [-1.5, -0.25, 0.0, 0.5, 2.5]
    case ("price", _): decimals("0", "0.1", "0.2", "-0.05", "12.3")
    case ("amount", _): decimals("0", "0.1", "0.2", "-0.3", "10", "9", "0.000001")
    case (_, .bool), (_, .boolText): [true, false]
    case (_, .integer): [.integer(.min), .integer(.max), -1, 0, 1, 2, 9_007_199_254_740_993]
    case (_, .real):
      [
        .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), 0.0, -0.0, 0.5, -0.5, 1.5,
        -2.5,
        4.35, 9_007_199_254_740_992.0, 0x1p63, -0x1p63, 1e300,
      ]
    case (_, .text), (_, .json), (_, .any): texts.map { .text($0) }
    case (_, .storedText): (texts + ["Ab", "aB", "ab ", "ab", "ab  "]).map { .text($0) }.filter { (try? type.stored($0)) != nil }
    case (_, .data): [Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8)].map { .data($0) }
    case (_, .uuid):
      ["00000000-0000-0000-0000-000000000000", "0AbCdEf0-1111-2222-3333-444455556666", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"]
        .compactMap { UUID(uuidString: $0).map { .uuid($0) } }
    case (_, .date):
      [0, 0.25, -0.5, 1_800_000_000, 1_800_000_000.125, -62_135_596_800, 253_402_300_799].map { .date(Date(timeIntervalSince1970: $0)) }
    case (_, .decimal(.scaled)): decimals("0", "0.01", "-5", "9", "10", "92233720368547758.07", "-92233720368547758.08")
    case (_, .decimal(.numeric)): decimals("0", "0.01", "-5", "9", "10", "1.99", "9007199254740993", "-9223372036854775808")
    case (_, .decimal(.real)): decimals("0", "0.01", "-5", "9", "10", "1.99", "9007199254740992", "100000000000000000000")
    case (_, .decimal(.text)):
      decimals(
        "0", "1", "-0.3", "9", "10", "0.1", "12345678901234567890.123", "99999999999999999999999999999999999999", "0.0000000000000000001")
    }
  }

  static let texts = [
    "", "a\0b", "\0", "ß", "SS", "\u{212A}", "k", "ſ", "s", "ﬁ", "İ", "ı", "Σ", "ς", "A\u{308}", "ä", "a", "A", "b", "abc", "ABC", "aBcabc",
    "a%b", "a_b", "a*b", "a?b", "[a]", "[", "]", "a\\b", "\\", "'", "\"", "'; DROP TABLE x --",
    "😀",
    "e\u{301}", "\u{E9}", "\u{10FFFF}", "a\u{10FFFF}", "\u{D7FF}", "\u{E000}", "12", "012", "1e3", "9223372036854775808", " a ", "  ", "ß",
    "Σς",
    "NULL", "a\nb", "\t", "\u{1F}", "x\u{FEFF}",
  ]

  static let patterns =
    texts + [
      "*", "?", "??", "a*", "*a", "*b*", "\\*", "a\\*b", "*\\", "a\\?b", "[a-z]", "[^a]", "%", "_", "a%", "*\u{10FFFF}", "?*?", "A*",
    ]

  private static func decimals(_ texts: String...) -> [Scalar] { texts.compactMap { Decimal(string: $0).map { .decimal($0) } } }

  /// Rows without keys. Every other table has few values in each column, so that much is equal.
  static func rows(_ count: Int, _ random: inout RandomSource) -> [[String: Scalar]] {
    var pools: [String: [Scalar]] = [:]
    let isNarrow = random.once(in: 2)
    for attribute in attributes {
      let pool = pool(attribute.name, attribute.type)
      pools[attribute.name] = isNarrow ? Array(pool.shuffled(using: &random).prefix(3)) : pool
    }
    return (0..<count).map { _ in
      var row: [String: Scalar] = [:]
      for attribute in attributes {
        row[attribute.name] =
          attribute.isOptional && random.once(in: 3) ? .null : random.pick(pools[attribute.name] ?? [])
      }
      return row
    }
  }
}
