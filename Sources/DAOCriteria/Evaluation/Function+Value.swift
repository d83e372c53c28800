import Foundation

// Evaluates a function for its arguments: in the evaluator, and in SQLite where SQLite has no faster way of its own.
extension Function {
  /// The function's value.
  /// - Parameters:
  ///   - arguments: the terms' values, and those of the options behind them.
  ///   - type: that of the first term.
  ///   - work: called with the number of bytes that have been read or made.
  /// - Throws: ``ValueProblem`` where the result does not fit, and what `work` throws.
  package func value(of arguments: [StoredValue], as type: AttributeType, _ work: (Int) throws -> Void) throws -> StoredValue {
    switch (self, arguments.first ?? .null) {
    case (.lower, .text(let text)): return .text(text.lowercased())
    case (.upper, .text(let text)): return .text(text.uppercased())
    case (.length, .text(let text)): return .integer(Int64(text.unicodeScalars.count))
    case (.trim, .text(let text)):
      let rest = text.unicodeScalars.drop { $0 == " " }
      return .text(String(rest.reversed().drop { $0 == " " }.reversed().reduce(into: String.UnicodeScalarView()) { $0.append($1) }))
    case (.substring, .text(let text)):
      return .text(try text.part(from: arguments.integer(1) ?? 0, size: arguments.integer(2), work))
    case (.concat, _):
      guard case .text(let separator)? = arguments.last else { return .null }
      let parts = arguments.dropLast().compactMap { if case .text(let text) = $0 { text } else { nil } }
      let length = parts.reduce(0) { $0 + $1.utf8.count } + max(0, parts.count - 1) * separator.utf8.count
      try Function.checkLength(length)
      try work(length)
      return .text(parts.joined(separator: separator))
    case (.replace, .text(let text)):
      guard let (part, other) = arguments.texts(1, 2) else { return .null }
      return .text(try text.replacing(part, with: other, work))
    case (.abs, .integer(let number)):
      guard number != .min else { throw ValueProblem("abs(\(number)) overflows") }
      return .integer(Swift.abs(number))
    case (.abs, .real(let number)): return .real(number.magnitude)
    case (.round, let number): return number.rounded(digits: arguments.integer(1) ?? 0, as: type)
    case (.lower, _), (.upper, _), (.length, _), (.trim, _), (.replace, _), (.substring, _), (.abs, _): return .null
    case (.year, _): return local(arguments, type).map { .integer($0.year) } ?? .null
    case (.month, _): return local(arguments, type).map { .integer($0.month) } ?? .null
    case (.day, _): return local(arguments, type).map { .integer($0.day) } ?? .null
    case (.weekday, _): return local(arguments, type).map { .integer($0.weekday) } ?? .null
    case (.hour, _): return local(arguments, type).map { .integer($0.hour) } ?? .null
    case (.startOfDay, _): return start(of: .day, arguments, type)
    case (.startOfWeek, _): return start(of: .week, arguments, type)
    case (.startOfMonth, _): return start(of: .month, arguments, type)
    case (.startOfYear, _): return start(of: .year, arguments, type)
    // These have no values but of rows: the engines and the evaluator work them out in their own ways.
    case (.coalesce, _), (.jsonText, _), (.jsonInteger, _), (.jsonReal, _), (.jsonBool, _): return .null
    }
  }
}

extension Function {
  /// A date, and the seconds east of UTC behind it.
  private func local(_ arguments: [StoredValue], _ type: AttributeType) -> LocalTime? {
    guard case .date(let storage) = type, let value = arguments.first else { return nil }
    return LocalTime(value, as: storage, offset: Int64(arguments.integer(1) ?? 0))
  }

  private func start(of period: CalendarPeriod, _ arguments: [StoredValue], _ type: AttributeType) -> StoredValue {
    guard case .date(let storage) = type else { return .null }
    return local(arguments, type)?.start(of: period, as: storage) ?? .null
  }
}

extension [StoredValue] {
  /// The integer at a place; nil where there is none.
  fileprivate func integer(_ place: Int) -> Int? {
    if indices.contains(place), case .integer(let number) = self[place] { Int(clamping: number) } else { nil }
  }
}

extension [StoredValue] {
  /// The texts at two places; nil where one of them is none.
  fileprivate func texts(_ first: Int, _ second: Int) -> (String, String)? {
    guard count > second, case .text(let first) = self[first], case .text(let second) = self[second] else { return nil }
    return (first, second)
  }
}

extension String {
  /// The part from so many scalars after the start, of so many scalars at most.
  fileprivate func part(from start: Int, size: Int?, _ work: (Int) throws -> Void) throws -> String {
    var text = self
    return try text.withUTF8 { bytes in
      let first = try bytes.place(after: start, scalarsFrom: 0, work)
      let end = try size.map { try bytes.place(after: $0, scalarsFrom: first, work) } ?? bytes.count
      return String(decoding: bytes[first..<end], as: UTF8.self)
    }
  }

  /// The text with a part replaced wherever it occurs, one after the other from the start.
  fileprivate func replacing(_ part: String, with other: String, _ work: (Int) throws -> Void) throws -> String {
    if part.isEmpty { return self }
    let (bytes, other) = (Array(utf8), Array(other.utf8))
    let search = LiteralSearch(Array(part.utf8))
    var (made, start) = ([UInt8](), 0)
    try bytes.withUnsafeBufferPointer { bytes in
      while let end = try search.end(in: UnsafeBufferPointer(rebasing: bytes[start...]), { try work(TextPattern.bytesBetweenCalls) }) {
        made += bytes[start..<start + end - part.utf8.count]
        made += other
        start += end
        // Whole pieces passed over are counted already.
        try work(end % TextPattern.bytesBetweenCalls + other.count)
        try Function.checkLength(made.count)
      }
      // Where nothing was replaced the text is as long as it was.
      if start > 0 { try Function.checkLength(made.count + bytes.count - start) }
      made += bytes[start...]
    }
    return String(decoding: made, as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position `count` scalars after a start; the end where the text has fewer.
  fileprivate func place(after count: Int, scalarsFrom start: Int, _ work: (Int) throws -> Void) throws -> Int {
    var (place, left) = (start, count)
    while place < self.count {
      // The first byte of a scalar.
      if self[place] & 0xC0 != 0x80 {
        if left == 0 { return place }
        left -= 1
      }
      place += 1
      if place.isMultiple(of: TextPattern.bytesBetweenCalls) { try work(TextPattern.bytesBetweenCalls) }
    }
    return place
  }
}

extension Function {
  /// The length that a text which a function makes may have, in bytes. Repeated replacements would grow without bounds.
  package static let maximumLength = 100_000_000

  static func checkLength(_ bytes: Int) throws {
    if bytes > maximumLength { throw ValueProblem("a text of more than \(maximumLength) bytes overflows") }
  }
}

extension StoredValue {
  /// The number rounded to some digits after the point, halves away from zero, as its decimal digits are written: 2.675 to two is 2.68,
  /// though the double that is written so is a little less. Null for a value that is no number.
  fileprivate func rounded(digits: Int, as type: AttributeType) -> StoredValue {
    switch (type, self) {
    case (.decimal(.scaled(let kept)), .integer(let number)): return number.rounded(places: kept - digits)
    case (.decimal(.text), .text(let text)):
      guard let number = DecimalText.decimal(text) else { return .null }
      return (try? type.stored(.decimal(number.rounded(digits: digits)))) ?? .null
    case (.decimal(let storage), .integer), (.decimal(let storage), .real):
      guard storage.scale != nil, let number = try? storage.decimal(self) else { return .null }
      return (try? storage.stored(number.rounded(digits: digits))) ?? .null
    case (.decimal, _): return .null
    case (_, .integer): return self
    case (_, .real(let number)): return .real(number.rounded(digits: digits))
    default: return .null
    }
  }
}

extension Int64 {
  /// The integer with so many of its last decimal places zero; null where the result does not fit.
  fileprivate func rounded(places: Int) -> StoredValue {
    guard places > 0 else { return .integer(self) }
    // At most 18 places, so that the power fits.
    let power = (0..<Swift.min(places, 18)).reduce(Int64(1)) { power, _ in power * 10 }
    let rest = self % power
    let down = self - rest
    if rest.magnitude < (power / 2).magnitude { return .integer(down) }
    let (up, overflows) = down.addingReportingOverflow(self < 0 ? -power : power)
    return overflows ? .null : .integer(up)
  }
}

extension Decimal {
  fileprivate func rounded(digits: Int) -> Decimal {
    var (number, rounded) = (self, Decimal())
    NSDecimalRound(&rounded, &number, digits, .plain)
    return rounded
  }
}

extension Double {
  fileprivate func rounded(digits: Int) -> Double {
    if digits == 0 { return rounded(.toNearestOrAwayFromZero) }
    // Larger ones have no fraction, and of smaller ones no digit is left.
    guard magnitude < 0x1p53 else { return self }
    guard magnitude > 1e-20, let decimal = DecimalText.decimal(number: "\(magnitude)"),
      let rounded = Double("\(decimal.rounded(digits: digits))")
    else { return 0 }
    return self < 0 ? -rounded : rounded
  }
}
