import CriteriaTesting
import DAOCriteria
import Foundation
import Testing

@Suite("Criteria as JSON")
struct JSONFormTests {
  private typealias Zone = Clock.Zone

  private func path(_ names: String...) -> FieldPath { names.reduce(.root) { $0.appending($1) } }

  @Test func `the text is the same for equal criteria, sorted, without what is the default`() throws {
    let criteria = SearchCriteria<Zone>.where(\.standardOffset > 3600).order(by: .ascending(\.name), .descending(\.id, nulls: .first))
      .limit(20)
    let text = try criteria.json()
    #expect(
      text
        == #"{"entity":"zone","filter":{"compare":"standardOffset","is":">","to":{"value":3600}},"limit":20,"order":[{"by":"name"},"#
        + #"{"by":"id","direction":"descending","nulls":"first"}],"version":1}"#)
    #expect(try decoded(text) == criteria)
    #expect(try decoded(text).json() == text)
    #expect(try SearchCriteria<Zone>.all.json() == #"{"entity":"zone","version":1}"#)
    #expect(try decoded(#" { "version" : 1 , "entity" : "zone" } "#) == .all)
  }

  @Test func `names with dots of their own, and an attribute called *`() throws {
    let far = EntityDescription(
      "far", key: .assigned(["*"]), attributes: [Attribute("*", .integer), Attribute("a.b", .integer), Attribute("key", .integer)])
    let near = EntityDescription(
      "near", key: .assigned(["a.b"]), attributes: [Attribute("a.b", .integer), Attribute("é\"\n", .integer)],
      relationships: [.toMany("far.off", far, by: "key")])
    var criteria = Criteria()
    criteria.filter = .all([
      .isNull(.field(FieldPath("a.b"))), .isNull(.field(path("a.b"))), .isNull(.field(path("é\"\n"))),
      .some(path("far.off"), .isNull(.field(path("a.b")))),
      .compare(
        .related(.count, path("far.off"), .field(path("*")), .constant(true)), .less,
        .related(.count, path("far.off"), nil, .constant(true))),
    ])
    let text = try criteria.json(of: near)
    let read = try CriteriaDecoder(allowing: .everything).decode(Data(text.utf8), of: [far, near])
    #expect(read.criteria == criteria && read.entity == near, "\(text)")
    #expect(text.contains(#"{"count":{"field":"*"},"over":["far.off"]}"#) && text.contains(#"{"count":"*","over":["far.off"]}"#))
  }

  @Test func `a dynamic query is written and read with its description`() throws {
    let criteria = SearchCriteria<DynamicEntity>.where(.field("standardOffset") > 3600).criteria
    let text = try criteria.json(of: Zone.entityDescription)
    #expect(try CriteriaDecoder(allowing: .everything).decode(Data(text.utf8), of: [Zone.entityDescription]).criteria == criteria)
    let use = "json(of:) and CriteriaDecoder.decode(_:of:) with its description"
    #expect(misuse { _ = try SearchCriteria<DynamicEntity>.all.json() } == use)
    #expect(
      misuse { _ = try CriteriaDecoder(allowing: .everything).decode(SearchCriteria<DynamicEntity>.self, from: Data(text.utf8)) } == use)
    #expect(misuse { _ = try JSONEncoder().encode(SearchCriteria<DynamicEntity>.all) } == use)
    #expect(misuse { _ = try JSONDecoder().decode(SearchCriteria<DynamicEntity>.self, from: Data(text.utf8)) } == use)
  }

  @Test func `what has no meaning for others is not written`() throws {
    let filter = Filter<Zone>.less(.field("latitude"), .real(.nan)) && .equal(\.name, "x")
    #expect(problems { _ = try SearchCriteria.where(filter).json() } == ["can't hold NaN"])
    let date = Filter<Zone>.equal(.field("name"), .date(.distantFuture))
    #expect(problems { _ = try SearchCriteria.where(date).json() } == [])
    let late = Filter<Zone>.equal(.field("name"), .date(Date(timeIntervalSince1970: 1e12)))
    #expect(problems { _ = try SearchCriteria.where(late).json() } == ["can't hold a date outside the years 0001 to 9999"])
    var deep: Filter<Zone> = \.standardOffset == 1
    for level in 0..<40 { deep = level % 2 == 0 ? deep && \.standardOffset == 2 : deep || \.standardOffset == 3 }
    #expect(problems { _ = try SearchCriteria.where(deep).json() }.count == 1)
    #expect(
      problems { _ = try SearchCriteria<Zone>.where(Filter(.isNull(.function(.lower, [])))).json() } == [
        "lower:: lower takes one term, not 0"
      ])
  }

  @Test func `as a part of something else that is Codable, in any format`() throws {
    struct Saved: Codable, Equatable {
      var title: String
      var criteria: SearchCriteria<Clock.Zone>
    }
    let filter: Filter<Zone> =
      .any(\.transitions, \.offset > 0) && .in(\.latitude, [0, 0.1, -2.5, 1e300, .infinity]) && .less(.field("latitude"), 48)
      && .max(\.transitions, \.instant) < Date(timeIntervalSince1970: 0.125) && .in(\.standardOffset, [.min, .max, 9_007_199_254_740_993])
      && !.nothing
    let saved = Saved(title: "mine", criteria: .where(filter || .like(\.name, "a\0b")).order(by: .descending(\.name)).limit(3, offset: 1))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(saved)
    #expect(try JSONDecoder().decode(Saved.self, from: json) == saved)
    #expect(String(decoding: json, as: UTF8.self).contains(#""criteria":{"entity":"zone","filter":{"any":[{"all":[{"some":"transitions""#))
    let list = try PropertyListEncoder().encode(saved)
    #expect(try PropertyListDecoder().decode(Saved.self, from: list) == saved)
    // What Codable wrote, a decoder for anyone reads.
    let alone = try JSONEncoder().encode(saved.criteria)
    #expect(try CriteriaDecoder(allowing: .everything).decode(SearchCriteria<Zone>.self, from: alone) == saved.criteria)
    #expect(
      problems { _ = try JSONDecoder().decode(SearchCriteria<Zone>.self, from: Data(#"{"version":1,"entity":"zonne"}"#.utf8)) }.count == 1)
  }

  @Test func `prefetches, with the orders of their rows`() throws {
    let names = SearchCriteria<Zone>.all.prefetch("country", "transitions.zone.country")
    #expect(try names.json() == #"{"entity":"zone","prefetch":["country","transitions.zone.country"],"version":1}"#)
    let ordered = SearchCriteria<Zone>.all.prefetch(\.transitions, order: .descending(\.instant), .ascending(\.offset)).limit(2)
    #expect(
      try ordered.json()
        == #"{"entity":"zone","limit":2,"prefetch":[{"order":[{"by":"instant","direction":"descending"},{"by":"offset"}],"#
        + #""relationship":"transitions"}],"version":1}"#)
    for criteria in [names, ordered] {
      #expect(try decoded(criteria.json()) == criteria)
      #expect(try JSONDecoder().decode(SearchCriteria<Zone>.self, from: JSONEncoder().encode(criteria)) == criteria)
    }
    let renamed = #"{"version":1,"entity":"zone","prefetch":[{"relationship":["country","zones"],"order":[]}]}"#
    #expect(try decoded(renamed) == SearchCriteria<Zone>.all.prefetch("country.zones"))
  }

  @Test func `what the form has no word for is refused, and not left out`() throws {
    var placed = Criteria()
    placed.after = [.integer(1)]
    #expect(throws: DAOError.self) { try placed.json(of: Clock.Zone.entityDescription) }
  }
}
