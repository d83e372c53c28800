import DAOCriteria
import Foundation
import TestCases
import Testing

/// The forms in which dates are kept.
struct DateFormTests {
  static let patterns: [DatePattern] = [
    DatePattern("YYYY-MM-DD HH:MM"), DatePattern("YYYY-MM-DD HH:MM:SS"), DatePattern("YYYY-MM-DDTHH:MM:SS"),
    DatePattern("YYYY-MM-DD HH:MM:SS.SSS"), DatePattern("YYYY-MM-DD HH:MM:SS[.SSSSSS]"), DatePattern("YYYY-MM-DDTHH:MM:SS.SSSSSSZ"),
    DatePattern("YYYY-MM-DDTHH:MM:SS.FFFFFFFZ"), DatePattern("YYYY-MM-DD HH:MM:SS.SSSSSSSSS"), DatePattern("YYYY-MM-DD HH:MM:SS+HH:MM"),
    DatePattern("YYYY-MM-DDTHH:MM:SS[.SSSSSS]+HH:MM", zone: "Europe/Bratislava"), DatePattern("YYYY-MM-DD HH:MM:SS", zone: "-03:30"),
    DatePattern("YYYY-MM-DD HH:MM:SS[.SSSSSS]", zone: "Europe/Bratislava"), DatePattern("YYYY-MM-DD"),
    DatePattern("YYYY-MM-DD", zone: "America/New_York"), DatePattern("HH:MM"), DatePattern("HH:MM:SS"), DatePattern("HH:MM:SS.SSS"),
  ]
  static let forms: [AttributeType.DateStorage] =
    [.unixMicroseconds, .unixNanoseconds, .secondsSince2001, .julianDays, .unixSecondsText, .unixMillisecondsText]
    + patterns.map { .text($0) }

  static func text(_ text: String, _ pattern: String, zone: String = "UTC") throws -> Double {
    try AttributeType.DateStorage.text(DatePattern(pattern, zone: zone)).date(.text(text)).timeIntervalSince1970
  }

  @Test func `texts are the instants that they say`() throws {
    let minute = 1_795_241_940.0
    #expect(try Self.text("2026-11-21 06:19", "YYYY-MM-DD HH:MM") == minute)
    #expect(try Self.text("2026-11-21 06:19:00", "YYYY-MM-DD HH:MM:SS") == minute)
    #expect(try Self.text("2026-11-21T06:19:07.123456Z", "YYYY-MM-DDTHH:MM:SS.SSSSSSZ") == minute + 7.123456)
    #expect(try Self.text("2026-11-21 06:19:07", "YYYY-MM-DD HH:MM:SS[.SSSSSS]") == minute + 7)
    #expect(try Self.text("2026-11-21 06:19:07.5", "YYYY-MM-DD HH:MM:SS.FFFFFFF") == minute + 7.5)
    #expect(try Self.text("2026-11-21 07:19:00+01:00", "YYYY-MM-DD HH:MM:SS+HH:MM") == minute)
    #expect(try Self.text("2026-11-20 18:19:00-12:00", "YYYY-MM-DD HH:MM:SS+HH:MM") == minute)
    #expect(try Self.text("2026-11-21 07:19:00", "YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava") == minute)
    #expect(try Self.text("2026-07-21 08:19:00", "YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava") == minute - 123 * 86_400)
    #expect(try Self.text("2026-11-21 02:49:00", "YYYY-MM-DD HH:MM:SS", zone: "-03:30") == minute)
    #expect(try Self.text("2026-11-21", "YYYY-MM-DD") == minute - 22_740)
    #expect(try Self.text("2026-11-21", "YYYY-MM-DD", zone: "America/New_York") == minute - 22_740 + 18_000)
    #expect(try Self.text("23:59:59.999", "HH:MM:SS.SSS") == Date(timeIntervalSince1970: 86_399.999).timeIntervalSince1970)
    #expect(try Self.text("1582-10-14 23:59:59", "YYYY-MM-DD HH:MM:SS") == -12_219_292_801)
    #expect(try Self.text("0001-01-01 00:00:00", "YYYY-MM-DD HH:MM:SS") == -62_135_596_800)
  }

  @Test(arguments: [
    (
      "YYYY-MM-DD HH:MM:SS",
      [
        "", "2026-11-21", "2026-11-21T06:19:00", "2026-11-21 06:19", "2026-11-21 06:19:00 ", "2026-11-21 06:19:00Z",
        "2026-11-21 06:19:00.0", "2026-11-21 24:00:00", "2026-11-21 23:60:00", "2026-11-21 23:59:60", "2026-02-29 00:00:00",
        "2026-13-01 00:00:00", "2026-00-01 00:00:00", "2026-01-00 00:00:00", "0000-00-00 00:00:00", "0000-01-01 00:00:00",
        "1900-02-29 00:00:00", "26-11-21 06:19:00", "2026-1-2 06:19:00", " 2026-11-21 06:19:00", "2026-11-21 6:19:00",
        "２026-11-21 06:19:00",
        "2026-11-21 06:19:0a", "+2026-1-21 06:19:00",
      ]
    ),
    ("YYYY-MM-DD HH:MM:SS.SSS", ["2026-11-21 06:19:00", "2026-11-21 06:19:00.", "2026-11-21 06:19:00.00", "2026-11-21 06:19:00.0000"]),
    ("YYYY-MM-DD HH:MM:SS[.SSS]", ["2026-11-21 06:19:00.000", "2026-11-21 06:19:00.12", "2026-11-21 06:19:00."]),
    ("YYYY-MM-DD HH:MM:SS.FFF", ["2026-11-21 06:19:00.120", "2026-11-21 06:19:00.0", "2026-11-21 06:19:00.1234", "2026-11-21 06:19:00."]),
    ("YYYY-MM-DDTHH:MM:SSZ", ["2026-11-21T06:19:00", "2026-11-21T06:19:00z", "2026-11-21 06:19:00Z", "2026-11-21T06:19:00+00:00"]),
    (
      "YYYY-MM-DD HH:MM:SS+HH:MM",
      [
        "2026-11-21 06:19:00", "2026-11-21 06:19:00Z", "2026-11-21 06:19:00+25:00", "2026-11-21 06:19:00+01:60",
        "2026-11-21 06:19:00+0100", "2026-11-21 06:19:00+1:00",
      ]
    ),
    ("YYYY-MM-DD", ["2026-11-21 00:00:00", "2026-11-31", "0000-00-00", "2023-02-29"]),
    ("HH:MM", ["24:00", "06:19:00", "6:19", "-6:19"]),
  ])
  func `a text of another form is no date, nor is a day or a time that there is not`(_ pattern: String, _ texts: [String]) throws {
    let storage = AttributeType.DateStorage.text(DatePattern(pattern))
    for text in texts {
      let error = #expect(throws: ValueProblem.self, "\(text)") { try storage.date(.text(text)) }
      #expect("\(try #require(error))".contains(pattern))
    }
    for value in [StoredValue.integer(0), .real(0.5), .blob(Data("2026-11-21".utf8))] {
      #expect(throws: ValueProblem.self) { try storage.date(value) }
    }
  }

  @Test func `the last moments of the year 9999 are in it`() throws {
    for (text, pattern) in [
      ("9999-12-31 23:59:59.999999", "YYYY-MM-DD HH:MM:SS[.SSSSSS]"), ("9999-12-31 23:59:59.9999999", "YYYY-MM-DD HH:MM:SS.FFFFFFF"),
    ] as [(String, DatePattern)] {
      let type = AttributeType.date(.text(pattern))
      let scalar = try type.scalar(.text(text))
      guard case .date(let date) = scalar else {
        Issue.record("\(scalar)")
        continue
      }
      #expect(date < Date(timeIntervalSince1970: 253_402_300_800) && date > Date(timeIntervalSince1970: 253_402_300_799.9999))
      #expect(try type.bounds(of: scalar).upper.compare(.text(text), as: type) >= 0)
      #expect(try type.bounds(of: scalar).lower.compare(.text(text), as: type) <= 0)
    }
    #expect(throws: ValueProblem.self) {
      try AttributeType.DateStorage.unixMicroseconds.date(.integer(253_402_300_800_000_000))
    }
  }

  @Test func `the first and the last nanosecond are read, written and found`() throws {
    let type = AttributeType.date(.unixNanoseconds)
    for count in [Int64.max, .min, .min + 1, -9_223_372_036_854_000_000, .max - 1000] {
      let scalar = try type.scalar(.integer(count))
      let stored = try type.stored(scalar)
      #expect(try type.scalar(stored) == scalar)
      let bounds = try type.bounds(of: scalar)
      #expect(bounds.lower.compare(.integer(count), as: type) <= 0 && bounds.upper.compare(.integer(count), as: type) >= 0, "\(count)")
    }
  }

  @Test func `microseconds between 1834 and 1865 are found by the date that is read from them`() throws {
    let type = AttributeType.date(.unixMicroseconds)
    var random = RandomSource(seed: TestCases.seed)
    for count in [-3_796_746_015_307_939]
      + (0..<2_000).map({ _ in Int64.random(in: -4_294_967_296_000_000 ... -3_300_000_000_000_000, using: &random) })
    {
      let bounds = try type.bounds(of: type.scalar(.integer(count)))
      #expect(bounds.lower.compare(.integer(count), as: type) <= 0 && bounds.upper.compare(.integer(count), as: type) >= 0, "\(count)")
    }
  }

  @Test func `digits in a text have one spelling`() throws {
    for storage in [AttributeType.DateStorage.unixSecondsText, .unixMillisecondsText] {
      for text in ["", "07", "+7", "-0", "1.5", "7 ", "1e3", "99999999999999999999"] {
        #expect(throws: ValueProblem.self, "\(text)") { try storage.date(.text(text)) }
      }
    }
    #expect(try AttributeType.DateStorage.unixMillisecondsText.date(.text("-1500")) == Date(timeIntervalSince1970: -1.5))
  }

  /// Instants that are of interest, and random ones.
  static func dates() -> [Date] {
    var random = RandomSource(seed: TestCases.seed)
    let known: [Double] = [0, -1, 0.5, -0.25, 1_795_241_940, 1_792_888_200.5, 1_792_891_800, 253_402_300_799, -62_135_596_800, 951_782_399]
    let near = (0..<200).map { _ in Double.random(in: -3e9...6e9, using: &random) }
    let far = (0..<100).map { _ in Double.random(in: -62_135_596_800..<253_402_300_799, using: &random) }
    // Days that begin in UTC and in New York, and times of the first day.
    let days = (0..<40).map { _ in 86_400 * Double(Int.random(in: -20_000...20_000, using: &random)) }
    let times = (0..<40).map { _ in Double.random(in: 0..<86_400, using: &random) }
    let parts = days + days.map { $0 + 18_000 } + times + times.map { ($0 / 60).rounded(.down) * 60 }
    return (known + near + near.map { $0.rounded() } + far + parts).map { Date(timeIntervalSince1970: $0) }
  }

  @Test(arguments: forms) func `what is read is written as it was, and orders as time does`(_ storage: AttributeType.DateStorage) throws {
    let type = AttributeType.date(storage)
    var stored: [(value: StoredValue, date: Date)] = []
    for date in Self.dates() {
      guard let value = try? storage.stored(date) else { continue }
      let read = try storage.date(value)
      #expect(try storage.date(storage.stored(read)) == read, "\(value)")
      // Digits beyond those of a `Date` are lost.
      if try type.bounds(of: .date(read)).lower == type.bounds(of: .date(read)).upper { #expect(try storage.stored(read) == value) }
      stored.append((value, read))
    }
    // Each form has some.
    #expect(stored.count > 3)
    for (a, b) in Array(zip(stored, stored.dropFirst())) + Array(zip(stored, stored.dropFirst(7))) {
      let order = a.value.compare(b.value, as: type)
      #expect(a.date == b.date || (order < 0) == (a.date < b.date), "\(a.value) \(b.value)")
      if order == 0 { #expect(a.date == b.date) }
    }
  }

  @Test(arguments: forms) func `the bounds of a date are the first and the last value that are read as it`(
    _ storage: AttributeType.DateStorage
  )
    throws
  {
    let type = AttributeType.date(storage)
    for date in Self.dates() {
      guard let value = try? storage.stored(date), let read = try? storage.date(value) else { continue }
      let bounds = try type.bounds(of: .date(read))
      #expect(try storage.date(bounds.lower) == read && storage.date(bounds.upper) == read)
      #expect(bounds.lower.compare(value, as: type) <= 0 && bounds.upper.compare(value, as: type) >= 0)
      #expect(bounds.lower == bounds.upper || type.isApproximate(.date(read)))
      guard case (.integer(let lower), .integer(let upper)) = bounds, lower > .min, upper < .max else { continue }
      // Those beside the first and the last year are none.
      if let before = try? storage.date(.integer(lower - 1)) { #expect(before < read) }
      if let after = try? storage.date(.integer(upper + 1)) { #expect(after > read) }
    }
  }

  @Test func `the hour that clocks show twice is read as the first, and one that they pass over is none`() throws {
    let pattern = "YYYY-MM-DD HH:MM:SS"
    let storage = AttributeType.DateStorage.text(DatePattern(pattern, zone: "Europe/Bratislava"))
    let first = try storage.date(.text("2026-10-25 02:30:00"))
    #expect(first == Date(timeIntervalSince1970: 1_792_888_200))
    #expect(try storage.stored(first) == .text("2026-10-25 02:30:00"))
    #expect(throws: ValueProblem.self) { try storage.stored(first.addingTimeInterval(3600)) }
    #expect(throws: ValueProblem.self) { try storage.date(.text("2026-03-29 02:30:00")) }
    let offset = AttributeType.DateStorage.text(DatePattern(pattern + "+HH:MM", zone: "Europe/Bratislava"))
    #expect(try offset.stored(first) == .text("2026-10-25 02:30:00+02:00"))
    #expect(try offset.stored(first.addingTimeInterval(3600)) == .text("2026-10-25 02:30:00+01:00"))
  }

  @Test func `a day whose midnight the clocks pass over begins when they do`() throws {
    let storage = AttributeType.DateStorage.text(DatePattern("YYYY-MM-DD", zone: "America/Sao_Paulo"))
    // At 0:00 they were set to 1:00, three hours before UTC.
    let start = Date(timeIntervalSince1970: 1_541_300_400)
    #expect(try storage.date(.text("2018-11-04")) == start)
    #expect(try storage.stored(start) == .text("2018-11-04"))
    for seconds in [-1, 1, 3600.0] { #expect(throws: ValueProblem.self) { try storage.stored(start.addingTimeInterval(seconds)) } }
    #expect(try storage.date(.text("2018-11-05")) == start.addingTimeInterval(82_800))
    #expect(try storage.date(.text("2018-02-18")) == Date(timeIntervalSince1970: 1_518_922_800))
  }

  @Test func `a form of days or minutes refuses a date within one`() throws {
    let date = Date(timeIntervalSince1970: 1_795_241_940 + 7)
    for pattern in ["YYYY-MM-DD", "YYYY-MM-DD HH:MM", "HH:MM"] {
      #expect(throws: ValueProblem.self) { try AttributeType.DateStorage.text(DatePattern(pattern)).stored(date) }
    }
    #expect(throws: ValueProblem.self) { try AttributeType.DateStorage.text(DatePattern("HH:MM:SS")).stored(date) }
    #expect(
      try AttributeType.DateStorage.text(DatePattern("YYYY-MM-DD HH:MM:SS")).stored(date.addingTimeInterval(0.5))
        == .text("2026-11-21 06:19:08"))
  }

  @Test func `what SQLite's julianday writes is read to the millisecond`() throws {
    #expect(try AttributeType.DateStorage.julianDays.date(.real(2_461_365.763_194_444_6)) == Date(timeIntervalSince1970: 1_795_241_940))
    // 40 microseconds less and more, as other programs come to the same moment.
    let moment = 2_461_365.763_194_444_6
    for days in [moment.nextDown, moment.nextUp] {
      #expect(try AttributeType.DateStorage.julianDays.date(.real(days)) == Date(timeIntervalSince1970: 1_795_241_940))
    }
    #expect(try AttributeType.DateStorage.julianDays.stored(Date(timeIntervalSince1970: 1_795_241_940)) == .real(2_461_365.763_194_444_6))
    #expect(try AttributeType.DateStorage.julianDays.date(.integer(2_440_588)) == Date(timeIntervalSince1970: 43_200))
    for days in [-1, 5_373_484.5, .infinity] {
      #expect(throws: ValueProblem.self) { try AttributeType.DateStorage.julianDays.date(.real(days)) }
    }
  }

  @Test(arguments: patterns) func `a pattern is read from its own text and from a declared type`(_ pattern: DatePattern) {
    #expect(pattern.problem == nil)
    #expect(DatePattern(pattern.pattern, zone: pattern.zone) == pattern)
    let type = AttributeType.date(.text(pattern))
    #expect(AttributeType(declaredName: type.declaredName) == type)
  }

  /// A schema may declare any number of types.
  @Test func `however many zones are declared that there are not, one that there is stays itself`() {
    for number in 0..<70_000 { #expect(AttributeType(declaredName: "DATETIME_TEXT YYYY-MM-DD Nowhere/\(number)") == .text) }
    let pattern = DatePattern("YYYY-MM-DD HH:MM", zone: "Pacific/Chatham")
    #expect(pattern.zone == "Pacific/Chatham" && pattern.problem == nil)
    #expect(AttributeType(declaredName: "DATETIME_TEXT \(pattern)") == .date(.text(pattern)))
  }

  @Test func `what is no pattern is a problem of the entity`() throws {
    for (pattern, zone) in [
      ("", "UTC"), ("YYYY/MM/DD", "UTC"), ("YYYY-MM-DD ", "UTC"), ("YYYY-MM-DD HH:MM:SS.", "UTC"), ("YYYY-MM-DD HH:MM:SS[.SSS", "UTC"),
      ("YYYY-MM-DD HH:MM:SS.SSSSSSSSSS", "UTC"), ("HH:MM:SSZ", "UTC"), ("YYYY-MM-DD HH:MM:SSZ", "Europe/Bratislava"),
      ("YYYY-MM-DD HH:MM:SS", "Europe/Atlantis"), ("YYYY-MM-DD HH:MM:SS", "CET"), ("YYYY-MM-DD\u{301}", "UTC"),
      ("YYYY-MM-DDT\u{200D}HH:MM", "UTC"), ("YYYY-MM-DD HH:MM", "++1:+0"), ("yyyy-MM-dd", "UTC"), ("HH:MM", "+01:00"),
    ] {
      let pattern = DatePattern(pattern, zone: zone)
      let entity = EntityDescription(
        "event", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("at", .date(.text(pattern)))])
      #expect(entity.problems.count == 1 && entity.problems[0].hasPrefix("event.at is a date of which"), "\(entity.problems)")
    }
    for declared in [
      "YYYY/MM", "YYYY-MM-DD HH:MM:SS Europe/Atlantis", "YYYY-MM-DD HH:MM:SS ../../etc/passwd", "YYYY-MM-DD HH:MM:SS /etc/localtime",
      "YYYY-MM-DD HH:MM:SS Europe//Bratislava", "YYYY-MM-DD HH:MM:SS Europe/../Europe/Bratislava", "HH:MM +01:00", " ", "",
    ] { #expect(AttributeType(declaredName: "DATETIME_TEXT \(declared)") == .text, "\(declared)") }
  }
}
