extension AttributeType {
  /// How a date is kept. Filters and orders compare dates of each form as instants; the table says which of them an index can answer.
  ///
  /// | form | example | declared as | an index answers |
  /// |---|---|---|---|
  /// | ``iso8601`` | `'2026-11-21T06:19:00.000Z'` | `DATETIME_TEXT` | filters, orders |
  /// | ``unixSeconds`` | `1795241940` | `DATETIME_SECONDS` | filters, orders |
  /// | ``unixMilliseconds`` | `1795241940000` | `DATETIME_MILLISECONDS` | filters, orders |
  /// | ``unixMicroseconds`` | `1795241940000000` | `DATETIME_MICROSECONDS` | filters, orders |
  /// | ``unixNanoseconds`` | `1795241940000000000` | `DATETIME_NANOSECONDS` | filters, orders |
  /// | ``secondsSince2001`` | `816934740` | `DATETIME_SECONDS_SINCE_2001` | filters, orders |
  /// | ``julianDays`` | `2461365.7631944446` | `DATETIME_JULIAN_DAYS` | filters, orders |
  /// | ``unixSecondsText`` | `'1795241940'` | `DATETIME_SECONDS_TEXT` | equality |
  /// | ``unixMillisecondsText`` | `'1795241940000'` | `DATETIME_MILLISECONDS_TEXT` | equality |
  /// | ``text(_:)`` | `'2026-11-21 06:19:00'` | `"DATETIME_TEXT YYYY-MM-DD HH:MM:SS"` | as ``DatePattern`` says |
  ///
  /// Lists (`in`) of Julian days, of nanoseconds and of texts with seven digits or more are looked up by a function, without an index.
  ///
  /// A date between two that a form can say is stored as the nearest. Where several stored values are read as one date, since a `Date` has
  /// about seven digits of the second today and fewer in far years, a date in a filter stands for all of them.
  public enum DateStorage: Sendable, Hashable {
    /// `2026-11-21T06:19:00.000Z`: UTC, rounded to the millisecond, years 0001 to 9999; the default.
    case iso8601
    /// Seconds since 1970-01-01 00:00 UTC: an integer where the date is a whole second, else a double.
    case unixSeconds
    /// Milliseconds since 1970-01-01 00:00 UTC, rounded to the nearest.
    case unixMilliseconds
    /// Microseconds since 1970-01-01 00:00 UTC, rounded to the nearest.
    case unixMicroseconds
    /// Nanoseconds since 1970-01-01 00:00 UTC, from 1677-09-21 to 2262-04-11.
    case unixNanoseconds
    /// Seconds since 2001-01-01 00:00 UTC, as Foundation and Core Data count: an integer where the date is a whole second, else a double.
    case secondsSince2001
    /// Days since noon UTC of 24 November 4714 before our era, as SQLite's `julianday()` has them: a double, to about 40 microseconds.
    case julianDays
    /// Whole seconds since 1970-01-01 00:00 UTC as decimal digits in a text, without leading zeros.
    case unixSecondsText
    /// Milliseconds since 1970-01-01 00:00 UTC as decimal digits in a text, without leading zeros.
    case unixMillisecondsText
    /// Text in another form, such as `2026-11-21 06:19:00`, which SQLite's own `datetime()` writes.
    case text(DatePattern)
  }
}
