import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOKit
import Foundation
import Testing

/// One-liners that change rows, alone and awaited.
@Suite(.ownStore(Person.self, City.self)) struct ChangeTests {
  @Test func `A row is created, saved, refreshed, cloned and deleted`() throws {
    var person = Person(firstName: "Ole", lastName: "Berg", email: "ole@example.org")
    try person.save()
    #expect(person.id != nil)
    person.age = 30
    try person.save()
    #expect(try Person.findAll() == [person])
    var stale = person
    stale.age = 1
    try stale.refresh()
    #expect(stale == person)
    let twin = try person.clone { $0.email = nil }
    #expect(twin.id != person.id && twin.firstName == "Ole" && twin.age == 30)
    // A unique value that is taken.
    #expect(throws: DAOError.self) { try person.clone() }
    try person.delete()
    #expect(throws: DAOError.self) { try person.delete() }
    #expect(throws: DAOError.self) { try stale.refresh() }
    #expect(try Person.findAll() == [twin])
  }

  @Test func `A copy with a natural key needs another one`() throws {
    let oslo = try City.create(City(code: "NO", name: "Oslo"))
    #expect(throws: DAOError.self) { try oslo.clone() }
    #expect(try oslo.clone { $0.code = "N2" } == City(code: "N2", name: "Oslo"))
  }

  @Test func `Many are created and saved, all or none, and deleted by criteria`() throws {
    let people = try Person.create([Person(firstName: "A", lastName: "X", email: "a"), Person(firstName: "B", lastName: "X", email: "b")])
    #expect(throws: DAOError.self) {
      try Person.create([Person(firstName: "C", lastName: "X", email: "c"), Person(firstName: "D", lastName: "X", email: "a")])
    }
    #expect(try Person.findAll() == people)
    let saved = try Person.save(people.map { Person(id: $0.id, firstName: $0.firstName, lastName: "X", email: $0.email, age: 5) })
    #expect(saved.map(\.id) == people.map(\.id))
    #expect(try Person.count(.where { $0.age == 5 }) == 2)
    #expect(try Person.deleteAll(.where { $0.firstName == "A" }) == 1)
    #expect(throws: DAOError.self) { try Person.deleteAll(.all) }
    #expect(try Person.truncate() == 1)
    #expect(try !Person.exists())
  }

  @Test func `Truncating keeps the delete rules`() throws {
    try City.create(City(code: "NO", name: "Oslo"))
    var ole = try Person.create(Person(firstName: "Ole", lastName: "Berg", city: "NO"))
    #expect(try City.truncate() == 1)
    try ole.refresh()
    #expect(ole.city == nil)
  }

  @Test func `A feed is imported`() throws {
    let report = try City.import(.json(Data(#"[{"code": "NO", "name": "Oslo"}, {"code": "KE", "name": "Nairobi"}]"#.utf8)))
    #expect(report["city"].inserted == 2)
    #expect(try City.findAll(sortedBy: "code").map(\.name) == ["Nairobi", "Oslo"])
  }

  @Test func `Each is awaited as well`() async throws {
    try await City.import(.json(Data(#"[{"code": "NO", "name": "Oslo"}]"#.utf8)))
    var ole = try await Person.create(Person(firstName: "Ole", lastName: "Berg", age: 30, city: "NO"))
    ole.age = 31
    try await ole.save()
    let twin = try await ole.clone { $0.firstName = "Per" }
    try await Person.create([Person(firstName: "Asha", lastName: "Otieno", age: 33)])
    #expect(try await Person.save([twin]) == [twin])
    #expect(try await Person.findAll(.where { $0.age == 31 }).count == 2)
    #expect(try await Person.findAll(sortedBy: "firstName").map(\.firstName) == ["Asha", "Ole", "Per"])
    #expect(try await Person.findAll(by: \.lastName, "Berg", sortedBy: "firstName:no") == [twin, ole])
    #expect(try await Person.findFirst(.where { $0.firstName == "Per" }) == twin)
    #expect(try await Person.findFirst(sortedBy: "firstName:desc") == twin)
    #expect(try await Person.findFirst(by: \.firstName, "Ole") == ole)
    #expect(try await Person.findMin(by: \.age, matching: .all.order(by: \.firstName))?.age == 31)
    #expect(try await Person.findMax(by: \.age)?.age == 33)
    #expect(try await Person.find(try #require(ole.id)) == ole)
    #expect(try await Person.find([try #require(ole.id)]) == [ole])
    #expect(try await Person.count() == 3)
    #expect(try await Person.exists())
    #expect(try await Person.minimum(of: \.age) == 31)
    #expect(try await Person.maximum(of: \.age) == 33)
    #expect(try await Person.sum(of: \.age) == 95)
    #expect(try await Person.average(of: \.age) == Double(95) / 3)
    #expect(try await Person.distinctValues(of: \.lastName) == ["Berg", "Otieno"])
    #expect(try await Person.dictionary(by: \.firstName)["Per"] == twin)
    #expect(try await Person.aggregate(.count) == .integer(3))
    #expect(try await Person.aggregate(.count, groupBy: "lastName").count == 2)
    #expect(try await Person.aggregate(.count, groupBy: ["lastName", "firstName"]).count == 3)
    #expect(try await Person.findFirst(by: \.firstName, "New", orCreate: Person(firstName: "New", lastName: "N")).id != nil)
    #expect(try await Person.findFirst(.where { $0.firstName == "New" }, orCreate: Person(firstName: "New", lastName: "O")).lastName == "N")
    let before = ole
    try await ole.refresh()
    #expect(ole == before)
    try await ole.delete()
    #expect(try await Person.deleteAll(.where { $0.firstName == "Per" }) == 1)
    #expect(try await Person.truncate() == 2)
  }

  @Test func `A dynamic row goes to its own table, and its type alone to none`() throws {
    let cities = try ActiveRecord.factory.entity(named: "city")
    var oslo = try DynamicEntity.create(DynamicEntity(cities, ["code": "NO", "name": "Oslo"]))
    oslo.name = "Christiania"
    try oslo.save()
    #expect(try City.findAll().map(\.name) == ["Christiania"])
    try oslo.delete()
    #expect(try City.count() == 0)
    #expect(throws: DAOError.self) { try DynamicEntity.findAll() }
    #expect(throws: DAOError.self) { try DynamicEntity.truncate() }
    #expect(throws: DAOError.self) { try DynamicEntity.create([oslo]) }
  }
}
