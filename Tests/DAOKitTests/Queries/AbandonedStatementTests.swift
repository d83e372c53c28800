import DAOKit
import Testing

@Suite("A statement that is left in the middle of its rows")
struct AbandonedStatementTests {
  struct GivenUp: Error {}

  @Test func `is reset whatever happens, and holds no lock`() throws {
    let store = try TestStore.zones()
    let zones = store.zones
    // The third row can't be read as a zone.
    _ = try zones.execute(#"UPDATE zone SET "offset" = 'x' WHERE id = 3"#)
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(.field(FieldPath("name")))]
    let calls: [() throws -> Void] = [
      { _ = try zones.findAll() }, { _ = try zones.find(3) }, { _ = try zones.find([1, 3]) },
      {
        var rows = 0
        _ = try store.store.report(in: zones.target, criteria) { row in
          rows += 1
          if rows == 2 { throw GivenUp() }
          return try row.next(String.self)
        }
      },
      { _ = try store.store.report(in: zones.target, criteria) { try $0.next(Int.self) } },
      {
        _ = try store.store.query("SELECT name FROM zone") { _, _ -> Int in throw GivenUp() }
      },
      { _ = try zones.insert([Zone("new", 1), Zone("Europe/London", 1)]) },
      { _ = try zones.upsert([Zone("new", 1), Zone("Europe/London", 1)]) }, { _ = try zones.update([Zone(id: 1, "Europe/London", 1)]) },
      { _ = try zones.update([Zone(id: 1, "a", 1), Zone(id: 99, "b", 1)]) },
    ]
    for call in calls {
      #expect(throws: (any Error).self) { try call() }
      // SQLite drops no table while a statement is in the middle of any rows.
      _ = try zones.execute("CREATE TABLE other (id INTEGER)")
      _ = try zones.execute("DROP TABLE other")
    }
    #expect(try zones.count() == 6)
  }
}
