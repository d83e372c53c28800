import DAOEvaluator
import DAOKit
import Foundation
import Testing

@Suite("Versions of rows under keys of all kinds")
struct VersionKeyTests {
  /// An entity, a key of it, and its table where it is not the one that the description makes.
  struct Keyed: CustomTestStringConvertible {
    let testDescription: String
    let entity: EntityDescription
    let key: [String: Scalar]
    var table: String?

    init(_ name: String, _ attributes: [Attribute], _ key: [String: Scalar], table: String? = nil) {
      (testDescription, self.key, self.table) = (name, key, table)
      entity = EntityDescription(
        "item", key: .assigned(attributes.map(\.name)),
        attributes: attributes + [Attribute("name", .text), Attribute("version", .integer, default: 0, version: true)])
    }

    func rows(_ kind: VersionTests.Kind) throws -> RuntimeDAO<DynamicEntity> {
      if kind == .evaluator { return DAOFactory(over: try EvaluatorStore([entity])).runtimeDAO(entity) }
      return try table.map { try TestStore([], sql: $0) }?.factory.runtimeDAO(entity) ?? TestStore([entity]).factory.runtimeDAO(entity)
    }
  }

  private static let composite = [Attribute("group", .text), Attribute("number", .integer)]

  static let keys = [
    Keyed("an assigned one", [Attribute("code", .text)], ["code": "a"]),
    Keyed("a composite one", composite, ["group": "a", "number": 1]),
    Keyed(
      "one of a table without row ids", composite, ["group": "a", "number": 1],
      table: """
        CREATE TABLE item ("group" TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY ("group", number)) WITHOUT ROWID
        """),
    Keyed("a date", [Attribute("at", .date(.unixSeconds))], ["at": .date(Date(timeIntervalSince1970: 1_000_000_000.125))]),
  ]

  @Test(arguments: keys, VersionTests.Kind.allCases)
  func `each write compares the version and raises it`(_ keyed: Keyed, kind: VersionTests.Kind) throws {
    let rows = try keyed.rows(kind)
    let read = try rows.insert(DynamicEntity(keyed.entity, keyed.key.merging(["name": "a"]) { $1 }))
    var mine = read
    mine["name"] = "b"
    mine = try rows.update(mine)
    #expect(mine["version"] == 1)
    mine["name"] = "c"
    mine = try rows.save(mine)
    #expect(mine["version"] == 2 && mine["name"] == "c")
    mine["name"] = "d"
    let upserted = try rows.upsert(mine)
    mine = upserted.entity
    #expect(mine["version"] == 3 && upserted.outcome == .updated)
    #expect(try rows.upsert(mine).outcome == .unchanged)
    let calls: [(name: String, call: () throws -> Void)] = [
      ("update", { try rows.update(read) }), ("save", { try rows.save(read) }), ("upsert", { try rows.upsert(read) }),
      ("upsert of a few", { try rows.upsert(read, updating: ["name"]) }), ("delete", { try rows.delete(read) }),
    ]
    for (name, call) in calls {
      do {
        try call()
        Issue.record("\(name) is done")
      } catch DAOError.conflict(let conflict) {
        #expect(conflict.theirs?["version"] == 3 && conflict.theirs?["name"] == "d", "\(name)")
        #expect(conflict.key == keyed.entity.key.attributes.map { keyed.key[$0] }, "\(name)")
      }
    }
    #expect(try rows.findAll() == [mine])
    try rows.delete(mine)
    #expect(try rows.count() == 0)
  }
}
