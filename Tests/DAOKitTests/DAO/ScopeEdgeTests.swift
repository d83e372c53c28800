import DAOKit
import Testing

@Suite("At the edge of a scope")
struct ScopeEdgeTests {
  private static let entity = EntityDescription(
    "item", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("hidden", .bool)],
    indexes: [Index(on: "name", unique: true)])

  private final class VisibleDAO: DAO<DynamicEntity>, @unchecked Sendable {
    override var scope: Filter<DynamicEntity> { .field("hidden") == .bool(false) }
  }

  private func stores() throws -> (visible: VisibleDAO, all: RuntimeDAO<DynamicEntity>) {
    let (engine, _) = try StoreDescription.inMemory().open([Self.entity])
    let factory = DAOFactory(over: EngineStore(engine))
    let all = try factory.runtimeDAO("item")
    // The context of a dynamic DAO carries its entity on to others.
    return (VisibleDAO(all.context), all)
  }

  @Test func `an upsert may move a row out of sight, but not touch one that is out of sight`() throws {
    let (visible, all) = try stores()
    let shown = try all.insert(try all.make(["name": "a", "hidden": false]))
    _ = try all.insert(try all.make(["name": "b", "hidden": true]))
    var moved = shown
    moved.hidden = .bool(true)
    let result = try visible.upsert(moved)
    #expect(result.outcome == .updated && result.entity["id"] == shown["id"])
    #expect(try visible.count() == 0)
    #expect(throws: DAOError.self) { try visible.upsert(try all.make(["name": "b", "hidden": false]), on: ["name"]) }
    #expect(try all.count(.where(.field("hidden") == .bool(true))) == 2)
  }
}
