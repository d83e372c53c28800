import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Generated columns")
struct GeneratedColumnTests {
  private func store(_ kind: Line.Kind, _ more: String = "") throws -> TestStore {
    try TestStore([], sql: "\(Line.table(kind)); \(more)")
  }

  // MARK: Writing

  @Test(arguments: Line.Kind.allCases)
  func `inserts, updates, upserts and saves leave them out, and what comes back is as it was given`(_ kind: Line.Kind) throws {
    let store = try store(kind)
    let lines = store.factory.runtimeDAO(Line.self)
    var pen = try lines.insert(Line("pen", 3, 4))
    #expect(pen == Line(id: 1, "pen", 3, 4))
    #expect(try lines.find(1) == pen.computed)
    #expect(try lines.insert([Line("ink", 7, nil), Line("cap", 1, 9)]).map(\.id) == [2, 3])
    #expect(try lines.findAll(.all.order(by: \.id)).map(\.total) == [12, nil, 9])

    pen.price = 5
    #expect(try lines.update(pen) == pen)
    #expect(try lines.find(1) == pen.computed)
    // Nothing but what the store computes differs.
    #expect(try lines.upsert(pen).outcome == .unchanged)
    #expect(try lines.upsert(pen.computed).outcome == .unchanged)
    pen.quantity = 1
    #expect(try lines.upsert(pen).outcome == .updated)
    #expect(try lines.find(1) == pen.computed)
    #expect(try lines.upsert(Line("pen", 8, 8), on: [\.name]).outcome == .updated)
    #expect(try lines.upsert(Line("pen", 9, 9), on: [\.name], updating: [\.price]).outcome == .updated)
    #expect(try lines.find(1) == Line(id: 1, "pen", 9, 8).computed)
    #expect(try lines.upsert(Line("nib", 2, 2), on: [\.name]).outcome == .inserted)
    let wax = try lines.save(Line("wax", 2, 5))
    #expect(try lines.refresh(wax) == wax.computed)
    let twin = try lines.clone(wax.computed) { $0.name = "seal" }
    #expect(try lines.refresh(twin) == twin.computed)

    let written = store.trace.texts.filter { $0.contains("INSERT") || $0.contains("UPDATE") }
    #expect(!written.isEmpty && !written.contains { $0.contains(#""total""#) || $0.contains(#""label""#) }, "\(written)")
  }

  @Test(arguments: ["", "STRICT", "WITHOUT ROWID", "STRICT, WITHOUT ROWID"], Line.Kind.allCases)
  func `a dynamic entity has them in the columns' order, in tables of all kinds`(_ options: String, _ kind: Line.Kind) throws {
    let store = try TestStore([], sql: Line.table(kind, options: options))
    let lines = try store.factory.runtimeDAO("line")
    #expect(lines.entity.attributes.map(\.name) == ["id", "total", "name", "price", "quantity", "label"])
    #expect(lines.entity.attributes.filter(\.isGenerated).map(\.name) == ["total", "label"])
    #expect(lines.entity["total"]?.isOptional == true && lines.entity["label"]?.isOptional == false)
    #expect(lines.entity.problems.isEmpty)
    var pen = try lines.insert(lines.make(["id": 1, "name": "pen", "price": 3, "quantity": 4]))
    #expect(pen["total"] == .null)
    pen = try lines.find([1])
    #expect(pen["total"] == 12 && pen["label"] == "pen 4")
    pen["price"] = 5
    pen["total"] = 99
    try lines.update(pen)
    #expect(try lines.find([1])["total"] == 20)
    #expect(try lines.upsert(pen).outcome == .unchanged)
    pen["quantity"] = nil
    #expect(try lines.upsert(pen).outcome == .updated)
    #expect(try lines.find([1])["label"] == "pen -")
  }

  @Test func `a scope and a version go with them`() throws {
    let entity = EntityDescription(
      "t", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("n", .integer), Attribute("version", .integer, version: true),
        Attribute("twice", .integer, optional: true, generated: true),
      ])
    let store = try TestStore(
      [], sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, version INTEGER NOT NULL, twice AS (2 * n))")
    let rows = store.factory.runtimeDAO(entity)
    let few = ScopedRows(DAOContext(store.store, entity: entity))
    var row = try rows.insert(rows.make(["n": 1, "version": 0]))
    row["n"] = 2
    row = try few.update(row)
    #expect(row["version"] == 1)
    #expect(try few.find([1])["twice"] == 4)
    row["n"] = 50
    row = try few.update(row)
    // It is seen no more: the scope is over what the store computes.
    #expect(throws: DAOError.self) { try few.update(row) }
    #expect(try rows.upsert(row).outcome == .unchanged)
    #expect(try rows.find([1])["twice"] == 100)
  }

  /// Rows whose generated column is small.
  private final class ScopedRows: DAO<DynamicEntity>, @unchecked Sendable {
    override var scope: Filter<DynamicEntity> { .field("twice") < 10 }
  }

  @Test func `what sets one, or meets a row by one, is refused with its name`() throws {
    let store = try store(.stored)
    let lines = store.factory.runtimeDAO(Line.self)
    let refused = "is a generated column, which the store computes by itself"
    expectProblems([refused], at: ["total"]) { try lines.update(.where(\.id > 0), set: .set(\.total, to: 3)) }
    expectProblems([refused], at: ["label"]) { try lines.upsert(Line("pen", 1, 1), on: [\.label]) }
    expectProblems([refused], at: ["total"]) { try lines.upsert(Line("pen", 1, 1), on: [\.name], updating: [\.total]) }
    let work = try store.factory.unitOfWork()
    let own = work.runtimeDAO(Line.self)
    expectProblems([refused], at: ["total"]) { try own.update(.where(\.id > 0), set: .set(\.total, to: 3)) }
    expectProblems([refused], at: ["label"]) { try own.upsert(Line("pen", 1, 1), on: [\.label]) }
  }

  private func expectProblems(_ messages: [String], at paths: [String], _ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      guard case DAOError.invalidCriteria(entity: "line", problems: let problems) = error else { return false }
      return problems.map(\.message) == messages && problems.map(\.path) == paths
    }
  }

  // MARK: Following

  @Test(arguments: Line.Kind.allCases, [false, true])
  func `lists and counts over them follow the commits`(_ kind: Line.Kind, notesByTriggers: Bool) async throws {
    let factory = try TestStore([], sql: Line.table(kind), notesByTriggers: notesByTriggers).factory
    let lines = factory.runtimeDAO(Line.self)
    let criteria = SearchCriteria<Line>.where(\.total > 5).order(by: \.total, \.label)
    try syncly { try lines.insert([Line("pen", 3, 4), Line("ink", 1, 1), Line("cap", 10, 1)]) }
    var lists = lines.fetchedResults(criteria, sections: \.label).makeAsyncIterator()
    var counts = lines.observeCount(.where(\.label == "ink 9")).makeAsyncIterator()
    #expect(try await lists.next()?.map(\.label) == ["cap 1", "pen 4"])
    #expect(try await counts.next() == 0)
    // The entity that is written says nothing of what is computed.
    try syncly { try lines.update(Line(id: 2, "ink", 1, 9)) }
    #expect(try await lists.next()?.map(\.label) == ["ink 9", "cap 1", "pen 4"])
    #expect(try await counts.next() == 1)
    try syncly { try lines.update(.where(\.name == "pen"), set: .set(\.price, to: 2)) }
    let moved = try await lists.next()
    #expect(moved?.map(\.total) == [8, 9, 10] && moved?.changes != nil)
    try syncly { try lines.update(.where(\.name == "cap"), set: .set(\.quantity, to: nil)) }
    #expect(try await lists.next()?.map(\.name) == ["pen", "ink"])
    let work = try factory.unitOfWork()
    try syncly {
      try work.runtimeDAO(Line.self).update(.where(\.name == "ink"), set: .set(\.quantity, to: 0))
      #expect(try work.runtimeDAO(Line.self).findAll(criteria).map(\.name) == ["pen"])
      try work.commit()
    }
    #expect(try await lists.next()?.map(\.name) == ["pen"])
    #expect(try await counts.next() == 0)
  }

  @Test(arguments: Line.Kind.allCases, [false, true])
  func `a change set names them where they may have changed`(_ kind: Line.Kind, notesByTriggers: Bool) async throws {
    let store = try TestStore([], sql: Line.table(kind), notesByTriggers: notesByTriggers)
    let lines = store.factory.runtimeDAO(Line.self)
    var changes = try store.factory.changes(of: Line.self, attributes: true).makeAsyncIterator()
    try syncly { try lines.insert(Line("pen", 3, 4)) }
    #expect(await changes.next()?[Line.self].inserted == [1])
    try syncly { try lines.update(Line(id: 1, "pen", 5, 4)) }
    let names = try #require(await changes.next()?[Line.self].updatedAttributes?.first)
    #expect(names.isSuperset(of: ["price", "total"]))
    // Columns behind one that is computed when it is read are not told apart.
    #expect(names.contains("name") == (kind == .virtual))
  }

  // MARK: Units of work

  @Test(arguments: Line.Kind.allCases)
  func `edits of a stale entity and a policy's values leave them to the store`(_ kind: Line.Kind) throws {
    let store = try store(kind, "INSERT INTO line (name, price, quantity) VALUES ('pen', 3, 4)")
    let lines = store.factory.runtimeDAO(Line.self)
    let work = try store.factory.unitOfWork()
    let own = work.runtimeDAO(Line.self)
    var pen = try own.find(1)
    // Nothing but what the store computes differs.
    #expect(try own.upsert(Line(id: 1, "pen", 3, 4)).outcome == .unchanged)
    try lines.update(.where(\.id == 1), set: .set(\.quantity, to: 5))
    pen.price = 7
    pen.total = 99
    try own.update(pen)
    #expect(try own.find(1) == Line(id: 1, "pen", 7, 4).computed)
    #expect {
      try work.commit(resolving: .decide { _ in .values(["total": 3]) })
    } throws: { error in
      guard case DAOError.invalidValue(entity: "line", attribute: "total", problem: let problem) = error else { return false }
      return problem == "is a generated column, which the store computes by itself"
    }
    try work.commit(resolving: .byAttribute)
    #expect(try lines.find(1) == Line(id: 1, "pen", 7, 5).computed)
  }

  @Test func `rows that are told apart by one alone are not edited`() throws {
    let store = try TestStore([], sql: "CREATE TABLE t (a TEXT NOT NULL, b TEXT NOT NULL AS (upper(a)) UNIQUE)")
    let work = try store.factory.unitOfWork()
    let rows = try work.runtimeDAO("t")
    #expect {
      try rows.insert(rows.make(["a": "x", "b": "X"]))
    } throws: { error in
      if case DAOError.unsupported = error { true } else { false }
    }
  }

  // MARK: Descriptions

  @Test func `one can't be what is written, and no store is made from it`() {
    func problems(_ attribute: Attribute, key: EntityDescription.Key = .generated("id"), identity: [String]? = nil) -> [String] {
      EntityDescription("t", key: key, attributes: [Attribute("id", .integer), attribute], identity: identity).problems
    }
    #expect(problems(Attribute("a", .integer, generated: true)).isEmpty)
    #expect(problems(Attribute("a", .integer, generated: true), key: .assigned(["a"])) == ["t.a is generated and can't be part of the key"])
    #expect(problems(Attribute("a", .integer, version: true, generated: true)) == ["t.a is generated and can't be the version"])
    #expect(problems(Attribute("a", .text, searchable: true, generated: true)) == ["t.a is generated and can't be searchable"])
    #expect(problems(Attribute("a", .text, default: "x", generated: true)) == ["t.a is generated and can't have a default"])
    #expect(
      problems(Attribute("a", .text, generated: true), identity: ["a"]) == ["t.a is generated and can't be part of the identity"])
    let view = EntityDescription(
      "v", source: .view(definition: nil), key: .assigned(["a"]),
      attributes: [Attribute("a", .text), Attribute("b", .text, generated: true)])
    #expect(view.problems == ["v.b is generated and is of a view, of which nothing is written"])
    #expect {
      try TestStore([Line.entityDescription])
    } throws: { error in
      guard case DAOError.invalidDescription(entity: "line", problems: let problems) = error else { return false }
      return problems
        == ["total", "label"].map {
          "line.\($0) is generated, by an expression that the description does not have; a new store can't be made from it"
        }
    }
  }

  @Test func `another type is stated, and the attribute stays generated`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT, day DATE AS (substr(at, 1, 10)));
        INSERT INTO t (at) VALUES ('2026-11-21 06:19:00')
        """)
    let known = SchemaCorrections(types: ["t": ["day": .date(.text("YYYY-MM-DD"))]])
    let rows = try DAOFactory(over: store.store, corrections: known).runtimeDAO("t")
    #expect(rows.entity["day"]?.isGenerated == true)
    let row = try #require(try rows.findFirst(.where(.field("day") == .date(Date(timeIntervalSince1970: 1_795_219_200)))))
    try rows.update(row)
    #expect(try rows.count() == 1)
  }

  @Test func `the evaluator computes nothing and keeps what it is given`() throws {
    let factory = DAOFactory(over: try EvaluatorStore([Line.entityDescription]))
    let lines = factory.runtimeDAO(Line.self)
    let pen = try lines.insert(Line(total: 12, "pen", 3, 4, label: "pen 4"))
    #expect(try lines.findAll(.where(\.total > 10)) == [pen])
    #expect(throws: DAOError.self) { try lines.update(.where(\.id > 0), set: .set(\.total, to: 3)) }
    #expect(try factory.store.entities().first?["total"]?.isGenerated == true)
  }

  // MARK: Foreign keys

  @Test(arguments: Line.Kind.allCases)
  func `one may refer to rows of another table`(_ kind: Line.Kind) throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE shelf (code TEXT NOT NULL PRIMARY KEY);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, mark TEXT NOT NULL,
          shelf_id TEXT AS (substr(mark, 1, 1)) \(kind) REFERENCES shelf (code) ON DELETE CASCADE);
        CREATE INDEX book_on_shelf_id ON book (shelf_id);
        INSERT INTO shelf VALUES ('a'), ('b');
        INSERT INTO book (mark) VALUES ('a1'), ('a2'), ('b1')
        """)
    let (shelves, books) = (try store.factory.runtimeDAO("shelf"), try store.factory.runtimeDAO("book"))
    #expect(books.entity.problems.isEmpty && books.entity.indexes == [Index(on: "shelf_id", unique: false)])
    #expect(try books.findAllIDs(.where(.field("shelf.code") == "a")) == [[1], [2]])
    let found = try shelves.findAll(.all.prefetch("book").order(by: .ascending(.field("code"))))
    #expect(try found.map { try $0.related("book").count } == [2, 1])
    try books.insert(books.make(["mark": "b2"]))
    #expect {
      try books.insert(books.make(["mark": "c1", "shelf_id": "a"]))
    } throws: { error in
      if case DAOError.constraint(.foreignKey, entity: "book", _, _) = error { true } else { false }
    }
    #expect {
      try books.update(.where(.field("id") == 1), set: .set("mark", to: "c1"))
    } throws: { error in
      if case DAOError.constraint(.foreignKey, entity: "book", attributes: ["shelf_id"], _) = error { true } else { false }
    }
    #expect(try shelves.delete([["a"]]) == 1)
    #expect(try books.findAll().map { $0["mark"] } == ["b1", "b2"])
    let work = try store.factory.unitOfWork()
    #expect(try work.runtimeDAO("shelf").delete([["b"]]) == 1)
    #expect(try work.runtimeDAO("book").count() == 0)
    try work.commit()
    #expect(try books.count() == 0)
  }
}
