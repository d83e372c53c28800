import Foundation

extension AttributeType.DecimalStorage {
  /// How many digits there are after the point; nil for text, which has as many as the number.
  var digits: Int? {
    switch self {
    case .scaled(let digits), .numeric(let digits), .real(let digits): digits
    case .text: nil
    }
  }

  /// The scale to which doubles are rounded; nil for forms without doubles.
  package var scale: Int? {
    switch self {
    case .numeric(let digits), .real(let digits): digits
    case .scaled, .text: nil
    }
  }

  /// The form of a sum: a sum of doubles would be read as another number.
  var sum: AttributeType.DecimalStorage { scale == nil ? self : .text }

  /// The storage classes of the form's values.
  var storedForm: StoredForm {
    switch self {
    case .scaled: .integer
    case .text: .text
    case .numeric: .number
    case .real: .real
    }
  }

  /// The stored form of a decimal number.
  /// - Throws: ``ValueProblem`` for NaN, for more digits than the form has, and for a number that the form has no value for.
  public func stored(_ value: Decimal) throws -> StoredValue {
    guard !value.isNaN else { throw ValueProblem("can't hold NaN") }
    switch self {
    case .text: return .text(value.description)
    case .scaled(let digits):
      var scaled = Decimal()
      var original = value
      // Multiplying by a power of ten is exact unless it loses digits, and it says so.
      guard NSDecimalMultiplyByPowerOf10(&scaled, &original, Int16(digits), .plain) == .noError, let integer = Int64(exactly: scaled) else {
        throw ValueProblem("holds \(digits) decimal digits in 64 bits; \(value) does not fit")
      }
      return .integer(integer)
    case .numeric(let digits): return try number(value, digits: digits, wholeAsInteger: true)
    case .real(let digits): return try number(value, digits: digits, wholeAsInteger: false)
    }
  }

  private func number(_ value: Decimal, digits: Int, wholeAsInteger: Bool) throws -> StoredValue {
    var compact = value
    NSDecimalCompact(&compact)
    guard compact.exponent >= -digits else { throw ValueProblem("holds \(digits) digits after the point; \(value) has more") }
    if wholeAsInteger, compact.exponent >= 0, let whole = Int64(exactly: compact) { return .integer(whole) }
    let double = compact.nearestDouble
    guard RoundedNumber(double, scale: digits)?.decimal == value else {
      throw ValueProblem("holds doubles, and no double is read as \(value) with \(digits) digits after the point")
    }
    return .real(double)
  }

  /// The number that a stored value stands for.
  /// - Throws: ``ValueProblem`` for a value of another form.
  public func decimal(_ stored: StoredValue) throws -> Decimal {
    switch (self, stored) {
    case (.scaled(let digits), .integer(let value)):
      return Decimal(sign: value < 0 ? .minus : .plus, exponent: -digits, significand: Decimal(value.magnitude))
    case (.text, .text(let text)):
      if let value = DecimalText.wholeDecimal(text) { return value }
      throw ValueProblem("expects decimal digits, not \(stored.shown)\(DecimalText.excuse(text))")
    case (.numeric, .integer(let value)), (.real, .integer(let value)): return Decimal(value)
    case (.numeric(let digits), .real(let number)), (.real(let digits), .real(let number)):
      if let decimal = RoundedNumber.decimal(number, scale: digits) { return decimal }
      throw ValueProblem("expects a number that a Decimal can hold, not \(stored.shown)")
    case (.numeric, .text(let text)), (.real, .text(let text)):
      throw ValueProblem("expects a number, not \(stored.shown)\(DecimalText.excuse(text))")
    case (.numeric, _), (.real, _): throw ValueProblem("expects a number, not \(stored.shown)")
    default: throw ValueProblem("expects a decimal number, not \(stored.shown)")
    }
  }
}

extension DecimalText {
  /// The number that `text` spells with all its digits; nil where it is none, or has more than a `Decimal` holds.
  fileprivate static func wholeDecimal(_ text: String) -> Decimal? {
    // Each of so few digits fits.
    if text.utf8.count <= 38 { return decimal(text) }
    return isNumber(text.utf8) ? exactDecimal(number: text) : nil
  }

  /// What is wrong with a text that has the digits of a number; empty where nothing is to be said.
  fileprivate static func excuse(_ text: String) -> String {
    if isNumber(text.utf8) { return wholeDecimal(text) == nil ? ", which has more digits than a Decimal holds" : ", which is a text" }
    // Each digit takes its time.
    guard text.utf8.count <= 400 else { return "" }
    let marks = text.filter { !("0"..."9" ~= $0) }
    if marks.contains(where: { "eE".contains($0) }), decimal(number: text) != nil { return ", which has an exponent" }
    if marks.count < text.count, marks.allSatisfy({ "., '_+-\u{A0}\u{202F}".contains($0) }) {
      return ", which has separators between its digits, or a comma for the point"
    }
    return ""
  }
}

extension Int64 {
  /// The integer equal to a decimal number, if there is one.
  fileprivate init?(exactly decimal: Decimal) {
    // `Decimal` prints every digit, so text is an exact way across; its own conversions go through Double.
    self.init(decimal.description)
  }
}
