// The same functions as members, for closures over the entity's fields: `{ $0.name.lowercased() == "x" }`.
extension Field {
  /// Text in lower case: `dao_lower("name")`, as Swift's `lowercased()`.
  public func lowercased() -> Field { Field(.function(.lower, [term])) }
  /// Text in upper case: `dao_upper("name")`, as Swift's `uppercased()`.
  public func uppercased() -> Field { Field(.function(.upper, [term])) }
  /// Text without spaces at both ends: `dao_trim("name")`.
  public func trimmed() -> Field { Field(.function(.trim, [term])) }
  /// A part of the text, `start` Unicode scalars after its start, with at most `size` of them, or all that are left:
  /// `dao_substring("name", ?, ?)`.
  public func substring(from start: Int, size: Int? = nil) -> Field { Field(.substring(term, start, size)) }
  /// The text with others behind it and a separator between them. Those that are null are left out: `dao_concat("first", "last", ?)`.
  public func concat<each Other>(_ others: repeat Field<each Other>, separator: String = "") -> Field<String> {
    var terms = [term]
    for other in repeat each others { terms.append(other.term) }
    return Field<String>(.concat(terms, separator))
  }
  /// Text with one part of it replaced wherever it occurs, from its start on and by its UTF-8 bytes; an empty part occurs nowhere:
  /// `dao_replace("name", ?, ?)`. One of more than 100,000,000 bytes is ``DAOError/overflow(entity:message:)``.
  public func replace(_ part: String, with other: String) -> Field { Field(.replace(term, part, other)) }
  /// The number without its sign: `dao_abs("offset")`.
  public func magnitude() -> Field { Field(.function(.abs, [term])) }
  /// The number rounded to a whole one, halves away from zero: `dao_round("latitude")`.
  public func rounded() -> Field { Field(.function(.round, [term])) }
  /// The number rounded to 0 to 15 digits after the point, halves away from zero, as its decimal digits are written: 2.675 to two is 2.68.
  /// Decimals stay decimals: `dao_round("price", 'DECIMAL_TEXT', ?)`.
  public func rounded(digits: Int) -> Field { Field(.function(.round, [term, .integer(digits)])) }
  /// How many Unicode scalars the text has: `dao_length("name")`.
  public func length() -> Field<Int?> { Field<Int?>(.function(.length, [term])) }
  /// The year of a date in UTC, or `utcOffset` seconds east of UTC: `dao_year("soldAt", 'DATETIME_TEXT', ?)`.
  ///
  /// Calendar functions take dates in each form in which they are stored. The calendar is the proleptic Gregorian one, and the offset is
  /// the same all year: a zone with summer time has two. Null for a date more than 2^53 seconds from 1970.
  public func year(utcOffset: Int = 0) -> Field<Int?> { Field<Int?>(.calendar(.year, term, utcOffset)) }
  /// The month of a date, 1 to 12, in UTC or `utcOffset` seconds east of UTC: `dao_month("soldAt", 'DATETIME_TEXT', ?)`.
  public func month(utcOffset: Int = 0) -> Field<Int?> { Field<Int?>(.calendar(.month, term, utcOffset)) }
  /// The day of a date's month, 1 to 31, in UTC or `utcOffset` seconds east of UTC: `dao_day("soldAt", 'DATETIME_TEXT', ?)`.
  public func day(utcOffset: Int = 0) -> Field<Int?> { Field<Int?>(.calendar(.day, term, utcOffset)) }
  /// The day of a date's week in UTC, or `utcOffset` seconds east of UTC, as ISO 8601 counts days: 1 is Monday, 7 is Sunday, where
  /// Foundation's calendars begin with Sunday: `dao_weekday("soldAt", 'DATETIME_TEXT', ?)`.
  public func weekday(utcOffset: Int = 0) -> Field<Int?> { Field<Int?>(.calendar(.weekday, term, utcOffset)) }
  /// The hour of a date's day, 0 to 23, in UTC or `utcOffset` seconds east of UTC: `dao_hour("soldAt", 'DATETIME_TEXT', ?)`.
  public func hour(utcOffset: Int = 0) -> Field<Int?> { Field<Int?>(.calendar(.hour, term, utcOffset)) }
  /// The start of a date's day, week, month or year, in UTC or `utcOffset` seconds east of UTC: `dao_startOfMonth("soldAt",
  /// 'DATETIME_TEXT', ?)`.
  ///
  /// It is a date stored as the attribute is; null outside the years 0001 to 9999, as for `Date.distantPast` east of UTC, and where the
  /// attribute's form has no value for it: no time of day is the start of a week.
  public func startOf(_ period: CalendarPeriod, utcOffset: Int = 0) -> Field<Value.Unwrapped?> {
    Field<Value.Unwrapped?>(.calendar(period.start, term, utcOffset))
  }
  /// The attribute, or the value where it is null: `coalesce("comment", ?)`.
  public func coalesce(_ value: Value.Unwrapped) -> Field<Value.Unwrapped> {
    Field<Value.Unwrapped>(.function(.coalesce, [term, Criteria.Term(value)]))
  }
  /// The attribute, or the other where it is null: `coalesce("nickname", "name")`.
  public func coalesce<Other>(_ other: Field<Other>) -> Field<Other> where Other.Unwrapped == Value.Unwrapped {
    Field<Other>(.function(.coalesce, [term, other.term]))
  }
}
