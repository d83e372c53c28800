import CriteriaTesting
import DAOKit
import Testing

/// Changes and searches that name what their entity doesn't have.
struct UnfitTargetTests {
  private static let note = EntityDescription(
    "note", key: .assigned([]), attributes: [Attribute("text", .text, searchable: true), Attribute("cardID", .integer, optional: true)])
  private static let country = EntityDescription(
    "country", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)])
  private static let card = EntityDescription(
    "card", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("title", .text), Attribute("countryCode", .text, optional: true)],
    relationships: [.toOne("country", country, by: "countryCode"), .toMany("notes", note, by: "cardID")])

  private func stores() throws -> [any EntityStore] {
    [
      EngineStore(try StoreDescription.inMemory().open([Self.card, Self.country]).engine),
      try EvaluatorStore([Self.card, Self.country]),
    ]
  }

  @Test(arguments: [
    (Criteria.Term.field(FieldPath("country.name")), "country.name: is no attribute of card, and an update sets nothing else"),
    (.function(.lower, [.field(FieldPath("title"))]), "title: is no attribute of card, and an update sets nothing else"),
    (.field(FieldPath("titel")), "titel: card has no attribute 'titel'; did you mean 'title'?"),
  ])
  func `an update sets attributes of its entity and nothing else`(target: Criteria.Term, problem: String) throws {
    for store in try stores() {
      let all = EntityTarget(Self.card)
      _ = try store.insert([DynamicEntity(Self.card, ["title": "a"])], in: all)
      // A right change beside it is not made either.
      let changes = [Criteria.Change(.field(FieldPath("title")), .value("b")), Criteria.Change(target, .value("c"))]
      #expect(problems { _ = try store.update(in: all, Criteria(), set: changes) } == [problem])
      #expect(problems { try Criteria().check(.update(changes), in: all) } == [problem])
      #expect(try store.find(DynamicEntity.self, in: all, Criteria()).map { $0["title"] } == ["a"])
    }
  }

  @Test func `a search beyond a relationship, in an entity without a key, is a problem`() throws {
    var criteria = Criteria()
    criteria.filter = .some(FieldPath("notes"), .search(Criteria.Search(FullTextQuery("word"))))
    let expected = ["notes.: note has no key, by which a search finds its rows"]
    #expect(problems { try criteria.check(.entities, in: EntityTarget(Self.card)) } == expected)
    for store in try stores() { #expect(problems { _ = try store.count(in: EntityTarget(Self.card), criteria) } == expected) }
  }
}
