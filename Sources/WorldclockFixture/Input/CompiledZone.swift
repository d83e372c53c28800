import Foundation

/// A compiled zone: the 64-bit block and the footer of a TZif file of version 2 or later (RFC 9636, before it RFC 8536).
struct CompiledZone: Equatable {
  /// The local time that clocks show for a period.
  struct LocalTime: Equatable {
    /// Seconds east of UTC.
    let offset: Int
    let isDaylight: Bool
    let abbreviation: String
  }

  struct Transition: Equatable {
    /// Seconds since 1970-01-01 00:00 UTC.
    let instant: Int64
    let localTime: LocalTime
  }

  /// In force before the first transition.
  let initial: LocalTime
  /// In order of time.
  let transitions: [Transition]
  /// A POSIX TZ string for the time after the last transition; empty where nothing is known.
  let footer: String
}

/// A change of what clocks show: of offset, abbreviation or daylight saving time.
struct OffsetChange: Equatable {
  /// Seconds since 1970-01-01 00:00 UTC.
  let instant: Int64
  let before: CompiledZone.LocalTime
  let after: CompiledZone.LocalTime
}

extension CompiledZone {
  /// The years that the database covers: 1970 to 2037, as far as full zone files go.
  static let covered: Range<Int64> = 0..<2_145_916_800
  private static let lastYear: Range<Int64> = 2_114_380_800..<2_145_916_800

  /// The changes in the covered years. Transitions that change nothing are left out.
  var changes: [OffsetChange] {
    zip([initial] + transitions.map(\.localTime), transitions).compactMap { before, transition in
      guard Self.covered.contains(transition.instant), before != transition.localTime else { return nil }
      return OffsetChange(instant: transition.instant, before: before, after: transition.localTime)
    }
  }

  /// The offset of the last standard time in force in the covered years.
  ///
  /// The data itself defines which time is standard: in Ireland summer time is standard and winter time the exception, in Morocco UTC+1 is
  /// standard and the time of Ramadan the exception.
  var standardOffset: Int {
    let last = transitions.last { $0.instant < Self.covered.upperBound && !$0.localTime.isDaylight }
    return (last?.localTime ?? initial).offset
  }

  /// Whether changes of the covered years are given only by the footer's rule, as `zic -b slim` writes them.
  ///
  /// A rule changes the offset at least twice a year, so a full file has two transitions in the last year.
  var isSlim: Bool {
    footerHasRule && transitions.count { Self.lastYear.contains($0.instant) } < 2
  }

  /// Whether anything follows the standard time's name and offset: `CET-1CEST,M3.5.0,M10.5.0/3` against `<+03>-3`.
  private var footerHasRule: Bool {
    var rest = footer[...]
    if rest.hasPrefix("<") {
      rest = rest.drop { $0 != ">" }.dropFirst()
    } else {
      rest = rest.drop { $0.isLetter }
    }
    return !rest.drop { "+-:0123456789".contains($0) }.isEmpty
  }
}
