import DAOKit
import Foundation
import GRDB
import Testing

/// Entities that a factory was not opened with: their types are compared with the store's when they are first used.
@Suite struct UncheckedEntityTests {
  private func factory(_ schema: String) throws -> DAOFactory {
    let own = DatabaseCollation("Own") { $0 < $1 ? .orderedAscending : $0 == $1 ? .orderedSame : .orderedDescending }
    return DAOFactory(
      over: EngineStore(
        try SQLiteEngine(inMemory: {
          $0.add(collation: own)
          try $0.execute(sql: schema)
        })))
  }

  private static let invoices = """
    CREATE TABLE invoice (id INTEGER PRIMARY KEY, total NUMERIC(10,2) NOT NULL, day DATETIME, code UUID, name VARCHAR(20));
    INSERT INTO invoice VALUES (1, 18, '2009-01-01 00:00:00', 'x', 'a');
    CREATE VIEW totals AS SELECT id, total FROM invoice;
    """

  private static func entity(_ table: String = "invoice", isView: Bool = false, attributes: [Attribute]) -> EntityDescription {
    EntityDescription(
      table, source: isView ? .view(definition: nil) : .table, key: .generated("id"), attributes: [Attribute("id", .integer)] + attributes)
  }

  private static let wrong = entity(attributes: [
    Attribute("total", .decimal(.scaled(2))), Attribute("day", .date(.iso8601), optional: true),
    Attribute("code", .uuid(.blob), optional: true),
    Attribute("name", .text, optional: true),
  ])

  private func elements(_ body: () throws -> Any) -> [String]? {
    do {
      _ = try body()
      return nil
    } catch DAOError.schemaMismatch(_, let differences) { return differences.map(\.element) } catch { return ["\(error)"] }
  }

  @Test func `an attribute that would misread its column is refused before a value is read or written`() throws {
    let factory = try factory(Self.invoices)
    let dao = factory.runtimeDAO(Self.wrong)
    let new = try dao.make(["id": 2, "total": .decimal(1)])
    let calls: [() throws -> Any] = [
      { try dao.findAll() }, { try dao.find(1) }, { try dao.count() }, { try dao.insert(new) }, { try dao.upsert(new) },
      { try dao.update(.where { $0.id == 1 }, set: .set("total", to: Scalar.decimal(1))) },
      { try dao.delete([1]) }, { try factory.read { try $0.runtimeDAO(Self.wrong).findAll() } },
      { try factory.write { try $0.runtimeDAO(Self.wrong).insert(new) } },
      { try factory.dao(of: Self.wrong) { DAO<DynamicEntity>($0) }.exists() },
    ]
    for (number, call) in calls.enumerated() { #expect(elements(call) == ["total", "day", "code"], "call \(number)") }
    #expect(try factory.runtimeDAO("invoice").findAll().map { $0["total"] } == [18])
  }

  @Test func `the entities that relationships lead to, and those that own SQL reads`() throws {
    let factory = try factory(
      Self.invoices + "; CREATE TABLE line (id INTEGER PRIMARY KEY, invoice INTEGER); INSERT INTO line VALUES (1, 1)")
    let wrong = Self.wrong
    let line = EntityDescription(
      "line", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("invoice", .integer, optional: true)],
      relationships: [.toOne("bill", wrong, by: "invoice")])
    let dao = factory.runtimeDAO(line)
    #expect(try dao.count() == 1)
    #expect(elements { try dao.findAll(.where { $0["bill.total"] == Scalar.decimal(0.18) }) } == ["total", "day", "code"])
    #expect(elements { try dao.dictionaries(.all.project(.aggregate(.max, "bill.total"))) } == ["total", "day", "code"])
    #expect(elements { try dao.delete(.where { $0["bill.total"] < Scalar.decimal(1) }) } == ["total", "day", "code"])
    #expect(elements { try dao.findAll(SearchCriteria().prefetch("bill")) } == ["total", "day", "code"])
    #expect(elements { try factory.runtimeDAO(wrong).query("SELECT * FROM invoice") } == ["total", "day", "code"])
  }

  @Test func `beside an attribute that is not there, the others are compared`() throws {
    let entity = Self.entity(attributes: [Attribute("total", .decimal(.scaled(2))), Attribute("zzz", .text)])
    let dao = try factory(Self.invoices).runtimeDAO(entity)
    #expect(elements { try dao.dictionaries(.all.project(.aggregate(.max, "total"))) } == ["total"])
    #expect(elements { try dao.count(.where { $0.total == Scalar.decimal(0.18) }) } == ["total"])
  }

  @Test func `a store that is made anew is compared anew`() throws {
    let folder = try StoreFolder()
    func seed(_ type: String) throws {
      try? FileManager.default.removeItem(at: folder.file("seed"))
      let database = try DatabaseQueue(path: folder.file("seed").path)
      try database.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE bill (id INTEGER PRIMARY KEY, total \(type) NOT NULL)") }
      try database.close()
    }
    let entity = EntityDescription(
      "bill", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("total", .decimal(.scaled(2)))])
    try seed("INTEGER")
    let factory = DAOFactory(
      over: EngineStore(try StoreDescription.file(folder.file("store"), seed: .file(folder.file("seed"))).open([]).engine))
    let dao = factory.runtimeDAO(entity)
    #expect(try dao.insert(dao.make(["total": .decimal(1)]))["total"] == .decimal(1))
    try seed("NUMERIC")
    try factory.resetToSeed()
    #expect(elements { try dao.findAll() } == ["total"])
  }

  @Test func `the columns of views too`() throws {
    let factory = try factory(Self.invoices)
    let total = Attribute("total", .decimal(.scaled(2)))
    #expect(elements { try factory.runtimeDAO(Self.entity("totals", isView: true, attributes: [total])).findAll() } == ["total"])
    let fitting = Self.entity("totals", isView: true, attributes: [Attribute("total", .real)])
    #expect(try factory.runtimeDAO(fitting).findAll().map { $0["total"] } == [18.0])
  }

  @Test func `a text whose column is compared by another collation, unless an app has made that itself`() throws {
    let factory = try factory(
      """
      CREATE TABLE tag (
        id INTEGER PRIMARY KEY, plain TEXT, word TEXT COLLATE NOCASE, ending VARCHAR(9) COLLATE rtrim, place TEXT COLLATE "Own",
        day TEXT COLLATE NOCASE);
      CREATE VIEW words AS SELECT id, word FROM tag;
      """)
    func entity(_ types: (plain: AttributeType, word: AttributeType, ending: AttributeType)) -> EntityDescription {
      Self.entity(
        "tag",
        attributes: [
          Attribute("plain", types.plain, optional: true), Attribute("word", types.word, optional: true),
          Attribute("ending", types.ending, optional: true), Attribute("place", .text, optional: true),
          Attribute("day", .date(.iso8601), optional: true),
        ])
    }
    let wrong = factory.runtimeDAO(entity((.text(.nocase), .text, .text(.nocase))))
    let new = try wrong.make(["word": "a"])
    for call in [{ try wrong.findAll() }, { try wrong.insert(new) }, { try wrong.count(.where { $0.word == "A" }) }] as [() throws -> Any] {
      #expect(elements(call) == ["plain", "word", "ending"])
    }
    let fitting = factory.runtimeDAO(entity((.text, .text(.nocase), .text(.rtrim))))
    try fitting.insert(fitting.make(["word": "a", "place": "b"]))
    #expect(try fitting.count(.where { $0.word == "A" }) == 1)
    #expect(try factory.runtimeDAO("tag").count(.where { $0.word == "A" }) == 1)
    // A view's columns have none that can be asked for.
    let view = Self.entity("words", isView: true, attributes: [Attribute("word", .text, optional: true)])
    #expect(try factory.runtimeDAO(view).count() == 1)
  }

  @Test func `what fits is used, and what is not there is named`() throws {
    let factory = try factory(Self.invoices)
    let fitting = Self.entity(attributes: [Attribute("total", .real), Attribute("name", .text, optional: true)])
    #expect(try factory.runtimeDAO(fitting).insert(factory.runtimeDAO(fitting).make(["total": 2.5, "name": "b"]))["id"] == 2)
    #expect(try factory.runtimeDAO(fitting).findAll().map { $0["total"] } == [18.0, 2.5])
    let missing = Self.entity(attributes: [Attribute("sum", .real)])
    #expect(elements { try factory.runtimeDAO(missing).findAll() } == ["sum"])
  }
}
