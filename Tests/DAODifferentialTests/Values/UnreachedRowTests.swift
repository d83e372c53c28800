import DAODifferential
import DAOKit
import Foundation
import Testing

/// Functions that may fail, over rows that no row refers to.
struct UnreachedRowTests {
  private static let country: EntityDescription = EntityDescription(
    "country", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("value", .integer, optional: true), Attribute("regionID", .integer, optional: true),
      Attribute("flag", .bool, optional: true),
    ],
    relationships: [.toOne("region", region, by: "regionID"), .toMany("towns", town, by: "countryID")])
  private static let region: EntityDescription = EntityDescription(
    "region", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("value", .integer, optional: true)],
    relationships: [.toMany("countries", country, by: "regionID")])
  private static let town: EntityDescription = EntityDescription(
    "town", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("value", .integer, optional: true), Attribute("countryID", .integer, optional: true),
    ],
    relationships: [.toOne("country", country, by: "countryID")])

  /// Town 1 is in country 1, which is in region 1. Country 2, its region and the towns 3 and 4 belong to none of those that are asked for;
  /// all that is theirs overflows.
  private func store(_ which: Both, reached: Bool) throws -> any EntityStore {
    let store = try which.store(for: [Self.town, Self.country, Self.region])
    func insert(_ entity: EntityDescription, _ rows: [[String: Scalar]]) throws {
      _ = try store.insert(rows.map { try DynamicEntity(entity, $0) }, in: EntityTarget(entity))
    }
    try insert(Self.region, [["value": 1], ["value": .integer(.min)]])
    try insert(
      Self.country, [["value": -5, "regionID": 1, "flag": true], ["value": .integer(.min), "regionID": 2, "flag": true], ["value": 7]])
    try insert(Self.town, [["value": 2, "countryID": reached ? 2 : 1], ["value": 1]])
    return store
  }

  @Test(arguments: Both.allCases) func `nothing fails over a table without rows`(which: Both) throws {
    let store = try which.store(for: [Self.town, Self.country, Self.region])
    #expect(try store.keys(.all([Self.isLeast, Self.large]), of: Self.region) == [])
  }

  private static func field(_ name: String) -> Criteria.Term { .field(FieldPath(name)) }
  /// What fails of the value that it asks for.
  private static let isLeast = Criteria.Condition.compare(field("value"), .equal, .value(.integer(.min)))

  private static let large = Criteria.Condition.compare(.function(.abs, [field("value")]), .greater, .value(3))
  private static let sum = Criteria.Condition.compare(
    .related(.sum, FieldPath("countries"), .function(.abs, [field("value")]), .constant(true)), .greater, .value(1))

  /// Filters of towns over countries and regions that fail of country 2, and of region 2.
  private static let filters: [(String, Criteria.Condition)] = [
    ("a list", .some(FieldPath("country"), .all([large, .compare(field("flag"), .equal, .value(true))]))),
    ("not a list", .not(.some(FieldPath("country"), .not(large)))),
    ("a look for each", .some(FieldPath("country"), .all([.not(.isNull(field("id"))), large]))),
    ("a path", large.beyondCountry),
    ("two relationships", .some(FieldPath("country"), .some(FieldPath("region"), .not(large)))),
    ("one path of two", .not(.some(FieldPath("country.region"), large))),
    ("a path of an attribute", .compare(.function(.abs, [field("country.region.value")]), .lessOrEqual, .value(3))),
    ("an aggregate", .some(FieldPath("country"), .some(FieldPath("region"), sum))),
    ("the condition of an aggregate", .compare(.related(.count, FieldPath("country"), nil, large), .equal, .value(1))),
  ]

  @Test(arguments: Both.allCases, filters.indices)
  func `a row that no row refers to fails no filter`(which: Both, number: Int) throws {
    let (name, filter) = Self.filters[number]
    #expect(try store(which, reached: false).keys(filter, of: Self.town).contains(1), "\(name)")
    #expect { try store(which, reached: true).keys(filter, of: Self.town) } throws: {
      if case DAOError.overflow("town", _) = $0 { true } else { false }
    }
  }

  @Test(arguments: Both.allCases)
  func `where no row is reached, not even an aggregate of all rows fails`(which: Both) throws {
    let filter = Criteria.Condition.some(
      FieldPath("country"), .compare(.aggregate(.sum, .function(.abs, [Self.field("value")])), .greater, .value(0)))
    let store = try store(which, reached: false)
    #expect { try store.keys(filter, of: Self.town) } throws: { if case DAOError.overflow("town", _) = $0 { true } else { false } }
    _ = try store.delete(in: EntityTarget(Self.town), Criteria())
    #expect(try store.keys(filter, of: Self.town) == [])
  }
}

extension Criteria.Condition {
  /// The same of the country's value.
  fileprivate var beyondCountry: Criteria.Condition {
    .compare(.function(.abs, [.field(FieldPath("country.value"))]), .greater, .value(3))
  }
}
