import DAOKit
import Foundation
import Testing

@Suite("Text filters")
struct TextTests {
  @Test("like fits the whole text, with * and ?")
  func like() throws {
    try assertFilter(.like(\.name, "Europe/*"), #""name" GLOB ?"#, [.text("Europe/*")], finds: [1, 2])
    try assertFilter(.like(\.name, "?rzte"), #""name" GLOB ?"#, [.text("?rzte")], finds: [6])
    try assertFilter(.like(\.name, "urope"), #""name" GLOB ?"#, [.text("urope")], finds: [])
  }

  @Test("like without regard to case")
  func likeAnyCase() throws {
    try assertFilter(
      .like(\.name, "EUROPE/?*", caseSensitive: false), #""name" LIKE ? ESCAPE '\'"#, [.text("EUROPE/_%")], finds: [1, 2, 5])
  }

  @Test("a text filter is false of null, and its negation true")
  func negated() throws {
    try assertFilter(!.like(\.comment, "*in*"), #""comment" NOT GLOB ? OR "comment" IS NULL"#, [.text("*in*")], finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.contains(\.comment, "in"), #"instr("comment", ?) = 0 OR "comment" IS NULL"#, [.text("in")], finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.beginsWith(\.comment, "UTC"), #""comment" < ? OR "comment" >= ? OR "comment" IS NULL"#, [.text("UTC"), .text("UTD")],
      finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.endsWith(\.comment, "ter"), #"substr(CAST("comment" AS BLOB), ?) IS NOT ?"#,
      [.integer(-3), .blob(Data("ter".utf8))], finds: [1, 3, 4, 5, 6])
    try assertFilter(
      !.contains(\.comment, "IN", caseSensitive: false), #""comment" NOT LIKE ? ESCAPE '\' OR "comment" IS NULL"#, [.text("%IN%")],
      finds: [1, 3, 4, 5, 6])
  }

  @Test("contains, begins with, ends with")
  func parts() throws {
    try assertFilter(.contains(\.name, "/"), #"instr("name", ?) > 0"#, [.text("/")], finds: [1, 2, 3, 4, 5])
    try assertFilter(.beginsWith(\.name, "Eu"), #""name" >= ? AND "name" < ?"#, [.text("Eu"), .text("Ev")], finds: [1, 2])
    try assertFilter(
      .endsWith(\.name, "a"), #"substr(CAST("name" AS BLOB), ?) = ?"#, [.integer(-1), .blob(Data("a".utf8))], finds: [1, 3])
  }

  @Test("the parts without regard to case, of ASCII letters only")
  func partsAnyCase() throws {
    let like = #""name" LIKE ? ESCAPE '\'"#
    try assertFilter(.contains(\.name, "EUROPE", caseSensitive: false), like, [.text("%EUROPE%")], finds: [1, 2, 5])
    try assertFilter(.beginsWith(\.name, "EU", caseSensitive: false), like, [.text("EU%")], finds: [1, 2, 5])
    try assertFilter(.endsWith(\.name, "DON", caseSensitive: false), like, [.text("%DON")], finds: [2])
    try assertFilter(.beginsWith(\.name, "ä", caseSensitive: false), like, [.text("ä%")], finds: [])
  }

  @Test("an empty part fits every text, and no null")
  func empty() throws {
    for filter in [Filter<Zone>.contains(\.comment, ""), .beginsWith(\.comment, ""), .endsWith(\.comment, "")] {
      #expect(try TestStore.zones().zones.findAllIDs(.where(filter)) == [2, 4, 5, 6])
      #expect(try TestStore.zones().zones.findAllIDs(.where(!filter)) == [1, 3])
    }
  }

  /// All characters that LIKE, GLOB or a pattern of ours gives a meaning.
  @Test(
    "what patterns give a meaning is literal in contains, beginsWith and endsWith",
    arguments: ["%", "_", "*", "?", "[", "]", "^", #"\"#, "'", "\"", "a%b_c*d?e[f]g\\", "\\*", "[a-z]", "\u{301}", "😀"], [true, false])
  func literal(_ special: String, _ caseSensitive: Bool) throws {
    let store = try TestStore()
    try store.zones.insert([
      Zone("-\(special)-", 1), Zone("\(special)-", 2), Zone("-\(special)", 3), Zone("-x-", 4), Zone("x", 5), Zone("xyz", 6),
    ])
    let (zones, sensitive) = (store.zones, caseSensitive)
    #expect(try zones.findAll(.where(.contains(\.name, special, caseSensitive: sensitive))).map(\.offset) == [1, 2, 3])
    #expect(try zones.findAll(.where(.beginsWith(\.name, special, caseSensitive: sensitive))).map(\.offset) == [2])
    #expect(try zones.findAll(.where(.endsWith(\.name, special, caseSensitive: sensitive))).map(\.offset) == [3])
  }

  @Test(
    "a backslash takes the next character of a like pattern literally; the other characters mean themselves",
    arguments: [true, false])
  func escaped(_ caseSensitive: Bool) throws {
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

  @Test("text is equal and ordered by its UTF-8 bytes, never by canonical equivalence")
  func bytes() throws {
    let store = try TestStore()
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try store.zones.insert([Zone(composed, 1), Zone(decomposed, 2), Zone("f", 3), Zone("Z", 4), Zone("\u{FFFD}", 5), Zone("😀", 6)])
    #expect(try store.zones.findAll(.where(\.name == composed)).map(\.offset) == [1])
    #expect(try store.zones.findAll(.where(.in(\.name, [decomposed]))).map(\.offset) == [2])
    #expect(try store.zones.findAll(.where(.beginsWith(\.name, "e"))).map(\.offset) == [2])
    #expect(try store.zones.findAll(SearchCriteria().order(by: \.name)).map(\.offset) == [4, 2, 3, 1, 5, 6])
    #expect(SearchCriteria<Zone>.where(\.name == composed) != .where(\.name == decomposed))
  }

  @Test("calls on plain strings and collections keep their own meaning beside the operators")
  func plainCallsStay() {
    let texts = ["abc", "b"]
    #expect("abc".contains("b"))
    #expect(texts.contains { $0 == "b" } && texts.contains("b") && texts.filter { $0 != "b" } == ["abc"])
    #expect(texts.map(\.count).contains(3) && [1, 2].allSatisfy { $0 < 3 } && (\String.count as AnyKeyPath) == \String.count)
    #expect(texts.sorted(by: >) == ["b", "abc"] && Optional("a") == "a" && ("a", 1) < ("b", 0))
  }
}
