import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Saving”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordSavingTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `saveWithBlock:`() async throws {
    let person = newPerson
    try await factory.write { session in try session.runtimeDAO(Person.self).insert(person) }
    #expect(try await people.count() == 6)
  }

  @Test func `saveWithBlockAndWait:`() throws {
    let person = newPerson
    try factory.write { session in try session.runtimeDAO(Person.self).insert(person) }
    #expect(try people.count() == 6)
  }

  @Test func `MR_saveToPersistentStoreAndWait`() throws {
    try edited.delete(4)
    let result = try work.commit()
    guard case .committed(let changes) = result else {
      Issue.record("not committed")
      return
    }
    #expect(changes.rows.count == 1)
    #expect(try !people.exists(4))
  }

  @Test func `MR_saveToPersistentStoreAndWait with await`() async throws {
    try syncly { try edited.delete(4) }
    let result = try await work.commit()
    #expect(result.changes.rows.count == 1)
    #expect(try await !people.exists(4))
  }

  @Test func `MR_saveOnlySelfAndWait`() throws {
    let dialog = work.child()
    try dialog.commit()
    try dialog.runtimeDAO(Person.self).delete(4)
    try dialog.commit()
    #expect(try work.changes.rows.count == 1 && people.exists(4))
  }

  @Test func `MR_saveWithOptions:completion:`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.city, to: "Praha"))
    try work.commit(resolving: .byAttribute)
    let now = try people.find(id)
    #expect(now.age == 40 && now.city == "Praha")
  }

  @Test func `MRSaveCompletionHandler`() throws {
    try edited.delete(4)
    switch try work.commit() {
    case .committed(let changes): print(changes);
    case .nothingToDo: break
    }
    #expect(printed.count == 1)
  }

  @Test func `-[context MR_saveWithBlock:]`() throws {
    var person = person
    person.lastName = "Lind"
    try work.group("Rename") { try edited.update(person) }
    #expect(try work.undoNames == ["Rename"])
  }

  @Test func `MR_save`() async throws {
    try syncly { try edited.delete(4) }
    try await work.commit()
    #expect(try await !people.exists(4))
  }
}
