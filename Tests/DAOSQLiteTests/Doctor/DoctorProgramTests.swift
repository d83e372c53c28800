import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Views, triggers, numbers and JSON of a store.
@Suite struct DoctorProgramTests {
  private let scratch: Scratch
  private var store: URL { scratch.url("store.sqlite") }
  init() throws { scratch = try Scratch() }

  private static let town = EntityDescription(
    "town", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)])

  private func make(_ sql: String) throws {
    try database(store, try SchemaSQL.statements(for: [Self.town]).joined(separator: ";") + ";" + sql)
  }

  @Test func `views and triggers that cannot be compiled are told each by itself`() throws {
    try make(
      """
      CREATE TABLE log (text TEXT, size INTEGER AS (length(text)));
      CREATE VIEW good AS SELECT name FROM town;
      CREATE VIEW "no table" AS SELECT * FROM nowhere;
      CREATE VIEW "no column" AS SELECT name, gone FROM town;
      CREATE VIEW "no function" AS SELECT our_own(name) FROM town;
      CREATE VIEW "on broken" AS SELECT * FROM "no table";
      CREATE TRIGGER good AFTER INSERT ON town BEGIN INSERT INTO log (text) VALUES (new.name); END;
      CREATE TRIGGER "bad insert" AFTER INSERT ON town BEGIN INSERT INTO nowhere VALUES (new.name); END;
      CREATE TRIGGER "bad update" BEFORE UPDATE OF name ON town BEGIN UPDATE log SET gone = 1; END;
      CREATE TRIGGER "bad delete" AFTER DELETE ON town WHEN our_own(old.name) BEGIN SELECT 1; END;
      CREATE TRIGGER "bad log" AFTER INSERT ON log BEGIN DELETE FROM nowhere; END;
      CREATE TRIGGER "of view" INSTEAD OF INSERT ON good BEGIN INSERT INTO town (name) VALUES (new.gone); END;
      """)
    let report = try examined(store)
    #expect(
      Set(report.findings.filter { $0.kind == .brokenView }.compactMap(\.entity)) == ["no table", "no column", "no function", "on broken"])
    #expect(
      Set(report.findings.filter { $0.kind == .brokenTrigger }.compactMap(\.attribute)) == [
        "bad insert", "bad update", "bad delete", "bad log", "of view",
      ])
    #expect(report.findings.count == 9 && report.findings.allSatisfy { $0.severity == .error }, "\(report)")
    #expect(throws: SeedPacker.Failure.self) { try SeedPacker(describedBy: [Self.town]).pack(store, to: scratch.url("seed")) }
    // The store itself agrees.
    let engine = try SQLiteEngine(opening: store)
    let dao = EngineStore(engine)
    #expect(throws: DAOError.self) { try dao.insert([DynamicEntity(Self.town, ["name": "a"])], in: EntityTarget(Self.town)) }
  }

  @Test func `triggers of search tables are sound and those of others too`() throws {
    try make(
      """
      CREATE VIRTUAL TABLE words USING fts5(name);
      CREATE VIRTUAL TABLE box USING rtree(id, a, b);
      CREATE TRIGGER fill AFTER INSERT ON town BEGIN INSERT INTO words VALUES (new.name); INSERT INTO box VALUES (new.id, 1, 2); END;
      INSERT INTO town (name) VALUES ('Nitra')
      """)
    let report = try examined(store)
    #expect(report.findings.isEmpty, "\(report)")
  }

  /// A view takes what its triggers do in its stead, and nothing else.
  @Test func `sound triggers of views and what writes to these are sound`() throws {
    try make(
      """
      CREATE VIEW upper_towns AS SELECT id, upper(name) AS name FROM town;
      CREATE VIEW all_towns AS SELECT id, name FROM upper_towns;
      CREATE TRIGGER "A later" INSTEAD OF INSERT ON all_towns BEGIN INSERT INTO upper_towns (name) VALUES (new.name); END;
      CREATE TRIGGER "B first" INSTEAD OF INSERT ON upper_towns BEGIN INSERT INTO town (name) VALUES (new.name); END;
      CREATE TABLE wish (name TEXT); CREATE TRIGGER granted AFTER INSERT ON wish BEGIN INSERT INTO all_towns (name) VALUES (new.name); END;
      CREATE TRIGGER refused AFTER DELETE ON wish BEGIN DELETE FROM all_towns; END
      """)
    let report = try examined(store)
    // The delete is what no trigger does in its stead.
    #expect(report.findings.compactMap(\.attribute) == ["refused"], "\(report)")
    try database(store, "DROP TRIGGER refused")
    #expect(try examined(store).findings.isEmpty)
    _ = try SeedPacker(describedBy: [Self.town]).pack(store, to: scratch.url("seed"))
  }

  @Test func `views of statistics and of tables with rules of another program are sound`() throws {
    try make("ANALYZE; CREATE VIEW stats AS SELECT tbl, stat FROM sqlite_stat1")
    var configuration = Configuration()
    configuration.prepareDatabase { $0.add(function: DatabaseFunction("our_own", argumentCount: 1, pure: true) { _ in 1 }) }
    let queue = try DatabaseQueue(path: store.path, configuration: configuration)
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE c (n INTEGER CHECK (our_own(n)));
          CREATE VIEW of_c AS SELECT n FROM c
          """)
    }
    try queue.close()
    let report = try examined(store)
    #expect(report.findings.filter { $0.kind == .brokenView }.isEmpty, "\(report)")
  }

  @Test func `application and version are compared`() throws {
    try make("PRAGMA application_id = 7; PRAGMA user_version = 3")
    func kinds(_ applicationID: Int32?, _ version: Int32?) throws -> [DoctorReport.Kind] {
      try examined(store, StoreDoctor(describedBy: [Self.town], applicationID: applicationID, version: version)).kinds
    }
    #expect(try kinds(nil, nil) == [] && kinds(7, 3) == [])
    #expect(try kinds(8, 3) == [.wrongApplication] && kinds(7, 2) == [.newerVersion] && kinds(7, 4) == [.olderVersion])
    #expect(try kinds(8, 2) == [.wrongApplication, .newerVersion])
    #expect(try examined(store, StoreDoctor(describedBy: [Self.town], version: 4)).isHealthy)
  }

  @Test(arguments: ["", "{", "{'a': 1}", "[1,]", "nul", "{\"a\": NaN}", "1 2", "\u{FEFF}1", String(repeating: "[", count: 2000)])
  func `JSON of described entities is read`(_ text: String) throws {
    let entity = EntityDescription(
      "doc", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("body", .json, optional: true)])
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { db in
      for sql in try SchemaSQL.statements(for: [entity]) { try db.execute(sql: sql) }
      for body in [#"{"a": [1, null, "x"]}"#, text, "12", nil] {
        try db.execute(sql: "INSERT INTO doc (body) VALUES (?)", arguments: [body])
      }
    }
    try queue.close()
    for doctor in [StoreDoctor(describedBy: [entity]), StoreDoctor()] {
      let report = try examined(store, doctor)
      #expect(report.kinds == [.unreadableValue] && report.findings[0].rows == 1, "\(report)")
      #expect(report.findings.first?.examples.first?.key == [.integer(2)])
    }
    do {
      _ = try SeedPacker(describedBy: [entity]).pack(store, to: scratch.url("seed"))
      Issue.record("invalid JSON was packed")
    } catch SeedPacker.Failure.unsound(let findings) { #expect(findings.map(\.kind) == [.unreadableValue]) }
  }

  @Test func `nothing is offered to run on damaged pages`() throws {
    try make(
      """
      CREATE TABLE pair (a INTEGER REFERENCES town (id), b TEXT);
      INSERT INTO town (name) VALUES ('Nitra');
      """
        + (1...400).map { "INSERT INTO pair VALUES (1, '\(String(repeating: "x\($0)", count: 40))');" }.joined())
    #expect(try !examined(store).repairSQL.isEmpty)
    let whole = try Data(contentsOf: store)
    var damaged = 0
    for page in stride(from: 4096 * 4, to: whole.count, by: 4096) {
      var bytes = whole
      for offset in 0..<64 { bytes[page + offset] = 0xA5 }
      try bytes.write(to: store)
      let report = try examined(store)
      guard report.findings.contains(where: { $0.severity == .damage }) else { continue }
      damaged += 1
      #expect(report.repairSQL.isEmpty && report.findings.allSatisfy(\.repair.sql.isEmpty), "\(report)")
    }
    #expect(damaged > 3)
  }
}
