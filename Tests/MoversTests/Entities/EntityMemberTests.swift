import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Attributes, relationships and classes that the tables declare: each is stored, read or called.
@Suite(.ownStore { try World.makeFactory() }) struct EntityMemberTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `mapped attributes and relationships are read by their paths`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: MappedPerson.self, Person.self, Company.self)
    try factory.runtimeDAO(Company.self).insert(Company.samples)
    let mapped = factory.runtimeDAO(MappedPerson.self)
    try mapped.import(
      json(
        """
        [{"email": "a@example.org", "full_name": "Ann Lee", "born": "1.2.1990", "employer": 1},
         {"email": "b@example.org", "name": {"full": "Bob Novák"}, "born": 633830400000, "work": {"company": 2}}]
        """))
    let rows = try mapped.findAll(.all.order(by: \.id))
    #expect(rows.map(\.name) == ["Ann Lee", "Bob Novák"])
    #expect(rows.map(\.company) == [1, 2])
    #expect(rows.map(\.born) == [Date(timeIntervalSince1970: 633_830_400), Date(timeIntervalSince1970: 633_830_400)])
  }

  @Test func `a converted value is stored and read`() throws {
    let badges = try DAOFactory(store: .inMemory(), entities: Badge.self).runtimeDAO(Badge.self)
    let badge = try badges.insert(Badge(icon: Icon(stored: Data([1, 2, 3]))))
    #expect(try badges.refresh(badge).icon.png == Data([1, 2, 3]))
  }

  @Test func `refine and scope govern what a DAO finds`() throws {
    #expect(keys(try factory.dao(CzechDAO.init).findAll()) == [1, 3, 5])
    #expect(keys(try factory.dao(LivingDAO.init).findAll()) == [1, 4])
    #expect(try factory.dao(LivingDAO.init).update(.where { $0.age > 0 }, set: .set(\.city, to: "Brno")) == 2)
  }
}
