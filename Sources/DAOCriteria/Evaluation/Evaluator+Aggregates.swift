extension Evaluator {
  /// An aggregate as a function of rows.
  func aggregated(_ aggregate: Aggregate, _ term: Term?) throws -> ([StoredRow]) throws -> StoredValue {
    guard let term else {
      guard aggregate == .count else { throw Self.unsupported("\(aggregate.rawValue) of nothing") }
      return { .integer(Int64($0.count)) }
    }
    let value = try value(term)
    let type = type(of: term) ?? .any
    let origin = term.origin(in: entity)
    return { rows in
      let values = try rows.map { try value(.row($0)) }.filter { !$0.isNull }
      do { return try apply(aggregate, to: values, type) } catch let problem as ValueProblem { throw origin.undecodable(problem) }
    }
  }

  /// An aggregate of values without nulls, in the order of their rows.
  private func apply(_ aggregate: Aggregate, to values: [StoredValue], _ type: AttributeType) throws -> StoredValue {
    switch aggregate {
    case .count: .integer(Int64(values.count))
    case .countDistinct: .integer(Int64(Set(values.map { $0.identity(as: type) }).count))
    case .min: values.min { $0.compare($1, as: type) < 0 } ?? .null
    case .max: values.max { $0.compare($1, as: type) < 0 } ?? .null
    case .sum, .average: try sum(of: values, type, isMean: aggregate == .average)
    }
  }

  private func sum(of values: [StoredValue], _ type: AttributeType, isMean: Bool) throws -> StoredValue {
    var sum = AttributeSum(type, isMean: isMean)
    for value in values { try sum.add(value) }
    guard let result = sum.result else { throw overflow("the sum") }
    return result
  }
}
