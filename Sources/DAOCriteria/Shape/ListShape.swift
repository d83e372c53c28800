/// The parts of an `in` that its SQL depends on, without the values.
package struct ListShape {
  package let isEmpty: Bool
  package let hasNull: Bool
  package let hasNUL: Bool
  /// Whether several stored values in seconds may be read as one of its dates.
  package let hasEarlyDate: Bool
  /// Whether several stored values in microseconds may be read as one of its dates.
  package let hasFarDate: Bool
  /// Whether a column's affinity would have SQLite compare another value than one of its: a number that a text spells, or the double that
  /// is nearest to an integer.
  package let isConvertible: Bool

  package init(_ values: [Scalar]) {
    var hasNull = false
    var hasNUL = false
    var (hasEarlyDate, hasFarDate) = (false, false)
    var isConvertible = false
    var count = 0
    for value in values {
      switch value {
      case .null: hasNull = true
      case .text(let text):
        count += 1
        if !hasNUL, text.utf8.contains(0) { hasNUL = true }
        if !isConvertible, value.isNumberInText { isConvertible = true }
      case .integer(let integer):
        count += 1
        if !isConvertible, Int64(exactly: Double(integer)) != integer { isConvertible = true }
      case .date:
        count += 1
        if !hasEarlyDate, value.isApproximate { hasEarlyDate = true }
        if !hasFarDate, value.isFarDate { hasFarDate = true }
      default: count += 1
      }
    }
    isEmpty = count == 0
    self.hasNull = hasNull
    self.hasNUL = hasNUL
    self.hasEarlyDate = hasEarlyDate
    self.hasFarDate = hasFarDate
    self.isConvertible = isConvertible
  }
}
