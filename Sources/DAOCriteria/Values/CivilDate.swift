/// A day of the Gregorian calendar, which is taken to have held always.
///
/// Years are counted from March, so that the day that leap years add is their last; 400 years always have 146,097 days.
package struct CivilDate: Equatable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  package init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

  /// From 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468

  package init(daysSince1970 days: Int64) {
    let (cycle, dayOfCycle) = (days + Self.daysBefore1970).dividedDown(by: 146_097)
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100)
    // From March on, every five months have 153 days.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = cycle * 400 + yearOfCycle + (month < 3 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let fromMarch = month < 3 ? year - 1 : year
    let (cycle, yearOfCycle) = fromMarch.dividedDown(by: 400)
    let dayOfYear = (153 * (month < 3 ? month + 9 : month - 3) + 2) / 5 + day - 1
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - Self.daysBefore1970
  }
}

extension Int64 {
  /// The quotient that is not above the exact one, and the remainder, which is never negative.
  func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
