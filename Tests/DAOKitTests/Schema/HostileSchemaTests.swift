import CriteriaTesting
import DAOKit
import Foundation
import GRDB
import GRDBSQLite
import TestCases
import Testing

/// Files whose schema was written by somebody who means harm.
@Suite("Hostile schemas")
struct HostileSchemaTests {
  private static let zone =
    #"CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT NOT NULL, "offset" INTEGER NOT NULL, comment TEXT);"#
    + #"CREATE UNIQUE INDEX zone_on_name ON zone (name);"#

  /// A database that another program has made.
  private func seed(_ folder: StoreFolder, _ sql: String) throws -> URL {
    let url = folder.file("made-\(UUID().uuidString)")
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return url
  }

  private func store(_ sql: String) throws -> DAOFactory {
    let folder = try StoreFolder()
    defer { withExtendedLifetime(folder) {} }
    return try DAOFactory(store: .inMemory(seed: .file(try seed(folder, sql))))
  }

  /// Views of which the last can't be compiled: it would take longer than there is time, or more stack than a thread has.
  enum Bomb: CaseIterable {
    case views, with, chain

    var sql: String {
      switch self {
      case .views:
        let views = (1...60).map { "CREATE VIEW v\($0) AS SELECT a.name FROM v\($0 - 1) AS a, v\($0 - 1) AS b;" }
        return "CREATE VIEW v0 AS SELECT name FROM zone;" + views.joined() + "CREATE VIEW last AS SELECT * FROM v60"
      case .with:
        let parts = (1...60).map { number -> String in
          let before = "SELECT name FROM v\(number - 1)"
          return ", v\(number) (name) AS NOT MATERIALIZED (\(before) UNION ALL \(before))"
        }
        return "CREATE VIEW last AS WITH v0 AS (SELECT name FROM zone)" + parts.joined() + " SELECT * FROM v60"
      case .chain:
        let views = (1...2000).map { "CREATE VIEW v\($0) AS SELECT name FROM v\($0 - 1);" }
        return "CREATE VIEW v0 AS SELECT name FROM zone;" + views.joined() + "CREATE VIEW last AS SELECT * FROM v2000"
      }
    }
  }

  @Test(.timeLimit(.minutes(60)), arguments: Bomb.allCases)
  func `views of views without end hold up no start, no dynamic entity and no doctor`(_ bomb: Bomb) throws {
    try onSmallStack {
      let folder = try StoreFolder()
      let seed = try seed(folder, Self.zone + "INSERT INTO zone VALUES (1, 'a', 0, NULL);" + bomb.sql)
      let place = StoreDescription.file(folder.file("store"), seed: .file(seed), policy: .upgrade(conflicts: .keepMine))
      // The second start, and packing: of one of them, by the seed.
      let isThorough = TestCases.areAll || bomb == Bomb.allCases[TestCases.offset(Bomb.allCases.count)]
      for start in 1...(isThorough ? 2 : 1) {
        let factory = try DAOFactory(store: place, entities: Zone.self)
        #expect(try factory.runtimeDAO("zone").count() == 1)
        #expect(refused { try factory.runtimeDAO("last") } == "unsupported")
        #expect(throws: DAOError.self) { try factory.runtimeDAO("no such view") }
        #expect(try factory.store.entities().contains { $0.name == "last" && $0.attributes.isEmpty })
        #expect(try !factory.examine().findings.isEmpty)
        // The store's file is the same at the second start.
        if start == 1 || TestCases.areAll { #expect(try !StoreDoctor().examine(folder.file("store")).findings.isEmpty) }
      }
      #expect(try !place.requiresMigration(Zone.self))
      if isThorough { _ = try SeedPacker(Zone.self, allowing: [.brokenView]).pack(seed, to: folder.file("packed")) }
    }
  }

  @Test(.timeLimit(.minutes(60)), arguments: Bomb.allCases)
  func `an entity over such a view is refused with the reason`(_ bomb: Bomb) throws {
    try onSmallStack {
      let folder = try StoreFolder()
      let seed = try seed(folder, Self.zone + bomb.sql)
      let entity = EntityDescription(
        "last", source: .view(definition: nil), key: .assigned(["name"]), attributes: [Attribute("name", .text)])
      do {
        _ = try StoreDescription.file(folder.file("store"), seed: .file(seed)).open([entity])
        Issue.record("a store was opened")
      } catch DAOError.schemaMismatch(_, let differences) {
        #expect(differences.count == 1 && differences[0].found.contains("views within views"), "\(differences)")
      }
    }
  }

  @Test func `the checks of a file do not run when a store is made from it`() throws {
    let folder = try StoreFolder()
    let seed = try seed(
      folder,
      Self.zone.replacing("name TEXT NOT NULL", with: "name TEXT NOT NULL CHECK (length(hex(zeroblob(300000000))) + name = 'no')")
        + "PRAGMA ignore_check_constraints = ON; INSERT INTO zone VALUES (1, 'a', 0, NULL);")
    let factory = try DAOFactory(store: .file(folder.file("store"), seed: .file(seed)), entities: Zone.self)
    #expect(try factory.runtimeDAO(Zone.self).count() == 1)
    try factory.backUp(to: folder.file("backup"))
    // It is a rule of the table all the same, and fails by its length.
    #expect(failure { try factory.runtimeDAO(Zone.self).insert(Zone("b", 1)) }?.code == SQLITE_TOOBIG)
  }

  @Test func `no value is longer than the limit, which is the store's to set`() throws {
    let folder = try StoreFolder()
    let place = StoreDescription.file(folder.file("store"))
    let factory = try DAOFactory(store: place, entities: Zone.self)
    let zones = factory.runtimeDAO(Zone.self)
    #expect(failure { try zones.query("SELECT hex(zeroblob(60000000))") { _ in } }?.code == SQLITE_TOOBIG)
    try zones.insert(Zone(String(repeating: "a", count: 10_000), 1))
    for (length, fits) in [(20_000, true), (9_000, false)] {
      let limited = try DAOFactory(store: place.limitingLength(to: length), entities: Zone.self).runtimeDAO(Zone.self)
      #expect((try? limited.findAll().count) == (fits ? 1 : nil))
      #expect(((try? limited.insert(Zone(String(repeating: "b", count: 10_000), 1))) != nil) == fits)
      if fits { #expect(try limited.delete(.where(.beginsWith(\.name, "b"))) == 1) }
    }
    #expect(
      failure { try DAOFactory(store: place.limitingLength(to: 9_000), entities: Zone.self).runtimeDAO(Zone.self).findAll() }?.message
        .contains("limitingLength") == true)
  }

  @Test func `what a schema says can call neither our functions nor the driver's`() throws {
    let own = try DAOFactory(store: .inMemory())
    let listed = try own.runtimeDAO(Zone.self).query("SELECT name, flags, narg FROM pragma_function_list WHERE builtin = 0") { row in
      (name: try row.next(String.self), flags: try row.next(Int32.self), count: try row.next(Int.self))
    }
    #expect(listed.filter { $0.name.hasPrefix("dao_") }.count >= 14)
    for function in listed where function.name.hasPrefix("dao_") {
      #expect(function.flags & SQLITE_DIRECTONLY != 0, "\(function)")
      let call = "\(function.name)(\(Array(repeating: "name", count: function.count < 0 ? 2 : function.count).joined(separator: ", ")))"
      let factory = try store(
        Self.zone + "INSERT INTO zone VALUES (1, 'a', 0, NULL); CREATE VIEW hostile AS SELECT \(call) AS x FROM zone;"
          + "CREATE TRIGGER hostile_too AFTER INSERT ON zone BEGIN UPDATE zone SET comment = (SELECT \(call) FROM zone); END;"
          + "CREATE VIRTUAL TABLE words USING fts5(name);"
          + "CREATE TRIGGER trusted AFTER INSERT ON zone BEGIN INSERT INTO words VALUES (new.name); END")
      #expect(message { try factory.runtimeDAO("hostile").count() }.contains(function.name), "\(function)")
      #expect(message { try factory.runtimeDAO(Zone.self).insert(Zone("b", 1)) }.contains(function.name), "\(function)")
    }
    #expect(!listed.contains { $0.name.lowercased().hasPrefix("swift") })
  }

  @Test(arguments: ["fts3_tokenizer('simple')", "fts3_tokenizer('x', x'00')"])
  func `fts3_tokenizer is not there`(_ call: String) throws {
    let factory = try store(Self.zone + "CREATE VIEW hostile AS SELECT \(call) AS x")
    #expect(throws: DAOError.self) { try factory.runtimeDAO("hostile").count() }
    let dao = factory.runtimeDAO(Zone.self)
    #expect(failure { try dao.query(SQL(stringLiteral: "SELECT " + call)) { _ in } }?.message.contains("no such function") == true)
    // A bound value would make it work where it is switched off.
    #expect(throws: DAOError.self) { try dao.query("SELECT fts3_tokenizer(\("simple"))") { _ in } }
  }

  @Test func `SQL of one's own can't write past SQLite's rules into the schema or into a search table's own tables`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Note.self, Folder.self)
    for sql in ["UPDATE sqlite_schema SET sql = ''", "DELETE FROM note_search_data", "CREATE TABLE note_search_x (a)"] {
      let isShadow = sql.hasPrefix("CREATE")
      #expect(((try? factory.runtimeDAO(Note.self).execute(SQL(stringLiteral: sql))) != nil) == isShadow, "\(sql)")
    }
  }

  @Test func `a schema is trusted where one of its triggers fills a virtual table, and there by those who write alone`() throws {
    func trusted(_ factory: DAOFactory) throws -> [Bool] {
      func ask(_ session: Session) throws -> Bool {
        try session.runtimeDAO(Zone.self).query("SELECT trusted_schema FROM pragma_trusted_schema") { try $0.next(Bool.self) }[0]
      }
      return [try factory.read(ask), try factory.write(ask)]
    }
    let folder = try StoreFolder()
    let plain = try DAOFactory(store: .file(folder.file("plain")), entities: Zone.self)
    #expect(try trusted(plain) == [false, false])
    let searched = try DAOFactory(store: .file(folder.file("searched")), entities: Note.self, Folder.self)
    #expect(try trusted(searched) == [false, true])
    try searched.runtimeDAO(Note.self).insert(Note("a", "b"))
    // A trigger of one's own is trusted from its beginning to its end.
    let zones = plain.runtimeDAO(Zone.self)
    try zones.execute("CREATE VIRTUAL TABLE words USING fts5(name)")
    #expect(try trusted(plain) == [false, false])
    try plain.write {
      try $0.runtimeDAO(Zone.self).execute("CREATE TRIGGER fill AFTER INSERT ON zone BEGIN INSERT INTO words VALUES (new.name); END")
      try $0.runtimeDAO(Zone.self).insert(Zone("a", 1))
    }
    #expect(try trusted(plain) == [false, true])
    try zones.execute("DROP TRIGGER fill")
    #expect(try trusted(plain) == [false, false])
    try zones.insert(Zone("b", 1))
  }

  private func message(_ body: () throws -> some Any) -> String {
    do { _ = try body() } catch { return "\(error)" }
    return ""
  }

  private func failure(_ body: () throws -> some Any) -> DAOError.EngineFailure? {
    do { _ = try body() } catch DAOError.engine(let failure) { return failure } catch {}
    return nil
  }
}
