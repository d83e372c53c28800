import DAOMacros
import DAOMacrosTestEntities
import Foundation
import Testing

@Suite("Relationships by @Entity")
struct RelationshipMacroTests {
  let factory: DAOFactory
  let anna = UUID()
  let boris = UUID()
  let carla = UUID()

  init() throws {
    factory = try DAOFactory(store: .inMemory(), entities: Country.self, Person.self, Clubs.Club.self, Membership.self, Fee.self)
    try factory.runtimeDAO(Country.self).insert([Country(code: "SK", name: "Slovakia"), Country(code: "AT", name: "Austria")])
    try factory.runtimeDAO(Person.self).insert([
      Person(id: anna, name: "Anna", parent: nil, country: Reference("SK")),
      Person(id: boris, name: "Boris", parent: Reference(anna), country: Reference("AT")),
      Person(id: carla, name: "Carla", parent: Reference(anna), country: Reference("SK")),
    ])
    try factory.runtimeDAO(Clubs.Club.self).insert([Clubs.Club(number: 1, founder: Reference(anna)), Clubs.Club(number: 2, founder: nil)])
    try factory.runtimeDAO(Membership.self).insert([
      Membership(person: Reference(boris), club: Reference(1)), Membership(person: Reference(boris), club: Reference(2)),
      Membership(person: Reference(carla), club: Reference(2)),
    ])
    try factory.runtimeDAO(Fee.self).insert([
      Fee(id: nil, person: boris, club: 2, amount: 5), Fee(id: nil, person: boris, club: 2, amount: 7),
      Fee(id: nil, person: carla, club: 2, amount: 9), Fee(id: nil, person: carla, club: 1, amount: 11),
    ])
  }

  private var people: RuntimeDAO<Person> { factory.runtimeDAO(Person.self) }

  @Test func `the schema has the foreign keys and an index for each`() throws {
    let statements = try SchemaSQL.statements(for: [Person.entityDescription])
    #expect(statements[0].contains(#""parent" UUID_BLOB REFERENCES "person" ("id") ON DELETE SET NULL"#), "\(statements)")
    #expect(statements[0].contains(#""country_code" TEXT NOT NULL REFERENCES "countries" ("code")"#), "\(statements)")
    #expect(statements.dropFirst().map { $0.contains("parent") || $0.contains("country") } == [true, true], "\(statements)")
  }

  @Test func `self-relations, circles, pairs and other modules' entities are prefetched`() throws {
    let found = try people.findAll(
      SearchCriteria().order(by: \.name).prefetch(\.parent.country, \.children, \.country, \.clubs.founder, \.memberships.fees))
    #expect(try found.map { try $0.parent?.get().country.get().name } == [nil, "Slovakia", "Slovakia"])
    #expect(try found.map { Set(try $0.children.get().map(\.name)) } == [["Boris", "Carla"], [], []])
    #expect(try found.map { try $0.country.get().name } == ["Slovakia", "Austria", "Slovakia"])
    #expect(try found.map { Set(try $0.clubs.get().map { try $0.founder?.get().name ?? "" }) } == [[], ["Anna", ""], [""]])
    // A key of two attributes: each fee is of one membership, and one is of none.
    let fees = try found.map { try $0.memberships.get().map { Set(try $0.fees.get().map(\.amount)) } }
    #expect(fees[0] == [] && Set(fees[1]) == [[], [5, 7]] && fees[2] == [[9]])
  }

  @Test func `saved criteria know relationships by the names that they had before`() throws {
    let json = """
      {"version": 1, "entity": "person", "filter": {"all": [
        {"isNull": "land"}, {"isNull": "land.name"}, {"some": "kids"}, {"some": "societies"}, {"some": "unions.people.kids"}]}}
      """
    let read = try CriteriaDecoder(allowing: .everything).decode(SearchCriteria<Person>.self, from: Data(json.utf8))
    func some(_ path: String) -> Criteria.Condition { .some(FieldPath(path), .constant(true)) }
    #expect(
      read.criteria.filter
        == .all([
          .isNull(.field(FieldPath("country"))), .isNull(.field(FieldPath("country.name"))), some("children"), some("clubs"),
          some("clubs.people.children"),
        ]))
  }

  @Test func `an entity of another module has its own`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Country.self, Town.self)
    try factory.runtimeDAO(Country.self).insert(Country(code: "SK", name: "Slovakia"))
    let towns = factory.runtimeDAO(Town.self)
    try towns.insert([Town(id: 1, country: Reference("SK")), Town(id: 2, country: Reference("SK"), capital: Reference(1))])
    let found = try towns.find(1, prefetch: \.country, \.district.capital)
    #expect(try found.country.get().name == "Slovakia")
    #expect(try found.district.get().map { try $0.capital?.get() } == [found])
    #expect(try towns.findAllIDs(.where(\.country.name == "Slovakia" && .any(\.district))) == [1])
  }

  @Test func `a reference is stored as the key over there is, or the store refuses it`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Gadget.self, Part.self)
    let device = Gadget(id: UUID())
    try factory.runtimeDAO(Gadget.self).insert(device)
    try factory.runtimeDAO(Part.self).insert(Part(id: 1, device: Reference(to: device)))
    #expect(try factory.runtimeDAO(Part.self).find(1, prefetch: \.device).device.get().id == device.id)
    do { _ = try DAOFactory(store: .inMemory(), entities: Gadget.self, BadPart.self) } catch {
      #expect("\(error)".contains("stored in different forms: UUID_BLOB and UUID_TEXT"), "\(error)")
    }
    #expect(throws: DAOError.self) { try DAOFactory(store: .inMemory(), entities: Gadget.self, BadPart.self) }
  }

  @Test func `criteria go through them`() throws {
    func names(_ filter: Filter<Person>) throws -> [String] {
      try people.findAll(SearchCriteria.where(filter).order(by: \.name)).map(\.name)
    }
    #expect(try names(\.parent.name == "Anna" && \.country.name == "Austria") == ["Boris"])
    #expect(try names(\.parent == nil) == ["Anna"])
    #expect(try names(\.parent == Reference(anna) && \.country != Reference("AT")) == ["Carla"])
    #expect(try names(.any(\.clubs, \.founder.name == "Anna")) == ["Boris"])
    #expect(try names(.all(\.memberships, .any(\.fees, \.amount > 6))) == ["Anna", "Carla"])
    #expect(try names(.count(\.children) == 2) == ["Anna"])
  }

  @Test func `errors name entity and relationship`() throws {
    let boris = try people.find(boris)
    let texts = [{ _ = try boris.parent?.get() }, { _ = try boris.clubs.get() }].map { (body: () throws -> Void) in
      do { try body() } catch { return "\(error)" }
      return ""
    }
    #expect(
      texts == [
        #"person.parent was not fetched; use prefetch(\.parent) on the criteria"#,
        #"person.clubs was not fetched; use prefetch(\.clubs) on the criteria"#,
      ])
  }

  @Test func `the store that the entities made tells the same relationships of rows without a type`() throws {
    let person = try factory.runtimeDAO("person")
    let found = try person.findAll(
      SearchCriteria().order(by: .ascending(.field("name"))).prefetch("parent", "country_code", "membership.club"))
    #expect(try found.map { try $0.related("parent").map { $0["name"] } } == [[], ["Anna"], ["Anna"]])
    #expect(try found.map { try $0.related("country_code").map { $0["name"] } } == [["Slovakia"], ["Austria"], ["Slovakia"]])
    #expect(try found.map { try $0.related("membership").count } == [0, 2, 1])
  }
}
