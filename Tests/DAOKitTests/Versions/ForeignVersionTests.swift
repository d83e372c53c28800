import DAOEvaluator
import DAOKit
import Foundation
import Testing

@Suite("Versions and rows that others have written")
struct ForeignVersionTests {
  /// A store with the row (1, Anna, 1), whose values somebody else has set.
  private func accounts(_ kind: VersionTests.Kind, balance: StoredValue = .integer(1), version: StoredValue) throws -> RuntimeDAO<Account> {
    if kind == .memory {
      return try TestStore(
        [],
        sql: """
          CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT NOT NULL UNIQUE, balance, row_version);
          INSERT INTO account VALUES (1, 'Anna', \(balance), \(version))
          """
      ).factory.runtimeDAO(Account.self)
    }
    let store = try EvaluatorStore([Account.entityDescription])
    let accounts = DAOFactory(over: store).runtimeDAO(Account.self)
    try accounts.insert(Account("Anna", 1))
    try store.setStored(balance, of: "balance", key: [1], in: Account.entityDescription)
    try store.setStored(version, of: "version", key: [1], in: Account.entityDescription)
    return accounts
  }

  private static let values: [(version: StoredValue, next: Int)] = [
    (.null, 1), (.text("abc"), 1), (.blob(Data([0])), 1), (.real(1.5), 2), (.real(-1.5), 0), (.real(1e300), 1), (.real(-1e300), .min + 1),
  ]

  @Test(arguments: VersionTests.Kind.allCases)
  func `one that is no integer is in conflict with every entity, and the next change by criteria makes it one`(kind: VersionTests.Kind)
    throws
  {
    for (version, next) in Self.values {
      let accounts = try accounts(kind, version: version)
      let calls: [(name: String, call: () throws -> Void)] = [
        ("update", { try accounts.update(Account(id: 1, "Anna", 5)) }), ("save", { try accounts.save(Account(id: 1, "Anna", 5)) }),
        ("upsert", { try accounts.upsert(Account("Anna", 5), on: ["owner"]) }),
        ("delete", { try accounts.delete(Account(id: 1, "Anna", 1)) }),
      ]
      for (name, call) in calls {
        do {
          try call()
          Issue.record("\(name) over \(version) is done")
        } catch DAOError.conflict(let conflict) {
          #expect(conflict.theirs?["balance"] == 1, "\(name) over \(version)")
          #expect(conflict.theirs?["version"] == (try AttributeType.any.scalar(version)), "\(name) over \(version)")
        }
      }
      #expect(try accounts.update(.where(\.id == 1), set: .set(\.balance, to: 2)) == 1)
      let anna = try accounts.find(1)
      #expect(anna == Account(id: 1, "Anna", 2, version: next), "after \(version)")
      #expect(try accounts.update(anna).version == next + 1)
    }
  }

  @Test(arguments: VersionTests.Kind.allCases)
  func `a double that is a whole number is compared as one, and the next version is an integer`(kind: VersionTests.Kind) throws {
    let calls: [(RuntimeDAO<Account>) throws -> Void] = [
      { try $0.update(Account(id: 1, "Anna", 2, version: 2)) }, { try $0.save(Account(id: 1, "Anna", 2, version: 2)) },
      { try $0.upsert(Account("Anna", 2, version: 2), on: ["owner"]) },
    ]
    for call in calls {
      let accounts = try accounts(kind, version: .real(2))
      try call(accounts)
      #expect(try accounts.find(1) == Account(id: 1, "Anna", 2, version: 3))
    }
    let accounts = try accounts(kind, version: .real(2))
    if kind == .memory { #expect(try accounts.upsert(Account(id: 1, "Anna", 1, version: 2)).outcome == .unchanged) }
    try accounts.delete(Account(id: 1, "Anna", 1, version: 2))
    #expect(try accounts.count() == 0)
  }

  @Test(arguments: VersionTests.Kind.allCases)
  func `a row that can't be read is deleted where the version is the entity's, and in conflict where it is another`(kind: VersionTests.Kind)
    throws
  {
    let accounts = try accounts(kind, balance: .text("abc"), version: .integer(3))
    #expect(throws: DAOError.self) { try accounts.find(1) }
    do {
      try accounts.delete(Account(id: 1, "Anna", 1, version: 2))
      Issue.record("the row was deleted")
    } catch DAOError.conflict(let conflict) {
      #expect(conflict.theirs == ["id": 1, "owner": "Anna", "balance": "abc", "version": 3])
    }
    try accounts.delete(Account(id: 1, "Anna", 1, version: 3))
    #expect(try accounts.count() == 0)
  }
}
