import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “Adding, deleting and saving”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectAddingDeletingAndSavingTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+newOrExistingEntityWithPredicate:error:`() throws {
    #expect(try Person.findFirst(.where { $0.email == email }, orCreate: person).id == 1)
  }

  @Test func `-clone`() throws {
    let copy = try people.clone(person) { $0.email = "ann2@example.org" }
    #expect(copy.id == 6 && copy.company == 1)
  }

  @Test func `-clone, 2`() throws {
    let whole = try work.clone(company, with: \.people)
    #expect(whole.id != company.id)
    #expect(try edited.count() == 7)
  }

  @Test func `-clone as a one-liner`() throws {
    #expect(try person.clone { $0.email = "ann2@example.org" }.id == 6)
  }

  @Test func `+deleteAllWithError:`() throws {
    let count = try people.delete(.all, allowUnfiltered: true)
    #expect(count == 5)
  }

  @Test func `+deleteStore`() throws {
    let factory = try fileFactory()
    try factory.destroy()
    #expect(!FileManager.default.fileExists(atPath: storeURL.path))
  }

  @Test func `+commit`() throws {
    try edited.delete(4)
    try work.commit()
    #expect(try !people.exists(4))
  }

  @Test func `+undo`() throws {
    try edited.delete(4)
    try work.undo()
    #expect(try edited.exists(4))
  }

  @Test func `-didUpdate`() async throws {
    let observer = try await people.observe(id) { person in
      print(person.lastName)
    } didDelete: {
      print("gone")
    }
    try await waitForPrint(after: 0, change: makeOlder)
    observer.cancel()
  }
}
