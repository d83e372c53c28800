import Foundation

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
    switch type {
    case .decimal(.text): return .text(try decimalSum(values, .text).description)
    case .real: return Self.storable(try values.reduce(0.0) { $0 + (try double($1)) })
    default:
      return .integer(
        try values.reduce(Int64(0)) { total, value in
          guard case .integer(let number) = value else { throw Self.unsupported("the sum of \(value)") }
          let (sum, overflow) = total.addingReportingOverflow(number)
          if overflow { throw self.overflow("the sum") }
          return sum
        })
    }
  }

  private func average(_ values: [StoredValue], _ type: AttributeType) throws -> StoredValue {
    if case .decimal(let storage) = type {
      return .text((try decimalSum(values, storage) / Decimal(values.count)).description)
    }
    return Self.storable(try values.reduce(0.0) { $0 + (try double($1)) } / Double(values.count))
  }

  /// Exact, or an error where 38 digits are not enough.
  private func decimalSum(_ values: [StoredValue], _ storage: DecimalStorage) throws -> Decimal {
    try values.reduce(Decimal()) { total, value in
      var (total, number, sum) = (total, try storage.decimal(value), Decimal())
      guard NSDecimalAdd(&sum, &total, &number, .plain) == .noError else { throw overflow("the sum") }
      return sum
    }
  }

  private func double(_ value: StoredValue) throws -> Double {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: throw Self.unsupported("the sum of \(value)")
    }
  }

  /// There is no NaN in a store.
  private static func storable(_ value: Double) -> StoredValue { value.isNaN ? .null : .real(value) }
}
