import DAOCriteria
import Foundation

/// Dates as ISO 8601 writes them, in all of its forms:
///
/// | | |
/// |---|---|
/// | calendar dates | `2026-11-28`, `20261128`, `2026-11`, `2026`, `+002026-11-28` |
/// | ordinal and week dates | `2026-332`, `2026332`, `2026-W48-6`, `2026W486`, `2026-W48` |
/// | times, after `T` or a space | `09:30`, `0930`, `09`, `09:30:15`, `093015`, `24:00` |
/// | fractions of the last part, of any length | `09:30:15.123456`, `09:30,5`, `23:59:60` |
/// | zones, UTC where there is none | `Z`, `+01:00`, `+0100`, `+01`, `−05:30` |
///
/// A day or a time that there is not is none.
enum ISO8601Date {
  /// The date that a text says; nil where it says none.
  static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = Reader(bytes: bytes)
      return reader.date()
    }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    /// Whether the day was written; a time follows no other date.
    var isComplete = true

    private var isAtEnd: Bool { position == bytes.count }

    private var byte: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func date() -> Date? {
      guard let days = days() else { return nil }
      var (seconds, fraction): (Int64, Double) = (0, 0)
      if !isAtEnd {
        guard isComplete, take("T") || take("t") || take(" "), let time = time(), let zone = zone(), isAtEnd else { return nil }
        (seconds, fraction) = (time.seconds - zone, time.fraction)
        // A leap second ends a day of UTC.
        if time.isLeapSecond, (seconds % 86_400 + 86_400) % 86_400 != 0 { return nil }
      }
      return Date(timeIntervalSince1970: Double(days * 86_400 + seconds) + fraction)
    }

    // MARK: Days

    /// The number of the day, from 1970-01-01.
    private mutating func days() -> Int64? {
      var sign: Int64 = 1
      var yearDigits = 4
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        sign = byte == UInt8(ascii: "-") ? -1 : 1
        position += 1
        yearDigits = 6
      }
      guard let number = number(yearDigits) else { return nil }
      let year = sign * number
      let isExtended = take("-")
      if take("W") || take("w") { return week(of: year, isExtended) }
      switch digitCount {
      // A year alone; and a month, which is not written without a hyphen: six digits may be a day of a short year.
      case 0:
        isComplete = false
        return isExtended ? nil : CivilDate(year: year, month: 1, day: 1).daysSince1970
      case 2 where isExtended:
        guard let month = self.number(2) else { return nil }
        isComplete = take("-")
        if !isComplete { return day(year, month, 1) }
        return self.number(2).flatMap { day(year, month, $0) }
      case 3: return self.number(3).flatMap { dayOfYear(year, $0) }
      case 4 where !isExtended:
        guard let month = self.number(2), let number = self.number(2) else { return nil }
        return day(year, month, number)
      default: return nil
      }
    }

    private func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
      let date = CivilDate(year: year, month: month, day: day)
      guard 1...12 ~= month, CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
      return date.daysSince1970
    }

    private func dayOfYear(_ year: Int64, _ day: Int64) -> Int64? {
      let first = CivilDate(year: year, month: 1, day: 1).daysSince1970
      let next = CivilDate(year: year + 1, month: 1, day: 1).daysSince1970
      return 1...(next - first) ~= day ? first + day - 1 : nil
    }

    /// Week 1 has the year's first Thursday; weeks begin on Monday.
    private mutating func week(of year: Int64, _ isExtended: Bool) -> Int64? {
      guard let week = number(2) else { return nil }
      var weekday: Int64 = 1
      isComplete = isExtended ? take("-") : digitCount == 1
      if isComplete {
        guard let number = number(1) else { return nil }
        weekday = number
      }
      func firstMonday(_ year: Int64) -> Int64 {
        let fourth = CivilDate(year: year, month: 1, day: 4).daysSince1970
        // 1970-01-01 was a Thursday.
        return fourth - ((fourth + 3) % 7 + 7) % 7
      }
      let monday = firstMonday(year) + (week - 1) * 7
      guard week >= 1, 1...7 ~= weekday, monday < firstMonday(year + 1) else { return nil }
      return monday + weekday - 1
    }

    // MARK: Times

    private mutating func time() -> (seconds: Int64, fraction: Double, isLeapSecond: Bool)? {
      guard let hour = number(2) else { return nil }
      var parts = [hour]
      let isExtended = byte == UInt8(ascii: ":")
      while parts.count < 3, isExtended ? take(":") : digitCount >= 2 {
        guard let part = number(2) else { return nil }
        parts.append(part)
      }
      // A fraction is one of the last part: an hour, a minute or a second.
      let unit = [3_600.0, 60, 1][parts.count - 1]
      var fraction = 0.0
      if take(".") || take(",") {
        let start = position
        position += digitCount
        guard position > start, let part = Double("0." + String(decoding: bytes[start..<position], as: UTF8.self)) else { return nil }
        fraction = part * unit
      }
      let (minute, second) = (parts.count > 1 ? parts[1] : 0, parts.count > 2 ? parts[2] : 0)
      let isMidnight = hour == 24 && minute == 0 && second == 0 && fraction == 0
      guard hour < 24 || isMidnight, minute < 60, second <= 60 else { return nil }
      let whole = fraction.rounded(.down)
      return ((hour * 60 + minute) * 60 + second + Int64(whole), fraction - whole, second == 60)
    }

    /// How far a zone is before UTC, in seconds.
    private mutating func zone() -> Int64? {
      if isAtEnd { return 0 }
      if byte == UInt8(ascii: " ") { position += 1 }
      if take("Z") || take("z") { return 0 }
      let sign: Int64
      if take("+") { sign = 1 } else if take("-") || take("\u{2212}") { sign = -1 } else { return nil }
      guard let hours = number(2) else { return nil }
      var minutes: Int64 = 0
      if take(":") || digitCount == 2 {
        guard let number = number(2) else { return nil }
        minutes = number
      }
      return hours < 24 && minutes < 60 ? sign * (hours * 60 + minutes) * 60 : nil
    }

    // MARK: Parts

    private var digitCount: Int { bytes[position...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count }

    /// The number that the next digits say.
    private mutating func number(_ count: Int) -> Int64? {
      guard digitCount >= count else { return nil }
      defer { position += count }
      return bytes[position..<position + count].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      let text = UTF8.encode(character) ?? UTF8.encodedReplacementCharacter
      guard bytes[position...].starts(with: text) else { return false }
      position += text.count
      return true
    }
  }
}
