import DAOKit

extension World {
  /// A sum or mean of a table's numbers that is not the nearest double. Both stores add by one type, whose faults no answer of theirs
  /// tells.
  var sumProblem: String? {
    for (table, rows) in zip(schema.tables, rows) {
      for (place, attribute) in table.attributes.enumerated() where attribute.type == .integer || attribute.type == .real {
        let column = rows.compactMap { Number($0[place]) }
        // The whole, and what is left after each row, so that small tables have many sums.
        for start in column.indices { if let problem = Number.sumProblem(Array(column[start...])) { return problem } }
      }
    }
    return nil
  }
}

/// A number as a store has it.
package enum Number {
  case integer(Int64)
  case double(Double)

  init?(_ scalar: Scalar) {
    switch scalar {
    case .integer(let value): self = .integer(value)
    case .real(let value) where value.isFinite: self = .double(value)
    default: return nil
    }
  }

  private var exact: ExactNumber {
    switch self {
    case .integer(let value): ExactNumber(value)
    case .double(let value): ExactNumber(value)
    }
  }

  /// What is wrong with the sum or the mean of numbers, if something is.
  package static func sumProblem(_ numbers: [Number]) -> String? {
    var sum = ExactSum()
    for number in numbers {
      switch number {
      case .integer(let value): sum.add(value)
      case .double(let value): sum.add(value)
      }
    }
    guard let first = numbers.first else { return nil }
    let exact = numbers.dropFirst().reduce(first.exact) { $0 + $1.exact }
    let hasDoubles = numbers.contains { if case .double = $0 { true } else { false } }
    let isSum: Bool =
      switch sum.total {
      case .integer(let total)?: !hasDoubles && ExactNumber.compare(ExactNumber(total), exact) == 0
      case .real(let total)?: hasDoubles && ExactNumber.isNearest(total, to: exact, dividedBy: 1)
      case nil:
        hasDoubles
          ? ExactNumber.isNearest(nil, to: exact, dividedBy: 1)
          : ExactNumber.compare(exact, ExactNumber(.max)) > 0 || ExactNumber.compare(exact, ExactNumber(.min)) < 0
      case .null?, .text?, .blob?: false
      }
    if !isSum { return "the sum of \(numbers) is not \(String(describing: sum.total))" }
    guard case .real(let mean) = sum.mean, ExactNumber.isNearest(mean, to: exact, dividedBy: numbers.count) else {
      return "the mean of \(numbers) is not \(sum.mean)"
    }
    return nil
  }
}
