import DAOKit

/// What a store answers: rows, or an error's kind.
package enum Answer: Equatable, CustomStringConvertible {
  case rows([[Scalar]], isOrdered: Bool)
  case failed(String, message: String)

  init(_ error: any Error) {
    let kind =
      switch error {
      case DAOError.overflow: "overflow"
      case DAOError.undecodable: "undecodable"
      case DAOError.constraint: "constraint"
      case DAOError.invalidCriteria: "invalid"
      default: "other"
      }
    self = .failed(kind, message: "\(error)")
  }

  /// Rows as rows, whatever their order where it is open; errors by their kind.
  package static func == (left: Answer, right: Answer) -> Bool {
    switch (left, right) {
    case (.rows(let a, let isOrdered), .rows(let b, _)):
      if a == b { return true }
      guard a.count == b.count else { return false }
      let (a, b) = (a.map { $0.map(\.comparable) }, b.map { $0.map(\.comparable) })
      return isOrdered ? a == b : a.counted == b.counted
    case (.failed(let a, _), .failed(let b, _)): return a == b
    default: return false
    }
  }

  /// Whether a row that it was worked out for made it fail: by a number too large, or by a stored value of another form.
  package var isOfRow: Bool {
    if case .failed("overflow", _) = self { return true }
    if case .failed("undecodable", _) = self { return true }
    return false
  }

  package var kind: String {
    switch self {
    case .rows: "rows"
    case .failed(let kind, _): kind
    }
  }

  package var description: String {
    switch self {
    case .rows(let rows, _): "\(rows.count) rows\n" + rows.prefix(30).map { "    \($0)" }.joined(separator: "\n")
    case .failed(let kind, let message): "\(kind): \(message)"
    }
  }
}

extension Scalar {
  /// In a column without a type 1 and 1.0 are equal, and either may stand for both.
  fileprivate var comparable: Scalar {
    if case .real(let value) = self, let whole = Int64(exactly: value) { .integer(whole) } else { self }
  }
}

extension [[Scalar]] {
  fileprivate var counted: [[Scalar]: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}
