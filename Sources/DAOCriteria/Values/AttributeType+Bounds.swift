// The values that a filter's value is compared with. Mostly that is the stored form; but an integer compared with doubles may lie between
// two of them, and an instant may be read from several stored values.
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
    case (.date(.unixSeconds), .date(let date)):
      let value = try stored(scalar)
      guard UnixSeconds.isEarly(date) else { return (value, value) }
      let bounds = UnixSeconds.bounds(date)
      return (.real(bounds.lowerBound), .real(bounds.upperBound))
    default:
      let value = try stored(scalar)
      return (value, value)
    }
  }

  /// Whether several stored values are read as one.
  package var hasSeveralForms: Bool { self == .date(.unixSeconds) || self == .decimal(.text) }

  /// Whether values of this type may compare otherwise than their stored forms do.
  package var hasBounds: Bool { self == .real || self == .date(.unixSeconds) }
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
}

extension StoredValue {
  /// A stored number of seconds since 1970 in seconds since 2001: equal for all values that are read as one date.
  package var secondsSinceReference: StoredValue {
    switch self {
    case .integer(let seconds): .real(UnixSeconds.sinceReference(Double(seconds)))
    case .real(let seconds): .real(UnixSeconds.sinceReference(seconds))
    case .null, .text, .blob: self
    }
  }
}
