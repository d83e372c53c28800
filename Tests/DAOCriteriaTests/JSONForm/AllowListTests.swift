import CriteriaTesting
import DAOCriteria
import Foundation
import Testing

/// The entities that untrusted criteria reach over relationships.
@Suite("Relationships in untrusted criteria")
struct AllowListTests {
  /// All of the form, where zones lead only to visible ones.
  private var confined: CriteriaDecoder.AllowList {
    var list = CriteriaDecoder.AllowList.everything
    let isSeen: Filter<Clock.Zone> = \.comment != nil
    list.visible["zone"] = isSeen.condition
    return list
  }

  @Test func `none is allowed that is not named, by a decoder that is told nothing`() throws {
    let problem = "zone has no relationship 'country'"
    for (filter, place) in [
      (#"{"some":"country"}"#, "some"), (#"{"isNull":"country.name"}"#, "isNull"),
      (#"{"isNull":{"max":"name","over":"country"}}"#, "isNull.over"),
    ] {
      for decoder in [
        CriteriaDecoder(), CriteriaDecoder(allowing: .attributes), CriteriaDecoder(allowing: CriteriaDecoder.AllowList(functions: [])),
      ] {
        let found = problems { _ = try decoder.decode(SearchCriteria<Clock.Zone>.self, from: Data(json(filter: filter).utf8)) }
        #expect(found == ["$.filter.\(place): \(problem)"])
      }
      _ = try decoded(json(filter: filter), allowing: .everything)
      _ = try decoded(json(filter: filter), allowing: CriteriaDecoder.AllowList(["zone": ["country"], "country": ["name"]]))
    }
    let filter = json(filter: #"{"isNull":"comment"}"#)
    #expect(try CriteriaDecoder().decode(SearchCriteria<Clock.Zone>.self, from: Data(filter.utf8)) == .where(.isNull(\.comment)))
    // An entity of which nothing is allowed is not there.
    #expect(
      problems {
        _ = try decoded(json(filter: #"{"some":"country"}"#), allowing: CriteriaDecoder.AllowList(["zone": ["country"], "country": []]))
      }
        == ["$.filter.some: \(problem)"])
  }

  @Test func `the condition is and-ed into each quantifier that leads to the entity, at the end of its way and on it`() throws {
    let isSeen: Filter<Clock.Zone> = \.comment != nil
    let name: Filter<Clock.Zone> = \.name == "hidden"
    func some(_ path: String, _ inner: Criteria.Condition) -> Criteria.Condition { .some(FieldPath(path), inner) }
    let expected: [(String, Criteria.Condition)] = [
      (
        #"{"some":"country.zones","where":{"compare":"name","is":"==","to":{"value":"hidden"}}}"#,
        some("country.zones", (isSeen && name).condition)
      ),
      (#"{"some":"country.zones"}"#, some("country.zones", isSeen.condition)),
      (#"{"not":{"some":"country.zones"}}"#, .not(some("country.zones", isSeen.condition))),
      (
        #"{"some":"country.zones.country.zones"}"#,
        some("country.zones", .all([isSeen.condition, some("country.zones", isSeen.condition)]))
      ),
      (
        #"{"some":"country.zones.transitions"}"#,
        some("country.zones", .all([isSeen.condition, some("transitions", .constant(true))]))
      ),
      (#"{"some":"country","where":{"some":"zones"}}"#, some("country", some("zones", isSeen.condition))),
      (#"{"some":"country","where":{"isNull":"name"}}"#, some("country", .isNull(.field(FieldPath("name"))))),
      (
        #"{"some":"country","where":{"isNull":{"max":"name","over":"zones"}}}"#,
        some("country", .isNull(.related(.max, FieldPath("zones"), .field(FieldPath("name")), isSeen.condition)))
      ),
      (
        #"{"some":"country","where":{"isNull":{"count":"*","over":"zones","where":{"compare":"name","is":"==","to":{"value":"hidden"}}}}}"#,
        some("country", .isNull(.related(.count, FieldPath("zones"), nil, (isSeen && name).condition)))
      ),
      // The entity itself has the DAO's scope.
      (#"{"isNull":{"max":"name"}}"#, .isNull(.aggregate(.max, .field(FieldPath("name"))))),
    ]
    for (text, condition) in expected {
      #expect(try decoded(json(filter: text), allowing: confined).criteria.filter == condition, "\(text)")
    }
  }

  @Test func `what it can't be and-ed into is refused`() throws {
    let problem = "speaks of all rows of zone, which are not all to be seen; use 'some', or an aggregate over one relationship"
    let country = #"{"version":1,"entity":"country","filter":\#("FILTER")}"#
    func found(_ text: String, _ list: CriteriaDecoder.AllowList) -> [String] {
      problems { _ = try CriteriaDecoder(allowing: list).decode(Data(text.utf8), of: Clock.entities) }
    }
    for (filter, place) in [
      (#"{"isNull":{"count":"*","over":"zones.transitions"}}"#, "isNull.over"),
      (#"{"some":"zones","where":{"isNull":{"max":"name"}}}"#, "some.where.isNull"),
      (#"{"some":"zones","where":{"isNull":{"count":"*"}}}"#, "some.where.isNull"),
    ] {
      let text = country.replacingOccurrences(of: "FILTER", with: filter)
      #expect(found(text, confined) == ["$.filter.\(place.replacingOccurrences(of: "some.where", with: "where")): \(problem)"], "\(filter)")
      #expect(found(text, .everything).isEmpty)
    }
    let order = #"{"version":1,"entity":"transition","order":[{"by":"zone.name"}],"project":[{"term":"zone.comment"}]}"#
    #expect(Set(found(order, confined)) == ["$.order[0].by: \(problem)", "$.project[0].term: \(problem)"])
    #expect(found(order, .everything).isEmpty)
    for prefetch in [#""zones""#, #""zones.transitions""#, #"{"relationship":"zones","order":[]}"#] {
      let text = #"{"version":1,"entity":"country","prefetch":[\#(prefetch)]}"#
      #expect(found(text, confined) == ["$.prefetch[0]\(prefetch.hasPrefix("{") ? ".relationship" : ""): \(problem)"])
      #expect(found(text, .everything).isEmpty)
    }
  }
}
