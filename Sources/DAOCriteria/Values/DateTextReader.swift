/// Reads the parts of a date in a text, one after the other.
struct DateTextReader {
  /// Digits of the second.
  struct Fraction {
    var count = 0
    var nanoseconds: Int64 = 0
    var endsInZero = false
  }

  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var isAtEnd: Bool { position == text.count }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  /// The digit that is next.
  private mutating func digit() -> Int64? {
    guard position < text.count else { return nil }
    let digit = text[position] &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    position += 1
    return Int64(digit)
  }

  private mutating func twoDigits() -> Int64? {
    guard let tens = digit(), let ones = digit() else { return nil }
    return tens * 10 + ones
  }

  /// `YYYY-MM-DD HH:MM:SS`, in seconds since 1970, as the parts below read it; nil where a text does not begin so. Each byte is read once,
  /// since most dates are of this form.
  mutating func dayAndTime(separator: UInt8) -> Int64? {
    guard position == 0, text.count >= 19, let bytes = text.baseAddress else { return nil }
    var others: UInt8 = 0
    func digits(_ at: Int) -> Int {
      let (tens, ones) = (bytes[at] &- UInt8(ascii: "0"), bytes[at + 1] &- UInt8(ascii: "0"))
      // Above 9 only for what is no digit.
      others |= (tens > 9 ? 1 : 0) | (ones > 9 ? 1 : 0)
      return Int(tens) &* 10 &+ Int(ones)
    }
    let (year, month, day) = (digits(0) &* 100 &+ digits(2), digits(5), digits(8))
    let (hour, minute, second) = (digits(11), digits(14), digits(17))
    others |= bytes[4] ^ UInt8(ascii: "-") | bytes[7] ^ UInt8(ascii: "-") | bytes[10] ^ separator
    others |= bytes[13] ^ UInt8(ascii: ":") | bytes[16] ^ UInt8(ascii: ":")
    guard others == 0, year > 0, month > 0, month < 13, day > 0, hour < 24, minute < 60, second < 60 else { return nil }
    let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
    let days = date.daysSince1970
    guard day <= 28 || CivilDate(daysSince1970: days) == date else { return nil }
    position = 19
    return days &* 86_400 &+ Int64((hour &* 60 &+ minute) &* 60 &+ second)
  }

  /// `YYYY-MM-DD`, in days since 1970; nil for a day that there is not. There is no year 0.
  mutating func day() -> Int64? {
    guard let century = twoDigits(), let yearOfCentury = twoDigits(), take(UInt8(ascii: "-")), let month = twoDigits(),
      take(UInt8(ascii: "-")), let day = twoDigits()
    else { return nil }
    let year = century * 100 + yearOfCentury
    guard year > 0, 1...12 ~= month, day > 0 else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    let days = date.daysSince1970
    // Days up to the 28th are there in every month.
    guard day <= 28 || CivilDate(daysSince1970: days) == date else { return nil }
    return days
  }

  /// `HH:MM` or `HH:MM:SS`, in seconds; nil for a time that there is not. Leap seconds are no seconds of a `Date`.
  mutating func time(hasSeconds: Bool) -> Int64? {
    guard let minutes = minutes() else { return nil }
    return hasSeconds ? seconds().map { minutes + $0 } : minutes
  }

  /// The same with seconds or without.
  mutating func timeOfAnyForm() -> Int64? {
    guard let minutes = minutes() else { return nil }
    let hasSeconds = position < text.count && text[position] == UInt8(ascii: ":")
    return hasSeconds ? seconds().map { minutes + $0 } : minutes
  }

  private mutating func minutes() -> Int64? {
    guard let hour = twoDigits(), take(UInt8(ascii: ":")), let minute = twoDigits(), hour < 24, minute < 60 else { return nil }
    return hour * 3600 + minute * 60
  }

  private mutating func seconds() -> Int64? {
    guard take(UInt8(ascii: ":")), let second = twoDigits(), second < 60 else { return nil }
    return second
  }

  /// `.123`, or nothing; nil for a point without one to nine digits.
  mutating func fraction() -> Fraction? {
    var found = Fraction()
    guard take(UInt8(ascii: ".")) else { return found }
    while let digit = digit() {
      guard found.count < 9 else { return nil }
      found.count += 1
      found.nanoseconds = found.nanoseconds * 10 + digit
      found.endsInZero = digit == 0
    }
    guard found.count > 0 else { return nil }
    found.nanoseconds *= Instant.powers[9 - found.count]
    return found
  }

  /// `+02:00`, in seconds; nil for one of a day or more.
  mutating func offset() -> Int64? {
    let isWest = take(UInt8(ascii: "-"))
    guard isWest || take(UInt8(ascii: "+")), let hours = twoDigits(), take(UInt8(ascii: ":")), let minutes = twoDigits(), hours < 24,
      minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
