extension JSONDocument {
  /// The number that comes next; nil where there is none.
  mutating func number(_ goOn: () throws -> Void) rethrows -> Value? {
    let start = position
    var isInteger = true
    _ = take("-")
    // No other digit follows a zero that leads.
    guard try take("0") || takeDigits(goOn) else { return nil }
    if take(".") {
      isInteger = false
      guard try takeDigits(goOn) else { return nil }
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      guard try takeDigits(goOn) else { return nil }
    }
    return .number(UnsafeBufferPointer(rebasing: bytes[start..<position]), isInteger: isInteger)
  }

  /// Passes over digits, of which there must be one at least.
  private mutating func takeDigits(_ goOn: () throws -> Void) rethrows -> Bool {
    let start = position
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      position += 1
      try lookUp(goOn)
    }
    return position > start
  }
}

// The value as one of the types that it can be read as; nil where it is of another.
extension JSONDocument.Value {
  /// The text.
  package var text: JSONDocument.Text? { if case .text(let text) = self { text } else { nil } }

  /// The truth value.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// A number that is written without a fraction and an exponent, and fits.
  package var integer: Int64? {
    guard case .number(let digits, isInteger: true) = self else { return nil }
    let isNegative = digits.first == UInt8(ascii: "-")
    // The smallest integer has no positive one.
    var negative: Int64 = 0
    for digit in digits.dropFirst(isNegative ? 1 : 0) {
      let (tens, isTooLarge) = negative.multipliedReportingOverflow(by: 10)
      let (next, isTooLargeBy) = tens.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      if isTooLarge || isTooLargeBy { return nil }
      negative = next
    }
    if isNegative { return negative }
    return negative == .min ? nil : -negative
  }

  /// Any number, as the nearest double; nil of one that is too large to have one.
  package var real: Double? {
    guard case .number(let digits, _) = self else { return nil }
    if let integer { return Double(integer) }
    guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }
}
