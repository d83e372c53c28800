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
    NumberFunctions.install(in: database)
    JSONFunction.install(in: database)
    database.add(function: DatabaseFunction("dao_decimal_sum", argumentCount: 1, pure: true, aggregate: DecimalTotal.self))
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

extension DecimalSum {
  fileprivate mutating func add(_ value: DatabaseValue, digits: Int = 0) throws {
    let text: String
    switch value.storage {
    case .null: return
    case .int64(let integer): text = try DecimalStorage.scaled(digits).decimal(.integer(integer)).description
    case .string(let digits): text = digits
    default: throw DatabaseError(message: "a value is no decimal number")
    }
    guard add(text) else { throw DatabaseError(message: "a value is no decimal number") }
  }

  fileprivate static func text(_ result: Decimal?) throws -> String {
    guard let result else { throw DatabaseError(message: "decimal overflow: the sum needs more than 38 digits") }
    return result.description
  }
}

private struct DecimalTotal: DatabaseAggregate {
  private var sum = DecimalSum()

  mutating func step(_ arguments: [DatabaseValue]) throws { try sum.add(arguments[0]) }

  func finalize() throws -> (any DatabaseValueConvertible)? { sum.count == 0 ? nil : try DecimalSum.text(sum.total) }
}

/// The mean of decimals; the second argument says by how many digits integers are scaled.
private struct DecimalAverage: DatabaseAggregate {
  private var sum = DecimalSum()

  mutating func step(_ arguments: [DatabaseValue]) throws {
    try sum.add(arguments[0], digits: Int.fromDatabaseValue(arguments[1]) ?? 0)
  }

  func finalize() throws -> (any DatabaseValueConvertible)? { sum.count == 0 ? nil : try DecimalSum.text(sum.mean) }
}
