extension Evaluator {
  /// An aggregate as a function of rows.
  func aggregated(_ aggregate: Aggregate, _ term: Term?) throws -> ([StoredRow]) throws -> StoredValue {
    guard let term else {
      guard aggregate == .count else { throw Self.unsupported("\(aggregate.rawValue) of nothing") }
      return { .integer(Int64($0.count)) }
    }
    let value = try value(term)
    let type = type(of: term) ?? .any
    return { rows in try apply(aggregate, to: rows.map { try value(.row($0)) }.filter { !$0.isNull }, type) }
  }

  /// An aggregate of values without nulls, in the order of their rows.
  private func apply(_ aggregate: Aggregate, to values: [StoredValue], _ type: AttributeType) throws -> StoredValue {
    switch aggregate {
    case .count: .integer(Int64(values.count))
    case .countDistinct: .integer(Int64(Set(values.map { $0.identity(as: type) }).count))
    case .min: values.min { $0.compare($1, as: type) < 0 } ?? .null
    case .max: values.max { $0.compare($1, as: type) < 0 } ?? .null
    case .sum: values.isEmpty ? .null : try sum(values, type)
    case .average: values.isEmpty ? .null : try average(values, type)
    }
  }

  private func sum(_ values: [StoredValue], _ type: AttributeType) throws -> StoredValue {
    if type == .decimal(.text) {
      guard let total = try decimals(values, .text).total else { throw overflow("the sum") }
      return .text(total.description)
    }
    guard let total = Self.numbers(values).total else { throw overflow("the sum") }
    return total
  }

  private func average(_ values: [StoredValue], _ type: AttributeType) throws -> StoredValue {
    guard case .decimal(let storage) = type else { return Self.numbers(values).mean }
    guard let mean = try decimals(values, storage).mean else { throw overflow("the sum") }
    return .text(mean.description)
  }

  private func decimals(_ values: [StoredValue], _ storage: DecimalStorage) throws -> DecimalSum {
    var sum = DecimalSum()
    for value in values where !sum.add("\(try storage.decimal(value))") { throw Self.unsupported("the sum of \(value)") }
    return sum
  }

  /// What is no number is passed over, as null is.
  private static func numbers(_ values: [StoredValue]) -> ExactSum {
    var sum = ExactSum()
    for value in values {
      switch value {
      case .integer(let number): sum.add(number)
      case .real(let number): sum.add(number)
      case .null, .text, .blob: break
      }
    }
    return sum
  }
}
