import CriteriaTesting
import DAOCriteria
import DAOSQL
import Foundation
import Testing

@Suite("SQL of the parts of dates")
struct CalendarSQLTests {
  private func transitions(
    _ filter: Filter<Clock.Transition>, _ condition: String, _ bindings: [StoredValue], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try assertCondition(filter, in: Clock.Transition.entityDescription, condition, bindings, sourceLocation: sourceLocation)
  }

  @Test func `year, month, day, weekday and hour receive the form of the date and the seconds east of UTC`() throws {
    try transitions(.year(\.instant) == 2026, #"dao_year("instant", 'DATETIME_SECONDS', ?) = ?"#, [.integer(0), .integer(2026)])
    try transitions(
      .month(\.instant, utcOffset: 60) == 3, #"dao_month("instant", 'DATETIME_SECONDS', ?) = ?"#, [.integer(60), .integer(3)])
    try transitions(.day(\.instant) == 1, #"dao_day("instant", 'DATETIME_SECONDS', ?) = ?"#, [.integer(0), .integer(1)])
    try transitions(.weekday(\.instant) == 7, #"dao_weekday("instant", 'DATETIME_SECONDS', ?) = ?"#, [.integer(0), .integer(7)])
    try transitions(.hour(\.instant) < 12, #"dao_hour("instant", 'DATETIME_SECONDS', ?) < ?"#, [.integer(0), .integer(12)])
  }

  @Test func `the beginning of a period is a date, which is compared as it is stored`() throws {
    let date = Date(timeIntervalSince1970: 86_400)
    // The doubles that are read as the date.
    let values: [StoredValue] = [.integer(0), .real(86_400 - 0x1p-24), .real(86_400 + 0x1p-24)]
    try transitions(.startOf(.day, \.instant) == date, #"dao_startOfDay("instant", 'DATETIME_SECONDS', ?) BETWEEN ? AND ?"#, values)
    try transitions(.startOf(.week, \.instant) == date, #"dao_startOfWeek("instant", 'DATETIME_SECONDS', ?) BETWEEN ? AND ?"#, values)
    try transitions(.startOf(.month, \.instant) == date, #"dao_startOfMonth("instant", 'DATETIME_SECONDS', ?) BETWEEN ? AND ?"#, values)
    try transitions(.startOf(.year, \.instant) == date, #"dao_startOfYear("instant", 'DATETIME_SECONDS', ?) BETWEEN ? AND ?"#, values)
  }

  @Test func `dates of every form`() throws {
    try assertSamples(.year(.field("date")) == 2026, #"dao_year("date", 'DATETIME_TEXT', ?) = ?"#, [.integer(0), .integer(2026)])
    try assertSamples(
      .year(.field("milliseconds")) == 2026, #"dao_year("milliseconds", 'DATETIME_MILLISECONDS', ?) = ?"#, [.integer(0), .integer(2026)])
  }
}
