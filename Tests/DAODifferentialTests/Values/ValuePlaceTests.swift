import DAOKit
import Foundation
import Testing

/// Values that stand in several places of one statement, or are stored in several forms.
struct ValuePlaceTests {
  private static let entry = EntityDescription(
    "entry", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("details", .json, optional: true),
      Attribute("first", .uuid(.text), optional: true), Attribute("last", .uuid(.blob), optional: true),
    ], indexes: [Index(on: "name", unique: true)])

  private final class ConfinedDAO: DAO<DynamicEntity>, @unchecked Sendable {
    private let confined: Criteria.Condition

    init(_ context: DAOContext, scope: Criteria.Condition) {
      confined = scope
      super.init(context)
    }

    override var scope: Filter<DynamicEntity> { Filter(confined) }
  }

  private func stores() throws -> [any EntityStore] {
    [EngineStore(try StoreDescription.inMemory().open([Self.entry]).engine), try EvaluatorStore([Self.entry])]
  }

  private static let a = Criteria.Term.json(.field(FieldPath("details")), [.key("a")], as: .integer)

  @Test(
    arguments: [
      Criteria.Condition.not(.compare(a, .less, .value(3))), .not(.among(a, [.integer(1), .integer(2)])),
      .not(.between(a, .value(1), .value(2))),
      .matches(.json(.field(FieldPath("details")), [.key("a")], as: .text), .beginsWith, .text("x"), caseSensitive: true),
    ])
  func `a scope with one value in two places serves every call by key`(_ scope: Criteria.Condition) throws {
    for store in try stores() {
      let context = DAOContext(store, entity: Self.entry)
      let (all, confined) = (RuntimeDAO<DynamicEntity>(context), ConfinedDAO(context, scope: scope))
      let details: [Scalar] = [#"{"a":1}"#, #"{"a":5}"#, #"{"a":"xyz"}"#, .null]
      let rows = try all.insert(try details.enumerated().map { try all.make(["name": .text("\($0)"), "details": $1]) })
      let seen = Set(try confined.findAllIDs())
      #expect((1..<4).contains(seen.count))
      for row in rows {
        let key = try #require(row.primaryKey)
        let isSeen = seen.contains(key)
        #expect(try confined.exists(key) == isSeen)
        #expect(((try? confined.find(key)) != nil) == isSeen)
        #expect(((try? confined.update(row)) != nil) == isSeen)
        #expect(((try? confined.upsert(row)) != nil) == isSeen)
        #expect(try confined.delete([key]) == (isSeen ? 1 : 0))
      }
    }
  }

  @Test func `a value between two attributes is stored as each of them`() throws {
    let ids = try (1...3).map { try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)")) }
    for store in try stores() {
      let all = RuntimeDAO<DynamicEntity>(DAOContext(store, entity: Self.entry))
      _ = try all.insert(all.make(["name": "a", "first": .uuid(ids[0]), "last": .uuid(ids[2])]))
      _ = try all.insert(all.make(["name": "b", "first": .uuid(ids[2]), "last": .uuid(ids[0])]))
      _ = try all.insert(all.make(["name": "c"]))
      let between = Criteria.Condition.between(.value(.uuid(ids[1])), .field(FieldPath("first")), .field(FieldPath("last")))
      #expect(try all.findAll(.where(Filter(between))).compactMap { $0["name"] } == ["a"])
      #expect(try all.count(.where(Filter(.not(between)))) == 2)
    }
  }
}
