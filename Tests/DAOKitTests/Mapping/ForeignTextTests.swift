import DAOEvaluator
import DAOKit
import DAOSchema
import Foundation
import GRDB
import Testing

/// Texts whose columns have a collation.
@Suite struct ForeignTextTests {
  struct Tag: Entity, Hashable {
    var code: String
    var title: String
    var parent: Reference<Tag>?
    var below = Many<Tag>()

    static let entityDescription: EntityDescription = EntityDescription(
      "tag", key: .assigned(["code"]),
      attributes: [
        Attribute("code", .text(.nocase)), Attribute("title", .text(.rtrim)), Attribute("parent", .text(.nocase), optional: true),
      ],
      indexes: [Index(on: "title")],
      relationships: [
        .toOne("parent", Tag.entityDescription, by: "parent"), .toMany("below", Tag.entityDescription, by: "parent"),
      ])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var code: Field<String> { path.field("code") }
      var title: Field<String> { path.field("title") }
      var parent: Field<Reference<Tag>?> { path.field("parent") }
      var below: RelatedField<Tag> { path.related("below") }
    }

    var primaryKey: String? { code }

    init(_ code: String, _ title: String, parent: Reference<Tag>? = nil) { (self.code, self.title, self.parent) = (code, title, parent) }

    init(row: inout RowReader) throws {
      code = try row.next()
      title = try row.next()
      parent = try row.next(at: "tag.parent")
      below = row.next(at: "tag.below")
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(code)
      try row.write(title)
      try row.write(parent)
    }

    static func prefetch(_ rows: inout Prefetching<Tag>) throws {
      try rows.fetch("parent", into: \.parent)
      try rows.fetch("below", into: \.below)
    }
  }

  private static let table = """
    CREATE TABLE tag (code VARCHAR(20) NOT NULL PRIMARY KEY COLLATE NOCASE, title TEXT NOT NULL COLLATE RTRIM,
      parent TEXT COLLATE NOCASE REFERENCES tag (code));
    CREATE INDEX tag_title ON tag (title);
    CREATE INDEX tag_parent ON tag (parent);
    INSERT INTO tag VALUES ('Red', 'a  ', NULL), ('blue', 'a', 'RED'), ('Äpfel', 'a b', 'red'), ('Zebra', 'B ', 'BLUE')
    """

  private let store: TestStore
  private let tags: RuntimeDAO<Tag>
  private let factory: DAOFactory

  init() throws {
    store = try TestStore([], sql: Self.table)
    factory = DAOFactory(over: store.store)
    tags = factory.runtimeDAO(Tag.self)
  }

  private func codes(_ criteria: SearchCriteria<Tag>) throws -> [String] { try tags.findAll(criteria).map(\.code) }

  private func quoted() throws -> [String] {
    try tags.query("SELECT quote(code) || quote(title) || quote(parent) FROM tag ORDER BY rowid") { try $0.next() }
  }

  // MARK: Reading

  @Test func `texts are equal and ordered by the collation of their column, and read as they are spelled`() throws {
    #expect(try codes(.where { $0.code == "RED" }) == ["Red"])
    #expect(try codes(.where { .in($0.code, ["BLUE", "zebra", "ÄPFEL", "äpfel"]) }.order(by: \.code)) == ["blue", "Zebra", "Äpfel"])
    #expect(try codes(.where { $0.code != "red" }.order(by: .descending(\.code))) == ["Äpfel", "Zebra", "blue"])
    #expect(try codes(.where { $0.code < "RED" }) == ["blue"])
    #expect(try codes(.where { .between($0.code, "BLUE", "red") }.order(by: \.code)) == ["blue", "Red"])
    #expect(try codes(.where { $0.title == "a " }.order(by: \.code)) == ["blue", "Red"])
    #expect(try codes(.where { $0.title > "a " }) == ["Äpfel"])
    #expect(try codes(.all.order(by: .ascending(\.title), .ascending(\.code))) == ["Zebra", "blue", "Red", "Äpfel"])
    #expect(try tags.find("rED").title == "a  ")
    var seen: [String] = []
    var page = try tags.page(.all.order(by: \.title), size: 1)
    while true {
      seen += page.items.map(\.code)
      guard let next = page.next else { break }
      page = try tags.page(.all.order(by: \.title), size: 1, after: next)
    }
    #expect(seen == ["Zebra", "blue", "Red", "Äpfel"])
  }

  @Test func `functions and patterns see the spelling`() throws {
    #expect(try codes(.where { .beginsWith($0.code, "R") }) == ["Red"])
    #expect(try codes(.where { .beginsWith($0.code, "r") }) == [])
    #expect(try codes(.where { !.beginsWith($0.code, "R") }.order(by: \.code)) == ["blue", "Zebra", "Äpfel"])
    #expect(try codes(.where { .beginsWith($0.code, "Z") }) == ["Zebra"])
    #expect(try codes(.where { .beginsWith($0.title, "a ") }.order(by: \.code)) == ["Red", "Äpfel"])
    #expect(try codes(.where { .beginsWith($0.code, "zE", caseSensitive: false) }) == ["Zebra"])
    try tags.insert([Tag("\u{1F}", "\u{1F}"), Tag("[", "z"), Tag("a\0B", ""), Tag("a\0Bcd", "")])
    #expect(try codes(.where { .beginsWith($0.title, "\u{1F}") }) == ["\u{1F}"])
    try tags.insert(Tag("u", "\u{600}\u{1F}x"))
    #expect(try codes(.where { .beginsWith($0.title, "\u{600}\u{1F}") }) == ["u"])
    #expect(try codes(.where { .beginsWith($0.code, "a\0B") }.order(by: \.code)) == ["a\0B", "a\0Bcd"])
    #expect(try codes(.where { .beginsWith($0.code, "[") }) == ["["])
    #expect(try codes(.where { .contains($0.code, "e") }.order(by: \.code)) == ["blue", "Red", "Zebra", "Äpfel"])
    #expect(try codes(.where { $0.code.lowercased() == "RED" }) == [])
    #expect(try codes(.where { $0.title.length() == 3 }.order(by: \.code)) == ["Red", "u", "Äpfel"])
  }

  @Test func `sections take equal texts for one, named by the first`() async throws {
    let byTitle = SearchCriteria<Tag>.all.order(by: .ascending(\.title), .ascending(\.code))
    var lists = tags.fetchedResults(byTitle, sections: \.title).makeAsyncIterator()
    let first = try await lists.next()
    #expect(first?.sections.map(\.value) == ["B ", "a", "a b"])
    #expect(first?.sections.map { $0.rows.map(\.code) } == [["Zebra"], ["blue", "Red"], ["Äpfel"]])
    try await tags.insert(Tag("Azur", "a   "))
    let second = try await lists.next()
    #expect(second?.sections.map(\.value) == ["B ", "a   ", "a b"])
    #expect(second?.sections.map { $0.rows.map(\.code) } == [["Zebra"], ["Azur", "blue", "Red"], ["Äpfel"]])
  }

  @Test func `an index with the collation answers filters, orders and beginnings`() throws {
    for criteria: SearchCriteria<Tag> in [
      .where { $0.code == "red" }, .where { .in($0.code, ["a", "b"]) }, .where { $0.code > "a" }, .where { .beginsWith($0.code, "Re") },
      .all.order(by: \.code),
    ] {
      let plan = try tags.explain(criteria)
      #expect(plan.usedIndexes == ["sqlite_autoindex_tag_1"] && plan.sorts.isEmpty, "\(plan)")
    }
    #expect(try tags.explain(.all.order(by: .ascending(\.title)).limit(2)).usedIndexes == ["tag_title"])
  }

  @Test func `groups, distinct values, counts and extremes take equal texts for one`() throws {
    try tags.execute("INSERT INTO tag VALUES ('x', 'q', 'bLUE'), ('y', 'q ', 'red'), ('z', 'Q', NULL)")
    let groups = try tags.project(.group(by: \.parent), .count, matching: .all.order(by: \.parent))
    #expect(groups.map { "\(($0.0?.key ?? "-").lowercased()) \($0.1)" } == ["- 2", "blue 2", "red 3"])
    #expect(try tags.project(.count(distinct: \.parent)) == [2])
    #expect(try tags.minimum(of: \.title) == "B ")
    #expect(try tags.maximum(of: \.code) == "Äpfel")
    let titles = try tags.distinctValues(of: \.title).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(titles == ["B", "Q", "a", "a b", "q"])
  }

  // MARK: Writing

  @Test func `keys that a collation finds equal are one`() throws {
    #expect(throws: DAOError.self) { try tags.insert(Tag("RED", "")) }
    let upserted = try tags.upsert(Tag("RED", "new"))
    #expect(upserted.outcome == .updated && upserted.entity.code == "Red")
    #expect(try tags.upsert(Tag("RED", "new")).outcome == .unchanged)
    #expect(try tags.find("red").title == "new")
    // A difference that the collation does not see is one that is written.
    #expect(try tags.upsert(Tag("Red", "new ")).outcome == .updated)
    try tags.update(Tag("BLUE", "b"))
    #expect(try quoted().prefix(2) == ["'Red''new 'NULL", "'blue''b'NULL"])
    #expect(try tags.delete(["ZEBRA"]) == 1)
    let work = try factory.unitOfWork()
    let inWork = work.runtimeDAO(Tag.self)
    try inWork.update(Tag("RED", "third"))
    #expect(try inWork.find("red").title == "third")
    try work.commit()
    #expect(try tags.find("Red") == Tag("Red", "third"))
    let before = try quoted()
    try tags.update(try tags.findAll())
    #expect(try tags.upsert(try tags.findAll()).allSatisfy { $0.outcome == .unchanged })
    #expect(try quoted() == before)
  }

  @Test func `an update of a row that is all key leaves its spelling`() throws {
    let word = EntityDescription("word", key: .assigned(["text"]), attributes: [Attribute("text", .text(.nocase))])
    for factory in [DAOFactory(over: try EvaluatorStore([word])), try DAOFactory(store: .inMemory(), describedBy: [word])] {
      let words = factory.runtimeDAO(word)
      try words.insert(DynamicEntity(word, ["text": "Ulm"]))
      try words.update(DynamicEntity(word, ["text": "ULM"]))
      #expect(try words.findAll().map { $0["text"] } == ["Ulm"])
      #expect(throws: DAOError.self) { try words.update(DynamicEntity(word, ["text": "Bonn"])) }
    }
  }

  @Test func `an upsert knows no index with another collation than its column`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE ix (id INTEGER PRIMARY KEY, m TEXT, n TEXT COLLATE NOCASE);
        CREATE UNIQUE INDEX ix_m ON ix (m COLLATE NOCASE);
        CREATE UNIQUE INDEX ix_n ON ix (n COLLATE BINARY);
        CREATE TABLE pk (a TEXT NOT NULL, v INTEGER, PRIMARY KEY (a COLLATE NOCASE));
        INSERT INTO ix VALUES (1, 'a', 'A'), (2, 'b', 'a');
        INSERT INTO pk VALUES ('Ann', 1)
        """)
    let (ix, pk) = (try store.factory.entity(named: "ix"), try store.factory.entity(named: "pk"))
    let work = try store.factory.unitOfWork()
    for upsert in [
      { try store.factory.runtimeDAO(ix).upsert([DynamicEntity(ix, ["m": "zz", "n": "a"])], on: ["n"]).count },
      { try store.factory.runtimeDAO(ix).upsert([DynamicEntity(ix, ["m": "A", "n": "q"])], on: ["m"]).count },
      { try store.factory.runtimeDAO(pk).upsert(DynamicEntity(pk, ["a": "ANN", "v": 2])).outcome == .inserted ? 1 : 0 },
      { try work.runtimeDAO(ix).upsert([DynamicEntity(ix, ["m": "A", "n": "q"])], on: ["m"]).count },
      { try work.runtimeDAO(pk).upsert(DynamicEntity(pk, ["a": "ANN", "v": 2])).outcome == .inserted ? 1 : 0 },
    ] as [() throws -> Int] {
      let error = #expect(throws: DAOError.self) { try upsert() }
      #expect("\(String(describing: error))".contains("unique"), "\(String(describing: error))")
    }
    #expect(try store.factory.runtimeDAO(pk).findAll().map { $0["a"] } == ["Ann"])
  }

  @Test func `relationships follow the collation`() throws {
    let rows = try tags.findAll(.all.order(by: \.code).prefetch(\.parent).prefetch(\.below))
    #expect(try rows.map { try $0.parent?.get().code } == ["Red", nil, "blue", "Red"])
    #expect(try rows.map { try $0.below.get().map(\.code).sorted() } == [["Zebra"], ["blue", "Äpfel"], [], []])
    #expect(try codes(.where { $0.parent.title == "a" }.order(by: \.code)) == ["blue", "Zebra", "Äpfel"])
    #expect(try codes(.where(.any(\.below, \.code == "ZEBRA"))) == ["blue"])
    #expect(try codes(.where(.none(\.below)).order(by: \.code)) == ["Zebra", "Äpfel"])
    #expect(throws: DAOError.self) { try tags.insert(Tag("new", "", parent: Reference("nobody"))) }
    try tags.insert(Tag("new", "", parent: Reference("ZEBRA")))
    let error = #expect(throws: DAOError.self) { try tags.delete(tags.find("zebra")) }
    if case .constraint(.foreignKey, _, _, _)? = error {} else { Issue.record("\(String(describing: error))") }
    let dynamic = try store.factory.runtimeDAO("tag")
    #expect(dynamic.entity.types == [.text(.nocase), .text(.rtrim), .text(.nocase)])
    #expect(dynamic.entity.relationships.map(\.name) == ["parent", "tag"])
    #expect(try dynamic.findAllIDs(.where(.equal(.field("code"), "RED"))) == [["Red"]])
  }

  @Test func `a store in memory knows the same rows as equal`() throws {
    let memory = try DAOFactory(store: .evaluator, entities: Tag.self).runtimeDAO(Tag.self)
    for tags in [memory, tags] {
      try tags.insert([Tag("M", "a "), Tag("n", "a", parent: Reference("m"))])
      #expect(throws: DAOError.self) { try tags.insert(Tag("N", "")) }
      #expect(throws: DAOError.self) { try tags.insert(Tag("o", "", parent: Reference("p"))) }
      // SQLite compares a row with itself by its bytes.
      #expect(throws: DAOError.self) { try tags.insert(Tag("o", "", parent: Reference("O"))) }
      try tags.insert(Tag("o", "", parent: Reference("o")))
      #expect(try tags.find("N").parent?.key == "m")
      #expect(try tags.upsert(Tag("N", "a", parent: Reference("m"))).outcome == .unchanged)
      #expect(try tags.upsert(Tag("N", "b")).entity.code == "n")
      try tags.update(Tag("N", "a", parent: Reference("m")))
      #expect(throws: DAOError.self) { try tags.delete(["m"]) }
      let found = try tags.findAll(.where { $0.parent.title == "a" && .between($0.code, "M", "p") }).map(\.code)
      #expect(found == ["n"])
      #expect(try tags.findAll(.where(.any(\.below, \.code == "N"))).map(\.code) == ["M"])
      #expect(try tags.delete(["N", "m"]) == 2)
    }
  }

  @Test func `a relationship is of texts that are compared alike`() {
    func problems(_ here: AttributeType, _ there: AttributeType) -> [String] {
      let shelf = EntityDescription("shelf", key: .assigned(["name"]), attributes: [Attribute("name", there)])
      let book = EntityDescription(
        "book", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("shelf", here, optional: true)],
        relationships: [.toOne("on", shelf, by: "shelf")])
      return (try? SchemaSQL.statements(for: [book, shelf])).map { _ in [] } ?? ["refused"]
    }
    #expect(problems(.text(.nocase), .text(.nocase)) == [] && problems(.text, .any) == [])
    for (here, there) in [
      (.text, .text(.nocase)), (.text(.rtrim), .text(.nocase)), (.any, .text(.nocase)), (.text(.nocase), .any),
    ] as [(AttributeType, AttributeType)] {
      #expect(problems(here, there) == ["refused"], "\(here) \(there)")
    }
  }

  // MARK: Schemas

  @Test func `a collation is a part of the schema, with which tables are made, compared and migrated`() throws {
    let statements = try SchemaSQL.statements(for: [Tag.entityDescription])
    #expect(
      statements.first == """
        CREATE TABLE "tag" ("code" TEXT COLLATE NOCASE NOT NULL PRIMARY KEY, "title" TEXT COLLATE RTRIM NOT NULL, \
        "parent" TEXT COLLATE NOCASE REFERENCES "tag" ("code") ON DELETE NO ACTION)
        """)
    func differences(_ entity: EntityDescription) throws -> [SchemaDifference] {
      try store.engine.read(snapshot: true) { try $0.schema().differences(from: [entity]) }
    }
    #expect(try differences(Tag.entityDescription) == [])
    let plain = EntityDescription(
      "tag", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("title", .text(.nocase))])
    #expect(
      try differences(plain).map { "\($0)" } == [
        "tag.code: the entity has the collation BINARY, the store has the collation NOCASE; declare it as a String with .text(.nocase)",
        "tag.title: the entity has the collation NOCASE, the store has the collation RTRIM; declare it as a String with .text(.rtrim)",
      ])
  }
}
