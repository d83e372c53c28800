import CriteriaTesting
import DAOCriteria
import Foundation
import Testing

@Suite("Saved criteria after names changed")
struct SavedCriteriaTests {
  private static let country = EntityDescription(
    "country", key: .assigned(["code"]), attributes: [Attribute("code", .text, renamedFrom: ["iso", "id"]), Attribute("name", .text)],
    relationships: [.toMany("zones", zone, by: "countryCode", renamedFrom: ["places"])], renamedFrom: ["land"])

  private static let zone: EntityDescription = EntityDescription(
    "zone", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, renamedFrom: ["title"]), Attribute("title", .text, optional: true),
      Attribute("standardOffset", .integer, renamedFrom: ["offset", "off.set"]), Attribute("countryCode", .text, optional: true),
    ],
    relationships: [.toOne("country", country, by: "countryCode", renamedFrom: ["land"])], renamedFrom: ["place"])

  private func read(_ json: String, allowing list: CriteriaDecoder.AllowList = .everything) throws -> (
    entity: EntityDescription, criteria: Criteria
  ) {
    try CriteriaDecoder(allowing: list).decode(Data(json.utf8), of: [Self.zone, Self.country])
  }

  @Test func `old names are read as the new ones, which are written`() throws {
    let read = try read(
      #"""
      {"version":1,"entity":"place","filter":{"all":[{"isNull":"offset"},{"isNull":"land.iso"},\#
      {"some":"land.places","where":{"isNull":"off.set"}},
      """#
        + #"{"compare":{"max":"offset","over":"land.places"},"is":">","to":{"value":3}}]},"order":[{"by":"land.id"}]}"#)
    #expect(read.entity == Self.zone)
    #expect(
      try read.criteria.json(of: Self.zone)
        == #"{"entity":"zone","filter":{"all":[{"isNull":"standardOffset"},{"isNull":"country.code"},"#
        + #"{"some":"country.zones","where":{"isNull":"standardOffset"}},"#
          + #"""
          {"compare":{"max":"standardOffset","over":"country.zones"},"is":">","to":{"value":3}}]},\#
          "order":[{"by":"country.code"}],"version":1}
          """#
    )
  }

  @Test func `a name in use wins`() throws {
    let title = try read(#"{"version":1,"entity":"zone","filter":{"isNull":"title"}}"#).criteria
    #expect(title.filter == .isNull(.field(FieldPath("title"))))
    #expect(try read(#"{"version":1,"entity":"country"}"#).entity == Self.country)
  }

  @Test func `the list of what is allowed has new names`() throws {
    let list = CriteriaDecoder.AllowList(["zone": ["standardOffset"]])
    #expect(
      try read(#"{"version":1,"entity":"zone","filter":{"isNull":"offset"}}"#, allowing: list).criteria.filter
        == .isNull(.field(FieldPath("standardOffset"))))
    #expect(problems { _ = try read(#"{"version":1,"entity":"zone","filter":{"isNull":"title"}}"#, allowing: list) }.count == 1)
  }

  @Test func `an old name that two have is a flaw of the description`() {
    let entity = EntityDescription(
      "zone", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("a", .text, renamedFrom: ["x"]), Attribute("b", .text, renamedFrom: ["x", "b"])])
    #expect(entity.problems == ["zone has two attributes that were named 'x', or one that was so twice", "zone.b was named as it is now"])
  }
}
