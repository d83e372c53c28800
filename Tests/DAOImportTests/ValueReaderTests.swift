import DAOCriteria
import DAORecords
import Foundation
import TestCases
import Testing

@testable import DAOImport

@Suite("Values of records")
struct ValueReaderTests {
  /// The value of a JSON text as an attribute of a type stores it, or its problem.
  private func read(_ json: String, _ type: AttributeType, _ dates: [DateForm] = [.iso8601]) throws -> String {
    var reader = JSONRecordReader(ByteSource(Data("[\(json)]".utf8)))
    return try read(&reader, type, dates, value: 0)
  }

  private func read(cell: String, _ type: AttributeType) throws -> String {
    var reader = CSVRecordReader(ByteSource(Data("a\n\"\(cell)\"\n".utf8)))
    return try read(&reader, type, [.iso8601], value: 2)
  }

  private func read(_ reader: inout some RecordReader, _ type: AttributeType, _ dates: [DateForm], value: Int) throws -> String {
    var record = Record()
    #expect(try reader.next(&record))
    do { return "\(try ValueReader(type, dates: dates).stored(value, of: record))" } catch let problem as ValueProblem {
      return "\(problem)"
    }
  }

  @Test(arguments: [
    (AttributeType.integer, "42", "42"), (.integer, "-0", "0"), (.integer, "9007199254740993", "9007199254740993"),
    (.integer, "\"9007199254740993\"", "9007199254740993"), (.integer, "-9223372036854775808", "-9223372036854775808"),
    (.integer, "9223372036854775807", "9223372036854775807"), (.integer, "42.0", "42"), (.integer, "4.2e1", "42"),
    (.integer, "\" 7 \"", "7"),
    (.integer, "true", "1"), (.integer, "9223372036854775808", "expects an integer of 64 bits, not 9223372036854775808"),
    (.integer, "1.5", "expects an integer of 64 bits, not 1.5"),
    (.integer, "\"12abc\"", "expects an integer of 64 bits, not the text \"12abc\""),
    (.integer, "\"\"", "expects an integer of 64 bits, not the text \"\""), (.integer, "[1]", "expects an integer of 64 bits, not a list"),
    (.integer, "\"12E\"", "expects an integer of 64 bits, not the text \"12E\""),
    (.integer, "\"e12\"", "expects an integer of 64 bits, not the text \"e12\""),
    (
      .integer, "42.0000000000000000000000000000000000000000000001",
      "expects an integer of 64 bits, not 42.0000000000000000000000000000000000000000000001"
    ),
    (.integer, "1e400", "expects an integer of 64 bits, not 1e400"),
    (.real, "1", "1.0"), (.real, "\"1.5\"", "1.5"), (.real, "\"-infinity\"", "-inf"), (.real, "1e999", "expects a double, not 1e999"),
    (.real, "\"nan\"", "expects a double, not the text \"nan\""), (.real, "\"0x1p3\"", "expects a double, not the text \"0x1p3\""),
    (.real, "true", "expects a double, not true"),
    (.decimal(.text), "19.90", "'19.9'"), (.decimal(.text), "\"12345678901234567890123456789.01\"", "'12345678901234567890123456789.01'"),
    (.decimal(.scaled(2)), "19.9", "1990"), (.decimal(.text), "1e-3", "'0.001'"),
    (.decimal(.text), "\"1,5\"", "expects decimal digits, not the text \"1,5\""),
    (.bool, "true", "1"), (.bool, "0", "0"), (.bool, "\"Yes\"", "1"), (.bool, "\"off\"", "0"), (.bool, "2", "expects true or false, not 2"),
    (.bool, "\"maybe\"", "expects true or false, not the text \"maybe\""),
    (.text, "\"a\\n\"", "'a\n'"), (.text, "10248909829", "'10248909829'"), (.text, "1.50", "'1.50'"), (.text, "true", "'true'"),
    (.text, "{}", "expects a text, not an object"),
    (.date(.unixMilliseconds), "\"1970-01-01T00:00:01.5Z\"", "1500"), (.date(.unixMilliseconds), "1388349428", "1388349428000"),
    (.date(.unixMilliseconds), "\"1388349428\"", "expects a date like 2026-11-21T06:19:00Z, not the text \"1388349428\""),
    (.date(.iso8601), "\"2026-11-28\"", "'2026-11-28T00:00:00.000Z'"),
    (.date(.iso8601), "true", "expects a date like 2026-11-21T06:19:00Z, not true"),
    (.uuid(.text), "\"0E984725-C51C-4BF4-9960-E1C80E27ABA0\"", "'0e984725-c51c-4bf4-9960-e1c80e27aba0'"),
    (.uuid(.text), "\"0e984725c51c4bf49960e1c80e27aba0\"", "'0e984725-c51c-4bf4-9960-e1c80e27aba0'"),
    (.uuid(.text), "\"0e984725\"", "expects a UUID, not the text \"0e984725\""), (.uuid(.blob), "7", "expects a UUID, not 7"),
    (.data, "\"AP8=\"", "x'00ff'"), (.data, "\"AP8\"", "x'00ff'"), (.data, "\"__8\"", "x'ffff'"),
    (.data, "\"%\"", "expects Base64, not the text \"%\""),
    (.json, "{\"b\": [1, null], \"a\": 1.50}", "'{\"a\":1.50,\"b\":[1,null]}'"), (.json, "\"12\"", "'\"12\"'"), (.any, "1.0", "1"),
    (.any, "0.5", "0.5"),
    (.any, "\"0.5\"", "'0.5'"), (.any, "false", "0"), (.any, "[]", "expects a number or a text, not a list"),
    (.any, "1e400", "expects a number or a text, not 1e400"),
  ])
  func `a value of JSON is that of the attribute, exactly, or a problem`(_ type: AttributeType, _ json: String, _ expected: String) throws {
    #expect(try read(json, type) == expected)
  }

  @Test func `a number that decimals can't hold is no decimal`() throws {
    let digits = String(repeating: "7", count: 60)
    #expect(try read(digits, .decimal(.text)) == "expects decimal digits, not \(digits)")
    let greatest = Decimal.greatestFiniteMagnitude.significand
    #expect(try read("\(greatest)", .decimal(.text)) == "'\(greatest)'")
    #expect(try read("1e200", .decimal(.text)) == "expects decimal digits, not 1e200")
    #expect(try read("0.\(digits)", .decimal(.text)).hasPrefix("expects decimal digits, not 0.777"))
    #expect(try read("\"0001.5000000000000000000000000000000000000000000000\"", .decimal(.text)) == "'1.5'")
  }

  @Test func `dates are read in the forms that are named, the first that fits`() throws {
    let stored = AttributeType.date(.unixMilliseconds)
    #expect(try read("1388349427543", stored, [.unixMilliseconds]) == "1388349427543")
    #expect(try read("\"1388349427543\"", stored, [.unixMilliseconds]) == "1388349427543")
    #expect(try read("1388349428.25", stored, [.unixSeconds]) == "1388349428250")
    #expect(try read("\"01.02.1970 00:30\"", stored, [.iso8601, .pattern("dd.MM.yyyy HH:mm")]) == "2680200000")
    #expect(try read("\"Feb 1, 1970 1:30 PM +0100\"", stored, [.pattern("MMM d, yyyy h:mm a Z")]) == "2723400000")
    #expect(try read("86400000", stored, [.iso8601, .unixMilliseconds]) == "86400000")
    #expect(try read("\"01.01.1243\"", stored, [.pattern("dd.MM.yyyy")]) == read("\"1243-01-01\"", stored))
    #expect(try read("\"0x10\"", stored, [.unixSeconds]) == "expects seconds since 1970, not the text \"0x10\"")
    #expect(try read("\"31.02.1970\"", stored, [.pattern("dd.MM.yyyy")]) == "expects a date like dd.MM.yyyy, not the text \"31.02.1970\"")
    #expect(try read("7", stored, [.pattern("yyyy")]) == "expects a date like yyyy, not 7")
    #expect(try read("\"x\"", stored, [.unixSeconds, .iso8601]).hasPrefix("expects seconds since 1970 or a date like"))
  }

  /// Dates that no form of storage has are problems, and no crash.
  @Test(arguments: [DateForm.iso8601, .unixMilliseconds]) func `dates far away are problems`(_ form: DateForm) throws {
    for storage in [AttributeType.date(.iso8601), .date(.unixMilliseconds), .date(.unixSeconds)] {
      for number in ["1e300", "-1e300", "9223372036854775807", "1e20", "-1e17"] {
        let stored = try read(number, storage, [form])
        #expect(stored.contains("can't hold") || Double(stored) != nil, "\(storage) \(number): \(stored)")
      }
      #expect(try read("1e300", storage, [form]).contains("can't hold") || storage == .date(.unixSeconds))
    }
    #expect(try read("\"+999999-12-31\"", .date(.iso8601)).contains("can't hold"))
  }

  @Test(arguments: [
    (AttributeType.integer, "42", "42"), (.bool, "TRUE", "1"), (.text, "42", "'42'"), (.real, "1e2", "100.0"),
    (.json, "{\"\"a\"\":1}", "'{\"a\":1}'"),
    (.json, "12", "'12'"), (.any, "12", "'12'"), (.date(.unixMilliseconds), "1970-01-02", "86400000"),
    (.integer, "x", "expects an integer of 64 bits, not the text \"x\""),
  ])
  func `a cell is read as the attribute's type`(_ type: AttributeType, _ cell: String, _ expected: String) throws {
    #expect(try read(cell: cell, type) == expected)
  }

  @Test(arguments: TestCases.seeds(100, inSuite: 4))
  func numbersOfFewDigitsAreTheNearestDoubles(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    for _ in 0..<2_000 {
      let digits = (0..<random.below(18)).map { _ in random.pick(["0", "1", "5", "9", "7", "3"]) }
      var text = digits.joined()
      for _ in 0..<random.below(3) {
        let place = text.index(text.startIndex, offsetBy: random.below(text.count + 1))
        text.insert(random.pick([".", ".", ".", "-", "+", "e"]), at: place)
      }
      if random.once(in: 3) { text = "-" + text }
      let expected = Double(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
      #expect(Double(digits: text)?.bitPattern == expected, "\(text)")
    }
  }
}
