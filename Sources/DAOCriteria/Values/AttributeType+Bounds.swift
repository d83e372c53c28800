import Foundation

// The values that a filter's value is compared with. Mostly that is the stored form; but an integer compared with doubles may lie between
// two of them, and an instant or a decimal number may be read from several stored values.
extension AttributeType {
  /// The bounds by which stored values compare with `scalar`: less than it is less than the lower one, greater is greater than the upper
  /// one, and equal is neither. Where no stored value is equal, the lower one is the greater of the two.
  /// - Throws: ``ValueProblem`` where the value is of another kind or does not fit.
  package func bounds(of scalar: Scalar) throws -> (lower: StoredValue, upper: StoredValue) {
    switch (self, scalar) {
    case (.real, .integer(let value)) where scalar.isApproximate:
      let near = Double(value)
      // 2^63 is no integer of 64 bits.
      let isAbove = near >= 0x1p63 || Int64(near) > value
      return isAbove ? (.real(near), .real(near.nextDown)) : (.real(near.nextUp), .real(near))
    case (.date(let storage), .date(let date)): return try storage.bounds(date)
    case (.decimal(let storage), .decimal(let value)): return try storage.bounds(value)
    case (.decimal(let storage), .integer(let value)): return try storage.bounds(Decimal(value))
    default:
      let value = try stored(scalar)
      return (value, value)
    }
  }

  /// Whether several stored values are read as one.
  package var hasSeveralForms: Bool {
    switch self {
    case .decimal(let storage): storage == .text || storage.scale != nil
    case .boolText(let words): !words.isDigits
    case .date(let storage): storage.hasSeveralForms
    default: false
    }
  }

  /// Whether values are equal that are stored differently: those that are read as one, and texts of which a collation sees no difference.
  package var isEqualByOrder: Bool { hasSeveralForms || isCollated }

  /// Whether values of this type may compare otherwise than their stored forms do.
  package var hasBounds: Bool {
    switch self {
    case .real: true
    case .date(let storage): storage.hasBounds
    case .decimal(let storage): storage.scale != nil
    default: false
    }
  }

  /// Whether a value may be equal to another number of stored values than one: an integer to no double, a date or a decimal number to
  /// several values.
  package func isApproximate(_ scalar: Scalar) -> Bool {
    switch (self, scalar) {
    case (.real, .integer): scalar.isApproximate
    case (.date(let storage), .date(let date)): storage.isApproximate(date)
    case (.decimal(let storage), _): storage.scale != nil && !scalar.isNull
    default: false
    }
  }

  /// A number, as SQL has it, that is greater than the distance between two stored numbers that are read as one; nil for other values.
  package var reach: String? {
    switch self {
    case .date(let storage): storage.reach
    case .decimal(let storage): storage.scale.map { "1e-\($0)" }
    default: nil
    }
  }

  /// The order of the stored values, where it is not their own.
  package var order: ValueOrder? {
    switch self {
    case .decimal(.text), .date(.unixSecondsText), .date(.unixMillisecondsText): .decimal
    case .date(.text(let pattern)): pattern.isOrderedByBytes ? nil : .instant
    case .decimal(let storage): storage.scale.map { .rounded($0) }
    case .boolText(let words): words.isDigits ? nil : .nocase
    case .storedText(let storage): storage.order
    default: nil
    }
  }
}

extension Scalar {
  /// Whether it may be equal to another number of stored values than one: to none among doubles, or to several among seconds since 1970.
  package var isApproximate: Bool {
    switch self {
    case .integer(let value): value.magnitude > 1 << 53 && Double(exactly: value) == nil
    case .date(let value): UnixSeconds.isEarly(value)
    default: false
    }
  }

  /// Whether it is a date that may be equal to several values in microseconds.
  package var isFarDate: Bool { if case .date(let value) = self { Instant.isFar(value) } else { false } }
}
