import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “Between threads”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectBetweenThreadsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `-objectInCurrentThreadContextWithError:`() throws {
    let now = try people.refresh(person)
    #expect(now.id == id)
  }

  @Test func `+arrayInCurrentThreadContext:`() throws {
    let now = try people.find(ids)
    #expect(keys(now) == ids)
  }
}
