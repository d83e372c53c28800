import DAOKit
import Testing

/// Keys that Swift finds equal and a store does not.
@Suite struct UnitKeyTextTests {
  @Test func `a unit edits the row of the key that is meant, of two that are spelled in other scalars`() throws {
    let store = try TestStore(
      [], sql: "CREATE TABLE word (key TEXT NOT NULL PRIMARY KEY, n INTEGER); INSERT INTO word VALUES ('caf\u{E9}', 1), ('cafe\u{301}', 2)")
    func quoted() throws -> [String] {
      try store.factory.runtimeDAO("word").query("SELECT hex(key) || ' ' || n FROM word ORDER BY key") { try $0.next() }
    }
    let work = try store.factory.unitOfWork()
    let words = try work.runtimeDAO("word")
    var rows = try words.findAll(SearchCriteria().order(by: .ascending(.field("n"))))
    rows[0]["n"] = 7
    try words.update(rows[0])
    try work.commit()
    #expect(try quoted() == ["63616665CC81 2", "636166C3A9 7"])
    let other = try store.factory.unitOfWork()
    _ = try other.runtimeDAO("word").findAll()
    #expect(try other.runtimeDAO("word").delete([["caf\u{E9}"]]) == 1)
    try other.commit()
    #expect(try quoted() == ["63616665CC81 2"])
  }
}
