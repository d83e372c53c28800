import Foundation
import GRDB
import TestCases
import Testing

@testable import WorldclockFixture

@Suite("The generator and zdump")
struct ZdumpTests {
  @Test(.enabled(if: Machine.has(Machine.zdump) && Machine.hasZoneinfo, "needs zdump and time zone data"))
  func `agree on every change of every zone`() throws {
    let zones = TestCases.some(try World(zoneinfo: Machine.zoneinfo).zones, every: 5)
    let mine = zones.flatMap { zone in
      zone.changes.map { change in
        """
        \(zone.row.name) \(change.instant): \(change.before.offset) -> \(change.after.offset) \
        \(change.after.abbreviation) isdst=\(change.after.isDaylight ? 1 : 0)
        """
      }
    }
    let dump = try Machine.output(of: Machine.zdump, ["-v", "-c", "1970,2038"] + zones.map(\.row.name))
    let theirs = try Self.changes(in: dump)
    #expect(theirs.count > TestCases.count(17_000, inSuite: 2_500))
    #expect(Set(mine).symmetricDifference(theirs).sorted() == [])
    #expect(mine.count == theirs.count)
  }

  /// zdump shows a change as two lines, the second before it and its own:
  ///
  ///     Europe/Prague  Sun Mar 29 00:59:59 2026 UT = Sun Mar 29 01:59:59 2026 CET isdst=0 gmtoff=3600
  ///     Europe/Prague  Sun Mar 29 01:00:00 2026 UT = Sun Mar 29 03:00:00 2026 CEST isdst=1 gmtoff=7200
  private static func changes(in dump: String) throws -> [String] {
    let lines = dump.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 16 }
    return try stride(from: 0, to: lines.count - 1, by: 2).map { index in
      let (before, after) = (lines[index], lines[index + 1])
      let offsets = (before[15].dropFirst(7), after[15].dropFirst(7))
      return "\(after[0]) \(try instant(after)): \(offsets.0) -> \(offsets.1) \(after[13]) \(after[14])"
    }
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func instant(_ fields: [Substring]) throws -> Int {
    let clock = fields[4].split(separator: ":").compactMap { Int32($0) }
    try #require(clock.count == 3)
    var time = tm()
    time.tm_mon = Int32(try #require(months.firstIndex(of: String(fields[2]))))
    time.tm_mday = try #require(Int32(fields[3]))
    time.tm_year = try #require(Int32(fields[5])) - 1900
    (time.tm_hour, time.tm_min, time.tm_sec) = (clock[0], clock[1], clock[2])
    return timegm(&time)
  }
}
