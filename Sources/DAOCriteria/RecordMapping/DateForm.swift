/// A form in which a feed has dates.
public enum DateForm: Sendable, Hashable {
  /// ISO 8601: calendar, ordinal and week dates, with and without hyphens, times down to any fraction, and zones; UTC where a text says no
  /// zone. A number is seconds since 1970, unless another form says otherwise.
  case iso8601
  /// Seconds since 1970, as a number or in digits; fractions count.
  case unixSeconds
  /// Milliseconds since 1970, as a number or in digits.
  case unixMilliseconds
  /// A pattern of Unicode (UTS 35), such as `dd.MM.yyyy HH:mm`; UTC and English names where it does not say otherwise.
  case pattern(String)
}
