import DAOKit
import Testing

@testable import DAODifferential

/// Integers beside doubles: each is the number that it is.
struct NumberTests {
  private static let entity = EntityDescription(
    "reading", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", .real, optional: true)],
    indexes: [Index(on: "value")])
  private static let bare = EntityDescription("reading", key: .generated("id"), attributes: entity.attributes)

  private static let doubles: [Double] =
    [0, -0.0, 1, 0.5, 0x1p53, 0x1p53 + 2, -0x1p53, 0x1p63, -0x1p63, 0x1p63.nextDown, 1e300, -1e300, .infinity, -.infinity]
  private static let integers: [Int64] =
    [0, 1, -1, 1 << 53, (1 << 53) + 1, (1 << 53) + 2, -(1 << 53) - 1, .max, .max - 1, .max - 512, .min, .min + 1, 1 << 62]

  /// Less than 0, 0 or more, as a double is smaller than, equal to or larger than an integer.
  private static func compare(_ double: Double, _ integer: Int64) -> Int {
    double.isInfinite ? (double < 0 ? -1 : 1) : ExactNumber.compare(ExactNumber(double), ExactNumber(integer))
  }

  @Test(arguments: Both.allCases, [entity, bare])
  func `a double compares with an integer as the numbers do, by an index and without`(which: Both, entity: EntityDescription) throws {
    let store = try which.store(Self.doubles.map { .real($0) }, in: entity)
    func keys(_ isFound: (Double) -> Bool) -> [Int64] { Self.doubles.indices.filter { isFound(Self.doubles[$0]) }.map { Int64($0 + 1) } }
    let field = Criteria.Term.field(FieldPath("value"))
    for integer in Self.integers {
      let literal = Criteria.Term.value(.integer(integer))
      func isFound(_ test: @escaping (Int) -> Bool) -> (Double) -> Bool { { test(Self.compare($0, integer)) } }
      let expected: [(Criteria.Condition, (Double) -> Bool)] = [
        (.compare(field, .equal, literal), isFound { $0 == 0 }), (.compare(literal, .notEqual, field), isFound { $0 != 0 }),
        (.compare(field, .less, literal), isFound { $0 < 0 }), (.compare(field, .lessOrEqual, literal), isFound { $0 <= 0 }),
        (.compare(field, .greater, literal), isFound { $0 > 0 }), (.compare(field, .greaterOrEqual, literal), isFound { $0 >= 0 }),
        (.compare(literal, .less, field), isFound { $0 > 0 }), (.compare(literal, .lessOrEqual, field), isFound { $0 >= 0 }),
        (.among(field, [.integer(integer), .real(0.75)]), isFound { $0 == 0 }), (.between(field, literal, literal), isFound { $0 == 0 }),
        (.between(literal, field, field), isFound { $0 == 0 }), (.between(literal, .value(0), field), isFound { $0 >= 0 && integer >= 0 }),
        (.compare(.function(.coalesce, [field, .value(0.5)]), .greater, literal), isFound { $0 > 0 }),
      ]
      for (condition, isFound) in expected {
        #expect(try store.keys(condition, of: entity) == keys(isFound), "\(integer): \(condition.node)")
        #expect(try store.keys(.not(condition), of: entity) == keys { !isFound($0) }, "\(integer): not \(condition.node)")
      }
    }
  }

  /// SQLite looks an INTEGER PRIMARY KEY up by a double, and finds the smallest by none.
  @Test(arguments: Both.allCases)
  func `a key is found by the double that is equal to it`(which: Both) throws {
    for double in Self.doubles {
      let store = try which.store(for: [Self.bare])
      let rows = try Self.integers.map { try DynamicEntity(Self.bare, ["id": .integer($0), "value": .real(double)]) }
      _ = try store.insert(rows, in: EntityTarget(Self.bare))
      let found = Self.integers.filter { Self.compare(double, $0) == 0 }.sorted()
      let (key, value) = (Criteria.Term.field(FieldPath("id")), Criteria.Term.aggregate(.max, .field(FieldPath("value"))))
      for condition in [
        Criteria.Condition.compare(key, .equal, value), .compare(value, .equal, key), .not(.compare(key, .notEqual, value)),
      ] {
        #expect(try store.keys(condition, of: Self.bare) == found, "\(double): \(condition.node)")
      }
    }
  }
}
