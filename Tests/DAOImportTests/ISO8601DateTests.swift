import Foundation
import TestCases
import Testing

@testable import DAOImport

@Suite("Dates of ISO 8601")
struct ISO8601DateTests {
  @Test(
    arguments: [
      ("1970-01-01", 0.0), ("19700102", 86_400), ("1970-02", 31 * 86_400), ("1971", 365 * 86_400), ("1970-032", 31 * 86_400),
      ("1970032", 31 * 86_400), ("1970-W01-4", 0), ("1970W015", 86_400), ("1970-W02", 4 * 86_400), ("1969-12-31T23:59:59.5Z", -0.5),
      ("1970-01-01T00:00Z", 0), ("1970-01-01t01z", 3600), ("19700101T0130", 5400), ("1970-01-01 01:30:15", 5415),
      ("1970-01-01T24:00", 86_400),
      ("1970-01-01T01:30:15,25", 5415.25), ("1970-01-01T01,5", 5400), ("1970-01-01T00:01.5", 90), ("1970-01-01T01:00+01:00", 0),
      ("1970-01-01T01:00+0100", 0), ("1970-01-01T01:00+01", 0), ("1970-01-01T00:00\u{2212}05:30", 19_800), ("1970-01-01 01:00:00 +0100", 0),
      ("1970-01-01T23:59:60Z", 86_400), ("1970-01-02T05:29:60+05:30", 86_400), ("1970-01-01T23:59:60.5Z", 86_400.5), ("+001970-01-01", 0),
      ("-000001-01-01T00:00Z", -62_198_755_200),
      ("1970-01-01T00:00:00.123456789Z", 0.123456789),
    ] as [(String, Double)])
  func `each form says its instant`(_ text: String, _ seconds: Double) {
    // A date counts from 2001, in doubles.
    #expect(ISO8601Date.date(text).map { abs($0.timeIntervalSince1970 - seconds) < 0.000_001 } == true)
  }

  @Test(arguments: [
    "", "soon", "197", "197001", "1970-", "1970-1-1", "1970-01-1", "1970-00-01", "1970-13-01", "1970-02-29", "1970-04-31", "1970-000",
    "1970-366",
    "1970-W00-1", "1970-W54-1", "1969-W53-1", "1970-W01-0", "1970-W01-8", "1970-W01-", "1970-01-01T", "1970-01-01T25:00",
    "1970-01-01T24:01",
    "1970-01-01T12:60", "1970-01-01T12:00:61", "1970-01-01T12:00.", "1970-01-01T12:00:00Zx", "1970-01-01T12:00+24:00", "1970-01-01T12:00+1",
    "1970-01-01T12:00+01:", "1970-01-01x", "1970-01-01T1", "1970-01-01T12:3015", "1970/01/01", "1970-01-01T00:00:60Z",
    "1970-01-01T12:59:60Z", "1970-01-02T23:59:60+01:00", "1970 01", "1970T10", "1970-01 10:00", "1970-W02T10", "１９７０-01-01", "+1970-01-01",
    " 1970-01-01",
  ])
  func `a text that is no date says none`(_ text: String) { #expect(ISO8601Date.date(text) == nil) }

  /// Foundation's calendar says which day is meant.
  @Test func `every form of a random instant says it`() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var random = RandomSource(seed: TestCases.seed)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    func padded(_ number: Int, _ count: Int) -> String { String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)" }
    for _ in 0..<TestCases.count(20_000, inSuite: 1_000) {
      // From the years 1600 to 2599; before the Gregorian calendar Foundation has another.
      let whole = Int.random(in: -11_676_096_000..<19_880_899_200, using: &random)
      let date = Date(timeIntervalSince1970: Double(whole))
      let zone = random.pick([0, 60, -330, 765, -720])
      let local = date.addingTimeInterval(Double(zone) * 60)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekOfYear, .yearForWeekOfYear, .weekday], from: local)
      let ordinal = try #require(calendar.ordinality(of: .day, in: .year, for: local))
      let (year, month, day) = try (#require(parts.year), #require(parts.month), #require(parts.day))
      let (hour, minute, second) = try (#require(parts.hour), #require(parts.minute), #require(parts.second))
      let (week, weekYear) = try (#require(parts.weekOfYear), #require(parts.yearForWeekOfYear))
      let weekday = try (#require(parts.weekday) + 5) % 7 + 1
      let days = [
        "\(year)-\(two(month))-\(two(day))", "\(year)\(two(month))\(two(day))", "\(year)-\(padded(ordinal, 3))",
        "\(year)\(padded(ordinal, 3))",
        "\(weekYear)-W\(two(week))-\(weekday)", "\(weekYear)W\(two(week))\(weekday)", "+\(padded(year, 6))-\(two(month))-\(two(day))",
      ]
      let times = ["\(two(hour)):\(two(minute)):\(two(second))", "\(two(hour))\(two(minute))\(two(second))"].flatMap {
        [$0, $0 + ".000", $0 + ",0"]
      }
      let sign = zone < 0 ? "-" : "+"
      let (zoneHour, zoneMinute) = (two(abs(zone) / 60), two(abs(zone) % 60))
      let zones = ["\(sign)\(zoneHour):\(zoneMinute)", "\(sign)\(zoneHour)\(zoneMinute)"] + (zone == 0 ? ["", "Z", " Z"] : [])
      let text = random.pick(days) + random.pick(["T", " ", "t"]) + random.pick(times) + random.pick(zones)
      #expect(ISO8601Date.date(text) == date, "\(text)")
    }
  }
}
