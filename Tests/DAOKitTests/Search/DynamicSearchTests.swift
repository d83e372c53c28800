import CriteriaTesting
import DAOKit
import Testing

@Suite("Searching dynamic entities")
struct DynamicSearchTests {
  @Test func `a search table is found in the store's schema, and used by name`() throws {
    let store = try TestStore.notes()
    let notes = try store.factory.runtimeDAO("note")
    #expect(notes.entity.searchableAttributes.map(\.column) == ["the \"body\"", "title"])
    #expect(try notes.findAllIDs(.where(.match("summer time"))).count == 2)
    #expect(try notes.findAll(.where(.match("title", "skoda"))).map { $0["id"] } == [3])
    let search = FullTextMatch<DynamicEntity>(.any("europe", prefix: true))
    #expect(try notes.findAll(SearchCriteria.where(.match(search)).order(by: .relevance(of: search))).map { $0["id"] } == [5, 1])
    _ = try notes.insert(notes.make(["title": "a kayak", "tag": ""]))
    #expect(try store.found(.match("kayak")) == [6])
    #expect(problems { _ = try notes.findAll(.where(.match("tag", "x"))) }.count == 1)
  }

  @Test func `the search table and what is behind it are no entities`() throws {
    let store = try TestStore.notes()
    for name in ["note_search", "note_search_data", "note_search_docsize", "note_search_config", "note_search_idx"] {
      #expect(throws: DAOError.self) { try store.factory.runtimeDAO(name) }
    }
  }
}
