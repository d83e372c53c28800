import DAOCriteria
import Foundation
import TestCases
import Testing

@testable import DAORecords

@Suite("Records from JSON")
struct JSONRecordReaderTests {
  @Test func `a list, an object and lines have records`() {
    #expect(read(json: #" [ {"a": 1} , [2], null ] "#).records == [#"{"a":1}"#, "[2]", "null"])
    #expect(read(json: "[]").records == [] && read(json: "[]").problems == [])
    #expect(read(json: #"{"a": {"b": []}}"#).records == [#"{"a":{"b":[]}}"#])
    #expect(read(json: "\u{FEFF}[1]").records == ["1"])
    let lines = read(json: "{\"a\":1}\r\n\n  \n[2] \n\"\\n\"", .lines)
    #expect(lines.records == [#"{"a":1}"#, "[2]", #""\u000a""#] && lines.problems == [])
    #expect(lines.positions.map { $0[0] } == ["line 1, column 1", "line 4, column 1", "line 5, column 1"])
    #expect(read(json: "", .lines).problems == [])
  }

  @Test func `a list may stand in objects, and what stands beside it is passed over`() {
    let text = #"{"n": [[{}]], "data": {"x": {"items": 0}, "items": [{"a": 1}, {"a": 2}], "y": [1, "]"]}, "z": {}}"#
    #expect(read(json: text, .list(at: ["data", "items"])).records == [#"{"a":1}"#, #"{"a":2}"#])
    #expect(read(json: text, .list(at: ["data", "items"])).problems == [])
    #expect(
      read(json: text, .list(at: ["data", "rows"])).problems == ["has no 'rows' in this object (line 1, column 88)"])
    #expect(read(json: text, .list(at: ["n", "x"])).problems == ["expects an object with 'x', not '[' (line 1, column 7)"])
    #expect(read(json: text, .list(at: ["z"])).problems == ["expects a list of records, not '{' (line 1, column 95)"])
    #expect(
      read(json: #"{"a": [1], "a": [2]}"#, .list(at: ["a"])).problems == ["has 'a' twice in an object (line 1, column 16)"])
    // The records are there before the text turns out not to end.
    let cut = read(json: #"{"a": [1, 2], "b": "#, .list(at: ["a"]))
    #expect(cut.records == ["1", "2"] && cut.problems == ["expects a value, not the end of the text (line 1, column 20)"])
  }

  @Test(arguments: [
    ("", "expects a list of records, not the end of the text (line 1, column 1)"),
    ("12", "expects a list of records, not '1' (line 1, column 1)"),
    ("[1 2]", "expects ',' or ']', not '2' (line 1, column 4)"), ("[1,]", "expects a value, not ']' (line 1, column 4)"),
    ("[{\"a\"\n 1}]", "expects ':', not '1' (line 2, column 2)"), ("[{a: 1}]", "expects a name in quotes, not 'a' (line 1, column 3)"),
    ("[\"a", "expects a closing quote, not the end of the text (line 1, column 4)"),
    ("[\"a\\", "expects the rest of an escape, not the end of the text (line 1, column 5)"),
    ("[1]]", "expects the end, not ']' (line 1, column 4)"), ("[1,\n2", "expects ',' or ']', not the end of the text (line 2, column 2)"),
    ("[\"é\nx\"]", "has a control character in a text; write it as \\u000a (line 1, column 4)"),
    ("[\"\\x\"]", "has an unknown escape in a text (line 1, column 4)"), ("[01]", "expects ',' or ']', not '1' (line 1, column 3)"),
    ("[1.]", "expects a digit, not ']' (line 1, column 4)"), ("[tru]", "expects a value, not ']' (line 1, column 5)"),
    ("[\"\\ud800\"]", "has half a surrogate pair in a text (line 1, column 9)"),
    ("[\"\\udc00\\ud800\"]", "has half a surrogate pair in a text (line 1, column 9)"),
    ("[\"\\u12\"]", "has an escape without four hexadecimal digits in a text (line 1, column 7)"),
  ])
  func `a text that is no JSON ends where it is wrong`(_ text: String, _ problem: String) {
    for window in [1, 3, 4096] { #expect(read(json: text, window: window).problems == [problem]) }
  }

  @Test func `a line that is no JSON is a problem of its own`() {
    let text = "{\"a\":1}\n{\"a\":\n2}\n{\"a\":3} 4\n\u{1}\n{\"b\":\"\n{\"a\":5}"
    let found = read(json: text, .lines)
    #expect(found.records == [#"{"a":1}"#, #"{"a":5}"#])
    #expect(
      found.problems == [
        "expects a value, not the end of the line (line 2, column 6)", "expects the end of the line, not '}' (line 3, column 2)",
        "expects the end of the line, not '4' (line 4, column 9)", "expects a value, not '\u{FFFD}' (line 5, column 1)",
        "has a control character in a text; write it as \\u000a (line 6, column 7)",
      ])
  }

  @Test func `a line that ends behind a backslash takes no other with it`() {
    let found = read(json: "{\"a\":\"x\\\n{\"a\":2}\n{\"a\":\"\\\n", .lines)
    #expect(found.records == [#"{"a":2}"#])
    #expect(found.problems == ["has an unknown escape in a text (line 1, column 9)", "has an unknown escape in a text (line 3, column 8)"])
  }

  @Test func `lines of another encoding are one problem`() {
    #expect(
      "1\n2\n3".data(using: .utf16).map { read(json: $0, .lines).problems } == [
        "is not UTF-8; UTF-16 and UTF-32 are not read (line 1, column 1)"
      ])
  }

  @Test func `a record that is too long ends the reading, space between records is no part of one`() {
    func read(_ text: String, _ form: JSONRecordReader.Form = .list()) -> ReadRecords {
      var reader = JSONRecordReader(ByteSource(Data(text.utf8)), form, window: 16, longest: 64)
      return ReadRecords(&reader)
    }
    let long = "\"" + String(repeating: "x", count: 100) + "\""
    #expect(read("[1, \(long), 2]").records == ["1"])
    #expect(read("[1, \(long), 2]").problems == ["has a record of more than 64 bytes (line 1, column 5)"])
    #expect(read("1\n\(long)\n2", .lines).problems == ["has a record of more than 64 bytes (line 2, column 1)"])
    // A text is as long as it likes.
    #expect(read("[\((0..<1_000).map { "\($0)" }.joined(separator: ", "))]").records.count == 1_000)
    #expect(read((0..<1_000).map { "\($0)\n" }.joined(), .lines).records.count == 1_000)
    let space = String(repeating: " \n", count: 100)
    let spaced = read("\(space)[\(space)1\(space),\(space)2\(space)]\(space)")
    #expect(spaced.records == ["1", "2"] && spaced.problems == [])
    #expect(spaced.positions.map { $0[0] } == ["line 201, column 1", "line 401, column 1"])
    var reader = JSONRecordReader(
      ByteSource(Data("{\"x\":[\"\(long.prefix(40).dropFirst())\",[\(space)],\(space)7],\"a\":[1]}".utf8)), .list(at: ["a"]), window: 16,
      longest: 128)
    #expect(ReadRecords(&reader).records == ["1"])
  }

  @Test func `records are read from files too, and one that can't be read is an error`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-records-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    // Records over the ends of several windows of the usual size.
    let records = (0..<3_000).map { "{\"n\":\($0),\"text\":\"\(String(repeating: "é", count: $0 % 200))\"}" }
    try Data("[\(records.joined(separator: ",\n"))]".utf8).write(to: url)
    var reader = JSONRecordReader(try ByteSource(url))
    let found = ReadRecords(&reader)
    #expect(found.records == records && found.problems == [])
    #expect(found.positions.last?.first == "line 3000, column 1")
    #expect(throws: (any Error).self) { try ByteSource(url.appendingPathExtension("no")) }
    // A folder can be opened, not read.
    #if os(Linux)
      var folder = JSONRecordReader(try ByteSource(FileManager.default.temporaryDirectory), .lines)
      var record = Record()
      #expect(throws: (any Error).self) { try folder.next(&record) }
      #expect(try !folder.goesOn && !folder.next(&record))
    #endif
  }

  @Test func `a name that is composed otherwise is the same`() throws {
    var reader = JSONRecordReader(ByteSource(Data("[{\"gro\u{308}\u{DF}e\": 1}]".utf8)))
    var record = Record()
    #expect(try reader.next(&record))
    #expect(record.member("gr\u{F6}\u{DF}e") != nil && record.member("grosse") == nil)
  }

  @Test func `other encodings and depths are refused`() {
    for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32LittleEndian] {
      let problem = "is not UTF-8; UTF-16 and UTF-32 are not read (line 1, column 1)"
      #expect("[1, 2]".data(using: encoding).map { read(json: $0).problems } == [problem])
    }
    #expect(read(json: Data([0x5B, 0x22, 0xC3, 0x22, 0x5D])).problems == ["has a text that is not UTF-8 (line 1, column 4)"])
    let deep = String(repeating: "[", count: 100_000)
    #expect(read(json: deep, window: 4096).problems == ["is nested more than 512 levels deep (line 1, column 514)"])
    let sound = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
    #expect(read(json: sound, window: 4096).records == [String(sound.dropFirst().dropLast())])
    let long = "[" + String(repeating: "7", count: 401) + "]"
    #expect(read(json: long).problems == ["has a number of more than 400 characters (line 1, column 403)"])
  }

  @Test func `names that stand twice are noted, however they are written`() {
    #expect(
      read(json: #"[{"a": 1, "b": {"c": 1, "\u0063": 2}}, {"a": 1, "a": 2}, {"a": 1}]"#).records == ["twice: c", "twice: a", #"{"a":1}"#])
    let many = (0..<30).map { "\"n\($0)\": \($0)" }.joined(separator: ", ")
    #expect(read(json: "[{\(many), \"n7\": 0}]").records == ["twice: n7"])
    // Of a letter and of a letter with an accent beside it, in small objects and large ones.
    for other in ["", ", \(many)"] {
      #expect(read(json: "[{\"\u{F6}\": 1, \"o\u{308}\": 2\(other)}]").records == ["twice: o\u{308}"])
    }
    #expect(read(json: "[{\(many)}]").records.first?.hasPrefix("{\"n0\":0,") == true)
  }

  @Test func `a value is found by its name, and its text is as it stands there`() throws {
    var reader = JSONRecordReader(
      ByteSource(Data(#"[{"ä":"é\n\u00e9\ud83d\ude00","n":-1.50e3,"o":{"l":[true,null]}}]"#.utf8)), window: 1)
    var record = Record()
    #expect(try reader.next(&record))
    #expect(record.member("ä").map { record.text(of: $0) } == "é\né😀")
    #expect(record.member("n").map { record.text(of: $0) } == "-1.50e3")
    let list = try #require(record.member("o").flatMap { record.member("l", of: $0) })
    let items = record.items(of: list)
    #expect(items.map { record.kind(of: $0) } == [.bool, .null] && record.bool(of: items[0]))
    #expect(record.member("l") == nil && record.member("x", of: list) == nil)
    #expect(record.members().map(\.name) == ["ä", "n", "o"])
  }

  /// Random texts, sound and broken, are read as the scanner that reads a whole text reads them.
  @Test func `random texts are read as by the reader of whole texts`() {
    let results = TestCases.concurrently(TestCases.seeds(20_000, inSuite: 1_000)) { seed in
      var random = RandomSource(seed: seed)
      var bytes = Array(
        "[\((0..<random.below(4)).map { _ in Self.value(&random, 4) }.joined(separator: random.pick([",", " , ", "\n,\t"])))]".utf8)
      if random.once(in: 2) { for _ in 0...random.below(2) { Self.spoil(&bytes, &random) } }
      var scanner = JSONScanner(Data(bytes), maximumDepth: 512)
      let whole = try? scanner.scan()
      let found = read(json: Data(bytes), window: random.pick([1, 2, 3, 7, 64]))
      let text = String(decoding: bytes, as: UTF8.self)
      if case .list(let items)? = whole {
        let expected = scanner.problems.isEmpty ? items.map(\.json) : nil
        if !found.problems.isEmpty || expected.map({ $0 != found.records }) ?? false { throw TestCases.Difference("\(text)\n\(found)") }
        if !scanner.problems.isEmpty, !found.records.contains(where: { $0.hasPrefix("twice") }) {
          throw TestCases.Difference("\(text)\n\(found)")
        }
        return true
      }
      // An object alone is a record, and a mark of the byte order is passed over here.
      if case .object? = whole { return false }
      if found.problems.count != 1, !bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw TestCases.Difference("\(text)\n\(found)") }
      return false
    }
    #expect(results.failure == nil)
    #expect(results.results.filter { $0 }.count > results.results.count / 3)
  }

  private static func value(_ random: inout RandomSource, _ depth: Int) -> String {
    switch random.below(depth == 0 ? 5 : 8) {
    case 0: random.pick(["null", "true", "false"])
    case 1: random.pick(["0", "-0", "12", "1.5", "-2e10", "3E-2", "9223372036854775808"])
    case 2...4: text(&random)
    case 5: "[\((0..<random.below(4)).map { _ in value(&random, depth - 1) }.joined(separator: ","))]"
    default: "{\((0..<random.below(5)).map { _ in "\(text(&random)):\(value(&random, depth - 1))" }.joined(separator: ", "))}"
    }
  }

  private static func text(_ random: inout RandomSource) -> String {
    let parts = ["a", "b", "é", "😀", "\\n", "\\u0061", "\\ud83d\\ude00", "\\\"", "\\\\", "/", "\\/", "[", "}", " ", "\u{2028}"]
    return "\"\((0..<random.below(4)).map { _ in random.pick(parts) }.joined())\""
  }

  private static func spoil(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    let place = random.below(bytes.count + 1)
    switch random.below(4) {
    case 0: bytes.insert(random.pick(Array("[]{},:\"\\0e.-tn \n".utf8) + [0, 0x80, 0xC3, 0xED, 0xF4, 0xFF]), at: place)
    case 1: if place < bytes.count { bytes.remove(at: place) }
    case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
    default: bytes.removeSubrange(place...)
    }
  }
}
