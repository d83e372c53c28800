import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Bringing the data”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmBringingTheDataTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `objects, written with Realm as JSON`() throws {
    try data.write(to: url)
    let report = try people.import(.json(url))
    #expect(report.records == 2)
  }
}
