import CriteriaTesting
import DAOCriteria
import Foundation
import TestCases
import Testing

/// A value of each kind beside an attribute of each type.
@Suite("Values of criteria in JSON")
struct JSONValueTests {
  private func text(_ attribute: String, _ value: Scalar) throws -> String {
    var criteria = Criteria()
    criteria.filter = .compare(.field(FieldPath(attribute)), .equal, .value(value))
    let text = try criteria.json(of: Clock.sample)
    let start = #"{"entity":"sample","filter":{"compare":"\#(attribute)","is":"==","to":{"value":"#
    #expect(text.hasPrefix(start))
    return String(text.dropFirst(start.count).dropLast(#"}},"version":1}"#.count))
  }

  private func value(_ attribute: String, _ json: String) throws -> Scalar? {
    let text = #"{"version":1,"entity":"sample","filter":{"compare":"\#(attribute)","is":"==","to":{"value":\#(json)}}}"#
    let criteria = try CriteriaDecoder(allowing: .everything).decode(Data(text.utf8), of: [Clock.sample]).criteria
    if case .compare(_, _, .value(let value)) = criteria.filter.node { return value }
    return nil
  }

  private static let uuid = UUID(uuid: (0x6E, 0x1F, 0x0C, 0x52, 0x9C, 0x54, 0x4A, 0x5C, 0x8F, 0x0E, 0x2A, 0x1D, 0x3C, 0x4B, 0x5A, 0x69))
  private static let samples: [(String, Scalar, String)] = [
    ("bool", true, "true"), ("bool", .null, "null"),
    ("integer", .integer(.max), "9223372036854775807"), ("integer", .integer(.min), "-9223372036854775808"),
    ("integer", 9_007_199_254_740_993, "9007199254740993"), ("integer", 1.5, #"{"real":1.5}"#), ("integer", 1.0, #"{"real":1}"#),
    ("integer", "1", #"{"text":"1"}"#),
    ("real", 3.0, "3"), ("real", 3, #"{"integer":3}"#), ("real", 0.1, "0.1"), ("real", .real(.infinity), #""infinity""#),
    ("real", .real(-.infinity), #""-infinity""#), ("real", .real(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
    ("real", .real(.leastNonzeroMagnitude), "5e-324"), ("real", 1e300, "1e+300"),
    ("text", "", #""""#), ("text", "a\0\u{1F}\"\\/\n😀\u{10FFFF}", #""a\u0000\u001f\"\\/\u000a😀􏿿""#), ("text", "e\u{301}", "\"e\u{301}\""),
    ("text", "\u{FEFF}a", "\"\u{FEFF}a\""), ("text", "infinity", #""infinity""#), ("text", 1, #"{"integer":1}"#),
    ("json", #"{"a":1}"#, #""{\"a\":1}""#),
    ("data", .data(Data([0, 1, 2, 255])), #""AAEC/w==""#), ("data", .data(Data()), #""""#), ("data", "AAEC", #"{"text":"AAEC"}"#),
    ("uuid", .uuid(uuid), #""6e1f0c52-9c54-4a5c-8f0e-2a1d3c4b5a69""#),
    ("uuid", "6E1F0C52-9C54-4A5C-8F0E-2A1D3C4B5A69", #"{"text":"6E1F0C52-9C54-4A5C-8F0E-2A1D3C4B5A69"}"#),
    ("date", .date(Date(timeIntervalSince1970: 0)), #""1970-01-01T00:00:00.000Z""#),
    ("date", .date(Date(timeIntervalSince1970: -62_135_596_800)), #""0001-01-01T00:00:00.000Z""#),
    ("seconds", .date(Date(timeIntervalSince1970: 253_402_300_799)), #""9999-12-31T23:59:59.000Z""#),
    ("date", .date(Date(timeIntervalSinceReferenceDate: 0.123456)), #""2001-01-01T00:00:00.123456Z""#),
    ("decimal", .decimal(Decimal(sign: .minus, exponent: -2, significand: 150)), #""-1.5""#), ("decimal", 3, #"{"integer":3}"#),
    ("scaled", .decimal(Decimal(sign: .plus, exponent: -2, significand: 5)), #""0.05""#),
    ("any", 3, "3"), ("any", 3.0, #"{"real":3}"#), ("any", 0.5, "0.5"), ("any", "a", #""a""#), ("any", false, "false"),
    ("any", .data(Data([1])), #"{"data":"AQ=="}"#),
  ]

  @Test(arguments: samples)
  func `are written in the attribute's type, or name their own, and read to the last bit`(
    _ attribute: String, _ value: Scalar, _ json: String
  ) throws {
    #expect(try text(attribute, value) == json)
    // Some are only refused by what they are compared with.
    let isFitting = (try? Clock.sample[attribute]?.type.stored(value)) != nil
    if isFitting { #expect(try self.value(attribute, json) == value) }
  }

  @Test(arguments: [("1e-7", "0.0000001"), ("-1.25E+3", "-1250"), ("12345678901234567890.5e-2", "123456789012345678.905"), ("0e9", "0")])
  func `a decimal number may have an exponent, as other languages write small and large ones`(_ number: String, _ digits: String) throws {
    #expect(try value("decimal", number) == .decimal(#require(Decimal(string: digits))))
  }

  @Test func `decimals keep every digit`() throws {
    for digits in [
      "12345678901234567890123456789012345678", "0.0000000000000000000000000001", "-99999999999999999999999999999999999999", "0",
    ] {
      let value = try #require(Decimal(string: digits))
      #expect(try self.value("decimal", text("decimal", .decimal(value))) == .decimal(value))
      #expect(try self.value("decimal", digits) == .decimal(value), "as a number")
    }
  }

  @Test func `dates keep every bit, before 2001 too`() throws {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<2000 {
      let range: Double = [1e-3, 1, 1e9, 6e10].randomElement(using: &random) ?? 1
      let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -range...(range / 4), using: &random))
      let json = try text("seconds", .date(date))
      #expect(try value("seconds", json) == .date(date), "\(json), \(date.timeIntervalSinceReferenceDate)")
    }
    #expect(try value("date", #""2026-11-21T06:19:00Z""#) == value("date", #""2026-11-21T06:19:00.000Z""#))
    #expect(try value("date", #""2026-11-21T06:19:00.5Z""#) == value("date", #""2026-11-21T06:19:00.500Z""#))
  }

  @Test func `a date may be written as its column has it`() throws {
    let event = EntityDescription(
      "event", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("day", .date(.text("YYYY-MM-DD"))), Attribute("opens", .date(.text("HH:MM"))),
        Attribute("noted", .date(.text(DatePattern("YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava")))),
      ])
    func value(_ attribute: String, _ text: String) throws -> Scalar? {
      let json = #"{"version":1,"entity":"event","filter":{"compare":"\#(attribute)","is":"==","to":{"value":"\#(text)"}}}"#
      let criteria = try CriteriaDecoder(allowing: .everything).decode(Data(json.utf8), of: [event]).criteria
      if case .compare(_, _, .value(let value)) = criteria.filter.node { return value }
      return nil
    }
    #expect(try value("day", "2026-11-21") == .date(Date(timeIntervalSince1970: 1_795_219_200)))
    #expect(try value("day", "2026-11-21T00:00:00Z") == .date(Date(timeIntervalSince1970: 1_795_219_200)))
    #expect(try value("opens", "09:30") == .date(Date(timeIntervalSince1970: 34_200)))
    #expect(try value("noted", "2026-11-21 07:19:00") == .date(Date(timeIntervalSince1970: 1_795_241_940)))
    for (attribute, text) in [("day", "2026-02-30"), ("opens", "24:00"), ("noted", "2026-11-21 07:19"), ("day", "2026-11-21T07:19:00Z")] {
      #expect(throws: (any Error).self, "\(text)") { try value(attribute, text) }
    }
  }

  @Test func `doubles keep every bit`() throws {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<2000 {
      let double = Double(bitPattern: random.next())
      if double.isNaN { continue }
      guard case .real(let read)? = try value("real", text("real", .real(double))) else {
        Issue.record("\(double)")
        return
      }
      #expect(read.bitPattern == double.bitPattern)
    }
    guard case .real(let zero)? = try value("real", text("real", -0.0)) else {
      Issue.record("no double")
      return
    }
    #expect(zero.sign == .minus)
  }

  @Test(
    arguments: [
      ("bool", "1", "expects Bool, not 1"), ("bool", #""true""#, "expects Bool, not the text \"true\""),
      ("integer", "1.0", "expects an integer of 64 bits, not 1.0"), ("integer", "1e3", "expects an integer of 64 bits, not 1e3"),
      ("integer", "9223372036854775808", "expects an integer of 64 bits, not 9223372036854775808"),
      ("integer", #""1""#, "expects integer, not the text \"1\""), ("integer", #"{"integer":"x"}"#, "expects an integer of 64 bits, not x"),
      ("real", "1e999", "expects a double, not 1e999; write \"infinity\" if that is meant"),
      ("real", #""NaN""#, "expects double, not the text \"NaN\""),
      ("text", "1", "expects text, not 1"), ("text", #"["a"]"#, "expects text, not a list"),
      ("text", #"{"text":"a","data":""}"#, "expects a value, or an object with its kind as in {\"date\":…}, not an object"),
      ("text", #"{"nul":1}"#, "expects a value, or an object with its kind as in {\"date\":…}, not an object"),
      ("text", #"{"date":"2026-11-21T06:19:00Z"}"#, "expects text, not 2026-11-21T06:19:00Z"),
      ("data", #""AA ==""#, "expects Base64, not the text \"AA ==\""), ("data", #""a""#, "expects Base64, not the text \"a\""),
      ("uuid", #""6e1f""#, "expects a UUID, not the text \"6e1f\""),
      ("date", #""2026-02-30T00:00:00Z""#, "expects a date like 2026-11-21T06:19:00Z, not the text \"2026-02-30T00:00:00Z\""),
      ("date", #""2026-11-21""#, "expects a date like 2026-11-21T06:19:00Z, not the text \"2026-11-21\""),
      ("date", "0", "expects date, not 0"),
      ("decimal", "1e999", "expects decimal digits, not 1e999"), ("decimal", "1e-99999", "expects decimal digits, not 1e-99999"),
      ("decimal", #""1,5""#, "expects decimal digits, not the text \"1,5\""),
      ("scaled", "0.001", "holds 2 decimal digits in 64 bits; 0.001 does not fit"),
      (
        "any", #"{"uuid":"6e1f0c52-9c54-4a5c-8f0e-2a1d3c4b5a69"}"#,
        "has no declared type that says how a uuid is stored; pass the stored form"
      ),
    ])
  func `that are none are problems`(_ attribute: String, _ json: String, _ message: String) throws {
    #expect(problems { _ = try value(attribute, json) } == ["$.filter.to.value: " + message])
  }
}
