import Foundation

/// The sum or the mean of an attribute's stored values, the same in any order. Null counts for nothing.
package struct AttributeSum {
  private let type: AttributeType
  private let isMean: Bool
  private let isDecimal: Bool
  // Whether a double is a value of the type as it is.
  @usableFromInline let takesDoubles: Bool
  @usableFromInline var numbers = ExactSum()
  private var decimals = DecimalSum()

  /// The sum, or the mean, of no values of a type.
  package init(_ type: AttributeType, isMean: Bool) {
    self.type = type
    self.isMean = isMean
    isDecimal = if case .decimal = type { true } else { false }
    takesDoubles = !isDecimal && type != .integer
  }

  /// Adds a double as ``add(_:)`` does, but without an error and without a `StoredValue`, which costs a sum of many rows 4 %.
  /// - Returns: false where doubles are no values of the type; nothing is added then.
  @inlinable @inline(__always)
  package mutating func add(double number: Double) -> Bool {
    if takesDoubles { numbers.add(number) }
    return takesDoubles
  }

  /// Adds a value. In a column without a type, values that are no numbers are ignored.
  /// - Throws: ``ValueProblem`` for a value that breaks the type's form.
  package mutating func add(_ value: StoredValue) throws {
    // Mostly it is an integer, or a double among doubles.
    if case .integer(let number) = value, !isDecimal { return numbers.add(number) }
    switch (type, value) {
    case (_, .null): break
    case (.decimal(.text), .text(let text)):
      // Longer ones may have more digits than a `Decimal` reads.
      if text.utf8.count > 38 || !decimals.add(text) { try add(AttributeType.DecimalStorage.text.decimal(value)) }
    case (.decimal(.scaled), .integer(let number)):
      if isMean { _ = decimals.add(String(number)) } else { numbers.add(number) }
    case (.decimal(let storage), .real(let number)):
      if let digits = storage.scale, let units = RoundedNumber(number, scale: digits)?.units(scale: digits) {
        decimals.add(units, digits: digits)
      } else {
        try add(storage.decimal(value))
      }
    case (.decimal(let storage), _): try add(storage.decimal(value))
    case (_, .integer(let number)): numbers.add(number)
    case (.integer, .real): throw ValueProblem("expects an integer, not \(value.shown)")
    case (_, .real(let number)): numbers.add(number)
    case (.any, .text), (.any, .blob): break
    case (_, .text), (_, .blob): throw ValueProblem("expects \(type == .integer ? "an integer" : "a double"), not \(value.shown)")
    }
  }

  private mutating func add(_ number: Decimal) throws {
    guard decimals.add(number.description) else { throw ValueProblem("expects a decimal number, not \(number)") }
  }

  /// The result in stored form, the mean of decimals as text. Null over no values, nil where it does not fit.
  package var result: StoredValue? {
    switch type {
    case .decimal(let storage) where isMean || storage.sum == .text:
      if decimals.count == 0 { return .null }
      guard isMean else { return decimals.total.map { .text($0.description) } }
      let digits = if case .scaled(let digits) = storage { digits } else { 0 }
      return decimals.mean.map { .text(Decimal(sign: .plus, exponent: -digits, significand: $0).description) }
    default: return isMean ? numbers.mean : numbers.total
    }
  }
}
