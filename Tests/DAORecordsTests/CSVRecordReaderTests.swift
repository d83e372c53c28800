import DAOCriteria
import Foundation
import TestCases
import Testing

@testable import DAORecords

@Suite("Records from CSV")
struct CSVRecordReaderTests {
  @Test func `cells stand bare or in quotes`() {
    let found = read(csv: "a,\"b \"\"1\"\"\"\r\n1,\"x, \"\"y\"\"\r\nz\"\r\n,\"\"\n \u{301},\u{2028}")
    #expect(found.problems == [])
    #expect(
      found.records == [
        "{\"a\":\"1\",\"b \\\"1\\\"\":\"x, \\\"y\\\"\\u000d\\u000az\"}", "{\"a\":null,\"b \\\"1\\\"\":\"\"}",
        "{\"a\":\" \u{301}\",\"b \\\"1\\\"\":\"\u{2028}\"}",
      ])
    #expect(
      found.positions == [
        ["line 2, column 1", "line 2, column 4"], ["line 4, column 1", "line 4, column 3"], ["line 5, column 1", "line 5, column 4"],
      ])
    #expect(read(csv: "\u{FEFF}a;b\n1,2;3", delimiter: UInt8(ascii: ";")).records == [#"{"a":"1,2","b":"3"}"#])
  }

  @Test func `empty lines are records of one cell, but not at the end`() {
    #expect(read(csv: "a\n1\n\n\r\n2\n\n\n").records == [#"{"a":"1"}"#, #"{"a":null}"#, #"{"a":null}"#, #"{"a":"2"}"#])
    // As are lines of spaces; a text of spaces stands in quotes, or beside other cells.
    #expect(read(csv: "a\n \n1\n\t \r\n  ").records == [#"{"a":null}"#, #"{"a":"1"}"#])
    #expect(read(csv: "a\n\"  \"\n").records == [#"{"a":"  "}"#])
    #expect(read(csv: "a,b\n  , \n  x,\n").records == [#"{"a":"  ","b":" "}"#, #"{"a":"  x","b":null}"#])
    #expect(read(csv: "a\tb\n \t\n\t\n", delimiter: 0x09).records == [#"{"a":" ","b":null}"#, #"{"a":null,"b":null}"#])
    #expect(read(csv: "a\n1\n\"\"").records == [#"{"a":"1"}"#, #"{"a":""}"#])
    #expect(read(csv: "a").records == [] && read(csv: "a\n\n").problems == [])
    let found = read(csv: "a,b\n\n\n1,2\n\n")
    #expect(found.records == [#"{"a":"1","b":"2"}"#])
    #expect(found.problems == ["expects 2 cells, not 1 (line 2, column 1)", "expects 2 cells, not 1 (line 3, column 1)"])
  }

  @Test(arguments: [
    ("", "has no header (line 1, column 1)"), ("a\n\"x\ny", "has a quote that does not end (line 2, column 1)"),
    ("a,b\n1,\"x\"y", "expects ',' or the end of the line, not 'y' (line 2, column 6)"),
    ("a\nx\"y", "has a quote inside a cell without quotes; enclose the cell in quotes and write the quote twice (line 2, column 2)"),
    ("a\rx", "has a carriage return that ends no line; enclose the cell in quotes (line 1, column 2)"),
  ])
  func `a text that is no CSV ends where it is wrong`(_ text: String, _ problem: String) {
    for window in [1, 3, 4096] { #expect(read(csv: text, window: window).problems == [problem]) }
  }

  @Test func `a row with other cells than the header, and no other, is a problem of its own`() {
    let found = read(csv: "a,b\n1\n\"2\",3,4\n5,6\n")
    #expect(found.records == [#"{"a":"5","b":"6"}"#])
    #expect(found.problems == ["expects 2 cells, not 1 (line 2, column 1)", "expects 2 cells, not 3 (line 3, column 1)"])
  }

  @Test func `a cell without a name has the empty one`() {
    #expect(read(csv: "a,,\n1,2,3").records == [#"{"":"2","":"3","a":"1"}"#])
    #expect(read(csv: "\"\"\n1").records == [#"{"":"1"}"#])
  }

  @Test func `a quote that does not end takes no more than a record may have`() {
    var reader = CSVRecordReader(ByteSource(Data(("a\n1\n\"" + String(repeating: "x\n", count: 100)).utf8)), window: 16, longest: 64)
    let found = ReadRecords(&reader)
    #expect(found.records == [#"{"a":"1"}"#] && found.problems == ["has a record of more than 64 bytes (line 3, column 1)"])
    var long = CSVRecordReader(ByteSource(Data(("a,b\n" + (0..<1_000).map { "\($0),\"x\"\n" }.joined()).utf8)), window: 16, longest: 64)
    #expect(ReadRecords(&long).records.count == 1_000)
    var empty = CSVRecordReader(ByteSource(Data(("a\n" + String(repeating: "\n", count: 1_000)).utf8)), window: 16, longest: 64)
    #expect(ReadRecords(&empty).problems == [])
  }

  @Test func `what is not UTF-8 is refused`() {
    #expect(read(csv: Data("a\nx".utf8) + [0xE9, 0x0A]).problems == ["is not UTF-8 (line 2, column 1)"])
    #expect("a,b".data(using: .utf16).map { read(csv: $0).problems } == ["is not UTF-8; UTF-16 and UTF-32 are not read (line 1, column 1)"])
  }

  /// Random tables, written in any allowed way, are the same when they are read.
  @Test func `random tables are read as they were written`() {
    let results = TestCases.concurrently(TestCases.seeds(20_000, inSuite: 1_000)) { seed in
      var random = RandomSource(seed: seed)
      let width = 1 + random.below(4)
      let lineEnd = random.pick(["\n", "\r\n"])
      let delimiter = random.pick([",", ";", "\t"])
      var rows = [(0..<width).map { Self.text(&random) + (random.once(in: 4) ? "" : "é\($0)") }]
      for _ in 0..<random.below(5) { rows.append((0..<width).map { _ in Self.text(&random) }) }
      let text =
        rows.map { row in
          row.map { cell in
            let scalars = cell.unicodeScalars
            let needsQuotes =
              row.count == 1 && scalars.allSatisfy { $0 == " " || $0 == "\t" } || scalars.isEmpty
              || scalars.contains { ",;\t\"\r\n".unicodeScalars.contains($0) }
            let doubled = String(String.UnicodeScalarView(scalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))
            return needsQuotes || random.once(in: 3) ? "\"\(doubled)\"" : cell
          }.joined(separator: delimiter)
        }.joined(separator: lineEnd) + random.pick(["", lineEnd, lineEnd + lineEnd])
      let found = DAORecordsTests.read(
        csv: Data(text.utf8), delimiter: delimiter.utf8.first ?? 0, window: random.pick([1, 2, 3, 7, 64]))
      let names = rows[0]
      let expected = rows.dropFirst().map { row in
        // Of equal names the order of the members is that of the cells.
        JSONNode.object(zip(names, row).map { JSONNode.Member(name: $0, value: .text($1)) }).json
      }
      if found.records != expected || !found.problems.isEmpty { throw TestCases.Difference("\(text)\n\(found)") }
    }
    #expect(results.failure == nil)
  }

  private static func text(_ random: inout RandomSource) -> String {
    (0..<random.below(4)).map { _ in
      random.pick(["a", "1", " ", ",", ";", "\t", "\"", "\n", "\r", "\r\n", "é", "\u{301}", "😀", "\u{2028}"])
    }.joined()
  }
}
