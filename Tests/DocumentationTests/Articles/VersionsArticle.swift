import DAOMacros
import DAOTestSupport
import Testing

/// The code of Documentation/versions.md.
@Suite struct VersionsArticle: ArticleTest {
  let article = Article("Documentation/versions.md")

  @Entity
  struct Account {
    @ID var id: Int64?
    @Attribute(.unique) var owner: String
    var balance: Int = 0
    @Attribute(.version) var version: Int = 0
  }

  @Test func `the code of versions.md runs, sends its SQL and prints its output`() throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Account.self) { statements.record($0) }
    let accounts = factory.runtimeDAO(Account.self)
    var anna = try accounts.insert(Account(owner: "Anna", balance: 100))
    anna.balance = 90
    anna = try accounts.update(anna)  // it comes back with its new version
    #expect(anna.version == 1)
    try stale(accounts)
    try article.expectSQLAndOutput()
  }

  private func stale(_ accounts: RuntimeDAO<Account>) throws {
    let stale = try accounts.find(1)
    try accounts.update(.where { $0.owner == "Anna" }, set: .set(\.balance, to: 50))
    do {
      try accounts.update(stale)
    } catch DAOError.conflict(let conflict) {
      print(conflict)
      print("mine \(conflict.mine?["balance"] ?? .null), theirs \(conflict.theirs?["balance"] ?? .null)")
    }
  }
}
