import DAOMacros
import DAOTestSupport
import Foundation
import Testing

/// The code of Documentation/sessions.md.
@Suite struct SessionsArticle: ArticleTest {
  let article = Article("Documentation/sessions.md")

  @Entity
  struct Account {
    @ID var id: Int64?
    @Attribute(.unique) var owner: String
    var balance: Int = 0
    var deletedAt: Date?
  }

  enum TransferError: Error { case notEnough }

  final class AccountDAO: DAO<Account>, @unchecked Sendable {
    func move(_ amount: Int, from: Int64, to: Int64) throws {
      try write {
        var (source, target) = (try find(from), try find(to))
        guard source.balance >= amount else { throw TransferError.notEnough }
        source.balance -= amount
        target.balance += amount
        try update([source, target])
      }
    }

    func move(_ amount: Int, from: Int64, to: Int64) async throws {
      try await write { try self.move(amount, from: from, to: to) }
    }
  }

  final class CurrentAccountDAO: DAO<Account>, @unchecked Sendable {
    override var scope: Filter<Account> { \.deletedAt == nil }
    override func refine(_ criteria: SearchCriteria<Account>) -> SearchCriteria<Account> { criteria.order(by: \.owner) }
  }

  struct Clock: Sendable { var now: @Sendable () -> Date }

  final class ClockedAccountDAO: DAO<Account>, @unchecked Sendable {
    let clock: Clock

    init(_ context: DAOContext, clock: Clock) {
      self.clock = clock
      super.init(context)
    }

    func remove(_ id: Int64) throws {
      try update(.where { $0.id == id }, set: .set(\.deletedAt, to: clock.now()))
    }
  }

  @Test func `the code of sessions.md runs and sends its SQL`() async throws {
    try await withFolder { folder in
      let statements = statements
      let factory = try DAOFactory(store: .file(folder.appendingPathComponent("accounts.sqlite")), entities: Account.self) {
        statements.record($0)
      }
      try writing(factory)
      try moving(factory)
      try snapshot(factory)
      try await awaiting(factory)
      try await waiting(factory)
      try streaming(factory)
      try await asynchronousStreaming(factory)
      try customDAOs(factory)
      try refused(factory)
      try article.expectSQLAndOutput()
    }
  }

  private func writing(_ factory: DAOFactory) throws {
    let accounts = factory.runtimeDAO(Account.self)

    let anna = try accounts.insert(Account(owner: "Anna", balance: 100))  // with the key that the store generated
    let others = try accounts.insert([Account(owner: "Ben"), Account(owner: "Carla")])
    var changed = anna
    changed.balance = 120
    try accounts.update(changed)
    let met = try accounts.upsert(Account(owner: "Ben", balance: 5), on: [\.owner], updating: [\.balance])
    let isGone = try accounts.delete(others[1].id ?? 0)

    #expect(met.outcome == .updated && met.entity.id == 2 && isGone)
  }

  private func moving(_ factory: DAOFactory) throws {
    try factory.write { session in
      let accounts = session.dao(AccountDAO.init)
      try accounts.move(20, from: 1, to: 2)
      try accounts.insert(Account(owner: "Dora"))
    }

    try factory.write { session in
      let accounts = session.dao(AccountDAO.init)
      let dora = try accounts.findFirst(.where { $0.owner == "Dora" })
      do {
        try accounts.move(1_000, from: 1, to: dora?.id ?? 0)  // throws: a savepoint is rolled back
      } catch TransferError.notEnough {
        try accounts.update(.where { $0.owner == "Dora" }, set: .set(\.balance, to: 1))  // the session goes on
      }
    }

    #expect(try factory.runtimeDAO(Account.self).findAll().map(\.balance) == [100, 25, 1])
  }

  private func snapshot(_ factory: DAOFactory) throws {
    let (count, total) = try factory.read { session in
      let accounts = session.runtimeDAO(Account.self)
      return (try accounts.count(), try accounts.project(.sum(\.balance))[0])
    }

    #expect(count == 3 && total == 126)
  }

  private func awaiting(_ factory: DAOFactory) async throws {
    let accounts = factory.dao(AccountDAO.init)
    let rich = try await accounts.findAll(.where { $0.balance > 50 })
    try await accounts.move(1, from: 1, to: 2)
    let first = try await factory.read { session in try session.runtimeDAO(Account.self).find(1) }

    #expect(rich.count == 1 && first.balance == 99)
  }

  private func waiting(_ factory: DAOFactory) async throws {
    let accounts = factory.runtimeDAO(Account.self)
    let found = try withDeadline(.seconds(1)) { try accounts.findAll(.where { .contains($0.owner, "a") }) }

    let task = Task { try await accounts.findAll() }
    task.cancel()  // ends its wait or its statement

    #expect(found.count == 2)
    _ = await task.result
  }

  private func streaming(_ factory: DAOFactory) throws {
    let accounts = factory.runtimeDAO(Account.self)
    let sum = try accounts.withCursor(.all.order(by: \.id)) { cursor in
      var sum = 0
      while let account = try cursor.next() { sum += account.balance }
      return sum
    }

    #expect(sum == 126)
  }

  private func asynchronousStreaming(_ factory: DAOFactory) async throws {
    let accounts = factory.runtimeDAO(Account.self)
    var owners: [String] = []
    for try await account in accounts.stream(.all.order(by: \.owner)) {
      owners.append(account.owner)
    }

    #expect(owners == ["Anna", "Ben", "Dora"])
  }

  private func customDAOs(_ factory: DAOFactory) throws {
    let clock = Clock { Date(timeIntervalSince1970: 1_800_000_000) }
    let accounts = factory.dao { ClockedAccountDAO($0, clock: clock) }
    try accounts.remove(2)
    let current = try factory.currentAccounts.findAll()

    #expect(current.map(\.owner) == ["Anna", "Dora"])
  }

  private func refused(_ factory: DAOFactory) throws {
    let accounts = factory.runtimeDAO(Account.self)
    do {
      try factory.write { _ in _ = try accounts.count() }  // a DAO of the factory, inside a session
    } catch {
      print(error)
    }
    do {
      try accounts.insert(Account(owner: "Anna"))
    } catch {
      print(error)
    }
  }
}

// The article does not say in what it stands.
typealias CurrentAccountDAO = SessionsArticle.CurrentAccountDAO

extension DAOMaker {
  var currentAccounts: CurrentAccountDAO { dao(CurrentAccountDAO.init) }
}
