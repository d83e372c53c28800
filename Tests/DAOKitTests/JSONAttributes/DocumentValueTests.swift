import CriteriaTesting
import DAOKit
import Foundation
import TestCases
import Testing

/// What a path leads to in a document, from a statement and in memory.
@Suite("Values inside JSON")
struct DocumentValueTests {
  private static let page = EntityDescription(
    "page", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("json", .json, optional: true)])

  /// What is at the end of a path, read as each of the four types, by both stores.
  private static func read(_ documents: [Scalar], _ path: [JSONStep]) throws -> [[[String: Scalar]]] {
    let columns = [AttributeType.text, .integer, .real, .bool].map { type in
      Criteria.Column(.json(.field(FieldPath("json")), path, as: type), name: type.declaredName)
    }
    var criteria = Criteria()
    (criteria.columns, criteria.orders) = (columns, [Criteria.Ordering(.field(FieldPath("id")))])
    return try [DAOFactory(over: EvaluatorStore([page])), TestStore([page]).factory].map { factory in
      let pages = try factory.runtimeDAO("page")
      try pages.insert(documents.map { try pages.make(["json": $0]) })
      return try pages.dictionaries(SearchCriteria(criteria)).map { $0.filter { !$0.value.isNull } }
    }
  }

  /// A document, a path into it, and what is there as each type that it can be read as.
  struct Example: Sendable, CustomTestStringConvertible {
    let document: String
    let path: [JSONStep]
    let values: [String: Scalar]

    init(_ document: String, _ path: JSONStep..., text: String? = nil, integer: Int64? = nil, real: Double? = nil, bool: Bool? = nil) {
      (self.document, self.path) = (document, path)
      var values: [String: Scalar] = [:]
      values["TEXT"] = text.map { .text($0) }
      values["INTEGER"] = integer.map { .integer($0) }
      values["REAL"] = real.map { .real($0) }
      values["BOOLEAN"] = bool.map { .bool($0) }
      self.values = values
    }

    var testDescription: String { "\(document.prefix(60)) \(path)" }
  }

  private static let paths = [
    Example(#"{"address":{"city":"Berlin"}}"#, "address", "city", text: "Berlin"),
    Example(#" { "a" : [ 1 , [ "x" , true ] ] } "#, "a", 1, 0, text: "x"), Example(#"{"a":[1,["x",true]]}"#, "a", 1, 1, bool: true),
    Example("\r\n\t[ 1 ]\t", 0, integer: 1, real: 1), Example(#"{"":{"":"x"}}"#, "", "", text: "x"),
    // Nothing is there.
    Example(#"{"a":1}"#, "b"), Example(#"{"a":1}"#, "a", "b"), Example(#"{"a":1}"#, 0), Example(#"{"0":1}"#, 0), Example("[1]", "0"),
    Example("[1]", 1), Example("[1]", .place(.max)), Example("[]", 0), Example("{}", "a"), Example("1", "a"), Example(#""a""#, "a"),
    Example("[[1]]", 0, 1),
    // It has no type of the four.
    Example(#"{"a":null}"#, "a"), Example(#"{"a":{}}"#, "a"), Example(#"{"a":[1]}"#, "a"), Example(#"{"a":{"a":1}}"#, "a"),
    // The first of equal keys, on each level, whatever it holds.
    Example(#"{"a":1,"a":2}"#, "a", integer: 1, real: 1), Example(#"{"a":null,"a":2}"#, "a"), Example(#"{"a":{},"a":{"b":2}}"#, "a", "b"),
    Example(#"{"a":3,"a":{"b":2}}"#, "a", "b"), Example(#"{"b":{"a":1},"a":2}"#, "a", integer: 2, real: 2),
    Example(#"{"x":{"a":{"b":1}},"a":{"x":{"b":2},"b":3}}"#, "a", "b", integer: 3, real: 3),
    Example(#"[[9,8],{"a":7}]"#, 1, "a", integer: 7, real: 7),
    // What follows a path that leads nowhere is not taken for its end.
    Example(#"{"a":3,"x":{"a":2}}"#, "a", "b"), Example(#"{"a":null,"x":{"a":{"b":2}}}"#, "a", "b"),
    // Keys are equal by their bytes, without their escapes.
    Example(#"{"\u0061\/":1}"#, "a/", integer: 1, real: 1), Example("{\"e\u{301}\":1,\"\u{E9}\":2}", "\u{E9}", integer: 2, real: 2),
    Example(#"{"\u00e9":1}"#, "\u{E9}", integer: 1, real: 1), Example(#"{"\u00e9":1}"#, "e\u{301}"),
    Example(#"{"a\u0000b":1,"a":2}"#, "a", integer: 2, real: 2),
    Example(#"{"a\u0000b":1}"#, "a\0b", integer: 1, real: 1), Example(#"{"\ud83D\uDE00":1}"#, "😀", integer: 1, real: 1),
    Example(#"{"\u0061":1}"#, "aa"), Example(#"{"\u0061\u0061":1}"#, "a"), Example(#"{"A":1}"#, "a"), Example(#"{"ab":1}"#, "a"),
  ]

  private static let texts = [
    Example(#"[""]"#, 0, text: ""), Example(#"["\"\\\/\b\f\n\r\t"]"#, 0, text: "\"\\/\u{8}\u{C}\n\r\t"),
    Example(#"["Ä\u00c4"]"#, 0, text: "ÄÄ"),
    Example(#"["\ud83d\ude00x"]"#, 0, text: "😀x"), Example(#"["\u0000"]"#, 0, text: "\0"), Example(#"["a\u0000b"]"#, 0, text: "a\0b"),
    Example(#"["\ud7ff\ue000\uffff\u007f\u07ff\u0800"]"#, 0, text: "\u{D7FF}\u{E000}\u{FFFF}\u{7F}\u{7FF}\u{800}"),
    Example(#"["\uD800\uDC00\uDBFF\uDFFF"]"#, 0, text: "\u{10000}\u{10FFFF}"),
    Example("[\"\u{7F}\u{E9}\u{FFFF}\u{10FFFF}\"]", 0, text: "\u{7F}\u{E9}\u{FFFF}\u{10FFFF}"),
    Example(#"["1"]"#, 0, text: "1"), Example(#"["true"]"#, 0, text: "true"),
    Example("[\"" + String(repeating: "\\n", count: 100_000) + "\"]", 0, text: String(repeating: "\n", count: 100_000)),
  ]

  private static let numbers = [
    Example("[true]", 0, bool: true), Example("[false]", 0, bool: false), Example("[0]", 0, integer: 0, real: 0),
    Example("[-0]", 0, integer: 0, real: 0), Example("[9223372036854775807]", 0, integer: .max, real: 0x1p63),
    Example("[-9223372036854775808]", 0, integer: .min, real: -0x1p63), Example("[9223372036854775808]", 0, real: 0x1p63),
    Example("[-9223372036854775809]", 0, real: -0x1p63), Example("[99999999999999999999]", 0, real: 1e20),
    Example("[9007199254740993]", 0, integer: 9_007_199_254_740_993, real: 9_007_199_254_740_992), Example("[1.0]", 0, real: 1),
    Example("[1e2]", 0, real: 100), Example("[1E+2]", 0, real: 100), Example("[25e-1]", 0, real: 2.5), Example("[-0.5]", 0, real: -0.5),
    Example("[0.1]", 0, real: 0.1), Example("[4.35]", 0, real: 4.35),
    Example("[1.7976931348623157e308]", 0, real: .greatestFiniteMagnitude),
    Example("[5e-324]", 0, real: .leastNonzeroMagnitude), Example("[1e-400]", 0, real: 0), Example("[1e400]", 0), Example("[-1e400]", 0),
    Example("[0.30000000000000004440892098500626]", 0, real: 0.30000000000000004),
  ]

  /// Texts that are no JSON, though the value comes before what is wrong.
  private static let invalid = [
    "", " ", "{", "[", #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{"a":1]"#, #"{"a":1}}"#, #"{"a":1}x"#, #"{"a":1}{}"#, #"{"a":1,1}"#,
    #"{"a":1,"b"}"#,
    #"{"a":1,"b":}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":1,"b":[1,]}"#, #"{"a":1,"b":[,1]}"#, #"{"a":1,"b":[1}"#,
    #"{"a":1,"b":[1 2]}"#,
    #"{"a":01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":-}"#, #"{"a":0x1}"#, #"{"a":1_0}"#,
    #"{"a":NaN}"#,
    #"{"a":Infinity}"#, #"{"a":True}"#, #"{"a":tru}"#, #"{"a":nul}"#, #"{"a":truex}"#, #"{"a":1/**/}"#, "{\"a\":1}//", "{\"a\":1}\0",
    "\u{FEFF}{\"a\":1}",
    "\u{A0}{\"a\":1}", #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\"#, #"{"a":"\u"#,
    #"{"a":1,"b":"\ud800"}"#,
    #"{"a":1,"b":"\udc00"}"#, #"{"a":1,"b":"\ud800x"}"#, #"{"a":1,"b":"\ud800\n"}"#, #"{"a":1,"b":"\ud800\ud800"}"#,
    #"{"a":1,"b":"\udc00\ud800"}"#,
    "{\"a\":1,\"b\":\"\n\"}", "{\"a\":1,\"b\":\"\0\"}", "{\"a\":1,\"b\":\"\u{1F}\"}", "{\"a\":1,\"\t\":2}", #"{"a":1,"b":[{]}}"#,
    #"{"a":1,[]:1}"#,
  ]

  @Test(arguments: paths + texts + numbers)
  func `at the end of a path`(_ example: Example) throws {
    for found in try Self.read([.text(example.document)], example.path) { #expect(found == [example.values]) }
  }

  @Test(arguments: invalid)
  func `a text that is no JSON has none, wherever it stops being it`(_ document: String) throws {
    for found in try Self.read([.text(document), .null, .text(#"{"a":1}"#)], ["a"]) {
      #expect(found == [[:], [:], ["INTEGER": 1, "REAL": 1.0]])
    }
  }

  @Test(arguments: ["80", "C0AF", "C3", "E080AF", "EDA080", "F08080AF", "F4908080", "FF", "E28228"])
  func `nor has what is no UTF-8, or no text`(_ bytes: String) throws {
    let store = try TestStore(
      [Self.page],
      sql: #"""
        INSERT INTO "page" ("json") VALUES (CAST(x'7B2261223A312C2262223A22\#(bytes)227D' AS TEXT));
        INSERT INTO "page" ("json") VALUES (x'7B2261223A317D'), (CAST(x'7B2261223A312C2262223A22C3A9227D' AS TEXT));
        """#)
    let found = try store.factory.runtimeDAO("page").findAllIDs(.where(.json("json", "a", as: Int.self) == 1))
    #expect(found == [[3]])
  }

  @Test func `any depth is read on a small stack, and none has the value that is too deep for its brackets`() throws {
    let depth = TestCases.count(500_000, inSuite: 50_000)
    func nested(_ open: String, _ close: String) -> Scalar {
      .text(#"{"b":"# + String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth) + #","a":"x"}"#)
    }
    let documents: [Scalar] = [
      nested("[", "]"), nested("[", "]]"), .text(String(repeating: "[", count: 2 * depth)),
      .text(String(repeating: #"{"a":"#, count: depth)),
      .text(#"{"a":"x","b":"# + String(repeating: "[{\"a\":", count: 40) + "1}]" + "}"),
    ]
    let found = try onSmallStack { try Self.read(documents, ["a"]) }
    for found in found { #expect(found == [["TEXT": "x"], [:], [:], [:], [:]]) }
  }

  @Test(arguments: [1, 2, 63, 64, 65, 66, 127, 128, 129, 200])
  func `objects and arrays are told apart on every level`(_ depth: Int) throws {
    // {"a":[{"a":[…"x"…]}]}, in which one bracket is exchanged for another.
    let (open, close) = ((0..<depth).map { $0 % 3 == 0 ? "[" : #"{"a":"# }, (0..<depth).reversed().map { $0 % 3 == 0 ? "]" : "}" })
    let sound = open.joined() + #""x""# + close.joined()
    let broken = close.indices.map { index in
      var close = close
      close[index] = close[index] == "]" ? "}" : "]"
      return Scalar.text("[1," + open.joined() + #""x""# + close.joined() + "]")
    }
    for found in try Self.read([.text("[1,\(sound)]")] + broken, [0]) {
      #expect(found == [["INTEGER": 1, "REAL": 1.0]] + broken.map { _ in [:] })
    }
    let path = (0..<min(depth, JSONStep.maximumCount - 1)).map { $0 % 3 == 0 ? JSONStep.place(0) : .key("a") }
    for found in try Self.read([.text("[1,\(sound)]")], [1] + path) {
      #expect(found == [depth < JSONStep.maximumCount ? ["TEXT": "x"] : [:]])
    }
  }
}
