import DAOCriteria
import Foundation
import Testing

/// Days without a time zone.
struct CalendarDayTests {
  @Test func `a day is one that there is`() {
    for (year, month, day) in [
      (2026, 2, 29), (1900, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (0, 1, 1), (10_000, 1, 1), (2026, 1, 0),
    ] {
      #expect(CalendarDay(year, month, day) == nil, "\(year)-\(month)-\(day)")
    }
    for text in ["", "2026-02-29", "0000-00-00", "2026-1-2", "2026-11-21 ", "2026-11-21T00:00", "21.11.2026"] {
      #expect(CalendarDay(text) == nil, "\(text)")
    }
    for text in ["0001-01-01", "1582-10-10", "1970-01-01", "2000-02-29", "2026-11-21", "9999-12-31"] {
      #expect(CalendarDay(text)?.description == text)
    }
  }

  @Test func `its parts are those of its text, and days follow each other`() throws {
    var day = try #require(CalendarDay("1999-12-28"))
    var texts: [String] = []
    for _ in 0..<5 {
      texts.append("\(day.year) \(day.month) \(day.day)")
      let next = try #require(day.adding(days: 1))
      #expect(day < next)
      #expect(CalendarDay(next.description) == next)
      #expect(next.adding(days: -1) == day)
      day = next
    }
    #expect(texts == ["1999 12 28", "1999 12 29", "1999 12 30", "1999 12 31", "2000 1 1"])
    #expect(CalendarDay(9999, 12, 31)?.adding(days: 1) == nil)
    #expect(CalendarDay(1, 1, 1)?.adding(days: -1) == nil && CalendarDay(1, 1, 1)?.adding(days: .min) == nil)
  }

  @Test func `a day begins when the clocks of a zone say so`() throws {
    let (utc, bratislava) = (try #require(TimeZone(identifier: "UTC")), try #require(TimeZone(identifier: "Europe/Bratislava")))
    let day = try #require(CalendarDay(2026, 11, 21))
    #expect(day.start(in: utc) == Date(timeIntervalSince1970: 1_795_219_200))
    #expect(day.start(in: bratislava) == Date(timeIntervalSince1970: 1_795_215_600))
    for zone in [
      utc, bratislava, try #require(TimeZone(identifier: "Pacific/Kiritimati")), try #require(TimeZone(identifier: "America/New_York")),
    ] {
      let start = day.start(in: zone)
      #expect(CalendarDay(start, in: zone) == day)
      #expect(CalendarDay(start.addingTimeInterval(-1), in: zone) == day.adding(days: -1))
    }
    let apia = try #require(TimeZone(identifier: "Pacific/Apia"))
    // The 30th of December was left out there.
    #expect(CalendarDay(2011, 12, 30)?.start(in: apia) == CalendarDay(2011, 12, 31)?.start(in: apia))
    #expect(
      CalendarDay(.distantPast.addingTimeInterval(-1e9), in: utc) == nil && CalendarDay(Date(timeIntervalSince1970: 1e15), in: utc) == nil)
  }

  @Test func `it is its text in JSON, and a date at midnight in UTC as a scalar`() throws {
    let day = try #require(CalendarDay(2026, 11, 21))
    #expect(String(decoding: try JSONEncoder().encode([day]), as: UTF8.self) == #"["2026-11-21"]"#)
    #expect(try JSONDecoder().decode([CalendarDay].self, from: Data(#"["2026-11-21"]"#.utf8)) == [day])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([CalendarDay].self, from: Data(#"["2026-02-30"]"#.utf8)) }
    #expect(day.scalar == .date(Date(timeIntervalSince1970: 1_795_219_200)))
    #expect(try CalendarDay(scalar: day.scalar) == day)
    #expect(throws: ValueProblem.self) { try CalendarDay(scalar: .date(Date(timeIntervalSince1970: 1))) }
    #expect(throws: ValueProblem.self) { try CalendarDay(scalar: .text("2026-11-21")) }
  }
}
