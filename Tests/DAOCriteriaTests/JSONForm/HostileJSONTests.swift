import CriteriaTesting
import DAOCriteria
import Foundation
import TestCases
import Testing

/// Texts that are made to harm.
@Suite("Hostile JSON")
struct HostileJSONTests {
  private func refused(_ json: [UInt8], _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = try onSmallStack {
      problems { _ = try CriteriaDecoder(allowing: .everything).decode(SearchCriteria<Clock.Zone>.self, from: Data(json)) }
    }
    #expect(found == [expected], sourceLocation: sourceLocation)
  }

  private func refused(_ json: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try refused(Array(json.utf8), expected, sourceLocation: sourceLocation)
  }

  @Test func `what is no JSON is told with its place`() throws {
    try refused("", "$: is no JSON: expects a value, at byte 0")
    try refused("  ", "$: is no JSON: expects a value, at byte 2")
    try refused("{", "$: is no JSON: expects a name in quotes, at byte 1")
    try refused("{\"a\"", "$.a: is no JSON: expects ':', at byte 4")
    try refused("{\"a\":1", "$.a: is no JSON: expects ',' or '}', at byte 6")
    try refused("{\"a\":1,}", "$.a: is no JSON: expects a name in quotes, at byte 7")
    try refused("{a:1}", "$: is no JSON: expects a name in quotes, at byte 1")
    try refused("{\"a\":[1,2", "$.a[2]: is no JSON: expects ',' or ']', at byte 9")
    try refused("{\"a\":[1,]}", "$.a[1]: is no JSON: expects a value, at byte 8")
    try refused("[1}", "$[1]: is no JSON: expects ',' or ']', at byte 2")
    try refused("{} {}", "$: is no JSON: expects the end, at byte 3")
    try refused("tru", "$: is no JSON: expects a value, at byte 0")
    try refused("nul", "$: is no JSON: expects a value, at byte 0")
    try refused("'a'", "$: is no JSON: expects a value, at byte 0")
    try refused("NaN", "$: is no JSON: expects a value, at byte 0")
    try refused("[1 // no\n]", "$[1]: is no JSON: expects ',' or ']', at byte 3")
    try refused("\u{A0}{}", "$: is no JSON: expects a value, at byte 0")
  }

  @Test(arguments: ["01", "+1", ".5", "1.", "-", "1e", "1e+", "--1", "0x10", "1_000", "Infinity", "-a"])
  func `numbers`(_ number: String) throws {
    let found = problems { _ = try decoded("{\"version\":1,\"entity\":\"zone\",\"limit\":\(number)}") }
    #expect(found.count == 1 && found[0].contains("is no JSON"), "\(found)")
  }

  @Test func `numbers of a million digits`() throws {
    try refused(String(repeating: "9", count: 1_000_000), "$: has a number of more than 400 characters, at byte 1000000")
    try refused("1e" + String(repeating: "9", count: 1_000_000), "$: has a number of more than 400 characters, at byte 1000002")
    let digits = String(repeating: "9", count: 400)
    #expect(problems { _ = try decoded(json(filter: "{\"compare\":\"latitude\",\"is\":\"==\",\"to\":{\"value\":\(digits)}}")) }.count == 1)
    #expect(
      problems { _ = try decoded(json(filter: "{\"compare\":\"standardOffset\",\"is\":\"==\",\"to\":{\"value\":1e-400}}")) }.count == 1)
  }

  @Test func `other encodings, and a byte order mark`() throws {
    let text = #"{"version":1,"entity":"zone"}"#
    let not8 = "$: is not UTF-8; UTF-16 and UTF-32 are not read, at byte 0"
    try refused([0xEF, 0xBB, 0xBF] + text.utf8, "$: begins with a byte order mark, which JSON does not have, at byte 0")
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian] {
      try refused(Array(try #require(text.data(using: encoding))), not8)
    }
  }

  @Test func `texts that are no text`() throws {
    let utf8 = "$[0]: has a text that is not UTF-8"
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80]] {
      try refused(Array("[\"".utf8) + bytes + Array("\"]".utf8), utf8 + ", at byte \(bytes.count + 3)")
    }
    try refused(#"["\ud800"]"#, "$[0]: has half a surrogate pair in a text, at byte 8")
    try refused(#"["\udc00"]"#, "$[0]: has half a surrogate pair in a text, at byte 8")
    try refused(#"["\ud800\u0041"]"#, "$[0]: has half a surrogate pair in a text, at byte 14")
    try refused(#"["\u12"]"#, "$[0]: has an escape without four hexadecimal digits in a text, at byte 4")
    try refused(#"["\u+123"]"#, "$[0]: has an escape without four hexadecimal digits in a text, at byte 4")
    try refused(#"["\u00"#, "$[0]: has an escape without four hexadecimal digits in a text, at byte 4")
    try refused(#"["\x"]"#, "$[0]: has an unknown escape in a text, at byte 4")
    try refused(#"["\"#, "$[0]: is no JSON: expects the end of a text, at byte 3")
    try refused("[\"a", "$[0]: is no JSON: expects the end of a text, at byte 3")
    try refused("[\"\n\"]", "$[0]: has a control character in a text; write it as \\u000a, at byte 2")
    try refused("[\"\0\"]", "$: is not UTF-8; UTF-16 and UTF-32 are not read, at byte 0")
    let fine = try decoded(json(filter: #"{"compare":"name","is":"==","to":{"value":"\ud83d\ude00\u00e9\u0000\/\b\f\n\r\t\"\\"}}"#))
    #expect(fine == .where(\.name == "😀é\0/\u{8}\u{C}\n\r\t\"\\"))
  }

  @Test(arguments: ["[", "{\"a\":", "{\"not\":", "[{\"a\":["])
  func `nesting without end, on the stack of a thread`(_ part: String) throws {
    for count in [200, 10_000, 100_000] {
      let json = String(repeating: part, count: count)
      let found = try onSmallStack { problems { _ = try decoded(json) } }
      #expect(found.count == 1 && found[0].contains("is nested more than 150 levels deep"), "\(found)")
    }
  }

  @Test func `conditions and terms as deep as they go are read, on the stack of a thread`() throws {
    let fits = nested(2)
    let read = try onSmallStack { () throws in
      let criteria = try decoded(fits)
      return try decoded(criteria.json()) == criteria
    }
    #expect(read)
    // Foundation goes down the stack itself.
    #expect(try onSmallStack { try JSONDecoder().decode(SearchCriteria<Clock.Zone>.self, from: Data(fits.utf8)) } == decoded(fits))
    for count in [199, 511, 512, 100_000] {
      let lists = String(repeating: "[", count: count) + String(repeating: "]", count: count)
      #expect(throws: (any Error).self) {
        try onSmallStack { _ = try JSONDecoder().decode(SearchCriteria<Clock.Zone>.self, from: Data(lists.utf8)) }
      }
    }
  }

  @Test func `a megabyte of anything is soon refused`() throws {
    let parts = ["[],", "{},", "1,", "\"\",", "null,", "{\"a\":0,\"a\":0},", "{\"isNull\":\"x\"},", "true,"]
    for part in TestCases.some(parts, every: 4) {
      let list = String(repeating: part, count: 1_000_000 / part.utf8.count) + "true"
      let found = try onSmallStack { problems { _ = try decoded(json(filter: "{\"any\":[\(list)]}")) } }
      #expect(!found.isEmpty && found.count <= 200, "\(part): \(found.count)")
    }
    let names = Array(repeating: #""a""#, count: 200_000).joined(separator: ",")
    let dots = String(repeating: "a.", count: 400_000)
    for term in ["{\"field\":[\(names)]}", "\"\(dots)\""] {
      #expect(
        problems { _ = try decoded(json(filter: "{\"isNull\":\(term)}")) }.first?.contains("goes through more than 8 relationships") == true
      )
    }
    let members = (0..<60_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(problems { _ = try decoded("{\"version\":1,\"entity\":\"zone\",\(members)}") }.count == 100)
  }
}
