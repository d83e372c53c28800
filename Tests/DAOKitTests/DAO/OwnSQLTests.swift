import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Own SQL")
struct OwnSQLTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws { store = try .zones() }

  @Test func `what is interpolated is bound`() throws {
    let (name, offset): (String, Int?) = ("Europe/London", 0)
    let sql: SQL = "SELECT * FROM zone WHERE name = \(name) AND offset = \(offset)"
    #expect(try sql.statement() == SQLStatement("SELECT * FROM zone WHERE name = ? AND offset = ?", [.text(name), .integer(0)]))
    let run = try store.trace.during { try zones.query(sql) }
    #expect(run.texts == [sql.text] && run.expanded == ["SELECT * FROM zone WHERE name = 'Europe/London' AND offset = 0"])
    #expect(run.result.map(\.id) == [2])
    let part: SQL = "offset > \(5000)"
    #expect(try zones.query("SELECT * FROM \(identifier: "zone") WHERE \(part) AND id < \(5)").map(\.id) == [3])
  }

  @Test func `a temporary table that would hide one of the store's is refused, and nothing of it stays; others may be made`() throws {
    func isRefused(_ sql: SQL, in session: (SQL) throws -> Void) {
      #expect {
        try session(sql)
      } throws: {
        if case DAOError.unsupported(let reason) = $0 { reason.contains("temporary table") } else { false }
      }
    }
    let statements: [SQL] = [
      "CREATE TEMP TABLE zone (id INTEGER PRIMARY KEY, name TEXT, offset INTEGER, comment TEXT)", "CREATE TABLE temp.zone (id)",
      "/* none */ CREATE TEMPORARY VIEW \"Zone\" AS SELECT 7 AS id", "CREATE TEMP TABLE Json_Each (value)",
      "CREATE TEMP TABLE pragma_foreign_key_check (a)", "CREATE TEMP TABLE ZONE AS SELECT * FROM main.zone WHERE 0",
      "ALTER TABLE staged RENAME TO zone", "CREATE TABLE main.staged (id)",
    ]
    try store.factory.write { session in
      let zones = session.runtimeDAO(Zone.self)
      _ = try zones.execute("CREATE TEMP TABLE staged (id INTEGER)")
      _ = try zones.execute("INSERT INTO staged VALUES (2)")
      for sql in statements {
        isRefused(sql) { _ = try zones.execute($0) }
        #expect(try zones.findAllIDs(.where(.in(\.id, [1, 2]))) == [1, 2])
      }
      #expect(try zones.query("SELECT * FROM zone WHERE id IN (SELECT id FROM staged)").map(\.id) == [2])
      _ = try zones.execute("DROP TABLE staged")
    }
    for sql in statements.prefix(6) {
      isRefused(sql) { _ = try zones.execute($0) }
      #expect(try zones.find(1).name == "Europe/Bratislava" && zones.findAllIDs(.where(.in(\.id, [1, 2]))) == [1, 2])
    }
  }

  @Test func `a value takes the form that is asked for, and one without a form is refused`() throws {
    let date = Date(timeIntervalSince1970: 1.5)
    #expect(
      try ("\(date) \(date, as: .date(.unixMilliseconds)) \(nil as Int?)" as SQL).statement().bindings == [
        .text("1970-01-01T00:00:01.500Z"), .integer(1500), .null,
      ])
    #expect(throws: DAOError.self) { try ("\(UInt64.max)" as SQL).statement() }
    #expect(throws: DAOError.self) { try ("\(Double.nan)" as SQL).statement() }
    #expect(throws: DAOError.self) { try ("\("x", as: .integer)" as SQL).statement() }
  }

  @Test func `entities, with the columns in any order and others beside them`() throws {
    #expect(
      try zones.query("SELECT 1 AS one, comment, offset, name, id FROM zone WHERE id = 2") == [
        Zone(id: 2, "Europe/London", 0, "UTC in winter")
      ])
    #expect {
      _ = try zones.query("SELECT id, name FROM zone")
    } throws: {
      if case DAOError.undecodable("zone", "offset, comment", _, "is not selected by the SQL") = $0 { true } else { false }
    }
    #expect {
      _ = try zones.query("SELECT id, name, comment AS offset, comment FROM zone ORDER BY id")
    } throws: {
      if case DAOError.undecodable("zone", "offset", 0, _) = $0 { true } else { false }
    }
    let dynamic = try store.factory.runtimeDAO("zone")
    #expect(try dynamic.query("SELECT comment, id, name, offset FROM zone WHERE id = 2").first?["name"] == "Europe/London")
  }

  @Test func `structs and rows`() throws {
    struct Line: Decodable, Equatable { var name: String; var comment: String?; var half: Double }
    let lines = try zones.query("SELECT name, comment, offset / 2.0 AS half FROM zone WHERE id < 3 ORDER BY id", as: Line.self)
    #expect(
      lines == [Line(name: "Europe/Bratislava", comment: nil, half: 1800), Line(name: "Europe/London", comment: "UTC in winter", half: 0)])
    let rows = try zones.query("SELECT name, offset FROM zone WHERE id = \(3)") { row in (try row.next(String.self), try row.next(Int.self))
    }
    #expect(rows.count == 1 && rows[0] == ("Asia/Kolkata", 19800))
    #expect(try zones.query("SELECT COUNT(*) FROM zone", as: Int.self) == [6])
    #expect {
      _ = try zones.query("SELECT comment AS name, comment, 1.0 AS half FROM zone ORDER BY id DESC", as: Line.self)
    } throws: {
      if case DAOError.undecodable(_, "name", 3, _) = $0 { true } else { false }
    }
  }

  @Test func `JSON that can't be decoded names its column`() throws {
    struct Part: Decodable { var number: Int }
    struct Line: Decodable { var name: String; var part: Part }
    #expect(try zones.query(#"SELECT name, '{"number":3}' AS part FROM zone WHERE id = 1"#, as: Line.self).map(\.part.number) == [3])
    for text in [#"{"number":"x"}"#, "{", "{}", "[]", "x"] {
      #expect {
        _ = try zones.query("SELECT name, \(text) AS part FROM zone", as: Line.self)
      } throws: {
        if case DAOError.undecodable(_, "part", 0, _) = $0 { true } else { false }
      }
    }
  }

  @Test func `execute changes rows and says how many`() throws {
    #expect(try zones.execute("UPDATE zone SET comment = \("x") WHERE offset = \(3600)") == 2)
    #expect(try zones.execute("INSERT INTO zone (name, offset) VALUES (\("a"), 1), ('b', 2)") == 2)
    #expect(try zones.execute("DELETE FROM zone WHERE 0") == 0)
    #expect(try zones.execute("SELECT 1") == 0)
    #expect(try zones.count() == 8)
    #expect(constraint { try zones.execute("INSERT INTO zone (name, offset) VALUES ('a', 1)") } == "unique the store ")
    #expect(throws: DAOError.self) { try zones.execute("UPDATE zone SET offset = 0, name = 'same'") }
    #expect(try zones.count(.where(\.offset == 0)) == 1)
  }

  @Test func `query does not change the store`() throws {
    #expect(misuse { _ = try zones.query("DELETE FROM zone RETURNING *") } == "execute")
    #expect(misuse { _ = try zones.query("INSERT INTO zone (name, offset) VALUES ('x', 1)") { try $0.next(Int.self) } } == "execute")
    #expect(try zones.count() == 6)
  }

  @Test(
    arguments: [
      "BEGIN", "begin immediate", "COMMIT", "end", "ROLLBACK", "SAVEPOINT x", "RELEASE x", "  -- note\n COMMIT", "/* note */ COMMIT",
      ";COMMIT",
      "\u{FEFF}COMMIT", "/**/--\n/* ; */;\t\nCOMMIT;",
    ])
  func `transactions belong to sessions`(_ text: String) throws {
    try store.factory.write { (session) throws in
      let zones = session.runtimeDAO(Zone.self)
      try zones.insert(Zone("x", 1))
      #expect(throws: DAOError.self) { try zones.execute(SQL(stringLiteral: text)) }
      #expect(throws: DAOError.self) { try zones.query(SQL(stringLiteral: text)) }
      #expect(try zones.count() == 7)
    }
    #expect(misuse { try zones.execute(SQL(stringLiteral: text)) } == "factory.write { } or session.write { }")
    #expect(try zones.count() == 7)
    try zones.insert(Zone("y", 1))
  }

  @Test(
    arguments: [
      """
      DELETE FROM zone;
      DELETE FROM zone
      """, "ATTACH ':memory:' AS other", "DETACH main", "", "  ", "-- nothing",
      "DELETE FROM zone WHERE id = ?", "NONSENSE",
    ])
  func `several statements, other files, an empty text and a wrong number of values are refused`(_ text: String) throws {
    #expect(throws: DAOError.self) { try zones.execute(SQL(stringLiteral: text)) }
    #expect(throws: DAOError.self) { try zones.query(SQL(stringLiteral: text)) }
    #expect(try zones.count() == 6)
  }

  @Test func `a store without SQL says so`() throws {
    let dao = try DAOFactory(store: .evaluator, entities: Zone.self).runtimeDAO(Zone.self)
    for call in [{ _ = try dao.query("SELECT 1") }, { _ = try dao.execute("SELECT 1") }] as [() throws -> Void] {
      #expect {
        try call()
      } throws: {
        if case DAOError.unsupported = $0 { true } else { false }
      }
    }
  }

  @Test func `a failing statement is told with its SQL and without its values`() throws {
    do {
      _ = try zones.query("SELECT missing FROM zone WHERE name = \("secret")")
      Issue.record("no error")
    } catch let error as DAOError {
      guard case .engine(let failure) = error else {
        Issue.record(error)
        return
      }
      #expect(failure.sql == "SELECT missing FROM zone WHERE name = ?" && failure.message.contains("no such column"))
      #expect(!error.description.contains("secret"))
    }
    do { try zones.execute("SELECT abs(\(Int64.min))") } catch let error as DAOError {
      if case .overflow = error {} else { Issue.record(error) }
    }
  }

  @Test func `an expression has no declared type, and is read as what is asked for`() throws {
    struct Row: Decodable, Equatable {
      let last: Date
      let isThere: Bool
      let id: UUID
    }
    let date = Date(timeIntervalSince1970: 1.5)
    let id = UUID()
    let sql: SQL = "SELECT max(\(date)) AS last, EXISTS (SELECT 1 FROM zone) AS isThere, \(id) AS id"
    #expect(try zones.query(sql, as: Row.self) == [Row(last: date, isThere: true, id: id)])
    let byHand = try zones.query(sql) { row in (try row.next(Date.self), try row.next(Bool.self), try row.next(UUID.self)) }
    #expect(byHand.first?.0 == date && byHand.first?.1 == true && byHand.first?.2 == id)
  }

  @Test func `a statement that changes no row counts none, and settings of the connection stay as they are`() throws {
    #expect(try zones.execute("DELETE FROM zone WHERE id < 4") == 3)
    #expect(try zones.execute("CREATE TABLE other (x)") == 0)
    for pragma in ["PRAGMA query_only = 1", " pragma foreign_keys = OFF"] as [SQL] {
      #expect(throws: DAOError.self) { try zones.execute(pragma) }
      #expect(throws: DAOError.self) { try zones.query(pragma) }
    }
    #expect(try zones.insert(Zone("x", 1)).id != nil)
  }

  @Test func `the closures for reading by hand have async twins`() async throws {
    #expect(try await zones.query("SELECT name FROM zone WHERE id = 2") { try $0.next(String.self) } == ["Europe/London"])
    #expect(try await zones.project(.all.project(.count)) { try $0.next(Int.self) } == [6])
  }

  @Test func `a dynamic DAO of a session finds the statements that are kept`() throws {
    try store.factory.read { session in
      let (one, other) = (try session.runtimeDAO("zone"), try session.runtimeDAO("zone"))
      #expect(one.entity === other.entity)
    }
    #expect(try store.factory.runtimeDAO("zone").entity === store.factory.read { try $0.runtimeDAO("zone").entity })
  }

  @Test func `an entity that reads more than its description has is an error`() throws {
    let empty = EntityDescription("empty", key: .assigned([]), attributes: [])
    for entity in [empty, EntityDescription("short", key: .generated("id"), attributes: [Attribute("id", .integer)])] {
      #expect {
        try store.store.query("SELECT 1 AS id", Zone.self, of: entity)
      } throws: {
        if case DAOError.undecodable(entity.name, "column 1", 0, _) = $0 { true } else { false }
      }
    }
  }

  @Test func `an insert that a trigger ignored is an error, not a row without a key`() throws {
    try zones.execute("CREATE TRIGGER no BEFORE INSERT ON zone WHEN new.name = 'no' BEGIN SELECT RAISE(IGNORE); END")
    #expect(throws: DAOError.self) { try zones.insert(Zone("no", 1)) }
    #expect(try zones.count() == 6)
  }
}
