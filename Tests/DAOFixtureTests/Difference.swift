import DAOKit

/// Where the rows that were found are not those of the shell.
struct Difference: Equatable, CustomStringConvertible {
  let description: String

  /// The first difference; nil where there is none.
  /// - Parameters:
  ///   - isOrdered: whether the rows have an order.
  ///   - isSum: whether doubles may differ as little as adding them up in another order does.
  ///   - isTyped: whether a whole number in a column of numbers may be read as the double that it is.
  init?(_ found: [[StoredValue]], _ shown: [[StoredValue]], isOrdered: Bool = false, isSum: Bool = false, isTyped: Bool = false) {
    let (found, shown) = isOrdered ? (found, shown) : (found.inAnyOrder, shown.inAnyOrder)
    guard found.count == shown.count else {
      description = "\(found.count) rows, not \(shown.count)"
      return
    }
    func isSame(_ a: StoredValue, _ b: StoredValue) -> Bool {
      switch (a, b) {
      case (.real(let a), .integer(let b)) where isTyped: a == Double(b)
      case (.real(let a), .real(let b)) where isSum: a == b || (a - b).magnitude <= 1e-12 * b.magnitude
      default: a == b
      }
    }
    let row = zip(found, shown).enumerated().first { !($1.0.count == $1.1.count && zip($1.0, $1.1).allSatisfy(isSame)) }
    guard let (number, (own, other)) = row else { return nil }
    description = "row \(number): \(own), not \(other)"
  }
}

extension [[StoredValue]] {
  fileprivate var inAnyOrder: [[StoredValue]] {
    // A whole number stands in the same place, however it is kept.
    func word(_ value: StoredValue) -> String {
      if case .real(let number) = value, let integer = Int64(exactly: number) { "\(integer)" } else { value.description }
    }
    return map { ($0.map(word).joined(separator: ","), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
