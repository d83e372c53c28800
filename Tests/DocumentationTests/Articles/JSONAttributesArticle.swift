import DAOMacros
import Testing

/// The code of Documentation/json-attributes.md.
@Suite struct JSONAttributesArticle: ArticleTest {
  let article = Article("Documentation/json-attributes.md")

  struct Capital: Codable, Sendable {
    var name: String
    var people: Int
  }

  struct Details: JSONAttributeValue {
    var capital: Capital
    var area: Double
    var languages: [String]
  }

  enum Status: String, AttributeValue { case member, candidate }

  @Entity
  struct Country {
    @ID var code: String
    var details: Details
    var status: Status
    var tags: [String] = []
  }

  @Test func `the code of json-attributes.md runs and sends its SQL`() throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self) { statements.record($0) }
    let countries = factory.runtimeDAO(Country.self)
    try inserting(countries)
    try asking(countries)
    try article.expectSQLAndOutput()
  }

  private func inserting(_ countries: RuntimeDAO<Country>) throws {
    let details = Details(capital: Capital(name: "Bratislava", people: 475_000), area: 49_035, languages: ["sk"])
    try countries.insert(Country(code: "SK", details: details, status: .member))
    let text = try countries.query("SELECT details FROM country WHERE code = 'SK'") { row in try row.next(String.self) }
    print(text[0])
  }

  private func asking(_ countries: RuntimeDAO<Country>) throws {
    let found = try countries.findAllIDs(
      .where {
        $0.details.jsonValue("capital", "name", as: String.self) == "Bratislava"
          && $0.details.jsonValue("languages", 0, as: String.self) == "sk"
      }
      .order(by: .descending(.json(\.details, "area", as: Double.self))))

    #expect(found == ["SK"])

    let members = try countries.count(.where { $0.status == .member })
    let people = try countries.project(
      .group(by: \.status), .group(by: .json(\.details, "capital", "people", as: Int.self)), .count)
    let nowhere = try countries.count(.where { $0.details.jsonValue("capital", "mayor", as: String.self) == nil })

    #expect(members == 1 && people.count == 1 && people[0].1 == 475_000 && nowhere == 1)
  }
}
