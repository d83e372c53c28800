import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Collections in an object”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmCollectionsInAnObjectTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `map["key"]`() throws {
    let filter: Filter<Member> = .json("scores", "chess", as: Int.self) > 1_000
    #expect(try members.findAll(.where(filter)).map(\.name) == ["Ann"])
  }

  @Test func `contains(_:)`() throws {
    let count = try people.count(.where { $0.company == Reference(id) && $0.email == email })
    #expect(count == 1)
  }

  @Test func `realm.delete(list)`() throws {
    let count = try people.delete(.where { $0.company == Reference(id) })
    #expect(count == 2)
  }
}
