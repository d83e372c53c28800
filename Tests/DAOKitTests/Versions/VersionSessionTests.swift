import DAOKit
import Testing

@Suite("Conflicts in sessions, in scopes and with await")
struct VersionSessionTests {
  private func isConflict(_ body: () throws -> some Any) throws -> Bool {
    do { _ = try body() } catch DAOError.conflict { return true }
    return false
  }

  /// Anna, and Ben whom somebody has changed.
  private func factory(_ kind: VersionTests.Kind) throws -> DAOFactory {
    let factory = try kind.factory()
    let accounts = factory.runtimeDAO(Account.self)
    try accounts.insert([Account("Anna", 1), Account("Ben", 1)])
    try accounts.update(Account(id: 2, "Ben", 2))
    return factory
  }

  private static let stale = Account(id: 2, "Ben", 3)

  @Test(arguments: VersionTests.Kind.allCases)
  func `a session goes on after a conflict that it catches, without anything of that call`(kind: VersionTests.Kind) throws {
    let factory = try factory(kind)
    try factory.write { session in
      let accounts = session.runtimeDAO(Account.self)
      let anna = try accounts.update(Account(id: 1, "Anna", 10))
      #expect(try isConflict { try accounts.update([Account(id: 1, "Anna", 20, version: 1), Self.stale]) })
      #expect(try isConflict { try accounts.save([Account("Cid", 1), Self.stale]) })
      #expect(try isConflict { try accounts.upsert([Account("Cid", 1), Self.stale], on: ["owner"]) })
      #expect(try isConflict { try accounts.delete(Self.stale) })
      try accounts.update(anna)
    }
    let rows = try factory.runtimeDAO(Account.self).findAll(.all.order(by: \.id))
    #expect(rows == [Account(id: 1, "Anna", 10, version: 2), Account(id: 2, "Ben", 2, version: 1)])
  }

  @Test(arguments: VersionTests.Kind.allCases)
  func `a conflict that a session throws takes all of it back, and one of a savepoint that savepoint`(kind: VersionTests.Kind) throws {
    let factory = try factory(kind)
    let accounts = factory.runtimeDAO(Account.self)
    let before = try accounts.findAll(.all.order(by: \.id))
    #expect(
      try isConflict {
        try factory.write { session in
          try session.runtimeDAO(Account.self).insert(Account("Cid", 1))
          try session.runtimeDAO(Account.self).delete(Self.stale)
        }
      })
    #expect(try accounts.findAll(.all.order(by: \.id)) == before)
    try accounts.write {
      try accounts.insert(Account("Cid", 1))
      let isTakenBack = try isConflict {
        try accounts.write {
          try accounts.insert(Account("Dan", 1))
          try accounts.update(Self.stale)
        }
      }
      #expect(isTakenBack)
    }
    #expect(try accounts.findAll(.all.order(by: \.id)) == before + [Account(id: 3, "Cid", 1)])
  }

  final class Rich: DAO<Account>, @unchecked Sendable {
    override var scope: Filter<Account> { \.balance > 100 }
  }

  @Test(arguments: VersionTests.Kind.allCases)
  func `a row out of scope is not found, whatever its version is, and is not shown by a conflict`(kind: VersionTests.Kind) throws {
    let factory = try factory(kind)
    let rich = factory.dao(Rich.init)
    for version in [0, 1] {
      for call in [
        { try rich.delete(Account(id: 2, "Ben", 2, version: version)) }, { try rich.update(Account(id: 2, "Ben", 2, version: version)) },
      ] {
        do {
          try call()
          Issue.record("the row was changed")
        } catch DAOError.notFound {}
      }
    }
    #expect(try factory.runtimeDAO(Account.self).find(2) == Account(id: 2, "Ben", 2, version: 1))
    // One that the DAO sees.
    let dora = try rich.insert(Account("Dora", 200))
    #expect(try isConflict { try rich.delete(Account(id: dora.id, "Dora", 200, version: 7)) })
    try rich.delete(dora)
    #expect(try !rich.exists(3))
  }

  @Test(arguments: VersionTests.Kind.allCases)
  func `with await a stale save, upsert or delete is a conflict too`(kind: VersionTests.Kind) async throws {
    let accounts = try factory(kind).runtimeDAO(Account.self)
    let stale = Self.stale
    let calls: [(name: String, call: () async throws -> Void)] = [
      ("update", { try await accounts.update(stale) }), ("save", { try await accounts.save(stale) }),
      ("upsert", { try await accounts.upsert(stale, on: ["owner"]) }), ("delete", { try await accounts.delete(stale) }),
    ]
    for (name, call) in calls {
      do {
        try await call()
        Issue.record("\(name) is done")
      } catch DAOError.conflict(let conflict) { #expect(conflict.theirs?["version"] == 1, "\(name)") }
    }
    let upserted = try await accounts.upsert(Account(id: 2, "Ben", 5, version: 1))
    #expect(upserted.entity == Account(id: 2, "Ben", 5, version: 2) && upserted.outcome == .updated)
    try await accounts.delete(upserted.entity)
    #expect(try await accounts.findAll() == [Account(id: 1, "Anna", 1)])
  }
}
