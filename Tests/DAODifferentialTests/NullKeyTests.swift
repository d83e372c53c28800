import DAODifferential
import DAOKit
import Testing

/// Keys that are null lead to no row, and rows whose key is null belong to none.
struct NullKeyTests {
  private static let parent: EntityDescription = EntityDescription(
    "parent", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("code", .text, optional: true)],
    indexes: [Index(on: "code", unique: true)],
    relationships: [Relationship("children", .toMany(by: ["parentCode"]), referenced: ["code"]) { child }])
  private static let child: EntityDescription = EntityDescription(
    "child", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("parentCode", .text, optional: true)],
    relationships: [Relationship("parent", .toOne(by: ["parentCode"], onDelete: .deny), referenced: ["code"]) { parent }])

  @Test(arguments: Both.allCases)
  func `a null key prefetches no row, whatever rows have a null key`(which: Both) throws {
    let store = try which.store(for: [Self.parent, Self.child])
    func insert(_ entity: EntityDescription, _ rows: [[String: Scalar]]) throws {
      _ = try store.insert(rows.map { try DynamicEntity(entity, $0) }, in: EntityTarget(entity))
    }
    // Nulls are no two that are equal.
    try insert(Self.parent, [["code": "x"], ["code": .null], ["code": .null]])
    try insert(Self.child, [["parentCode": "x"], ["parentCode": .null], ["parentCode": .null]])
    func found(_ entity: EntityDescription, _ relationship: String) throws -> [[Scalar]] {
      var criteria = Criteria()
      criteria.prefetches = [Criteria.Prefetch(FieldPath(relationship))]
      criteria.orders = [Criteria.Ordering(.field(FieldPath("id")))]
      let rows = try store.find(DynamicEntity.self, in: EntityTarget(entity), criteria)
      return try rows.map { try $0.related(relationship).map { $0["id"] ?? .null } }
    }
    #expect(try found(Self.parent, "children") == [[1], [], []])
    #expect(try found(Self.child, "parent") == [[1], [], []])
  }

  private static let number: EntityDescription = EntityDescription(
    "number", key: .assigned(["value"]), attributes: [Attribute("value", .integer)])
  private static let use: EntityDescription = EntityDescription(
    "use", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("number", .integer, optional: true)],
    relationships: [.toOne("used", number, by: "number")])

  @Test(arguments: Both.allCases)
  func `a null key is not the integer 0`(which: Both) throws {
    let store = try which.store(for: [Self.number, Self.use])
    _ = try store.insert([0, 1].map { try DynamicEntity(Self.number, ["value": $0]) }, in: EntityTarget(Self.number))
    _ = try store.insert([0, .null, 1].map { try DynamicEntity(Self.use, ["number": $0]) }, in: EntityTarget(Self.use))
    var criteria = Criteria()
    criteria.prefetches = [Criteria.Prefetch(FieldPath("used"))]
    criteria.orders = [Criteria.Ordering(.field(FieldPath("id")))]
    let rows = try store.find(DynamicEntity.self, in: EntityTarget(Self.use), criteria)
    #expect(try rows.map { try $0.related("used").map { $0["value"] ?? .null } } == [[0], [], [1]])
  }
}
