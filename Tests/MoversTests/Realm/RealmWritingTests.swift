import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Writing”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmWritingTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `isInWriteTransaction`() throws {
    let hasChanges = try work.hasChanges
    #expect(!hasChanges)
  }

  @Test func `add(_:)`() throws {
    let person = newPerson
    let all = try people.insert([person])
    #expect(keys(all) == [6])
  }
}
