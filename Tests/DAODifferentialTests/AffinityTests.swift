import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Columns of a type that the library does not know have an affinity, by which SQLite makes numbers of texts that they are compared with.
@Suite("Columns without a known type compare without conversion, however they are declared")
struct AffinityTests {
  private static let values: [Scalar] = [
    .null, 0, 1, 5, 1997, -3, 9_007_199_254_740_992, 9_007_199_254_740_993, .integer(.max), 0.5, 1.5, 9_007_199_254_740_992.0, 0x1p63,
    1e300,
    "", "0", "1", "5", " 5", "5 ", "+5", "05", "5.0", ".5", "5.", "1.5e0", "1e", "5-", "1997",
    "1997-05",
    "-3", "0x5", "5\0", ".", "-", "e5", "inf", "abc", .data(Data("5".utf8)), .data(Data()),
  ]
  private static let columns = ["bare", "numeric", "money", "moment", "double", "bytes", "text", "whole"]

  private let sqlite: EngineStore
  private let evaluator: EvaluatorStore
  private let entity: EntityDescription

  init() throws {
    sqlite = EngineStore(
      try SQLiteEngine(inMemory: { db in
        try db.execute(
          sql: """
            CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, "bare", "numeric" NUMERIC, "money" DECIMAL(10,2), "moment" DATETIME,
              "double" DOUBLE PRECISION(3), "bytes" LONGBLOB, "text" TINYTEXT, "whole" INTEGER)
            """)
      }))
    entity = try #require(sqlite.entities().first)
    // A column of its own type takes no other values.
    let entity = entity
    let rows = try Self.values.enumerated().map { number, value in
      let isText = if case .text = value { true } else { value.isNull }
      let isInteger = if case .integer = value { true } else { value.isNull }
      let ids: [String: Scalar] = ["id": .integer(Int64(number)), "text": isText ? value : .null, "whole": isInteger ? value : .null]
      let all = Dictionary(uniqueKeysWithValues: Self.columns.prefix(6).map { ($0, value) })
      return try DynamicEntity(entity, ids.merging(all) { own, _ in own })
    }
    _ = try sqlite.insert(rows, in: EntityTarget(entity))
    evaluator = try EvaluatorStore([entity])
    // As the columns keep them.
    _ = try evaluator.insert(sqlite.find(DynamicEntity.self, in: EntityTarget(entity), Criteria()), in: EntityTarget(entity))
  }

  @Test func `with values, lists and ranges of them`() throws {
    for column in Self.columns {
      let term = Criteria.Term.field(FieldPath(column))
      for value in TestCases.some(Self.values, every: 3) where !value.isNull {
        for comparison in [Criteria.Comparison.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
          try expectSame(.compare(term, comparison, .value(value)))
          try expectSame(.compare(.value(value), comparison, term))
        }
        try expectSame(.among(term, [value, "no such"]))
        try expectSame(.not(.among(term, [value, .null])))
        for other in TestCases.some(Self.values, every: 4) where !other.isNull {
          try expectSame(.between(term, .value(value), .value(other)))
        }
      }
    }
  }

  @Test func `with each other`() throws {
    for column in Self.columns {
      for other in Self.columns where other != column {
        let (term, other) = (Criteria.Term.field(FieldPath(column)), Criteria.Term.field(FieldPath(other)))
        for comparison in [Criteria.Comparison.equal, .notEqual, .less, .greaterOrEqual] {
          try expectSame(.compare(term, comparison, other))
        }
        for value in TestCases.some(Self.values, every: 5) where !value.isNull {
          try expectSame(.between(.value(value), term, other))
          try expectSame(.between(term, .value(value), other))
        }
      }
    }
  }

  /// Both stores find the same rows, or refuse the condition.
  private func expectSame(_ condition: Criteria.Condition) throws {
    var criteria = Criteria()
    criteria.filter = condition
    criteria.orders = [Criteria.Ordering(.field(FieldPath("id")))]
    func keys(_ store: some EntityStore) -> [Int64]? { try? store.findKeys(Keyed.self, in: EntityTarget(entity), criteria) }
    #expect(keys(sqlite) == keys(evaluator), "\(condition)")
  }
}

/// Reads the key alone.
private struct Keyed: Entity {
  static let entityDescription = EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer)])
  struct Fields: EntityFields { init(path: FieldPath) {} }
  var id: Int64?
  var primaryKey: Int64? { id }
  init(row: inout RowReader) throws { id = try row.next() }
  func write(to row: inout ColumnWriter) throws { try row.write(id) }
  mutating func setGeneratedKey(_ key: Int64) { id = key }
}
