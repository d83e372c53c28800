import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Objects”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmObjectsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `Object(value:)`() throws {
    let new = Person(email: email, lastName: "Lee", firstName: "Ann", age: 30)
    #expect(new.id == nil)
  }

  @Test func `realm`() throws {
    let isSame = person.id == id
    #expect(isSame)
  }

  @Test func `DynamicObject`() throws {
    let rows = try factory.runtimeDAO("person").findAll(.where { $0.age > 30 })
    #expect(rows.count == 4)
  }
}
