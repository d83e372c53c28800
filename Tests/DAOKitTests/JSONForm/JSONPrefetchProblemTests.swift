import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Problems of prefetches in JSON")
struct JSONPrefetchProblemTests {
  @Test func `what only a store can find wrong with a prefetch has its place, on both stores`() throws {
    let decoder = CriteriaDecoder(allowing: .everything)
    for factory in [try TestStore(Clock.entities).factory, DAOFactory(over: try EvaluatorStore(Clock.entities))] {
      let zones = factory.runtimeDAO(Clock.Zone.entityDescription)
      let transitions = factory.runtimeDAO(Clock.Transition.entityDescription)
      try factory.runtimeDAO(Clock.Country.self).insert(Clock.Country("SK", "Slovakia"))
      try zones.insert(zones.make(["id": 1, "name": "Europe/Bratislava", "standardOffset": 3600, "countryCode": "SK"]))
      try transitions.insert(transitions.make(["zoneID": 1, "instant": .date(Date(timeIntervalSince1970: 0)), "offset": 3600]))
      func refused(_ prefetches: String, _ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        let json = #"{"version":1,"entity":"zone","prefetch":[\#(prefetches)]}"#
        let criteria = SearchCriteria<DynamicEntity>(try decoder.decode(Data(json.utf8), of: Clock.entities).criteria)
        #expect(problems { _ = try zones.findAll(criteria) } == expected, sourceLocation: sourceLocation)
        #expect(problems { _ = try zones.page(criteria, size: 2) } == expected, sourceLocation: sourceLocation)
        #expect(problems { try zones.withCursor(criteria) { while try $0.next() != nil {} } } == expected, sourceLocation: sourceLocation)
      }
      func ordered(_ relationship: String, _ terms: String...) -> String {
        #"{"relationship":"\#(relationship)","order":[\#(terms.map { #"{"by":\#($0)}"# }.joined(separator: ","))]}"#
      }
      let aggregate = "rows can't be ordered by an aggregate"
      try refused(ordered("transitions", #""offset""#, #"{"count":"*"}"#), "$.prefetch[0].order[1].by: \(aggregate)")
      try refused(
        #""country","# + ordered("transitions", #"{"lower":"offset"}"#), "$.prefetch[1].order[0].by: offset: lower is for text")
      // Those of one relationship are one query, whose orders have the places that they have in the JSON.
      let several = [ordered("transitions", #""offset""#), ordered("country", #""name""#), ordered("transitions", #"{"sum":"offset"}"#)]
      try refused(
        several.joined(separator: ","), "$.prefetch[2].order[0].by: \(aggregate)")
      try refused(ordered("country.zones", #""name""#, #"{"max":"name"}"#), "$.prefetch[0].order[1].by: \(aggregate)")
      let many = Array(repeating: #""offset""#, count: 2_001).joined(separator: #"},{"by":"#)
      try refused(ordered("transitions", many), "$.prefetch[0].order: order: has 2001 terms; a statement takes 2000")
    }
  }

  @Test func `a path that the entity at hand can't prefetch has its place, and so has a prefetch of a report`() throws {
    let factory = try TestStore(Clock.entities).factory
    let bare = EntityDescription("zone", key: .generated("id"), attributes: Clock.Zone.entityDescription.attributes)
    let json = #"{"version":1,"entity":"zone","prefetch":["country","transitions"]}"#
    let decoder = CriteriaDecoder(allowing: .everything)
    let criteria = try decoder.decode(Data(json.utf8), of: Clock.entities).criteria
    let found = problems { _ = try factory.runtimeDAO(bare).findAll(SearchCriteria(criteria)) }
    #expect(
      found == [
        "$.prefetch[0]: country: zone has no relationship 'country'", "$.prefetch[1]: transitions: zone has no relationship 'transitions'",
      ])
    let report = #"{"version":1,"entity":"zone","project":[{"term":"name"}],"prefetch":["country"]}"#
    #expect(
      problems { _ = try factory.runtimeDAO(Clock.Zone.self).dictionaries(decoded(report)) }
        == ["$.prefetch[0]: country: can't be prefetched: a report has no entities to give its rows to"])
  }
}
