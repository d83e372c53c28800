import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-realm.md, section “The realm”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmRealmTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `Configuration.seedFilePath`() throws {
    let store = StoreDescription.file(url, seed: .resource("people.sqlite", in: .module))
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).runtimeDAO(Person.self).count() == 5)
  }

  @Test func `Realm.fileExists(for:)`() throws {
    let isThere = FileManager.default.fileExists(atPath: url.path)
    #expect(!isThere)
  }

  @Test func `freeze()`() throws {
    let both = try factory.read { session in (try session.runtimeDAO(Person.self).findAll(), try session.runtimeDAO(Company.self).findAll())
    }
    #expect(both.0.count == 5 && both.1.count == 3)
  }

  @Test func `isEmpty`() throws {
    do {
      let isEmpty = try !people.exists()
      #expect(!isEmpty)
    }
    do {
      #expect(try !Person.exists() == false)
    }
  }
}
