import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Attribute types")
struct AttributeTypeTests {
  /// Writes different values and asserts how SQLite has them, that they come back and are found by filters, also as optionals with nil.
  func roundTrip<Value: AttributeValue & Equatable>(
    _ values: [Value], _ type: AttributeType = Value.attributeType, stored: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let description = Box<Value>.description(type)
    let store = try TestStore([description])
    let target = EntityTarget(description)
    _ = try store.store.insert(values.map { Box($0) }, in: target)
    #expect(try store.stored("value", in: "box") == stored, sourceLocation: sourceLocation)
    let found = try store.store.find(Box<Value>.self, in: target, Criteria())
    #expect(found.map(\.value) == values, sourceLocation: sourceLocation)
    for (index, value) in values.enumerated() {
      let field = Criteria.Term.field(FieldPath("value"))
      for condition in [
        Criteria.Condition.compare(field, .equal, Criteria.Term(value)), .among(field, [try value.scalar]),
        .not(.compare(field, .notEqual, Criteria.Term(value))),
        .not(.among(field, try values.filter { $0 != value }.map { try $0.scalar })),
      ] {
        var criteria = Criteria()
        criteria.filter = condition
        let key = try store.store.findKeys(Box<Value>.self, in: target, criteria)
        #expect(key == [Int64(index + 1)], "\(condition.node)", sourceLocation: sourceLocation)
      }
    }

    let optional = Box<Value?>.description(type)
    #expect(optional.attributes[1].isOptional && !description.attributes[1].isOptional, sourceLocation: sourceLocation)
    let optionals = try TestStore([optional])
    _ = try optionals.store.insert((values + [nil]).map { Box<Value?>($0) }, in: EntityTarget(optional))
    #expect(try optionals.stored("value", in: "box") == stored + ["null NULL"], sourceLocation: sourceLocation)
    #expect(
      try optionals.store.find(Box<Value?>.self, in: EntityTarget(optional), Criteria()).map(\.value) == values + [nil],
      sourceLocation: sourceLocation)
  }

  @Test func `integers of all widths`() throws {
    func extremes<I: FixedWidthInteger & AttributeValue>(_ type: I.Type) throws {
      try roundTrip([I.min, 1, I.max], stored: ["integer \(I.min)", "integer 1", "integer \(I.max)"])
    }
    try extremes(Int.self)
    try extremes(Int8.self)
    try extremes(Int16.self)
    try extremes(Int32.self)
    try extremes(Int64.self)
    try extremes(UInt8.self)
    try extremes(UInt16.self)
    try extremes(UInt32.self)
    try roundTrip([UInt64.min, UInt64(Int64.max)], stored: ["integer 0", "integer 9223372036854775807"])
    try roundTrip([UInt.min, UInt(Int64.max)], stored: ["integer 0", "integer 9223372036854775807"])
  }

  @Test func `doubles and floats, to the last bit`() throws {
    let values = [0.1, -0.0, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .pi]
    let description = Box<Double>.description(.real)
    let store = try TestStore([description])
    _ = try store.store.insert(values.map { Box($0) }, in: EntityTarget(description))
    let found = try store.store.find(Box<Double>.self, in: EntityTarget(description), Criteria()).map(\.value)
    #expect(found.map(\.bitPattern) == values.map { $0 == 0 ? 0 : $0.bitPattern } || found.map(\.bitPattern) == values.map(\.bitPattern))
    try roundTrip([0.5, -2, 3], stored: ["real 0.5", "real -2.0", "real 3.0"])
    try roundTrip([Float(0.5), Float(-2)], stored: ["real 0.5", "real -2.0"])
    try roundTrip([Float(0.25), 1e10], stored: ["real 0.25", "real 10000000000.0"])
  }

  @Test func `Bool is 0 or 1`() throws { try roundTrip([true, false], stored: ["integer 1", "integer 0"]) }

  @Test func `text, with quotes, beyond the first plane, decomposed, empty, and with NUL`() throws {
    try roundTrip(["a", "", "it's", "😀e\u{301}"], stored: ["text 'a'", "text ''", "text 'it''s'", "text '😀e\u{301}'"])
    let description = Box<String>.description(.text)
    let store = try TestStore([description])
    _ = try store.store.insert([Box("a\0b")], in: EntityTarget(description))
    #expect(try store.store.find(Box<String>.self, in: EntityTarget(description), Criteria()).map(\.value) == ["a\0b"])
  }

  @Test func `bytes`() throws { try roundTrip([Data([0, 255, 16]), Data()], stored: ["blob X'00FF10'", "blob X''"]) }

  @Test func `UUID as 16 bytes or as text in lower case`() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    try roundTrip([uuid], stored: ["blob X'00112233445566778899AABBCCDDEEFF'"])
    try roundTrip([uuid], .uuid(.text), stored: ["text '00112233-4455-6677-8899-aabbccddeeff'"])
  }

  @Test func `URL as its text`() throws {
    try roundTrip([try #require(URL(string: "https://a.b/c?d=e#f"))], stored: ["text 'https://a.b/c?d=e#f'"])
  }

  @Test func `Date as ISO-8601 text, Unix seconds and Unix milliseconds, before 1970 too`() throws {
    let whole = [0, 1_795_241_940, -1, -86_400.0 * 366].map { Date(timeIntervalSince1970: $0) }
    try roundTrip(
      whole, .date(.iso8601),
      stored: [
        "text '1970-01-01T00:00:00.000Z'", "text '2026-11-21T06:19:00.000Z'", "text '1969-12-31T23:59:59.000Z'",
        "text '1968-12-31T00:00:00.000Z'",
      ])
    try roundTrip(whole, .date(.unixSeconds), stored: ["integer 0", "integer 1795241940", "integer -1", "integer -31622400"])
    try roundTrip(whole, .date(.unixMilliseconds), stored: ["integer 0", "integer 1795241940000", "integer -1000", "integer -31622400000"])
    let parts = [0.25, -0.25, -1.125].map { Date(timeIntervalSince1970: $0) }
    try roundTrip(
      parts, .date(.iso8601),
      stored: ["text '1970-01-01T00:00:00.250Z'", "text '1969-12-31T23:59:59.750Z'", "text '1969-12-31T23:59:58.875Z'"])
    try roundTrip(parts, .date(.unixSeconds), stored: ["real 0.25", "real -0.25", "real -1.125"])
    try roundTrip(parts, .date(.unixMilliseconds), stored: ["integer 250", "integer -250", "integer -1125"])
  }

  @Test func `a date is rounded to the millisecond as text and as milliseconds, and kept whole as seconds`() throws {
    let date = Date(timeIntervalSince1970: 1.000_600_5)
    for (type, seconds) in [(AttributeType.date(.iso8601), 1.001), (.date(.unixMilliseconds), 1.001), (.date(.unixSeconds), 1.000_600_5)] {
      let store = try TestStore([Box<Date>.description(type)])
      let target = EntityTarget(Box<Date>.description(type))
      _ = try store.store.insert([Box(date)], in: target)
      #expect(try store.store.find(Box<Date>.self, in: target, Criteria()).map(\.value) == [Date(timeIntervalSince1970: seconds)])
    }
  }

  @Test(arguments: [
    AttributeType.DateStorage.iso8601, .unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .secondsSince2001,
    .julianDays, .unixSecondsText, .unixMillisecondsText, .text(DatePattern("YYYY-MM-DD HH:MM:SS")),
    .text(DatePattern("YYYY-MM-DDTHH:MM:SS.FFFFFFFZ")), .text(DatePattern("YYYY-MM-DD HH:MM:SS[.SSSSSS]+HH:MM", zone: "+05:30")),
  ])
  func `a row is found by the date that was written into it`(_ storage: AttributeType.DateStorage) throws {
    let target = EntityTarget(Box<Date>.description(.date(storage)))
    let store = try TestStore([target.entity]).store
    // Each is rounded to the nearest millisecond, some up and some down.
    for seconds in [0.000_4, 0.000_6, 1.000_600_5, 1.000_999, -0.000_4, -0.000_6, -1.000_999, 1_795_241_940.123_7, 1_795_241_940.123_2] {
      let date = Date(timeIntervalSince1970: seconds)
      let written = try #require(try store.insert([Box(date)], in: target).first)
      var criteria = Criteria()
      criteria.filter = .compare(.field(FieldPath("value")), .equal, .value(.date(date)))
      #expect(try store.find(Box<Date>.self, in: target, criteria).contains { $0.id == written.id }, "\(seconds)")
    }
  }

  @Test(arguments: [
    AttributeType.DateStorage.iso8601, .unixSeconds, .unixMilliseconds, .unixMicroseconds, .secondsSince2001, .unixSecondsText,
    .unixMillisecondsText, .text(DatePattern("YYYY-MM-DD HH:MM:SS")),
  ])
  func `years 0001 to 9999 are held, others are refused`(_ storage: AttributeType.DateStorage) throws {
    let limits = [-62_135_596_800, -12_219_292_801, -30_000_000_000, 253_402_300_799.0].map { Date(timeIntervalSince1970: $0) }
    let stored =
      switch storage {
      case .iso8601:
        ["0001-01-01T00:00:00.000Z", "1582-10-14T23:59:59.000Z", "1019-05-04T18:40:00.000Z", "9999-12-31T23:59:59.000Z"].map {
          "text '\($0)'"
        }
      case .unixSeconds: limits.map { "integer \(Int64($0.timeIntervalSince1970))" }
      case .unixMilliseconds: limits.map { "integer \(Int64($0.timeIntervalSince1970 * 1000))" }
      case .unixMicroseconds: limits.map { "integer \(Int64($0.timeIntervalSince1970) * 1_000_000)" }
      case .secondsSince2001: limits.map { "integer \(Int64($0.timeIntervalSinceReferenceDate))" }
      case .unixSecondsText: limits.map { "text '\(Int64($0.timeIntervalSince1970))'" }
      case .unixMillisecondsText: limits.map { "text '\(Int64($0.timeIntervalSince1970 * 1000))'" }
      default: ["0001-01-01 00:00:00", "1582-10-14 23:59:59", "1019-05-04 18:40:00", "9999-12-31 23:59:59"].map { "text '\($0)'" }
      }
    try roundTrip(limits, .date(storage), stored: stored)
    let target = EntityTarget(Box<Date>.description(.date(storage)))
    let store = try TestStore([target.entity])
    for seconds in [-62_135_596_801, 253_402_300_800, 1e300, -1e300, .infinity, .nan] {
      #expect(
        invalid { _ = try store.store.insert([Box(Date(timeIntervalSince1970: seconds))], in: target) }?.hasPrefix("box.value") == true)
    }
    #expect(try store.store.count(in: target, Criteria()) == 0)
  }

  @Test func `enums by their raw value`() throws {
    try roundTrip([Kind.land, .sea], stored: ["text 'land'", "text 'sea'"])
    try roundTrip([Level.low, .high], stored: ["integer 1", "integer 9"])
  }

  @Test func `Codable values, lists and dictionaries as JSON text, keys sorted`() throws {
    try roundTrip(
      [Address(street: "a/b", number: 3), Address(street: "it's")],
      stored: [#"text '{"number":3,"street":"a/b"}'"#, #"text '{"street":"it''s"}'"#])
    try roundTrip([["b", "a"], []], stored: [#"text '["b","a"]'"#, "text '[]'"])
    try roundTrip([["b": 2, "a": 1]], stored: [#"text '{"a":1,"b":2}'"#])
  }

  @Test func `own types by a two-way conversion`() throws {
    try roundTrip([Celsius(1000 - 273.15), Celsius(-273.15)], stored: ["real 1000.0", "real 0.0"])
  }

  /// The message with which a value is refused; nothing is stored.
  private func refusal<Value: AttributeValue>(_ value: Value, _ type: AttributeType = Value.attributeType) throws -> String? {
    let target = EntityTarget(Box<Value>.description(type))
    let store = try TestStore([target.entity])
    let message = invalid { _ = try store.store.insert([Box(value)], in: target) }
    #expect(try store.store.count(in: target, Criteria()) == 0)
    return message
  }

  @Test func `a value that has no stored form is refused, and names entity and attribute`() throws {
    let tooLarge = "box.value can't hold 9223372036854775808: integers are stored in 64 bits with a sign"
    #expect(try refusal(UInt64(Int64.max) + 1) == tooLarge)
    #expect(try refusal(UInt(Int64.max) + 1) == tooLarge)
    #expect(try refusal(Double.nan) == "box.value can't hold NaN")
    #expect(try refusal(Float.nan) == "box.value can't hold NaN")
    #expect(try refusal(Decimal.nan) == "box.value can't hold NaN")
    #expect(try refusal(Celsius(.nan)) == "box.value can't hold NaN")
    #expect(
      try refusal(Decimal(string: "1.234") ?? 0, .decimal(.scaled(2))) == "box.value holds 2 decimal digits in 64 bits; 1.234 does not fit")
    #expect(try refusal(Decimal(string: "92233720368547758.08") ?? 0, .decimal(.scaled(2)))?.hasSuffix("does not fit") == true)
    #expect(try refusal(["a": Double.infinity]) != nil)
  }

  @Test func `a type that the description declares otherwise is refused, and nothing is stored that could not be read back`() throws {
    #expect(try refusal(true, .text) == "box.value expects text, not true")
    #expect(try refusal("x", .integer) == "box.value expects integer, not \"x\"")
    #expect(try refusal(1.5, .integer) == "box.value expects integer, not 1.5")
    #expect(try refusal(Float(1.5), .bool) == "box.value expects Bool, not 1.5")
    #expect(try refusal(7, .text) == "box.value expects text, not 7")
    #expect(try refusal(Data([1]), .text) == "box.value expects text, not 1 bytes")
    #expect(try refusal(7, .real) == "box.value expects double, not 7")
    #expect(try refusal(7, .decimal(.scaled(2)))?.hasSuffix("not 7") == true)
    #expect(try refusal(Date(timeIntervalSince1970: .infinity), .integer) != nil)
    #expect(try refusal(Date(timeIntervalSince1970: 0), .integer) != nil)
  }

  @Test func `such values are refused in filters too, with the attribute's name`() throws {
    let zones = try TestStore.zones().zones
    typealias Large = Box<UInt64>
    #expect(problems { _ = try SearchCriteria<Large>.where(\.value == .max).sql() }.count == 1)
    #expect(problems { _ = try SearchCriteria<Large>.where(.in(\.value, [1, .max])).sql() }.count == 1)
    #expect(problems { _ = try SearchCriteria<Box<Double>>.where(\.value == .nan).sql() } == ["value: can't hold NaN"])
    #expect(problems { _ = try zones.findAll(.where(.field("offset") == .real(.nan))) }.count == 1)
  }

  private func invalid(_ body: () throws -> Void) -> String? {
    do { try body() } catch let error as DAOError {
      guard case .invalidValue = error else { return "other: \(error)" }
      return error.description
    } catch { return "other: \(error)" }
    return nil
  }
}
