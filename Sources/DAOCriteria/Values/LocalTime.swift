/// The date and the time of day at an instant, some seconds east of UTC. The calendar is the proleptic Gregorian one, and a week begins on
/// Monday (ISO 8601).
struct LocalTime {
  private static let secondsADay: Int64 = 86_400

  // Since 1970-01-01 00:00 by this clock, the seconds rounded down.
  private let days: Int64
  private let secondOfDay: Int64
  private let offset: Int64
  /// The clocks of a date that is a day.
  private let clocksOfDays: Clocks?

  /// - Parameter value: a date as it is stored; nil for a value that is no date, and for one that is more than 2^53 seconds from 1970.
  init?(_ value: StoredValue, as storage: AttributeType.DateStorage, offset: Int64) {
    guard let seconds = storage.instant(value)?.seconds, seconds.magnitude <= 1 << 53 else { return nil }
    // A day is the same wherever it is asked about.
    clocksOfDays = storage.clocksOfDays
    let offset = clocksOfDays?.offset(at: seconds) ?? offset
    self.offset = offset
    (days, secondOfDay) = (seconds + offset).dividedDown(by: Self.secondsADay)
  }

  private var date: CivilDate { CivilDate(daysSince1970: days) }

  var year: Int64 { date.year }
  var month: Int64 { date.month }
  var day: Int64 { date.day }
  var hour: Int64 { secondOfDay / 3600 }
  /// 1 is Monday, 7 is Sunday. 1970 began with a Thursday.
  var weekday: Int64 { (days + 3).dividedDown(by: 7).remainder + 1 }

  /// When the day, week, month or year of this time began, as it is stored; null where that is outside the years 0001 to 9999, since no
  /// value of a query is.
  func start(of period: CalendarPeriod, as storage: AttributeType.DateStorage) -> StoredValue {
    let first =
      switch period {
      case .day: days
      case .week: days - (weekday - 1)
      case .month: CivilDate(year: year, month: month, day: 1).daysSince1970
      case .year: CivilDate(year: year, month: 1, day: 1).daysSince1970
      }
    let start = first * Self.secondsADay
    let seconds = clocksOfDays?.start(ofDay: start) ?? start - offset
    guard -62_135_596_800..<253_402_300_800 ~= seconds else { return .null }
    return (try? storage.stored(Instant(seconds: seconds))) ?? .null
  }
}
