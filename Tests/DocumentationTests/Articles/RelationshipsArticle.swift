import DAOMacros
import Testing

/// The code of Documentation/relationships.md.
@Suite struct RelationshipsArticle: ArticleTest {
  let article = Article("Documentation/relationships.md")

  @Entity
  struct Country {
    @ID var code: String
    var name: String
    @ToMany(\Zone.country) var zones: Many<Zone> = Many()
  }

  @Entity
  struct Zone: Hashable, Identifiable, Codable {
    @ID var id: Int64?
    var name: String
    var standardOffset: Int
    @ToOne(onDelete: .nullify) var country: Reference<Country>?
    @ManyToMany(by: \Visit.zone, to: \Visit.person) var visitors: Many<Person> = Many()
  }

  @Entity
  struct Person {
    @ID var id: Int64?
    var name: String
  }

  @Entity
  struct Visit {
    @ID @ToOne(onDelete: .cascade) var zone: Reference<Zone>
    @ID @ToOne(onDelete: .cascade) var person: Reference<Person>
  }

  @Test func `the code of relationships.md runs and sends its SQL`() throws {
    let statements = statements
    let entities = [Zone.entityDescription, Visit.entityDescription, Country.entityDescription, Person.entityDescription]
    for statement in try SchemaSQL.statements(for: entities) { article.take(statement) }
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, Zone.self, Person.self, Visit.self) { statements.record($0) }
    try references(factory)
    let zones = factory.runtimeDAO(Zone.self)
    let countries = factory.runtimeDAO(Country.self)
    try filters(zones, countries)
    try prefetching(zones, countries)
    try dynamic(factory)
    try article.expectSQLAndOutput()
  }

  private func references(_ factory: DAOFactory) throws {
    try factory.runtimeDAO(Country.self).insert(
      [("SK", "Slovakia"), ("CZ", "Czechia"), ("US", "United States")].map { Country(code: $0.0, name: $0.1) })
    let zones = factory.runtimeDAO(Zone.self)
    let slovakia = try factory.runtimeDAO(Country.self).find("SK")

    var zone = Zone(name: "Europe/Bratislava", standardOffset: 3600, country: "SK")
    zone.country = Reference("CZ")
    zone.country = try Reference(to: slovakia)
    zone = try zones.insert(zone)

    #expect(zone.country?.key == "SK")
    try zones.insert([
      Zone(name: "Europe/Prague", standardOffset: 3600, country: "CZ"),
      Zone(name: "America/New_York", standardOffset: -18_000, country: "US"),
      Zone(name: "America/Chicago", standardOffset: -21_600, country: "US"), Zone(name: "Etc/UTC", standardOffset: 0),
    ])
    let person = try factory.runtimeDAO(Person.self).insert(Person(name: "Anna"))
    let pairs = factory.runtimeDAO(Visit.self)
    try pairs.insert([Visit(zone: Reference(1), person: try Reference(to: person)), Visit(zone: Reference(3), person: Reference(1))])
  }

  private func filters(_ zones: RuntimeDAO<Zone>, _ countries: RuntimeDAO<Country>) throws {
    let code = "SK"
    let byKey = try zones.count(.where { $0.country == "SK" })
    let byVariable = try zones.count(.where { $0.country == Reference(code) })
    let byName = try zones.count(.where { $0.country.name == "Slovakia" })
    let ordered = try zones.findAllIDs(.all.order(by: \.country.name, \.name))

    #expect([byKey, byVariable, byName] == [1, 1, 1] && ordered == [5, 2, 1, 4, 3])

    let withPrague = try countries.count(.where { $0.zones.any { $0.name == "Europe/Prague" } })
    let western = try countries.count(.where { $0.zones.all { $0.standardOffset < 0 } })
    let empty = try countries.count(.where { $0.zones.none() })

    #expect([withPrague, western, empty] == [1, 1, 0])

    let large = try countries.count(.where { $0.zones.count() > 1 && $0.zones.max { $0.standardOffset } < 0 })
    let visited = try zones.count(.where { $0.visitors.any { $0.name == "Anna" } })

    #expect([large, visited] == [1, 2])

    let sameByKeyPaths = try countries.count(.where(.any(\.zones, \.name == "Europe/Prague")))
    let longestNames = try countries.project(
      .field(\.name), .max(\.zones, .length(\.name)), matching: .all.order(by: .descending(.count(\.zones))))

    #expect(sameByKeyPaths == 1 && longestNames.count == 3)
  }

  private func prefetching(_ zones: RuntimeDAO<Zone>, _ countries: RuntimeDAO<Country>) throws {
    let found = try zones.findAll(.where { $0.standardOffset > 0 }.prefetch(\.country, \.visitors))
    let name = try found[0].country?.get().name
    let visitors = try found[0].visitors.get()

    #expect(name == "Slovakia" && visitors.map(\.name) == ["Anna"])

    let ordered = try countries.findAll(.all.prefetch(\.zones, order: .descending(\.standardOffset)))
    let nested = try zones.findAll(.all.prefetch(\.country.zones))
    let one = try zones.find(1, prefetch: \.country)

    #expect(try ordered[1].zones.get().count == 1 && nested[0].country?.get().zones.get().count == 1)
    #expect(try one.country?.get().code == "SK")

    let bare = try zones.find(1)
    do {
      _ = try bare.country?.get()
    } catch {
      print(error)
    }
  }

  private func dynamic(_ factory: DAOFactory) throws {
    let zones = try factory.runtimeDAO("zone")
    let bratislava = try zones.findAll(.where { $0.name == "Europe/Bratislava" }.prefetch("country"))[0]
    let country = try bratislava.related("country")[0]

    #expect(country.name == "Slovakia")
  }
}
