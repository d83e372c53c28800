import CriteriaTesting
import DAOKit
import Testing

@Suite("A transaction that SQLite has rolled back by itself")
struct RolledBackTests {
  @Test func `is no success: the error says so, nothing of it is stored, and no call after it writes by itself`() throws {
    let store = try TestStore.zones()
    let before = try store.zones.findAll(.all.order(by: \.id))
    let id = try #require(before.first?.id)
    #expect {
      try store.factory.write { session in
        let zones = session.runtimeDAO(Zone.self)
        try zones.insert(Zone("before", 0))
        // The error is passed over.
        _ = try? zones.execute("INSERT OR ROLLBACK INTO zone (id, name, offset) VALUES (\(id), 'conflict', 0)")
        _ = try? zones.insert(Zone("after", 0))
      }
    } throws: {
      if case DAOError.misuse(let what, _) = $0 { what.contains("rolled the transaction back by itself") } else { false }
    }
    #expect(try store.zones.findAll(.all.order(by: \.id)) == before)
    try store.zones.insert(Zone("later", 0))
    #expect(try store.zones.count() == before.count + 1)
  }
}
