import DAOKit
import Foundation
import GRDB
import Testing

@Suite("Newer seeds and entities with a version")
struct VersionUpgradeTests {
  private func seed(_ folder: StoreFolder, _ number: Int, _ accounts: [Account]) throws -> URL {
    let seed = folder.file("seed-\(number)-\(UUID().uuidString)")
    do { try DAOFactory(store: .file(seed), entities: Account.self).runtimeDAO(Account.self).insert(accounts) }
    let queue = try DatabaseQueue(path: seed.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA user_version = \(number)") }
    try queue.close()
    return seed
  }

  @Test(arguments: [("mine", "Anna 11 1, Ben 50 1, Cid 1 0, Dora 50 2, Eva 1 0"), ("seed", "Anna 11 1, Ben 12 2, Cid 1 0, Eva 1 0")])
  func `an entity that was read before the upgrade can't overwrite what the upgrade changed`(policy: String, expected: String) throws {
    let folder = try StoreFolder()
    let one = try seed(
      folder, 1, [Account(id: 1, "Anna", 1), Account(id: 2, "Ben", 1), Account(id: 3, "Cid", 1), Account(id: 4, "Dora", 1)])
    let two = try seed(
      folder, 2, [Account(id: 1, "Anna", 11), Account(id: 2, "Ben", 12), Account(id: 3, "Cid", 1), Account(id: 5, "Eva", 1)])
    let conflicts: SeedConflict.Policy = policy == "mine" ? .keepMine : .takeSeed
    func accounts(_ seed: URL) throws -> RuntimeDAO<Account> {
      let store = StoreDescription.file(folder.file("store"), seed: .file(seed), policy: .upgrade(conflicts: conflicts))
      return try DAOFactory(store: store, entities: Account.self).runtimeDAO(Account.self)
    }
    let read = try {
      let before = try accounts(one)
      let read = try before.findAll(.all.order(by: \.id))
      try before.update(Account(id: 2, "Ben", 50))
      try before.update(before.update(Account(id: 4, "Dora", 50)))
      return read
    }()
    let after = try accounts(two)
    let rows = try after.findAll(.all.order(by: \.id))
    #expect(rows.map { "\($0.owner) \($0.balance) \($0.version)" }.joined(separator: ", ") == expected)
    for entity in read where rows.contains(where: { $0.id == entity.id && $0 != entity }) {
      do {
        try after.update(entity)
        Issue.record("\(entity.owner) was overwritten")
      } catch DAOError.conflict {}
    }
    #expect(try after.findAll(.all.order(by: \.id)) == rows)
  }
}
