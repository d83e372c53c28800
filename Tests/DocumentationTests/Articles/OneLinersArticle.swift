import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import DAOTestSupport
import Testing

@Entity
struct Person {
  @ID var id: Int64?
  var firstName: String
  var lastName: String
  @Attribute(.unique) var email: String?
  var age: Int?
}

@Entity
struct Account {
  @ID var id: Int64?
  var owner: String
  var isClosed: Bool = false
}

final class AccountDAO: DAO<Account>, @unchecked Sendable {
  override var scope: Filter<Account> { \.isClosed == false }
  func close(_ id: Int64) throws -> Bool { try update(.where(\.id == id), set: .set(\.isClosed, to: true)) == 1 }
}

extension Account: EntityWithDAO {
  static func makeDAO(_ context: DAOContext) -> AccountDAO { AccountDAO(context) }
}

/// The code of Documentation/one-liners.md.
@Suite struct OneLinersArticle: ArticleTest {
  let article = Article("Documentation/one-liners.md")

  @Test(.ownStore(Person.self)) func bergs() throws {
    try Person.create(Person(firstName: "Ida", lastName: "Berg"))
    #expect(try Person.findAll(by: \.lastName, "Berg").count == 1)
  }

  @Test func `the code of one-liners.md runs and sends its SQL`() throws {
    // The process's default is another suite's.
    try ActiveRecord.$standard.withValue(DefaultFactory()) { try run() }
  }

  private func run() throws {
    let statements = statements
    let factory = try DAOFactory(store: .inMemory(), entities: Person.self, Account.self) { statements.record($0) }
    let archive = try DAOFactory(store: .inMemory(), entities: Person.self)
    try ActiveRecord.use(factory)
    try ActiveRecord.withFactory(archive) { try Person.create(Person(firstName: "Ada", lastName: "Moser")) }
    #expect(try Person.count(in: archive) == 1 && Person.count() == 0)

    try Person.create([Person(id: 7, firstName: "Ole", lastName: "Berg", email: "ole@example.org", age: 12)])
    try finding()
    let ida = try Person.findFirst(
      by: \.email, "ida@example.org", orCreate: Person(firstName: "Ida", lastName: "Berg", email: "ida@example.org", age: 41))
    try values()
    try changing(ida)
    #expect(try !Person.exists())
    try ActiveRecord.factory.write { session in
      let olga = try Person.create(Person(firstName: "Olga", lastName: "Berg"), in: session)
      try olga.clone(in: session) { $0.firstName = "Otto" }
    }
    let account = try Account.create(Account(owner: "Ida"))
    let isClosed = try Account.dao().close(account.id ?? 0)
    let page = try Account.dao().page(.all.order(by: \.owner), size: 20)
    let visible = try Account.count()  // 0
    #expect(isClosed && page.items.isEmpty && visible == 0)
    try article.expectSQLAndOutput()
  }

  private func finding() throws {
    let people = try Person.findAll()
    let adults = try Person.findAll(.where { $0.age > 17 })
    let sorted = try Person.findAll(sortedBy: "lastName:desc,firstName")
    let bergs = try Person.findAll(by: \.lastName, "Berg", sortedBy: "age")
    let first = try Person.findFirst(by: \.email, "ole@example.org")
    let seventh = try Person.find(7)
    let oldest = try Person.findMax(by: \.age)
    let count = try Person.count(.where { $0.age > 17 })
    let isAnybodyThere = try Person.exists()
    #expect(people.count == 1 && adults.isEmpty && sorted.count == 1 && bergs.count == 1 && count == 0 && isAnybodyThere)
    #expect(first?.id == 7 && seventh.id == 7 && oldest?.id == 7)
  }

  private func values() throws {
    let highest = try Person.maximum(of: \.age)  // Int?
    let mean = try Person.average(of: \.age, matching: .where { $0.lastName == "Berg" })  // Double?
    let lastNames = try Person.distinctValues(of: \.lastName)  // ascending, without nulls
    let byEmail = try Person.dictionary(by: \.email)  // [String: Person]; without a value left out
    let sum = try Person.aggregate(.sum, of: "age")  // by name: a Scalar
    let sizes = try Person.aggregate(.count, of: "id", groupBy: "lastName")  // a dictionary for each group
    #expect(highest == 41 && mean == 26.5 && lastNames == ["Berg"] && byEmail.count == 2 && sum == 53)
    #expect(sizes == [["lastName": "Berg", "count:id": 2]])
  }

  private func changing(_ ida: Person) throws {
    var person = Person(firstName: "Ole", lastName: "Berg")
    try person.save()  // INSERT; the person has its key now
    person.age = 30
    try person.save()  // UPDATE
    try person.refresh()
    let twin = try person.clone { $0.firstName = "Per" }
    try person.delete()
    let people = try Person.save([twin, ida])
    try Person.deleteAll(.where { $0.age == nil })
    try Person.truncate()
    #expect(people.map(\.id) == [twin.id, ida.id])
  }
}
