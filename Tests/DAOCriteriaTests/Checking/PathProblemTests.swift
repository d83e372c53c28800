import CriteriaTesting
import DAOCriteria
import Testing

@Suite("Problems of relationships")
struct PathProblemTests {
  @Test func `a name that is none of a relationship, or over there none of an attribute`() {
    assertProblems(.field("cuntry.name") == "x", "cuntry: zone has no relationship 'cuntry'; did you mean 'country'?")
    assertProblems(.field("country.nam") == "x", "country.nam: country has no attribute 'nam'; did you mean 'name'?")
  }

  @Test func `an attribute of many rows`() {
    assertProblems(.field("transitions.offset") == 1, "transitions: leads to many rows; use any, all, none or an aggregate")
  }

  @Test func `all problems within a quantifier are reported`() {
    let filter = Filter<Clock.Country>.any(\.zones, .field("country.x") == 1 && .field("nam") == "x")
    let found = problems { try SearchCriteria.where(filter).criteria.check(.entities, in: EntityTarget(Clock.Country.entityDescription)) }
    #expect(found.count == 2)
  }

  @Test func `eight hops are enough, and nine too many`() {
    let city = Self.city
    func found(_ hops: Int) -> [String] {
      let path = [String](repeating: "twin", count: hops).joined(separator: ".") + ".name"
      return problems { try SearchCriteria<DynamicEntity>.where(.field(path) == "x").criteria.check(.entities, in: EntityTarget(city)) }
    }
    #expect(found(8) == [])
    #expect(found(9).first?.hasSuffix("goes through more than 8 relationships") == true)
  }

  @Test func `a quantifier needs the name of a relationship`() {
    let unnamed: [Filter<Clock.Zone>] = [
      .any(""), .none("", .field("name") == "x"), .all("", .field("name") == "x"), .any(".transitions"), !(.any("") && .nothing),
    ]
    for filter in unnamed { assertProblems(filter, "a quantifier needs the name of a relationship") }
  }

  private static let city: EntityDescription = EntityDescription(
    "city", key: .assigned(["id"]),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("twinID", .integer, optional: true)],
    relationships: [.toOne("twin", city, by: "twinID")])
}
