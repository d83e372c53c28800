/// A stretch of the calendar, in whose beginnings a report can group dates.
public enum CalendarPeriod: String, Sendable, Hashable, CaseIterable {
  /// From midnight to midnight.
  case day
  /// From Monday to Sunday, as in ISO 8601.
  case week
  /// A month.
  case month
  /// A year.
  case year

  /// The function of a date that makes the beginning of its period.
  var start: Function {
    switch self {
    case .day: .startOfDay
    case .week: .startOfWeek
    case .month: .startOfMonth
    case .year: .startOfYear
    }
  }
}
