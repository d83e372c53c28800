import DAOCriteria
import Foundation
import TestCases
import Testing

/// Times without a day.
struct TimeOfDayTests {
  @Test func `a time is one that there is`() {
    for (hour, minute, second) in [(24, 0, 0), (-1, 0, 0), (23, 60, 0), (23, 59, 60)] { #expect(TimeOfDay(hour, minute, second) == nil) }
    #expect(TimeOfDay(0, 0, microsecond: 1_000_000) == nil)
    for text in ["", "24:00", "9:30", "09:30:15.", "09:30:15.10", "09:30 ", "09:30:60", "2026-11-21"] {
      #expect(TimeOfDay(text) == nil, "\(text)")
    }
    for text in ["00:00:00", "09:30:15", "23:59:59.999999", "09:30:15.25"] { #expect(TimeOfDay(text)?.description == text) }
    #expect(TimeOfDay("09:30") == TimeOfDay(9, 30))
  }

  @Test func `its parts are those of its text`() throws {
    let time = try #require(TimeOfDay("21:07:05.25"))
    #expect(time.hour == 21 && time.minute == 7 && time.second == 5 && time.microsecond == 250_000)
    #expect(try #require(TimeOfDay(9, 30)) < time)
    #expect(String(decoding: try JSONEncoder().encode([time]), as: UTF8.self) == #"["21:07:05.25"]"#)
    #expect(try JSONDecoder().decode([TimeOfDay].self, from: Data(#"["21:07:05.25"]"#.utf8)) == [time])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([TimeOfDay].self, from: Data(#"["25:00"]"#.utf8)) }
  }

  @Test func `each microsecond is read as it was written`() throws {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<2_000 {
      let time = try #require(
        TimeOfDay(
          Int.random(in: 0...23, using: &random), Int.random(in: 0...59, using: &random), Int.random(in: 0...59, using: &random),
          microsecond: Int.random(in: 0...999_999, using: &random)))
      #expect(try TimeOfDay(scalar: time.scalar) == time)
      let type = AttributeType.date(.text("HH:MM:SS[.SSSSSS]"))
      #expect(try TimeOfDay(scalar: type.scalar(type.stored(time.scalar))) == time)
    }
    let half = try #require(TimeOfDay("09:30:15.5"))
    #expect(throws: ValueProblem.self) { try TimeOfDay.attributeType.stored(half.scalar) }
    #expect(try AttributeType.date(.text("HH:MM:SS.FFF")).stored(half.scalar) == .text("09:30:15.5"))
    for seconds in [86_400, -1, 1e300, -1e300, .infinity, .nan] as [Double] {
      #expect(throws: ValueProblem.self) { try TimeOfDay(scalar: .date(Date(timeIntervalSince1970: seconds))) }
    }
    #expect(throws: ValueProblem.self) { try TimeOfDay(scalar: .integer(0)) }
  }
}
