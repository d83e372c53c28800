import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Instants in a column of seconds, where other programs may have written any double.
struct InstantTests {
  private static let entity = EntityDescription(
    "event", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("value", .date(.unixSeconds), optional: true)], indexes: [Index(on: "value")])
  private static let bare = EntityDescription("event", key: .generated("id"), attributes: entity.attributes)

  /// Seconds that lose bits on the way through `Date`, and some that do not.
  private static let seconds: [Double] = {
    var random = RandomSource(seed: TestCases.seed)
    let known: [Double] = [
      0, 0.1, -0.001, 315_532_800.3, 0.3, 0.1 + 0.2, 1e-9, -1e-9, 1, 489_153_599.9, 489_153_600, 489_153_600.1, 978_307_200.1,
      1_800_000_000.125,
      -62_135_596_800, -62_135_596_799.99999, 253_402_300_799,
    ]
    let early = (0..<40).map { _ in Double.random(in: -1e9...5e8, using: &random) }
    // Neighbours that are read as one date.
    return known + early + early.prefix(10).map(\.nextUp) + (0..<10).map { _ in Double.random(in: 5e8...2e9, using: &random) }
  }()

  @Test(arguments: Both.allCases, [entity, bare])
  func `a row is found by the date that is read from it, and by no other`(which: Both, entity: EntityDescription) throws {
    let store = try which.store(Self.seconds.map { .real($0) } + [.integer(1)], in: entity)
    let dates = Self.seconds.map { Date(timeIntervalSince1970: $0) } + [Date(timeIntervalSince1970: 1)]
    func keys(_ isFound: (Date) -> Bool) -> [Int64] { dates.indices.filter { isFound(dates[$0]) }.map { Int64($0 + 1) } }
    let field = Criteria.Term.field(FieldPath("value"))
    for date in dates {
      let literal = Criteria.Term.value(.date(date))
      let expected: [(Criteria.Condition, (Date) -> Bool)] = [
        (.compare(field, .equal, literal), { $0 == date }), (.compare(literal, .equal, field), { $0 == date }),
        (.compare(field, .notEqual, literal), { $0 != date }), (.compare(field, .less, literal), { $0 < date }),
        (.compare(field, .lessOrEqual, literal), { $0 <= date }), (.compare(field, .greater, literal), { $0 > date }),
        (.compare(field, .greaterOrEqual, literal), { $0 >= date }), (.compare(literal, .less, field), { $0 > date }),
        (.compare(literal, .greaterOrEqual, field), { $0 <= date }),
        (.among(field, [.date(date), .date(Date(timeIntervalSince1970: -3e9))]), { $0 == date }),
        (.between(field, literal, literal), { $0 == date }), (.between(literal, field, field), { $0 == date }),
      ]
      for (condition, isFound) in expected {
        #expect(try store.keys(condition, of: entity) == keys(isFound), "\(date.timeIntervalSince1970): \(condition.node)")
        #expect(
          try store.keys(.not(condition), of: entity) == keys { !isFound($0) }, "\(date.timeIntervalSince1970): not \(condition.node)")
      }
    }
  }

  @Test func `what is read as a fraction of a second is written as it was`() throws {
    for seconds in [0.1, -0.001, 315_532_800.3, 0.25, -1.5, 1e-6, 100_000_000.000_001, -2_000_000_000.7, 489_153_599.9, 1_800_000_000.1] {
      let stored = try AttributeType.DateStorage.unixSeconds.stored(Date(timeIntervalSince1970: seconds))
      #expect(stored == .real(seconds))
      #expect(try AttributeType.DateStorage.unixSeconds.date(stored) == Date(timeIntervalSince1970: seconds))
    }
    #expect(try AttributeType.DateStorage.unixSeconds.stored(Date(timeIntervalSince1970: 7)) == .integer(7))
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<TestCases.count(20_000, inSuite: 4_000) {
      let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -6e10...2e11, using: &random))
      let again = try AttributeType.DateStorage.unixSeconds.date(AttributeType.DateStorage.unixSeconds.stored(date))
      // Near 2001 a date is finer than any number of seconds from 1970.
      #expect(again == date || date.timeIntervalSinceReferenceDate > -489_153_600, "\(date.timeIntervalSinceReferenceDate)")
    }
  }
}
