import Foundation

// Texts of dates. The days are those of the Gregorian calendar, which is taken to have held always, as ISO 8601 and SQLite take it.
extension DatePattern {
  // MARK: Reading

  /// The instant that a text says; nil for a text of another form, and for a day or a time that there is not.
  func instant(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    var reader = DateTextReader(text)
    guard let local = localTime(&reader) else { return nil }
    var nanoseconds: Int64 = 0
    if digitCount > 0 {
      guard let fraction = reader.fraction(), fits(fraction) else { return nil }
      nanoseconds = fraction.nanoseconds
    }
    if suffix == .none, clocks == .utc { return reader.isAtEnd ? Instant(seconds: local, nanoseconds: nanoseconds) : nil }
    var offset: Int64?
    switch suffix {
    case .none: break
    case .utc: if reader.take(UInt8(ascii: "Z")) { offset = 0 } else { return nil }
    case .offset:
      offset = reader.offset()
      if offset == nil { return nil }
    }
    guard reader.isAtEnd,
      let seconds = offset.map({ local - $0 }) ?? (isOfDays ? clocks.start(ofDay: local) : clocks.instant(showing: local))
    else { return nil }
    return Instant(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// The day and the time, without the digits of the second, as if they were UTC.
  @inline(__always)
  private func localTime(_ reader: inout DateTextReader) -> Int64? {
    let between = separator == .blank ? UInt8(ascii: " ") : UInt8(ascii: "T")
    if hasDay, clock == .seconds { return reader.dayAndTime(separator: between) }
    var local: Int64 = 0
    if hasDay {
      guard let day = reader.day() else { return nil }
      local = day * 86_400
      if separator != .none, !reader.take(between) { return nil }
    }
    guard clock != .none else { return local }
    return reader.time(hasSeconds: clock == .seconds).map { local + $0 }
  }

  /// Whether the digits of the second are as the pattern has them.
  private func fits(_ found: DateTextReader.Fraction) -> Bool {
    switch fraction {
    case .fixed: found.count == digitCount
    case .allOrNone: found.count == 0 || found.count == digitCount && found.nanoseconds != 0
    case .trimmed: found.count <= digitCount && !found.endsInZero
    }
  }

  /// The instant that a text with `Z` or an offset says, of any number of digits; nil for another text.
  static func exactInstant(_ text: String) -> Instant? {
    var text = text
    return text.withUTF8 { exactInstant($0) }
  }

  /// The same of a text's bytes.
  package static func exactInstant(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
    var reader = DateTextReader(text)
    guard let days = reader.day(), reader.take(UInt8(ascii: " ")) || reader.take(UInt8(ascii: "T")), let time = reader.timeOfAnyForm(),
      let fraction = reader.fraction(), let offset = reader.take(UInt8(ascii: "Z")) ? 0 : reader.offset(), reader.isAtEnd
    else { return nil }
    return Instant(seconds: days * 86_400 + time - offset, nanoseconds: fraction.nanoseconds)
  }

  // MARK: Writing

  /// A date in UTC with three digits of the second, or with six or nine where it has more; nil outside the years 0001 to 9999.
  package static func text(of date: Date) -> String? {
    guard AttributeType.DateStorage.range.contains(date.timeIntervalSince1970) else { return nil }
    let patterns: [DatePattern] = ["YYYY-MM-DDTHH:MM:SS.SSSZ", "YYYY-MM-DDTHH:MM:SS.SSSSSSZ", "YYYY-MM-DDTHH:MM:SS.SSSSSSSSSZ"]
    let pattern = patterns.first { Instant(nearestTo: date, digits: $0.digitCount).date == date } ?? patterns[2]
    return try? pattern.text(Instant(nearestTo: date, digits: pattern.digitCount))
  }

  /// The text of an instant that has no more digits than the pattern.
  /// - Throws: ``ValueProblem`` for one that no text says.
  func text(_ instant: Instant) throws -> String {
    var offset = clocks.offset(at: instant.seconds)
    // Offsets have seconds where clocks went by the sun, and texts have none.
    if suffix == .offset { offset -= offset % 60 }
    if suffix == .utc { offset = 0 }
    let local = instant.seconds + offset
    let (days, time) = local.dividedDown(by: 86_400)
    if isOfDays {
      guard instant.nanoseconds == 0, clocks.start(ofDay: days * 86_400) == instant.seconds else {
        throw ValueProblem("holds whole days of the zone \(zone), and \(instant.date.formatted(.iso8601)) is within one")
      }
    } else if suffix == .none, clocks != .utc, clocks.instant(showing: local) != instant.seconds {
      throw ValueProblem(
        "can't hold \(instant.date.formatted(.iso8601)): the clocks of \(zone) showed the same time before; a form with an offset can")
    }
    let date = CivilDate(daysSince1970: days)
    guard 1...9999 ~= date.year else { throw ValueProblem("can't hold a date outside the years 0001 to 9999") }
    if clock == .minutes, time % 60 != 0 || instant.nanoseconds != 0 {
      throw ValueProblem("holds whole minutes, and \(instant.date.formatted(.iso8601)) is within one")
    }
    if !hasDay, days != 0 { throw ValueProblem("holds a time of day, and \(instant.date.formatted(.iso8601)) is not on 1970-01-01") }
    return String(unsafeUninitializedCapacity: 40) { buffer in
      var writer = DateTextWriter(buffer)
      if hasDay { writer.put(date) }
      if separator != .none { writer.put(separator == .blank ? UInt8(ascii: " ") : UInt8(ascii: "T")) }
      if clock != .none { writer.put(time: time, hasSeconds: clock == .seconds) }
      if digitCount > 0 { put(instant.nanoseconds, into: &writer) }
      switch suffix {
      case .none: break
      case .utc: writer.put(UInt8(ascii: "Z"))
      case .offset: writer.put(offset: offset)
      }
      return writer.count
    }
  }

  private func put(_ nanoseconds: Int64, into writer: inout DateTextWriter) {
    if fraction != .fixed, nanoseconds == 0 { return }
    var (value, count) = (nanoseconds / Instant.powers[9 - digitCount], digitCount)
    if fraction == .trimmed {
      while value.isMultiple(of: 10) { (value, count) = (value / 10, count - 1) }
    }
    writer.put(UInt8(ascii: "."))
    writer.put(value, digits: count)
  }
}
