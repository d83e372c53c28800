import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Criteria in JSON that a store runs")
struct JSONStoreTests {
  @Test func `what only a store can tell is told by the store`() throws {
    let store = try TestStore(Clock.entities)
    let criteria = try decoded(json(filter: #"{"compare":"standardOffset","is":"<","to":{"value":null}}"#))
    #expect(
      problems { _ = try store.factory.runtimeDAO(Clock.Zone.self).findAll(criteria) }
        == ["$.filter: standardOffset: can't be ordered against nil; use isNull or isNotNull"])
  }

  @Test func `what does not go with a page has its place`() throws {
    let notes = try TestStore.notes().factory.runtimeDAO(Note.self)
    func refused(_ parts: String, _ expected: String, after token: PageToken? = nil) throws {
      let json = #"{"version":1,"entity":"note",\#(parts)}"#
      let criteria = try CriteriaDecoder().decode(SearchCriteria<Note>.self, from: Data(json.utf8))
      #expect(problems { _ = try notes.page(criteria, size: 2, after: token) } == [expected])
    }
    let whole = "the criteria have a limit, an offset or a place, which are the page's here"
    try refused(#""limit":3"#, "$.limit: \(whole)")
    try refused(#""offset":3"#, "$.offset: \(whole)")
    let orders = (0..<101).map { #"{"by":{"coalesce":["id",{"value":\#($0)}]}}"# }.joined(separator: ",")
    try refused(#""order":[\#(orders)]"#, "$.order: a page has at most 100 orders, not 102")
    let order = #""order":[{"by":"title"},{"by":{"relevance":"*","text":"summer"}}]"#
    let first = try CriteriaDecoder().decode(
      SearchCriteria<Note>.self, from: Data(#"{"version":1,"entity":"note",\#(order)}"#.utf8))
    let token = try #require(try notes.page(first, size: 2).next)
    let moves = "a page can't go on from a place in the order of relevance, in which each row moves the others; use pages by number"
    try refused(order, "$.order[1].by: \(moves)", after: token)
  }

  @Test func `conditions and terms as deep as they go are run, on the stack of a thread, and no deeper`() throws {
    let (fits, more) = (nested(2), nested(3))
    let store = try TestStore(Clock.entities)
    #expect(try onSmallStack { try store.factory.runtimeDAO(Clock.Zone.self).count(decoded(fits)) } == 0)
    let found = try onSmallStack { problems { _ = try store.factory.runtimeDAO(Clock.Zone.self).count(decoded(more)) } }
    #expect(found.count == 1 && found[0].hasPrefix("$.filter") && found[0].contains("too much of both"), "\(found)")
  }
}
