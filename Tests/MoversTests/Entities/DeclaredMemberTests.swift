import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// Attributes, relationships and classes that the tables for Core Data, GRDB and Realm declare: each is stored, read or called.
@Suite(.ownStore { try World.makeFactory() }) struct DeclaredMemberTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `a member has defaults, JSON values and a transient attribute`() throws {
    var ann = try #require(try members.findFirst())
    #expect(ann.age == 0 && ann.tags.isEmpty && ann.address.town == "Brno" && ann.scores == ["chess": 1_500])
    ann.isSelected = true
    ann.tags = ["swift"]
    try members.update(ann)
    let read = try members.refresh(ann)
    #expect(read.tags == ["swift"] && !read.isSelected)
  }

  @Test func `members and clubs are related by pairs, passports by their reference`() throws {
    let factory = try DAOFactory(
      store: .inMemory(), entities: Member.self, Club.self, Membership.self, Passport.self)
    let members = factory.runtimeDAO(Member.self)
    let member = try members.insert(Member(name: "Ann", address: Address(street: "Dlhá 1", town: "Brno")))
    let club = try factory.runtimeDAO(Club.self).insert(Club(name: "Chess"))
    let (memberID, clubID) = (try #require(member.id), try #require(club.id))
    try factory.runtimeDAO(Membership.self).insert(Membership(member: Reference(memberID), club: Reference(clubID)))
    try factory.runtimeDAO(Passport.self).insert(Passport(number: "X1", member: Reference(memberID)))
    #expect(try members.find(memberID, prefetch: \.clubs).clubs.get().map(\.name) == ["Chess"])
    #expect(try factory.runtimeDAO(Club.self).find(clubID, prefetch: \.members).members.get().map(\.name) == ["Ann"])
    #expect(try members.find(memberID, prefetch: \.passports).passports.get().map(\.number) == ["X1"])
    try members.delete(memberID)
    #expect(try factory.runtimeDAO(Passport.self).count() == 0)
  }

  @Test func `a contact has keys, columns and types of each kind`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Contact.self, Company.self)
    try factory.runtimeDAO(Company.self).insert(Company.samples)
    let contacts = factory.runtimeDAO(Contact.self)
    let born = Date(timeIntervalSince1970: 86_400.5)
    let contact = try contacts.insert(
      Contact(
        id: UUID(), lastName: "Lee", born: born, realmID: "5f1", status: .guest, anything: .text("x"), salary: 0.25, company: 1))
    let read = try contacts.find(contact.id)
    #expect(read.born == born && read.status == .guest && read.salary == 0.25 && read.company == 1)
    #expect(read.anything == .text("x"))
    #expect(try contacts.query("SELECT last_name FROM contact", as: String.self) == ["Lee"])
    #expect(try contacts.query("SELECT typeof(born) FROM contact", as: String.self) == ["integer"])
  }

  @Test func `UUIDs are stored as text or as bytes`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: TextToken.self, BlobToken.self)
    let token = UUID()
    let texts = factory.runtimeDAO(TextToken.self)
    let blobs = factory.runtimeDAO(BlobToken.self)
    try texts.insert(TextToken(token: token))
    try blobs.insert(BlobToken(token: token))
    #expect(try texts.query("SELECT typeof(token) FROM textToken", as: String.self) == ["text"])
    #expect(try blobs.query("SELECT typeof(token) FROM blobToken", as: String.self) == ["blob"])
    #expect(try texts.findFirst()?.token == token && blobs.findFirst()?.token == token)
  }

  @Test func `an attribute is renamed, with its values`() throws {
    let old = EntityDescription(
      "renamed", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("surname", .text)])
    let first = try DAOFactory(store: .file(url), describedBy: [old])
    let rows = try first.runtimeDAO("renamed")
    try rows.insert(rows.make(["surname": "Lee"]))
    try first.close()
    let factory = try DAOFactory(store: .file(url, migration: .automatic), entities: Renamed.self)
    #expect(try factory.runtimeDAO(Renamed.self).findFirst()?.lastName == "Lee")
  }

  @Test func `entities have tables, indexes and views of each form`() throws {
    let minimal = try DAOFactory(store: .inMemory(), entities: Minimal.Person.self).runtimeDAO(Minimal.Person.self)
    #expect(try minimal.insert(Minimal.Person(lastName: "Lee")).id == 1)
    let table = try DAOFactory(store: .inMemory(), entities: Table.Person.self).runtimeDAO(Table.Person.self)
    #expect(try table.query("SELECT count(*) FROM people", as: Int.self) == [0])
    let unique = try DAOFactory(store: .inMemory(), entities: UniqueNames.Name.self).runtimeDAO(UniqueNames.Name.self)
    try unique.insert(UniqueNames.Name(lastName: "Lee", firstName: "Ann"))
    #expect(problem { try unique.insert(UniqueNames.Name(lastName: "Lee", firstName: "Ann")) } == "constraint")
    let statements = try SchemaSQL.statements(for: [DescendingNames.Name.entityDescription])
    #expect(statements.contains { $0.contains("DESC") })
    let cities = try DAOFactory(store: .inMemory(), entities: City.self).runtimeDAO(City.self)
    #expect(try cities.insert(City(name: "Brno")).people == 0)
    #expect(problem { try cities.insert(City(name: "Brno")) } == "constraint")
    let factory = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self, Place.self))
    #expect(try factory.runtimeDAO(Place.self).find("Brno").people == 2)
  }

  @Test func `overrides of insert govern what is stored`() throws {
    var person = newPerson
    person.age = -1
    #expect(problem { try factory.dao(CheckedDAO.init).insert(person) } == "invalidValue")
    #expect(try factory.dao(StampedDAO.init).insert(newPerson).born != nil)
    person.age = 1
    person.email = "tidy@example.org"
    #expect(try factory.dao(TidyDAO.init).insert(person).id == 7)
  }
}
