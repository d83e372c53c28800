extension AttributeType {
  /// How a date is kept. Each form orders as time does.
  public enum DateStorage: Sendable, Hashable {
    /// `2026-11-21T06:19:00.000Z`: UTC, rounded to the millisecond, years 0001 to 9999; the default.
    case iso8601
    /// Seconds since 1970-01-01 00:00 UTC: an integer where the date is a whole second, else a double.
    case unixSeconds
    /// Milliseconds since 1970-01-01 00:00 UTC, rounded to the nearest.
    case unixMilliseconds
  }
}
