import DAOKit
import Foundation
import Testing

/// What the unit says of rows that foreign keys tie together, against what the store has after the commit.
@Suite("Foreign keys in a unit of work, and in its commit")
struct UnitCascadeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let sql: String
    let edits: [SQL]
    var rows: [(table: String, values: [String: Scalar])] = []
    /// What is asked, in the unit and then in the store.
    let question: SQL
    let answer: [String]

    var testDescription: String { name }
  }

  @Test(arguments: cases, UnitKind.allCases)
  func `the store has what the unit had`(example: Case, kind: UnitKind) throws { try check(example, kind, inChild: false) }

  @Test(arguments: cases, UnitKind.allCases)
  func `the store has what a unit within a unit had`(example: Case, kind: UnitKind) throws { try check(example, kind, inChild: true) }

  private func check(_ example: Case, _ kind: UnitKind, inChild: Bool) throws {
    let factory = try kind.factory(sql: example.sql)
    let entities = try factory.store.entities()
    let outer = try factory.unitOfWork()
    let work = inChild ? outer.child() : outer
    let dao = work.runtimeDAO(try #require(entities.first))
    for edit in example.edits { try dao.execute(edit) }
    for (table, values) in example.rows {
      let items = work.runtimeDAO(try #require(entities.first { $0.name == table }))
      try items.insert(items.make(values))
    }
    func answer(_ dao: RuntimeDAO<DynamicEntity>) throws -> [String] { try dao.query(example.question) { try $0.next() } }
    #expect(try answer(dao) == example.answer)
    #expect(try work.preview().isClean)
    // Somebody else's commit has each row compared with the store, and another schema has it shown again.
    try factory.runtimeDAO(try #require(entities.first)).execute("CREATE TABLE another (id INTEGER PRIMARY KEY)")
    #expect(try answer(dao) == example.answer)
    #expect(try work.preview().isClean)
    try work.commit()
    if inChild {
      #expect(try answer(outer.runtimeDAO(try #require(entities.first))) == example.answer)
      try outer.commit()
    }
    #expect(try answer(factory.runtimeDAO(try #require(entities.first))) == example.answer)
  }

  @Test func `rows of others follow what the unit exchanges`() throws {
    let factory = try UnitKind.memory.factory(sql: Self.coded("ON UPDATE CASCADE"))
    let work = try factory.unitOfWork()
    let own = try work.runtimeDAO("p")
    for edit in ["UPDATE p SET code = 't' WHERE id = 1", "UPDATE p SET code = 'x' WHERE id = 2", "UPDATE p SET code = 'y' WHERE id = 1"] {
      try own.execute(SQL(stringLiteral: edit))
    }
    let others = try factory.runtimeDAO("c")
    try others.insert(others.make(["id": 9, "code": "x"]))
    try work.commit()
    #expect(try others.query("SELECT id || ifnull(code, '-') FROM c ORDER BY id") { try $0.next(String.self) } == ["1y", "2x", "9y"])
  }

  @Test(arguments: UnitKind.allCases)
  func `rows of a unit within a unit take each other's keys`(kind: UnitKind) throws {
    let factory = try kind.factory(sql: "CREATE TABLE n (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO n VALUES (1, 'a')")
    let work = try factory.unitOfWork()
    let child = work.child()
    let own = try child.runtimeDAO("n")
    try own.insert(own.make(["id": 2, "v": "b"]))
    for edit in ["UPDATE n SET id = 9 WHERE id = 1", "UPDATE n SET id = 1 WHERE id = 2", "UPDATE n SET id = 2 WHERE id = 9"] {
      try own.execute(SQL(stringLiteral: edit))
    }
    try child.commit()
    let question: SQL = "SELECT id || v FROM n ORDER BY id"
    #expect(try work.runtimeDAO("n").query(question) { try $0.next(String.self) } == ["1b", "2a"])
    try work.commit()
    #expect(try factory.runtimeDAO("n").query(question) { try $0.next(String.self) } == ["1b", "2a"])
  }

  @Test(arguments: UnitKind.allCases)
  func `a new row of a row that goes is refused, and what others point to is told apart`(kind: UnitKind) throws {
    let factory = try kind.factory(sql: Self.keyed)
    let entities = try factory.store.entities()
    let work = try factory.unitOfWork()
    let (p, c) = (
      work.runtimeDAO(try #require(entities.first { $0.name == "p" })), work.runtimeDAO(try #require(entities.first { $0.name == "c" }))
    )
    // Which rows would be those of the first, and which those of the second?
    #expect(throws: DAOError.self) { try p.execute("UPDATE p SET code = 'y' WHERE code = 'x'") }
    #expect(try !work.hasChanges)
    try p.execute("DELETE FROM p WHERE code = 'x'")
    try c.insert(c.make(["code": "x", "n": "new"]))
    #expect(try !work.preview().isClean)
    do {
      try work.commit()
      Issue.record("a row without its parent is committed")
    } catch DAOError.constraint(.foreignKey, let entity, _, _) { #expect(entity == "c") }
    try c.execute("DELETE FROM c WHERE n = 'new'")
    try work.commit()
    #expect(try factory.runtimeDAO(c.entity).findAll().map { $0["n"] } == ["other"])
  }

  @Test(arguments: UnitKind.allCases)
  func `a row that takes the key of another one is there in a child, after undo and redo, and beside other commits`(kind: UnitKind) throws {
    let factory = try kind.factory(
      sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, n); CREATE TABLE other (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1, 'A')")
    let entities = try factory.store.entities()
    let entity = try #require(entities.first { $0.name == "t" })
    let work = try factory.unitOfWork()
    let items = work.runtimeDAO(entity)
    func rows(_ dao: RuntimeDAO<DynamicEntity>) throws -> [String] { try dao.query("SELECT id || n FROM t ORDER BY id") { try $0.next() } }
    try work.group("exchange") {
      try items.insert(items.make(["id": 9, "n": "B"]))
      try items.execute("UPDATE t SET id = 2 WHERE id = 1")
      try items.execute("UPDATE t SET id = 1 WHERE id = 9")
    }
    #expect(try rows(items) == ["1B", "2A"])
    let child = work.child()
    #expect(try rows(child.runtimeDAO(entity)) == ["1B", "2A"])
    try work.undo()
    #expect(try rows(items) == ["1A"])
    try work.redo()
    #expect(try rows(items) == ["1B", "2A"])
    // Another commit has each row compared with the store.
    try factory.runtimeDAO(try #require(entities.first { $0.name == "other" })).execute("INSERT INTO other VALUES (1)")
    try work.commit()
    #expect(try rows(factory.runtimeDAO(entity)) == ["1B", "2A"])
  }

  @Test(arguments: UnitKind.allCases)
  func `what was read before a commit or a rollback is still compared`(kind: UnitKind) throws {
    let factory = try kind.factory([Zone.entityDescription])
    let zones = factory.runtimeDAO(Zone.self)
    try zones.insert(Zone.samples)
    let work = try factory.unitOfWork()
    let inside = work.runtimeDAO(Zone.self)
    for ends in [{ _ = try work.commit() }, { try work.rollback() }] {
      var (london, minsk) = (try inside.find(Zone.london), try inside.find(Zone.minsk))
      minsk.offset += 1
      try inside.update(minsk)
      try ends()
      try zones.update(.where(\.id == Zone.london), set: .set(\.comment, to: "theirs \(london.offset)"))
      london.offset += 1
      try inside.update(london)
      do {
        try work.commit()
        Issue.record("the comment of somebody else is overwritten")
      } catch DAOError.conflict(let conflict) { #expect(conflict.attributes.contains("comment")) }
      try work.commit(resolving: .byAttribute)
      // The row that the unit itself has written is none of somebody else's.
      let written = try inside.find(Zone.london)
      try inside.update(written)
      try work.commit()
    }
  }
}

extension UnitKind {
  /// A store with tables made by SQL.
  func factory(sql: String) throws -> DAOFactory {
    switch self {
    case .memory: try TestStore([], sql: sql).factory
    case .file: try OwnedFile(sql: sql)
    }
  }

  private final class OwnedFile: DAOFactory, @unchecked Sendable {
    private let file: FileStore

    init(sql: String) throws {
      file = try FileStore([])
      let store = try #require(file.factory.store as? any RawSQLStore)
      for statement in sql.split(separator: ";") { _ = try store.execute(SQL(stringLiteral: String(statement))) }
      super.init(over: file.factory.store)
    }
  }
}
