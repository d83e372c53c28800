import Testing

@testable import DAOCriteria

@Suite("A JSON text that is read")
struct JSONDocumentTests {
  private struct Ended: Error {}

  private static let long = 400_000

  /// Texts of which something is long, and the path into them.
  static let texts: [(String, key: String?)] = [
    (#"{"a":"\#(String(repeating: "x", count: long))"}"#, "a"), (#"{"a":"\#(String(repeating: "ä", count: long / 2))"}"#, "a"),
    (#"{"b":"\#(String(repeating: "x", count: long))","a":"y"}"#, "a"), (#"{"\#(String(repeating: "x", count: long))":1,"a":"y"}"#, "a"),
    (#"{"a":1\#(String(repeating: "0", count: long))}"#, "a"), (#"{"a":0.\#(String(repeating: "5", count: long))}"#, "a"),
    (String(repeating: " ", count: long) + #""y""#, nil), (#"{"a":"y"}"# + String(repeating: "\n", count: long), "a"),
    (#"{"a":"y","b":"# + String(repeating: "[", count: long / 2) + String(repeating: "]", count: long / 2) + "}", "a"),
    (#"{"b":[\#(Array(repeating: "1", count: long / 2).joined(separator: ","))],"a":"y"}"#, "a"),
    ("{" + (0..<long / 10).map { #""k\#(10_000 + $0)":1"# }.joined(separator: ",") + #","a":"y"}"#, "a"),
  ]

  /// Calls a body with a text's value.
  private func value(_ text: String, _ key: String?, goOn: () throws -> Void) rethrows -> JSONDocument.Value? {
    var (text, key) = (text, key ?? "")
    let count = key.isEmpty ? 0 : 1
    return try text.withUTF8 { text in
      try key.withUTF8 { key in try JSONDocument.value(in: text, steps: count, goOn: goOn) { _ in .key(key) } }
    }
  }

  @Test(arguments: texts.indices)
  func `can be left in the middle, whatever in it is long`(_ index: Int) throws {
    let (text, key) = Self.texts[index]
    var calls = 0
    #expect(value(text, key) { calls += 1 } != nil)
    #expect(calls == text.utf8.count / TextPattern.bytesBetweenCalls)
    for last in [1, calls] {
      var left = last
      #expect(throws: Ended.self) {
        _ = try value(text, key) {
          left -= 1
          if left == 0 { throw Ended() }
        }
      }
      #expect(left == 0)
    }
  }

  @Test func `a text with escapes can be left while they are replaced`() throws {
    var text = #""\#(String(repeating: #"\n"#, count: Self.long / 2))""#
    try text.withUTF8 { text in
      let found = try #require(JSONDocument.value(in: text, steps: 0) { _ in .place(0) }?.text)
      var calls = 0
      found.withUTF8(goOn: { calls += 1 }) { #expect($0.count == Self.long / 2 && $0.allSatisfy { $0 == 0x0A }) }
      #expect(calls == Self.long / TextPattern.bytesBetweenCalls)
      #expect(throws: Ended.self) { try found.withUTF8(goOn: { throw Ended() }) { _ in } }
    }
  }
}
