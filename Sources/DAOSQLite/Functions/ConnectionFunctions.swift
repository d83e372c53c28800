import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// What each connection is given beyond SQLite's own functions. None of it appears in a schema, so other tools can always read and write a
/// store.
enum ConnectionFunctions {
  static func install(in database: Database) {
    UnpackFunction.install(in: database)
    TextFunctions.install(in: database)
    database.add(function: DatabaseFunction("dao_decimal_sum", argumentCount: 1, pure: true, aggregate: DecimalSum.self))
    database.add(function: DatabaseFunction("dao_decimal_average", argumentCount: 2, pure: true, aggregate: DecimalAverage.self))
    database.add(collation: DatabaseCollation("dao_decimal") { DecimalText.compare($0, $1) })
  }
}

extension DecimalText {
  /// Numbers by value; what is no number after all numbers, by its bytes.
  static func compare(_ left: String, _ right: String) -> ComparisonResult {
    switch (decimal(left), decimal(right)) {
    case (let a?, let b?): a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    case (_?, nil): .orderedAscending
    case (nil, _?): .orderedDescending
    case (nil, nil):
      left.utf8.elementsEqual(right.utf8)
        ? .orderedSame : left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
    }
  }
}

/// Adds decimals exactly, and says when 38 digits are not enough.
private struct DecimalTotal {
  private(set) var sum = Decimal()
  private(set) var count = 0

  mutating func add(_ value: DatabaseValue) throws {
    switch value.storage {
    case .null: return
    case .int64(let integer): try add(Decimal(integer))
    case .string(let text):
      guard let number = DecimalText.decimal(text) else { throw DatabaseError(message: "a value is no decimal number") }
      try add(number)
    default: throw DatabaseError(message: "a value is no decimal number")
    }
  }

  private mutating func add(_ number: Decimal) throws {
    var (left, right, result) = (sum, number, Decimal())
    guard NSDecimalAdd(&result, &left, &right, .plain) == .noError else {
      throw DatabaseError(message: "decimal overflow: the sum needs more than 38 digits")
    }
    sum = result
    count += 1
  }
}

private struct DecimalSum: DatabaseAggregate {
  private var total = DecimalTotal()

  mutating func step(_ arguments: [DatabaseValue]) throws { try total.add(arguments[0]) }

  func finalize() throws -> (any DatabaseValueConvertible)? { total.count == 0 ? nil : total.sum.description }
}

/// The mean of decimals; the second argument says by how many digits integers are scaled.
private struct DecimalAverage: DatabaseAggregate {
  private var total = DecimalTotal()
  private var digits = 0

  mutating func step(_ arguments: [DatabaseValue]) throws {
    try total.add(arguments[0])
    digits = Int.fromDatabaseValue(arguments[1]) ?? 0
  }

  func finalize() throws -> (any DatabaseValueConvertible)? {
    guard total.count > 0 else { return nil }
    let scale = Decimal(sign: .plus, exponent: -digits, significand: 1)
    return (total.sum * scale / Decimal(total.count)).description
  }
}
