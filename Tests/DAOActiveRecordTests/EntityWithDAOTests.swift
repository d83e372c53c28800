import DAOActiveRecord
import DAOMacros
import DAOTestSupport
import Testing

/// One-liners of an entity that names its DAO.
@Suite(.ownStore(Account.self)) struct EntityWithDAOTests {
  @Test func `Scope and overrides of its DAO hold for one-liners, and its own functions are there`() throws {
    try Account(name: "a").create()
    try Account(name: "b").create()
    #expect(try Account.dao().close("A") == 1)
    #expect(try Account.findAll().map(\.name) == ["B"])
    try ActiveRecord.factory.write { (session: Session) throws in
      #expect(try Account.dao(in: session).close("B") == 1)
      #expect(try Account.count(in: session) == 0)
    }
    #expect(try Account.truncate() == 0)
    #expect(try ActiveRecord.factory.runtimeDAO(Account.self).count() == 2)
  }
}
