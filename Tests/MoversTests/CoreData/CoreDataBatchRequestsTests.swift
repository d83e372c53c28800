import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-core-data.md, section “Batch requests”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataBatchRequestsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `NSBatchInsertRequest(entity:objects:)`() throws {
    let person = newPerson
    let inserted = try people.insert([person])
    #expect(keys(inserted) == [6])
  }

  @Test func `NSBatchInsertRequest(entity:objects:), 2`() throws {
    try Data(#"{"email": "ann@example.org", "age": 40}"#.utf8).write(to: url)
    try people.import(.jsonLines(url), options: ImportOptions(batch: 1_000))
    #expect(try people.find(id).age == 40)
  }

  @Test func `the same on a uniqueness constraint`() throws {
    var person = person
    person.city = "Praha"
    let upserted = try people.upsert([person], on: [\.email], updating: [\.city])
    #expect(upserted.map(\.outcome) == [.updated])
  }

  @Test func `NSBatchUpdateRequest`() throws {
    let count = try people.update(.where { $0.age > 90 }, set: .set(\.city, to: nil), .set(\.lastName, to: .upper(\.lastName)))
    #expect(count == 1)
    #expect(try people.find(4).lastName == "MOSER")
  }

  @Test func `NSBatchDeleteRequest(objectIDs:)`() throws {
    let count = try people.delete(ids)
    #expect(count == 2)
  }

  @Test func `resultType = .resultTypeObjectIDs`() throws {
    let ids = try people.findAllIDs(.where { $0.age > 90 })
    #expect(ids == [4])
  }
}
