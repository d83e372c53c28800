import DAOActiveRecord
import DAOImport
import DAOKit
import DAOTestSupport
import Foundation
import Testing

/// One-liners that change rows, alone and awaited.
@Suite(.ownStore(Person.self, City.self)) struct ChangeTests {
  @Test func `A row is created, saved, refreshed, cloned and deleted`() throws {
    var person = try Person(firstName: "Ole", lastName: "Berg", email: "ole@example.org").create()
    #expect(person.id != nil)
    person.age = 30
    #expect(try person.save() == person)
    var stale = person
    stale.age = 1
    #expect(try stale.refresh() == person)
    let twin = try person.clone { $0.email = nil }
    #expect(twin.id != person.id && twin.firstName == "Ole" && twin.age == 30)
    // A unique value that is taken.
    #expect(throws: DAOError.self) { try person.clone() }
    try person.delete()
    #expect(throws: DAOError.self) { try person.delete() }
    #expect(throws: DAOError.self) { try person.refresh() }
    #expect(try Person.findAll() == [twin])
  }

  @Test func `A copy with a natural key needs another one`() throws {
    let oslo = try City(code: "NO", name: "Oslo").create()
    #expect(throws: DAOError.self) { try oslo.clone() }
    #expect(try oslo.clone { $0.code = "N2" } == City(code: "N2", name: "Oslo"))
  }

  @Test func `Many are created and saved, all or none, and deleted by criteria`() throws {
    let people = try Person.create([Person(firstName: "A", lastName: "X", email: "a"), Person(firstName: "B", lastName: "X", email: "b")])
    #expect(throws: DAOError.self) {
      try Person.create([Person(firstName: "C", lastName: "X", email: "c"), Person(firstName: "D", lastName: "X", email: "a")])
    }
    #expect(try Person.findAll() == people)
    try Person.save(
      people.map {
        var one = $0; one.age = 5; return one
      })
    #expect(try Person.count(.where { $0.age == 5 }) == 2)
    #expect(try Person.deleteAll(.where { $0.firstName == "A" }) == 1)
    #expect(throws: DAOError.self) { try Person.deleteAll(.all) }
    #expect(try Person.truncate() == 1)
    #expect(try !Person.exists())
  }

  @Test func `Truncating keeps the delete rules`() throws {
    try City(code: "NO", name: "Oslo").create()
    let ole = try Person(firstName: "Ole", lastName: "Berg", city: "NO").create()
    #expect(try City.truncate() == 1)
    #expect(try ole.refresh().city == nil)
  }

  @Test func `A feed is imported`() throws {
    let report = try City.import(.json(Data(#"[{"code": "NO", "name": "Oslo"}, {"code": "KE", "name": "Nairobi"}]"#.utf8)))
    #expect(report["city"].inserted == 2)
    #expect(try City.findAll(sortedBy: "code").map(\.name) == ["Nairobi", "Oslo"])
  }

  @Test func `Each is awaited as well`() async throws {
    try await City.import(.json(Data(#"[{"code": "NO", "name": "Oslo"}]"#.utf8)))
    var ole = try await Person(firstName: "Ole", lastName: "Berg", age: 30, city: "NO").create()
    ole.age = 31
    try await ole.save()
    let twin = try await ole.clone { $0.firstName = "Per" }
    try await Person.create([Person(firstName: "Asha", lastName: "Otieno", age: 33)])
    try await Person.save([twin])
    #expect(try await Person.findAll(.where { $0.age == 31 }).count == 2)
    #expect(try await Person.findAll(sortedBy: "firstName").map(\.firstName) == ["Asha", "Ole", "Per"])
    #expect(try await Person.findAll(by: \.lastName, "Berg", sortedBy: "firstName:no") == [twin, ole])
    #expect(try await Person.findFirst(.where { $0.firstName == "Per" }) == twin)
    #expect(try await Person.findFirst(sortedBy: "firstName:desc") == twin)
    #expect(try await Person.findFirst(by: \.firstName, "Ole") == ole)
    #expect(try await Person.findMin(by: \.age, matching: .all.order(by: \.firstName))?.age == 33)
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
    #expect(try await Person.findFirst(by: \.firstName, "New", orCreate: Person(firstName: "New", lastName: "N")).id != nil)
    #expect(try await Person.findFirst(.where { $0.firstName == "New" }, orCreate: Person(firstName: "New", lastName: "O")).lastName == "N")
    #expect(try await ole.refresh() == ole)
    try await ole.delete()
    #expect(try await Person.deleteAll(.where { $0.firstName == "Per" }) == 1)
    #expect(try await Person.truncate() == 2)
  }

  @Test func `A dynamic row goes to its own table, and its type alone to none`() throws {
    let cities = try ActiveRecord.factory.entity(named: "city")
    let oslo = try DynamicEntity(cities, ["code": "NO", "name": "Oslo"]).create()
    #expect(try City.findAll().map(\.name) == ["Oslo"])
    try oslo.delete()
    #expect(try City.count() == 0)
    #expect(throws: DAOError.self) { try DynamicEntity.findAll() }
    #expect(throws: DAOError.self) { try DynamicEntity.truncate() }
    #expect(throws: DAOError.self) { try DynamicEntity.create([oslo]) }
  }
}
