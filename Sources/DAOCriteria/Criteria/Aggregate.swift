/// A function over many rows.
public enum Aggregate: Sendable, Hashable {
  /// The smallest value; null over no rows.
  case min
  /// The largest value; null over no rows.
  case max
  /// The sum, the same whatever the order of the rows: of integers exact, of doubles the nearest double, and an error where it fits into
  /// none. A stored value that breaks the attribute's form is the error of reading its row. Null over no rows.
  case sum
  /// The mean, as the nearest double; of decimals, to 38 digits. Null over no rows.
  case average
  /// How many rows, or how many that are not null.
  case count
  /// How many different values that are not null.
  case countDistinct
  /// The texts that are not null, one behind the other with a separator between them, in an order; equal ones in it, and all where there is
  /// none, by their bytes. One of more than 100,000,000 bytes is an error. Null over no rows, and where all are null.
  case groupConcat(separator: String = ", ", order: [Criteria.Ordering] = [])

  /// The kind of an aggregate, without its further arguments.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The aggregate of the same name.
    case min, max, sum, average, count, countDistinct, groupConcat
  }

  /// Which one it is.
  public var kind: Kind {
    switch self {
    case .min: .min
    case .max: .max
    case .sum: .sum
    case .average: .average
    case .count: .count
    case .countDistinct: .countDistinct
    case .groupConcat: .groupConcat
    }
  }
}

extension Aggregate {
  /// The aggregate of a kind, with nothing besides its term.
  init(_ kind: Kind) {
    self =
      switch kind {
      case .min: .min
      case .max: .max
      case .sum: .sum
      case .average: .average
      case .count: .count
      case .countDistinct: .countDistinct
      case .groupConcat: .groupConcat()
      }
  }

  /// The type of the argument and of the result.
  var form: AggregateForm {
    switch self {
    case .min, .max: AggregateForm(subject: .anything, result: .same, mayFail: false)
    case .sum: AggregateForm(subject: .number, result: .sum, mayFail: true)
    case .average: AggregateForm(subject: .number, result: .mean, mayFail: true)
    case .count, .countDistinct: AggregateForm(subject: .anything, result: .count, mayFail: false)
    case .groupConcat: AggregateForm(subject: .text, result: .text, mayFail: true)
    }
  }

  /// Its name, as in JSON and in messages.
  var name: String { kind.rawValue }

  /// The orders of the joined texts.
  var orders: [Criteria.Ordering] { if case .groupConcat(_, let orders) = self { orders } else { [] } }

  /// The aggregate with other terms in its order.
  func map(_ transform: (Criteria.Term) -> Criteria.Term) -> Aggregate {
    guard case .groupConcat(let separator, let orders) = self else { return self }
    return .groupConcat(separator: separator, order: orders.map { Criteria.Ordering(transform($0.term), $0.direction, nulls: $0.nulls) })
  }
}
