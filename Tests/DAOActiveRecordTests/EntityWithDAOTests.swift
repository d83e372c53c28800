import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// One-liners of an entity that names its DAO.
@Suite(.ownStore(Account.self)) struct EntityWithDAOTests {
  @Test func `Scope and overrides of its DAO hold for one-liners, and its own functions are there`() throws {
    try Account.create(Account(name: "a"))
    try Account.create([Account(name: "b")])
    #expect(try Account.dao().close("A") == 1)
    #expect(try Account.findAll().map(\.name) == ["B"])
    try ActiveRecord.factory.write { (session: Session) throws in
      #expect(try Account.dao(in: session).close("B") == 1)
      #expect(try Account.count(in: session) == 0)
    }
    #expect(try Account.truncate() == 0)
    #expect(try ActiveRecord.factory.runtimeDAO(Account.self).count() == 2)
  }

  @Test func `They hold for awaited ones, in units of work and, but for overrides, in imports`() async throws {
    #expect(try await Account.create(Account(name: "a")).name == "A")
    await #expect(throws: DAOError.self) { try await Account.findFirst(by: \.name, "b", orCreate: Account(name: "b")) }
    #expect(try await Account.findFirst(by: \.name, "B", orCreate: Account(name: "b")).name == "B")
    #expect(try await Account.dao().write { try Account.dao().close("A") } == 1)
    #expect(try await Account.findAll().map(\.name) == ["B"])
    let work = try ActiveRecord.factory.unitOfWork()
    try await Account.create(Account(name: "c"), in: work)
    #expect(try await Account.findAll(sortedBy: "name", in: work).map(\.name) == ["B", "C"])
    #expect(try await Account.count() == 1)
    try await Account.import(.json(Data(#"[{"name": "d"}, {"name": "e", "isClosed": true}]"#.utf8)))
    #expect(try await Account.findAll(sortedBy: "name").map(\.name) == ["B", "d"])
  }
}
