import DAOKit
import Foundation
import Testing

@Suite("Text filters")
struct TextTests {
  @Test func `like fits the whole text, with * and ?`() throws {
    try assertFilter(.like(\.name, "Europe/*"), #"dao_like("name", ?)"#, [.text("Europe/*")], finds: [1, 2])
    try assertFilter(.like(\.name, "?rzte"), #"dao_like("name", ?)"#, [.text("?rzte")], finds: [6])
    try assertFilter(.like(\.name, "urope"), #"dao_like("name", ?)"#, [.text("urope")], finds: [])
  }

  @Test func `like without regard to case`() throws {
    try assertFilter(
      .like(\.name, "EUROPE/?*", caseSensitive: false), #"dao_ilike("name", ?)"#, [.text("EUROPE/?*")], finds: [1, 2, 5])
  }

  @Test func `a text filter is false of null, and its negation true`() throws {
    try assertFilter(
      !.like(\.comment, "*in*"), #"NOT dao_like("comment", ?) OR "comment" IS NULL"#, [.text("*in*")], finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.contains(\.comment, "in"), #"NOT dao_contains("comment", ?) OR "comment" IS NULL"#, [.text("in")], finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.beginsWith(\.comment, "UTC"), #""comment" < ? OR "comment" >= ? OR "comment" IS NULL"#, [.text("UTC"), .text("UTD")],
      finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.endsWith(\.comment, "ter"), #"NOT dao_endsWith("comment", ?) OR "comment" IS NULL"#, [.text("ter")], finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.contains(\.comment, "IN", caseSensitive: false), #"NOT dao_icontains("comment", ?) OR "comment" IS NULL"#, [.text("IN")],
      finds: [1, 3, 4, 5, 6])
  }

  @Test func `contains, begins with, ends with`() throws {
    try assertFilter(.contains(\.name, "/"), #"dao_contains("name", ?)"#, [.text("/")], finds: [1, 2, 3, 4, 5])
    try assertFilter(.beginsWith(\.name, "Eu"), #""name" >= ? AND "name" < ?"#, [.text("Eu"), .text("Ev")], finds: [1, 2])
    try assertFilter(
      .endsWith(\.name, "a"), #"dao_endsWith("name", ?)"#, [.text("a")], finds: [1, 3])
  }

  @Test func `the parts without regard to case`() throws {
    try assertFilter(
      .contains(\.name, "EUROPE", caseSensitive: false), #"dao_icontains("name", ?)"#, [.text("EUROPE")], finds: [1, 2, 5])
    try assertFilter(.beginsWith(\.name, "EU", caseSensitive: false), #"dao_ibeginsWith("name", ?)"#, [.text("EU")], finds: [1, 2, 5])
    try assertFilter(
      .endsWith(\.name, "DON", caseSensitive: false), #"dao_iendsWith("name", ?)"#, [.text("DON")], finds: [2])
    try assertFilter(.beginsWith(\.name, "ä", caseSensitive: false), #"dao_ibeginsWith("name", ?)"#, [.text("ä")], finds: [6])
    try assertFilter(
      !.beginsWith(\.comment, "Ä", caseSensitive: false), #"NOT dao_ibeginsWith("comment", ?) OR "comment" IS NULL"#, [.text("Ä")],
      finds: [1, 2, 3, 4, 5])
  }

  /// Letters of one line are equal without regard to case, and to no letter of another line. Unicode's CaseFolding.txt has them all but the
  /// composed spellings.
  static let alike: [[String]] = [
    ["Ä", "ä", "A\u{308}", "a\u{308}"], ["É", "é", "e\u{301}"], ["Σ", "σ", "ς"], ["İ", "i\u{307}", "I\u{307}"], ["ı"], ["I", "i"],
    ["ß", "ẞ", "ss", "SS", "Ss"], ["K", "k", "\u{212A}"], ["ſ", "s", "S"], ["ﬁ", "fi", "FI"], ["Ω", "ω", "\u{2126}"],
    ["Å", "å", "\u{212B}"],
    ["Ǆ", "ǅ", "ǆ"], ["Ж", "ж"], ["𐐀", "𐐨"], ["a"], ["A\u{0}B", "a\u{0}b"], ["µ", "Μ", "μ"],
  ]

  @Test func `without regard to case is Unicode's folding, on both sides`() throws {
    let store = try TestStore()
    let letters = TextTests.alike.flatMap { $0 }
    try store.zones.insert(letters.enumerated().map { Zone($1, $0) })
    for group in TextTests.alike {
      for letter in group {
        let escaped = letter.replacing("\\", with: "\\\\")
        let found = try store.zones.findAll(.where(.like(\.name, escaped, caseSensitive: false))).map(\.name)
        #expect(Set(found.map { Array($0.utf8) }) == Set(group.map { Array($0.utf8) }), "\(letter)")
        let ending = try store.zones.findAll(
          .where(.endsWith(\.name, letter, caseSensitive: false) && .beginsWith(\.name, letter, caseSensitive: false)))
        #expect(ending.count >= group.count, "\(letter)")
      }
    }
  }

  @Test func `lower and upper are Swift's`() throws {
    let store = try TestStore()
    let letters = TextTests.alike.flatMap { $0 } + ["", "ASCII only", "ΌΔΟΣ", "ﬃ"]
    try store.zones.insert(letters.enumerated().map { Zone($1, $0) })
    let rows = try store.zones.project(.field(\.name), .lower(\.name).named("lower"), .upper(\.name).named("upper"))
    #expect(rows.count == letters.count)
    for (name, lower, upper) in rows {
      #expect(lower.utf8.elementsEqual(name.lowercased().utf8) && upper.utf8.elementsEqual(name.uppercased().utf8), "\(name)")
    }
  }

  @Test func `a text goes on after a NUL`() throws {
    let store = try TestStore()
    try store.zones.insert([Zone("a\u{0}Ü", 1), Zone("a", 2), Zone("\u{0}", 3)])
    func offsets(_ filter: Filter<Zone>) throws -> [Int] { try store.zones.findAll(.where(filter).order(by: \.offset)).map(\.offset) }
    #expect(try offsets(.like(\.name, "a")) == [2])
    #expect(try offsets(.like(\.name, "a?Ü")) == [1])
    #expect(try offsets(.like(\.name, "*\u{0}*")) == [1, 3])
    #expect(try offsets(.like(\.name, "A\u{0}ü", caseSensitive: false)) == [1])
    #expect(try offsets(.contains(\.name, "\u{0}ü", caseSensitive: false)) == [1])
    #expect(try offsets(.length(\.name) == 3) == [1])
    #expect(try offsets(.length(\.name) == 1) == [2, 3])
    #expect(try offsets(.lower(\.name) == "a\u{0}ü") == [1])
  }

  @Test func `an empty part fits every text, and no null`() throws {
    for filter in [Filter<Zone>.contains(\.comment, ""), .beginsWith(\.comment, ""), .endsWith(\.comment, "")] {
      #expect(try TestStore.zones().zones.findAllIDs(.where(filter)) == [2, 4, 5, 6])
      #expect(try TestStore.zones().zones.findAllIDs(.where(!filter)) == [1, 3])
    }
  }

  /// All characters that LIKE, GLOB or a pattern of ours gives a meaning.
  @Test(
    arguments: ["%", "_", "*", "?", "[", "]", "^", #"\"#, "'", "\"", "a%b_c*d?e[f]g\\", "\\*", "[a-z]", "\u{301}", "😀"], [true, false])
  func `what patterns give a meaning is literal in contains, beginsWith and endsWith`(_ special: String, _ caseSensitive: Bool) throws {
    let store = try TestStore()
    try store.zones.insert([
      Zone("-\(special)-", 1), Zone("\(special)-", 2), Zone("-\(special)", 3), Zone("-x-", 4), Zone("x", 5), Zone("xyz", 6),
    ])
    let (zones, sensitive) = (store.zones, caseSensitive)
    #expect(try zones.findAll(.where(.contains(\.name, special, caseSensitive: sensitive))).map(\.offset) == [1, 2, 3])
    #expect(try zones.findAll(.where(.beginsWith(\.name, special, caseSensitive: sensitive))).map(\.offset) == [2])
    #expect(try zones.findAll(.where(.endsWith(\.name, special, caseSensitive: sensitive))).map(\.offset) == [3])
  }

  @Test(arguments: [true, false])
  func `a backslash takes the next character of a like pattern literally; the other characters mean themselves`(_ caseSensitive: Bool)
    throws
  {
    let store = try TestStore()
    let names = ["a*c", "a?c", "abc", "a%c", "a_c", "a[b]c", #"a\c"#]
    try store.zones.insert(names.map { Zone($0, 0) })
    func find(_ pattern: String) throws -> [String] {
      try store.zones.findAll(.where(.like(\.name, pattern, caseSensitive: caseSensitive)).order(by: \.id)).map(\.name)
    }
    #expect(try find(#"a\*c"#) == ["a*c"])
    #expect(try find(#"a\?c"#) == ["a?c"])
    #expect(try find(#"a\\c"#) == [#"a\c"#])
    #expect(try find("a%c") == ["a%c"])
    #expect(try find("a_c") == ["a_c"])
    #expect(try find("a[b]c") == ["a[b]c"])
    #expect(try find("a?c") == names.filter { $0.count == 3 })
    #expect(try find("a*c") == names)
  }

  @Test func `? is one scalar of the text; without regard to case one of the folded text too`() throws {
    let store = try TestStore()
    try store.zones.insert([Zone("Straße", 1), Zone("STRASSE", 2), Zone("cafe\u{301}", 3), Zone("café", 4)])
    func offsets(_ pattern: String, _ caseSensitive: Bool) throws -> [Int] {
      try store.zones.findAll(.where(.like(\.name, pattern, caseSensitive: caseSensitive)).order(by: \.offset)).map(\.offset)
    }
    #expect(try offsets("Stra?e", true) == [1] && offsets("stra?e", false) == [1] && offsets("STRA?E", false) == [1])
    #expect(try offsets("Stra??e", true) == [] && offsets("stra??e", false) == [1, 2])
    #expect(try offsets("caf?", true) == [4] && offsets("caf??", true) == [3] && offsets("caf?", false) == [3, 4])
  }

  @Test func `text is equal and ordered by its UTF-8 bytes, never by canonical equivalence`() throws {
    let store = try TestStore()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try store.zones.insert([Zone(composed, 1), Zone(decomposed, 2), Zone("f", 3), Zone("Z", 4), Zone("\u{FFFD}", 5), Zone("😀", 6)])
    #expect(try store.zones.findAll(.where(\.name == composed)).map(\.offset) == [1])
    #expect(try store.zones.findAll(.where(.in(\.name, [decomposed]))).map(\.offset) == [2])
    #expect(try store.zones.findAll(.where(.beginsWith(\.name, "e"))).map(\.offset) == [2])
    #expect(try store.zones.findAll(SearchCriteria().order(by: \.name)).map(\.offset) == [4, 2, 3, 1, 5, 6])
    #expect(SearchCriteria<Zone>.where(\.name == composed) != .where(\.name == decomposed))
  }

  @Test func `calls on plain strings and collections keep their own meaning beside the operators`() {
    let texts = ["abc", "b"]
    #expect("abc".contains("b"))
    #expect(texts.contains { $0 == "b" } && texts.contains("b") && texts.filter { $0 != "b" } == ["abc"])
    #expect(texts.map(\.count).contains(3) && [1, 2].allSatisfy { $0 < 3 } && (\String.count as AnyKeyPath) == \String.count)
    #expect(texts.sorted(by: >) == ["b", "abc"] && Optional("a") == "a" && ("a", 1) < ("b", 0))
  }
}
