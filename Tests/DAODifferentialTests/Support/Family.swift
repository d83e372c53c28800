import DAODifferential
import DAOKit
import TestCases

/// Entities that point to each other with every delete rule: by generated, natural and composite keys, by a unique attribute, to
/// themselves, and through several levels.
enum Family {
  static let root: EntityDescription = EntityDescription(
    "root", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("code", .text, column: "root code"), Attribute("rank", .integer, optional: true),
      Attribute("parentID", .integer, optional: true),
    ], indexes: [Index(on: "code", unique: true)], relationships: [.toOne("parent", root, by: "parentID", onDelete: .cascade)])

  static let branch: EntityDescription = EntityDescription(
    "branch", table: "a \"branch\"", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("rootID", .integer), Attribute("otherID", .integer, optional: true),
      Attribute("rank", .integer, optional: true),
    ], indexes: [Index(on: "rootID", "rank", unique: true), Index(on: "otherID", unique: true)],
    relationships: [.toOne("root", root, by: "rootID", onDelete: .cascade), .toOne("other", root, by: "otherID", onDelete: .nullify)])

  static let leaf: EntityDescription = EntityDescription(
    "leaf", key: .assigned(["code"]),
    attributes: [
      Attribute("code", .text), Attribute("rank", .integer, optional: true), Attribute("branchID", .integer, optional: true),
      Attribute("nextCode", .text, optional: true, references: ForeignKey(table: "leaf", column: "code", onDelete: .nullify)),
    ], indexes: [Index(on: "rank", unique: true)], relationships: [.toOne("branch", branch, by: "branchID")])

  static let mark = EntityDescription(
    "mark", key: .assigned(["rootCode", "number"]),
    attributes: [
      Attribute("rootCode", .text, references: ForeignKey(table: "root", column: "root code", onDelete: .cascade)),
      Attribute("number", .integer), Attribute("rank", .integer),
    ])

  static let stamp = EntityDescription(
    "stamp", key: .assigned(["number"]),
    attributes: [
      Attribute("number", .integer), Attribute("rank", .integer, optional: true), Attribute("markCode", .text, optional: true),
      Attribute("markNumber", .integer, optional: true),
    ], relationships: [.toOne("mark", mark, by: "markCode", "markNumber", onDelete: .nullify)])

  static let entities = [root, branch, leaf, mark, stamp]

  /// A row with values that often meet those of others.
  static func row(of entity: EntityDescription, _ random: inout RandomSource) throws -> DynamicEntity {
    var values: [String: Scalar] = [:]
    for attribute in entity.attributes {
      let isMissing = attribute.isOptional ? random.once(in: 3) : random.once(in: 12)
      values[attribute.name] = isMissing ? .null : value(attribute.type, &random)
    }
    if entity.hasGeneratedKey, random.once(in: 3) { values["id"] = .null }
    return try DynamicEntity(entity, values)
  }

  static func value(_ type: AttributeType, _ random: inout RandomSource) -> Scalar {
    type == .text ? .text(random.pick(["a", "b", "c", "d"])) : .integer(Int64(1 + random.below(5)))
  }

  /// Some rows of each, so that there is something to point to.
  static func fill(_ store: any EntityStore) throws {
    func insert(_ entity: EntityDescription, _ rows: [String: Scalar]...) throws {
      _ = try store.insert(rows.map { try DynamicEntity(entity, $0) }, in: EntityTarget(entity))
    }
    try insert(root, ["code": "a"], ["code": "b", "parentID": 1], ["code": "c", "rank": 1])
    try insert(branch, ["rootID": 1, "rank": 1], ["rootID": 2, "otherID": 1], ["rootID": 3, "otherID": 3])
    try insert(leaf, ["code": "a", "branchID": 1], ["code": "b", "branchID": 2, "nextCode": "a"], ["code": "c", "nextCode": "c"])
    try insert(
      mark, ["rootCode": "a", "number": 1, "rank": 1], ["rootCode": "b", "number": 1, "rank": 2], ["rootCode": "c", "number": 2, "rank": 2])
    try insert(stamp, ["number": 1, "markCode": "a", "markNumber": 1], ["number": 2, "markCode": "c", "markNumber": 2])
  }

  /// All rows of all tables, as text.
  static func tables(_ store: any EntityStore) throws -> [String] {
    try entities.flatMap { entity in
      var criteria = Criteria()
      criteria.orders = entity.key.attributes.map { Criteria.Ordering(.field(FieldPath($0))) }
      return try store.find(DynamicEntity.self, in: EntityTarget(entity), criteria).map { "\($0)" }
    }
  }
}
