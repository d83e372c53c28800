import DAOKit
import Testing

@Suite("Entities with a version")
struct VersionTests {
  enum Kind: CaseIterable {
    case memory, evaluator

    func factory() throws -> DAOFactory {
      self == .memory
        ? try DAOFactory(store: .inMemory(), entities: Account.self, Unraised.self)
        : try DAOFactory(store: .evaluator, entities: Account.self, Unraised.self)
    }

    func accounts() throws -> RuntimeDAO<Account> { try factory().runtimeDAO(Account.self) }
  }

  /// What a write that meets another version throws.
  private func conflict(_ body: () throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation) -> DAOError.Conflict? {
    do { _ = try body() } catch DAOError.conflict(let conflict) { return conflict } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
  }

  @Test(arguments: Kind.allCases)
  func `each change of a row raises it, and the entity that comes back has it`(kind: Kind) throws {
    let accounts = try kind.accounts()
    var anna = try accounts.insert(Account("Anna", 100))
    #expect(anna.version == 0)
    anna.balance = 90
    anna = try accounts.update(anna)
    #expect(anna.version == 1 && anna.balance == 90)
    anna.balance = 80
    anna = try accounts.save(anna)
    #expect(anna.version == 2)
    try accounts.update(.where(\.owner == "Anna"), set: .set(\.balance, to: 70))
    #expect(try accounts.find(1) == Account(id: 1, "Anna", 70, version: 3))
    let many = try accounts.update([Account(id: 1, "Anna", 60, version: 3), accounts.insert(Account("Ben", 1))])
    #expect(many.map(\.version) == [4, 1])
    #expect(try accounts.findAll(.all.order(by: \.id)) == many)
  }

  @Test(arguments: Kind.allCases)
  func `a stale update, save, upsert or delete is a conflict with both sides, and nothing is written`(kind: Kind) throws {
    let accounts = try kind.accounts()
    let read = try accounts.insert(Account("Anna", 100))
    let theirs = try accounts.update(Account(id: read.id, "Anna", 50))
    let mine = Account(id: read.id, "Anne", 100)
    let calls: [(name: String, call: () throws -> Any)] = [
      ("update", { try accounts.update(mine) }), ("save", { try accounts.save(mine) }),
      ("updates", { try accounts.update([accounts.insert(Account("Ben", 1)), mine]) }),
      ("saves", { try accounts.save([Account("Cid", 1), mine]) }), ("upsert", { try accounts.upsert(mine, updating: ["owner"]) }),
      ("an upsert by another key", { try accounts.upsert(Account("Anna", 7), on: ["owner"]) }),
    ]
    for (name, call) in calls {
      let found = conflict(call)
      #expect(found?.entity == "account" && found?.key == [.integer(1)] && found?.base == nil, "\(name)")
      #expect(found?.theirs == ["id": 1, "owner": "Anna", "balance": 50, "version": 1], "\(name)")
      #expect(found?.mine?["version"] == 0, "\(name)")
      #expect(found?.attributes.contains("version") == true, "\(name)")
      #expect(try accounts.find(1) == theirs && accounts.count(.where(\.owner == "Cid")) == 0, "\(name)")
    }
    let deleting = conflict { try accounts.delete(read) }
    #expect(deleting?.mine == nil && deleting?.theirs?["balance"] == 50)
    #expect(deleting?.description == "the row 1 of account, which was to be deleted, was changed since it was read")
    #expect(try accounts.find(1) == theirs)
    try accounts.delete(theirs)
    #expect(try !accounts.exists(1))
  }

  @Test(arguments: Kind.allCases)
  func `a row that is gone is not found, and by its key a row is deleted whatever its version`(kind: Kind) throws {
    let accounts = try kind.accounts()
    let anna = try accounts.insert(Account("Anna", 100))
    try accounts.update(.where(\.id == 1), set: .set(\.balance, to: 1))
    #expect(try accounts.delete([1]) == 1)
    for call in [{ _ = try accounts.update(anna) }, { try accounts.delete(anna) }] {
      do {
        try call()
        Issue.record("the row is there")
      } catch DAOError.notFound {}
    }
  }

  @Test(arguments: Kind.allCases)
  func `a row that keeps its values is unchanged and keeps its version`(kind: Kind) throws {
    let accounts = try kind.accounts()
    let anna = try accounts.insert(Account("Anna", 100))
    #expect(try accounts.upsert(anna).outcome == .unchanged)
    let same = try accounts.upsert(Account("Anna", 100), on: ["owner"])
    #expect(same.entity == anna && same.outcome == .unchanged)
    #expect(try accounts.find(1).version == 0)
    let changed = try accounts.upsert(Account("Anna", 101), on: ["owner"])
    #expect(changed.entity == Account(id: 1, "Anna", 101, version: 1) && changed.outcome == .updated)
  }

  @Test(arguments: Kind.allCases)
  func `after the largest comes 1`(kind: Kind) throws {
    let accounts = try kind.accounts()
    let anna = try accounts.insert(Account("Anna", 100, version: .max))
    #expect(try accounts.update(anna).version == 1)
    #expect(try accounts.find(1).version == 1)
    for change in [
      { try accounts.update(.where(\.id == 2), set: .set(\.balance, to: 1)) as Any },
      { try accounts.upsert(Account("Ben", 2, version: .max), on: ["owner"]) },
    ] {
      _ = try accounts.delete([2])
      _ = try accounts.insert(Account(id: 2, "Ben", 1, version: .max))
      _ = try change()
      #expect(try accounts.find(2).version == 1)
    }
  }

  @Test(arguments: Kind.allCases)
  func `nobody sets it but the store`(kind: Kind) throws {
    let accounts = try kind.accounts()
    func problems(_ body: () throws -> some Any) -> [String] {
      do { _ = try body() } catch DAOError.invalidCriteria(_, let problems) { return problems.map(\.description) } catch {}
      return []
    }
    #expect(problems { try accounts.update(.where(\.id == 1), set: .set(\.version, to: 1)) }.count == 1)
    #expect(problems { try accounts.upsert(Account("Anna", 1), updating: ["version"]) }.count == 1)
    #expect(problems { try accounts.upsert(Account("Anna", 1), on: ["version"]) }.count == 1)
  }

  @Test(arguments: Kind.allCases)
  func `an entity that does not raise it is refused before anything is written`(kind: Kind) throws {
    let entities = try kind.factory().runtimeDAO(Unraised.self)
    let entity = try entities.insert(Unraised("a"))
    let problem = "unraised.version is the version; Unraised needs mutating func raiseVersion() { version = version.nextVersion }"
    for call in [
      { _ = try entities.update(Unraised(id: 1, "b")) }, { _ = try entities.save(Unraised(id: 1, "b")) },
      { _ = try entities.upsert(Unraised("b")) },
    ] {
      do {
        try call()
        Issue.record("the row was written")
      } catch DAOError.invalidDescription(let name, let problems) { #expect(name == "unraised" && problems == [problem]) }
    }
    #expect(try entities.findAll() == [entity])
    try entities.update(.where(\.id == 1), set: .set(\.name, to: "c"))
    try entities.delete(entities.find(1))
  }

  @Test func `what can't be one is a problem of the description`() {
    func problems(_ attributes: Attribute..., indexes: [Index] = [], relationships: [Relationship] = []) -> [String] {
      EntityDescription(
        "e", key: .assigned(["id"]), attributes: [Attribute("id", .integer)] + attributes, indexes: indexes, relationships: relationships
      ).problems
    }
    let version = Attribute("v", .integer, version: true)
    #expect(problems(version, indexes: [Index(on: "v"), Index(on: "id", unique: true)]) == [])
    for index in [Index(on: "v", unique: true), Index(on: "id", "v", unique: true)] {
      #expect(
        problems(version, indexes: [index]) == ["e.v is the version and can't be in a unique index: two rows may have the same"])
    }
    let reference = ["e.v is the version and can't be a foreign key"]
    #expect(problems(Attribute("v", .integer, references: ForeignKey(table: "o", column: "id"), version: true)) == reference)
    #expect(problems(version, relationships: [.toOne("o", Account.entityDescription, by: "v")]) == reference)
    #expect(problems(Attribute("v", .integer, version: true)) == [])
    #expect(problems(Attribute("v", .text, version: true)) == ["e.v is the version and must be an integer"])
    #expect(problems(Attribute("v", .integer, optional: true, version: true)) == ["e.v is the version and can't be optional"])
    #expect(
      problems(Attribute("v", .integer, version: true), Attribute("w", .integer, version: true)) == ["e has several versions: v, w"])
    #expect(
      EntityDescription("e", key: .assigned(["id"]), attributes: [Attribute("id", .integer, version: true)]).problems == [
        "e.id is the version and can't be part of the key"
      ])
  }

  @Test func `rows without a Swift type have one too, where their description says so`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Account.self)
    let accounts = factory.runtimeDAO(Account.entityDescription)
    let anna = try accounts.insert(DynamicEntity(Account.entityDescription, ["owner": "Anna", "balance": 1]))
    #expect(try accounts.update(anna)["version"] == 1)
    #expect(conflict { try accounts.update(anna) }?.theirs?["version"] == 1)
  }

  @Test func `the statements compare it and raise it`() throws {
    let store = try TestStore([Account.entityDescription])
    let accounts = store.factory.runtimeDAO(Account.self)
    try accounts.insert(Account("Anna", 100))
    store.trace.clear()
    try accounts.update(Account(id: 1, "Anna", 1))
    try accounts.update(.where(\.id == 1), set: .set(\.balance, to: 2))
    func next(_ version: String) -> String { "coalesce(nullif(\(version), 9223372036854775807), 0) + 1" }
    #expect(
      store.trace.texts.filter { $0.hasPrefix("UPDATE") } == [
        #"UPDATE "account" SET "owner" = ?2, "balance" = ?3, "row_version" = \#(next("?4")) WHERE "id" = ?1 AND "row_version" = ?4"#,
        #"UPDATE "account" SET "balance" = ?, "row_version" = \#(next(#"CAST("row_version" AS INTEGER)"#)) WHERE "id" = ?"#,
      ])
  }

  @Test func `a custom DAO's delete of keys governs the delete of an entity`() throws {
    final class Kept: DAO<Account>, @unchecked Sendable {
      override func delete(_ ids: [Int64]) throws -> Int {
        try update(.where(.in(\.id, ids)), set: [.set(\.balance, to: 0)])
      }
    }
    let factory = try DAOFactory(store: .inMemory(), entities: Account.self)
    let accounts = factory.dao(Kept.init)
    let anna = try accounts.insert(Account("Anna", 100))
    try accounts.delete(anna)
    #expect(try accounts.find(1) == Account(id: 1, "Anna", 0, version: 1))
    #expect(conflict { try accounts.delete(anna) }?.theirs?["balance"] == 0)
  }

  @Test func `no change of many tasks is lost`() async throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Account.self)
    let accounts = factory.runtimeDAO(Account.self)
    try await accounts.insert(Account("Anna", 0))
    let conflicts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var conflicts = 0
          for _ in 0..<20 {
            while true {
              var anna = try await accounts.find(1)
              anna.balance += 1
              do {
                try await accounts.update(anna)
                break
              } catch DAOError.conflict { conflicts += 1 }
            }
          }
          return conflicts
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(try await accounts.find(1) == Account(id: 1, "Anna", 160, version: 160), "\(conflicts) conflicts")
  }
}
