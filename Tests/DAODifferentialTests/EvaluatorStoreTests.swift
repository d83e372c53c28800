import DAOKit
import Foundation
import Testing

/// The evaluator as a store for unit tests.
struct EvaluatorStoreTests {
  @Test func `a factory for unit tests knows the entities and nothing else`() throws {
    let factory = try DAOFactory(store: .evaluator, entities: Note.self)
    let notes = factory.dao { NoteDAO($0, tenant: 1) }
    #expect(try notes.insert([Note(" a"), Note("b")]).map(\.id) == [1, 2])
    #expect(try factory.runtimeDAO("note").dictionaries(.all.project(.count)) == [["count": 2]])
    #expect(throws: DAOError.self) { try factory.runtimeDAO("nothing") }
    #expect {
      _ = try factory.runtimeDAO(EverythingRow.self).count()
    } throws: {
      if case DAOError.unknownEntity("everything", ["note"], _) = $0 { true } else { false }
    }
    #expect {
      _ = try notes.query("SELECT 1") { try $0.next(Int.self) }
    } throws: {
      "\($0)" == "this store has no SQL"
    }
  }

  @Test(arguments: [Library.entities, Family.entities, [Note.entityDescription], [Everything.entity]])
  func `dynamic entities are those that SQLite reads from its schema`(_ entities: [EntityDescription]) throws {
    let (evaluator, sqlite) = (try EvaluatorStore(entities).entities(), try Stores.sqlite(for: entities).entities())
    #expect(evaluator == sqlite)
    for (a, b) in zip(evaluator, sqlite) { #expect(a.relationships.map(\.name) == b.relationships.map(\.name)) }
  }

  @Test(arguments: Both.allCases)
  func `a dynamic entity reads and writes the rows of the store`(_ kind: Both) throws {
    let factory = try kind.factory(for: Library.entities)
    let authors = try factory.runtimeDAO("the \"author\"")
    let books = try factory.runtimeDAO("book")
    try authors.insert([authors.make(["full name": "Jan", "rank": 2]), authors.make(["full name": "Eva", "mentor_id": 1])])
    let inserted = try books.insert((1...5).map { try books.make(["name": .text("book \($0)"), "author_id": .integer($0 < 4 ? 1 : 2)]) })
    #expect(inserted.map { $0["id"] } == [1, 2, 3, 4, 5])
    let ofJan = SearchCriteria<DynamicEntity>.where(.field("author.full name") == "Jan").order(by: .descending(.field("id")))
    #expect(try books.findAllIDs(ofJan) == [[3], [2], [1]])
    #expect(try books.page(ofJan, number: 2, size: 2, total: .exact).total == 3)
    #expect(
      try books.dictionaries(.all.project(.group(by: "author_id"), .count).order(by: .ascending(.field("author_id")))).map { $0["count"] }
        == [3, 2])
    let names = try books.withCursor(ofJan) { cursor in
      var names: [Scalar?] = []
      while let book = try cursor.next() { names.append(book["name"]) }
      return names
    }
    #expect(names == ["book 3", "book 2", "book 1"])
    #expect(throws: DAOError.self) { try books.insert(books.make(["name": "lost", "author_id": 9])) }
    #expect(try authors.delete([[1]]) == 1 && books.count() == 2)
    #expect(try authors.find(2)["mentor_id"] == .null)
  }

  @Test(arguments: Both.allCases)
  func `what a batch changes is seen by its next row`(_ kind: Both) throws {
    let node = Self.node
    let store = try kind.store(for: [node])
    func made(_ id: Int64, _ isOpen: Bool, _ name: String, up: Scalar = 1) throws -> DynamicEntity {
      try DynamicEntity(node, ["id": .integer(id), "isOpen": .bool(isOpen), "name": .text(name), "upID": up])
    }
    _ = try store.insert([made(1, true, "root", up: .null), made(2, true, "a"), made(3, true, "b")], in: EntityTarget(node))
    let isBelowOpen = Criteria.Condition.some(FieldPath("up"), .compare(.field(FieldPath("isOpen")), .equal, .value(true)))
    let scoped = EntityTarget(node, scope: .any([.isNull(.field(FieldPath("upID"))), isBelowOpen]))
    #expect {
      try store.update([made(2, true, "A"), made(1, false, "root", up: .null), made(3, true, "B")], in: scoped)
    } throws: {
      if case DAOError.notFound("node", _) = $0 { true } else { false }
    }
    #expect(try store.find(DynamicEntity.self, in: EntityTarget(node), Criteria()).map { $0["name"] } == ["root", "a", "b"])
  }

  private static let node: EntityDescription = EntityDescription(
    "node", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("isOpen", .bool), Attribute("name", .text), Attribute("upID", .integer, optional: true),
    ], relationships: [.toOne("up", node, by: "upID")])

  @Test func `a stream and a cursor hand out thousands of rows, from one snapshot`() async throws {
    let factory = try DAOFactory(store: .evaluator, entities: Note.self)
    let notes = factory.runtimeDAO(Note.self)
    try await notes.insert((1...3000).map { Note("\($0)") })
    var streamed: [Int64?] = []
    for try await note in notes.stream(SearchCriteria().order(by: .descending(\.id))) {
      if streamed.isEmpty { try await notes.delete(.where(\.id <= 1000)) }
      streamed.append(note.id)
    }
    #expect(streamed == (1...3000).reversed().map { $0 })
    let left = try await factory.read { session in
      try session.runtimeDAO(Note.self).withCursor { cursor in
        var left: [Int64?] = []
        while let note = try cursor.next() { left.append(note.id) }
        return left
      }
    }
    #expect(left == (1001...3000).map { $0 })
  }

  @Test func `what the evaluator can't do is an error that says so`() throws {
    let view = EntityDescription(
      "view", source: .view(definition: "SELECT 1 AS id"), key: .assigned(["id"]), attributes: [Attribute("id", .integer)])
    let other = EntityDescription("other", table: "note", key: .assigned(["title"]), attributes: [Attribute("title", .text)])
    let store = try EvaluatorStore([Note.entityDescription, view])
    func unsupported(_ body: () throws -> Void) -> Bool {
      do { try body() } catch DAOError.unsupported { return true } catch { Issue.record(error) }
      return false
    }
    #expect(unsupported { _ = try store.count(in: EntityTarget(view), Criteria()) })
    #expect(unsupported { _ = try store.count(in: EntityTarget(other), Criteria()) })
    #expect(unsupported { _ = try EvaluatorStore([Note.entityDescription, other]) })
    #expect(throws: DAOError.self) { try store.delete(in: EntityTarget(view), Criteria()) }
    let unsound = EntityDescription("unsound", key: .assigned(["x"]), attributes: [])
    #expect {
      _ = try EvaluatorStore([unsound])
    } throws: {
      if case DAOError.invalidDescription = $0 { true } else { false }
    }
  }

  @Test(arguments: Both.allCases)
  func `numbers are equal whatever keeps them, doubles are rounded where they are kept, and a NUL is a character`(_ kind: Both) throws {
    let entity = EntityDescription(
      "number", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("whole", .integer), Attribute("real", .real, optional: true), Attribute("text", .text),
      ])
    let store = try kind.store(for: [entity])
    let target = EntityTarget(entity)
    func insert(_ whole: Int64, _ real: Scalar) throws {
      _ = try store.insert([DynamicEntity(entity, ["whole": .integer(whole), "real": real, "text": "a\0b"])], in: target)
    }
    try insert(1, .null)
    try insert(2, 1.0)
    let (whole, real) = (Criteria.Term.field(FieldPath("whole")), Criteria.Term.field(FieldPath("real")))
    let either = Criteria.Term.function(.coalesce, [real, whole])
    var criteria = Criteria()
    criteria.columns = [Criteria.Column(either, isGroup: true), Criteria.Column(.aggregate(.count, nil))]
    #expect(try store.count(in: target, criteria) == 1)
    criteria.columns = [
      Criteria.Column(.aggregate(.countDistinct, either)),
      Criteria.Column(.aggregate(.max, .function(.length, [.field(FieldPath("text"))]))),
    ]
    #expect(try store.report(in: target, criteria) { try [$0.next(Int.self), $0.next(Int.self)] } == [[1, 3]])
    criteria.columns = [Criteria.Column(either)]
    criteria.isDistinct = true
    #expect(try store.count(in: target, criteria) == 1)

    // 2^53 + 1 is no double.
    try insert(9_007_199_254_740_993, .null)
    #expect(try store.update(in: target, Criteria(), set: [Criteria.Change(.field(FieldPath("real")), whole)]) == 3)
    criteria = Criteria()
    criteria.filter = .compare(real, .equal, whole)
    #expect(try store.count(in: target, criteria) == 2)
  }

  @Test(arguments: Both.allCases)
  func `a key is generated wherever an integer key has none`(_ kind: Both) throws {
    let entity = EntityDescription(
      "reading", key: .assigned(["number"]), attributes: [Attribute("number", .integer), Attribute("value", .real)])
    let store = try kind.store(for: [entity])
    let target = EntityTarget(entity)
    func insert(_ number: Int64?, _ value: Double) throws { _ = try store.insert([Reading(number: number, value: value)], in: target) }
    try insert(-7, 3)
    try insert(nil, 4)
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("value")))]
    #expect(try store.find(DynamicEntity.self, in: target, criteria).map(\.values) == [[-7, .real(3)], [-6, .real(4)]])
    try insert(.max, 5)
    try insert(nil, 6)
    #expect(try store.count(in: target, Criteria()) == 4)
  }

  /// A key that the program may leave to the store, though the description does not say so.
  private struct Reading: Entity {
    let number: Int64?
    let value: Double
    static let entityDescription = EntityDescription("unused", key: .assigned([]), attributes: [])
    struct Fields: EntityFields { init(path: FieldPath) {} }
    var primaryKey: Int64? { number }
    init(number: Int64?, value: Double) { (self.number, self.value) = (number, value) }
    init(row: inout RowReader) throws { (number, value) = (try row.next(), try row.next()) }
    func write(to row: inout ColumnWriter) throws {
      try row.write(number)
      try row.write(value)
    }
  }

  /// Anything that goes through all rows for each row takes 100 million steps here.
  @Test func `thousands of rows are no burden`() throws {
    let store = try EvaluatorStore(Library.entities)
    let (authors, books) = (EntityTarget(Library.author), EntityTarget(Library.book))
    let count: Int64 = 10_000
    _ = try store.insert(
      (1...count).map { try DynamicEntity(Library.author, ["id": .integer($0), "name": .text("\($0 % 100)")]) }, in: authors)
    _ = try store.insert(
      (1...count).map { id in
        try DynamicEntity(Library.book, ["id": .integer(id), "name": .text("\(id)"), "rank": .integer(id % 7), "authorID": .integer(id)])
      }, in: books)
    var linear = Criteria()
    linear.budget = RunBudget(steps: 1_000_000, time: .seconds(36_000))
    func field(_ path: String) -> Criteria.Term { .field(FieldPath(path)) }

    var related = linear
    related.filter = .all([
      .some(FieldPath("books"), .compare(field("rank"), .equal, .value(3))),
      .compare(.related(.count, FieldPath("books"), nil, .constant(true)), .equal, .value(1)),
    ])
    #expect(try store.count(in: authors, related) == 1429)
    var largest = linear
    largest.filter = .compare(field("rank"), .equal, .aggregate(.max, field("rank")))
    largest.orders = [Criteria.Ordering(field("author.name"), .descending), Criteria.Ordering(field("name"))]
    #expect(try store.find(DynamicEntity.self, in: books, largest).count == 1428)
    var among = linear
    among.filter = .among(field("id"), (1...count).map { .integer($0 * 2) })
    #expect(try store.count(in: books, among) == 5000)
    var groups = linear
    groups.columns = [Criteria.Column(field("authorID"), isGroup: true), Criteria.Column(.aggregate(.sum, field("rank")))]
    #expect(try store.count(in: books, groups) == 10_000)
    groups.columns = [Criteria.Column(field("author.name"))]
    groups.isDistinct = true
    #expect(try store.count(in: books, groups) == 100)
    for id in 1...count { #expect(try store.exists(in: books, key: id)) }
    var all = linear
    all.filter = .compare(field("id"), .greater, .value(1))
    #expect(try store.delete(in: authors, all) == 9999)
    #expect(try store.count(in: books, linear) == 1)
  }

  @Test func `a pattern of many stars is quickly done, and a long text deepens nothing`() throws {
    let store = try EvaluatorStore([Note.entityDescription])
    let target = EntityTarget(Note.entityDescription)
    _ = try store.insert([Note(String(repeating: "a", count: 100_000))], in: target)
    var criteria = Criteria()
    criteria.filter = .matches(.field(FieldPath("title")), .like, .text(String(repeating: "*a", count: 30) + "*b"), caseSensitive: true)
    #expect(try store.count(in: target, criteria) == 0)
    criteria.filter = .matches(.field(FieldPath("title")), .like, "a*a", caseSensitive: false)
    #expect(try store.count(in: target, criteria) == 1)
  }
}
