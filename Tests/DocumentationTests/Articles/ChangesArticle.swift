import DAOMacros
import DAOTestSupport
import Foundation
import Testing

/// The code of Documentation/changes.md.
@Suite struct ChangesArticle: ArticleTest {
  let article = Article("Documentation/changes.md")

  @Entity
  struct Account {
    @ID var id: Int64?
    @Attribute(.unique) var owner: String
    var balance: Int = 0
  }

  @Test func `the code of changes.md runs and prints its output`() async throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Account.self)
    try await looping(factory)
    try await attributes(factory)
    try await reloading(factory)
    try await observing(factory)
    try article.expectSQLAndOutput()
  }

  private func looping(_ factory: DAOFactory) async throws {
    let changes = try factory.changes(of: Account.self)
    let accounts = factory.runtimeDAO(Account.self)
    let anna = try await accounts.insert(Account(owner: "Anna", balance: 100))
    try await factory.write { session in
      let accounts = session.runtimeDAO(Account.self)
      try accounts.insert(Account(owner: "Ben"))
      try accounts.update(.where { $0.owner == "Anna" }, set: .set(\.balance, to: 90))
    }

    for await change in changes {
      print(change)
      if change[Account.self].updated.contains(anna.id ?? 0) { break }
    }
  }

  private func attributes(_ factory: DAOFactory) async throws {
    let accounts = factory.runtimeDAO(Account.self)
    let changes = try factory.changes(of: Account.self, attributes: true)
    var anna = try await accounts.find(1)
    anna.balance = 80
    try await accounts.update(anna)
    for await change in changes {
      let accounts = change[Account.self]
      print("\(accounts.updated): \(accounts.updatedAttributes ?? [])")
      break
    }
  }

  private func reloading(_ factory: DAOFactory) async throws {
    let accounts = factory.runtimeDAO(Account.self)
    let changes = try factory.changes(of: Account.self, buffering: 1)
    var shown: [Account] = []
    // More than the buffer holds.
    for balance in 1...3 { try await accounts.update(.where { $0.owner == "Ben" }, set: .set(\.balance, to: balance)) }
    for await change in changes {
      if change[Account.self].needsReload { shown = try await accounts.findAll() }
      break
    }
    #expect(shown.count == 2)
  }

  private func observing(_ factory: DAOFactory) async throws {
    let accounts = factory.runtimeDAO(Account.self)
    let (shown, continuation) = AsyncStream.makeStream(of: ChangeSet.self)
    let show: @Sendable (ChangeSet) -> Void = { continuation.yield($0) }
    let observer = try factory.onChange(of: Account.self) { change in
      show(change)
    }
    try await accounts.delete(2)

    for await change in shown {
      print(change)
      break
    }
    observer.cancel()
  }
}
