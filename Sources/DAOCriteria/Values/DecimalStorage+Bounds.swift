import Foundation

// Many doubles are read as one decimal number. A number in a filter stands for all of them.
extension AttributeType.DecimalStorage {
  /// The lowest and the highest stored value that are read as a number.
  func bounds(_ value: Decimal) throws -> (lower: StoredValue, upper: StoredValue) {
    let middle = try stored(value)
    // From 2^53 no two numbers are read as one.
    guard let scale, value.magnitude < Decimal(1 << 53) else { return (middle, middle) }
    let half = Decimal(sign: .plus, exponent: -scale - 1, significand: 5)
    func isRead(_ number: Double) -> Bool { RoundedNumber(number, scale: scale)?.decimal == value.magnitude }
    func end(near decimal: Decimal, _ first: KeyPath<Double, Double>, _ last: KeyPath<Double, Double>) -> Double {
      let nearest = decimal.nearestDouble
      return [nearest[keyPath: first], nearest, nearest[keyPath: last]].first(where: isRead) ?? value.magnitude.nearestDouble
    }
    let far = end(near: value.magnitude + half, \.nextUp, \.nextDown)
    if value == 0 { return (.real(-far), .real(far)) }
    let near = end(near: value.magnitude - half, \.nextDown, \.nextUp)
    return value < 0 ? (.real(-far), .real(-near)) : (.real(near), .real(far))
  }

  /// Whether a stored number has digits that are lost when it is read, more than computing with a few doubles leaves behind: it is none of
  /// the eight nearest on either side of the number that it is read as, nor within 10^-12 of the last digit.
  package func losesDigits(of value: StoredValue) -> Bool {
    guard case .real(let number) = value, let scale, let read = RoundedNumber(number, scale: scale) else { return false }
    return abs(read.nearestDouble - number) > max(8 * read.nearestDouble.ulp, 1e-12 / Double(RoundedNumber.powers[scale]))
  }
}
