import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1B of Documentation/behaviours.md: rows, values and units of work.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1B newEntityWithError:`() throws {
    #expect(try people.insert(newPerson).id == 6)
    let waiting = try edited.insert(Person(email: "other@example.org", lastName: "Lee", firstName: "Kim", age: 20))
    let key = try #require(waiting.id)
    #expect(try people.count() == 6 && edited.find(key).firstName == "Kim")
  }

  @Test func `1B newOrExistingEntityWithPredicate:`() throws {
    #expect(try people.findFirst(.where { $0.email == email }, orInsert: newPerson).id == 1)
    #expect(try Person.findFirst(.where { $0.email == "new@example.org" }, orCreate: newPerson).id == 6)
    #expect(throws: DAOError.self) { try people.findFirst(.where { $0.age > 200 }, orInsert: newPerson) }
    #expect(try people.count() == 6)
  }

  @Test func `1B getWithPredicate:(sortDescriptor:)`() throws {
    let printed = Printed()
    let factory = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self) { printed.append($0.sql) })
    // The index that finds the rows has Berg first, whose key is the highest.
    #expect(try factory.runtimeDAO(Person.self).query("SELECT id FROM person WHERE lastName >= 'A' LIMIT 1", as: Int.self) == [5])
    #expect(try factory.runtimeDAO(Person.self).findFirst(.where { $0.lastName >= "A" })?.id == 1)
    #expect(printed.texts.last?.contains("LIMIT") == true)
    #expect(try people.findFirst(.where { $0.city == city }.order(by: .descending(\.age)))?.id == 5)
  }

  @Test func `1B fetchAll…, fetchWithPredicate:…`() throws {
    #expect(try people.findAll().count == 5)
    #expect(keys(try people.findAll(.where { $0.age > 30 })).sorted() == [1, 3, 4, 5])
    #expect(keys(try people.findAll(.where { $0.age > 30 }.order(by: .descending(\.age)))) == [4, 3, 5, 1])
  }

  @Test func `1B fetchWithPredicate:…withLimit:…`() throws {
    #expect(keys(try people.findAll(criteria.limit(2))) == [5, 1])
    #expect(try people.findAll(criteria.limit(0)).isEmpty)
    try edited.delete(5)
    #expect(keys(try edited.findAll(criteria)) == [1, 4, 2, 3])
  }

  @Test func `1B fetchInBackground…completion:`() async throws {
    #expect(keys(try await people.findAll(criteria)) == [5, 1, 4, 2, 3])
    await #expect(throws: DAOError.self) { try await people.findAll(criteria.limit(-1)) }
    // The caller's actor goes on.
    try await onMainActor()
  }

  @MainActor private func onMainActor() async throws {
    #expect(try await people.findAll(criteria).count == 5)
    MainActor.assertIsolated()
  }

  @Test func `1B fetchAsDictionaryWithKeyProperty: (6)`() throws {
    #expect(try people.dictionary(by: \.email).count == 5)
    // Of Brno's two persons the younger comes last, and then the older.
    let falling = try people.dictionary(by: \.city, matching: .all.order(by: .descending(\.age)))
    #expect(falling.mapValues(\.id) == ["Brno": 1, "Praha": 3])
    let rising = try people.dictionary(by: \.city, matching: .all.order(by: \.age))
    #expect(rising.mapValues(\.id) == ["Brno": 5, "Praha": 3])
    #expect(try people.dictionary(by: \.email, matching: criteria.limit(2)).values.compactMap(\.id).sorted() == [1, 5])
  }

  @Test func `1B fetchInBackgroundAsDictionaryWithKeyProperty:…`() async throws {
    let awaited = try await people.dictionary(by: \.city, matching: .all.order(by: .descending(\.age)))
    #expect(awaited.mapValues(\.id) == ["Brno": 1, "Praha": 3])
    await #expect(throws: DAOError.self) { try await people.dictionary(by: \.city, matching: criteria.limit(-1)) }
  }

  @Test func `1B count…`() throws {
    #expect(try people.count() == 5 && people.count(.where { $0.age > 30 }) == 4)
    try factory.close()
    #expect(problem { try people.count() } == "closed")
  }

  @Test func `1B distinctValuesWithAttribute:predicate:`() throws {
    let printed = Printed()
    let factory = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self) { printed.append($0.sql) })
    #expect(try factory.runtimeDAO(Person.self).distinctValues(of: \.city) == ["Brno", "Praha"])
    #expect(printed.texts.last?.hasPrefix(#"SELECT DISTINCT "city" FROM"#) == true)
    #expect(try people.distinctValues(of: \.age, matching: .where { $0.city == city }) == [31, 35])
  }

  @Test func `1B aggregateWithType:key:predicate:defaultValue:`() throws {
    #expect(try people.maximum(of: \.age, matching: .where { $0.city == city }) == 35)
    #expect(try people.maximum(of: \.age, matching: .where { $0.age > 200 }) ?? 7 == 7)
    #expect(try people.minimum(of: \.company.name) == "Acme")
    #expect(try people.average(of: \.age) == 49.4)
  }

  @Test func `1B attributeTypeWithKey:`() {
    #expect(Person.entityDescription["age"]?.type == .integer)
    #expect(Person.entityDescription["salary"]?.type == Decimal.attributeType)
    #expect(Person.entityDescription["nothing"] == nil)
  }

  @Test func `1B delete, deleteWithPredicate:, deleteAll`() throws {
    try person.delete()
    #expect(try people.delete(.where { $0.age > 90 }) == 1)
    #expect(try Person.truncate() == 3)
    #expect(try !people.exists())
  }

  @Test func `1B commit`() throws {
    guard case .nothingToDo = try work.commit() else {
      Issue.record("there was nothing to commit")
      return
    }
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.age, to: 50))
    #expect(problem { try work.commit() } == "conflict")
    #expect(try people.find(id).age == 50)
    try work.commit(resolving: .keepMine)
    #expect(try people.find(id).age == 40)
  }

  @Test func `1B Merge`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.city, to: "Praha"))
    try work.commit(resolving: .byAttribute)
    let now = try people.find(id)
    #expect(now.age == 40 && now.city == "Praha")
  }

  @Test func `1B pendingChangesCount`() throws {
    try edited.delete(4)
    try edited.insert(newPerson)
    #expect(try work.changes.rows.count == 2)
    try work.commit()
    #expect(try work.changes.rows.isEmpty)
  }

  @Test func `1B undo, rollback`() throws {
    try work.group("Leave") { try edited.delete(4) }
    try edited.delete(5)
    #expect(try work.undoNames == [nil, "Leave"])
    #expect(try work.undo() && work.undo())
    #expect(try edited.count() == 5 && work.redoNames.count == 2)
    #expect(try work.redo())
    #expect(try edited.count() == 4)
    try work.rollback()
    #expect(try edited.count() == 5 && !work.hasChanges)
  }

  @Test func `1B clone`() throws {
    let copy = try people.clone(person) { $0.email = "ann2@example.org" }
    #expect(copy.id == 6 && copy.company == 1 && copy.lastName == "Lee")
    #expect(try people.find(6).email == "ann2@example.org")
    #expect(problem { try people.clone(person) } == "constraint")
    let whole = try work.clone(company, with: \.people)
    let wholeID = try #require(whole.id)
    #expect(try edited.count(.where { $0.company == Reference(wholeID) }) == 3)
    let twin = try person.clone { $0.email = "ann3@example.org" }
    #expect(twin.id == 7)
    let contacts = try DAOFactory(store: .inMemory(), entities: Contact.self, Person.self, Company.self)
    try contacts.runtimeDAO(Company.self).insert(Company.samples)
    let contact = try contacts.runtimeDAO(Contact.self).insert(
      Contact(
        id: UUID(), lastName: "Lee", born: Date(timeIntervalSince1970: 0), realmID: "5f1", status: .guest, anything: .null, salary: 1,
        company: 1))
    let other = try contacts.runtimeDAO(Contact.self).clone(contact)
    #expect(other.id != contact.id && other.lastName == "Lee")
    #expect(try contacts.runtimeDAO(Contact.self).find([contact.id, other.id]).map(\.id) == [contact.id, other.id])
  }

  @Test func `1B serialize`() throws {
    let record = try people.exported(.where { $0.id == id }, as: .json)
    #expect(String(decoding: record, as: UTF8.self).contains(email))
    try people.delete(id)
    #expect(try people.import(.json(record))["person"].inserted == 1)
    #expect(try people.findFirst(.where { $0.email == email })?.salary == 1000)
  }

  @Test func `1B didUpdateBlock / didDeleteBlock`() async throws {
    let first = try await people.observe(id) { [printed = world.printed] in printed.append("first \($0.age)") }
    let second = try await people.observe(id) { [printed = world.printed] in
      printed.append("second \($0.age)")
    } didDelete: { [printed = world.printed] in
      printed.append("gone")
    }
    try syncly { try people.update(.where { $0.id == id }, set: .set(\.age, to: 40)) }
    try await waitForPrint(after: 1)
    #expect(printed.sorted() == ["first 40", "second 40"])
    first.cancel()
    try syncly { try people.delete(id) }
    try await waitForPrint(after: 2)
    #expect(printed.last == "gone" && printed.count == 3)
    second.cancel()
  }
}
