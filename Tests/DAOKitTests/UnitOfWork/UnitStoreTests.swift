import DAOKit
import DAOTestSupport
import Foundation
import Testing

@Suite("A unit of work over stores of all kinds")
struct UnitStoreTests {
  // MARK: Versions

  @Test func `a version is raised in the unit, and a stale entity is a conflict`() throws {
    let factory = try TestStore([Account.entityDescription]).factory
    let accounts = factory.runtimeDAO(Account.self)
    try accounts.insert([Account("Anna", 1), Account("Ben", 2)])
    let work = try factory.unitOfWork()
    let own = work.runtimeDAO(Account.self)
    let anna = try own.find(1)
    let raised = try own.update(Account(id: 1, "Anna", 10))
    #expect(raised.version == 1)
    #expect(throws: DAOError.self) { try own.update(anna) }
    #expect(throws: DAOError.self) { try own.delete(anna) }
    let again = try own.update(Account(id: 1, "Anna", 20, version: 1))
    #expect(try own.update(.where(\.owner == "Ben"), set: .set(\.balance, to: 5)) == 1)
    try work.commit()
    #expect(try accounts.find(1) == again)
    #expect(try accounts.find(2) == Account(id: 2, "Ben", 5, version: 1))

    // Somebody else's change between the edit and the commit.
    try own.update(Account(id: 2, "Ben", 6, version: 1))
    try accounts.update(Account(id: 2, "Bert", 5, version: 1))
    #expect(throws: DAOError.self) { try work.commit() }
    try work.commit(resolving: .byAttribute)
    #expect(try accounts.find(2) == Account(id: 2, "Bert", 6, version: 3))
  }

  // MARK: Life of the store

  @Test func `a unit outlives the suspension, the closing and the reset of its store`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let factory = try DAOFactory(store: .file(folder.appendingPathComponent("zones.sqlite")), entities: Zone.self)
    try factory.runtimeDAO(Zone.self).insert(Zone.samples)
    let work = try factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    try zones.update(Zone(id: 1, "Europe/Bratislava", 1))
    let tokyo = try zones.insert(Zone("Asia/Tokyo", 9))
    func isAsBefore() throws -> Bool { try zones.find(1).offset == 1 && zones.find(try #require(tokyo.id)) == tokyo }
    try factory.suspend()
    #expect(throws: DAOError.self) { try zones.count() }
    #expect(throws: DAOError.self) { try work.commit() }
    try factory.resume()
    #expect(try isAsBefore() && zones.count() == 7)
    try factory.close()
    #expect(throws: DAOError.self) { try zones.count() }
    try factory.reopen()
    #expect(try isAsBefore() && zones.count() == 7)
    #expect(try work.undo() && !zones.exists(try #require(tokyo.id)) && work.redo())
    // Steps of tables without edits are known to a new connection too.
    #expect(try work.undo() && work.undo() && !work.hasChanges)
    try factory.suspend()
    try factory.resume()
    #expect(try work.redo() && work.redo() && isAsBefore())
    // The rows are gone; the new one is not.
    try factory.resetToSeed()
    #expect(try zones.count() == 2)
    #expect(throws: DAOError.self) { try work.commit() }
    try work.refresh(keeping: .theirs)
    try work.commit()
    #expect(try factory.runtimeDAO(Zone.self).findAll().map(\.name) == ["Asia/Tokyo"])
  }

  @Test func `an open unit holds no lock, and follows what others commit`() throws {
    let store = try FileStore()
    let other = try DAOFactory(store: .file(store.url), entities: Zone.self)
    let work = try store.factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    try zones.insert(Zone("Asia/Tokyo", 9))
    try other.runtimeDAO(Zone.self).insert([Zone("Europe/Paris", 1), Zone("Europe/Rome", 1)])
    #expect(try zones.count() == 3)
    _ = try other.compact()
    try other.runtimeDAO(Zone.self).delete(1)
    #expect(try zones.findAll(.all.order(by: \.name)).map(\.name) == ["Asia/Tokyo", "Europe/Rome"])
    try work.commit()
    #expect(try other.runtimeDAO(Zone.self).find(3).name == "Asia/Tokyo")
  }

  @Test func `inside of closures a unit, its parent and its factory refuse each other instead of waiting`() throws {
    let factory = try TestStore().factory
    let work = try factory.unitOfWork()
    let (zones, outside) = (work.runtimeDAO(Zone.self), factory.runtimeDAO(Zone.self))
    func isMisuse(_ body: () throws -> Void) -> Bool {
      do { try body() } catch DAOError.misuse { return true } catch {}
      return false
    }
    try factory.write { _ in #expect(isMisuse { _ = try zones.count() }) }
    try work.group { #expect(isMisuse { _ = try outside.count() }) }
    try work.group { #expect(isMisuse { _ = try work.commit() }) }
    try work.group { #expect(isMisuse { _ = try work.child().runtimeDAO(Zone.self).count() }) }
    #expect(try zones.count() == 0)
  }

  // MARK: SQL of one's own, and tables of others

  private static let adopted = """
    CREATE TABLE shelf (
      name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, room TEXT DEFAULT 'hall', width INT NOT NULL DEFAULT 80) WITHOUT ROWID;
    CREATE TABLE book (
      shelf TEXT COLLATE NOCASE REFERENCES shelf (name) ON UPDATE CASCADE ON DELETE SET DEFAULT, number INTEGER NOT NULL,
      title TEXT NOT NULL, pages INT DEFAULT 100 CHECK (pages > 0), length TEXT GENERATED ALWAYS AS (length(title)) VIRTUAL,
      part_of INTEGER REFERENCES book (id), id INTEGER PRIMARY KEY AUTOINCREMENT, UNIQUE (shelf, number));
    CREATE VIEW thick AS SELECT id, title, "main"."shelf".room FROM book JOIN shelf ON shelf = name WHERE pages > 500;
    CREATE VIEW thick_titles AS SELECT title FROM thick_books;
    CREATE VIEW thick_books AS SELECT id, title FROM book WHERE pages > 500;
    CREATE TRIGGER trim AFTER INSERT ON book BEGIN UPDATE book SET title = trim(title) WHERE id = NEW.id; END;
    INSERT INTO shelf (name) VALUES ('north'), ('south');
    INSERT INTO book (shelf, number, title, pages) VALUES ('north', 1, 'Atlas', 600), ('NORTH', 2, 'Poems', 90), ('south', 1, 'Novel', 300);
    """

  private func library() throws -> (store: TestStore, work: UnitOfWork) {
    let store = try TestStore([], sql: Self.adopted)
    return (store, try store.factory.unitOfWork())
  }

  // MARK: Questions

  @Test func `a function does not fail for a row that the unit shows no more`() throws {
    let store = try TestStore([], sql: "CREATE TABLE t (a INTEGER, b INTEGER, n INTEGER, PRIMARY KEY (a, b))")
    let rows = try store.factory.runtimeDAO("t")
    for (n, a) in [Int64.min, 2, 3].enumerated() {
      try rows.insert(rows.make(["a": .integer(a), "b": 1, "n": .integer(n == 0 ? .min : a)]))
    }
    let work = try store.factory.unitOfWork()
    let own = try work.runtimeDAO("t")
    var criteria = Criteria()
    criteria.filter = .compare(.function(.abs, [.field(FieldPath("n"))]), .greater, .value(.integer(2)))
    let magnitudes = SearchCriteria<DynamicEntity>(criteria)
    #expect(throws: DAOError.self) { try own.count(magnitudes) }
    try own.delete(.where(.field("a") == .integer(.min)))
    #expect(try own.findAll(magnitudes).map { $0["a"] } == [3])
    try own.update(.where(.field("a") == 3), set: .set("n", to: .integer(-7)))
    #expect(try own.findAll(magnitudes).map { $0["n"] } == [-7])
  }

  @Test func `a search over a relationship is refused where the rows there are edited`() throws {
    let author = EntityDescription(
      "author", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)])
    let book = EntityDescription(
      "book", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("authorID", .integer)],
      relationships: [.toOne("author", author, by: "authorID")])
    let store = try TestStore([author, book])
    let authors = store.factory.runtimeDAO(author)
    let first = try authors.insert(try DynamicEntity(author, ["name": "Anna"]))
    try store.factory.runtimeDAO(book).insert(try DynamicEntity(book, ["authorID": try #require(first["id"])]))
    let work = try store.factory.unitOfWork()
    var criteria = Criteria()
    criteria.filter = .search(Criteria.Search(FieldPath("author.name"), FullTextQuery("anna", .all)))
    let byAnna = SearchCriteria<DynamicEntity>(criteria)
    #expect(try work.runtimeDAO(book).count(byAnna) == 1)
    try work.runtimeDAO(author).update(.where(.field("id") == 1), set: .set("name", to: "Ben"))
    #expect(throws: DAOError.self) { try work.runtimeDAO(book).count(byAnna) }
  }

  @Test func `SQL of one's own updates and deletes in the unit, and cascades follow`() throws {
    let (store, work) = try library()
    let (books, shelves) = (try work.runtimeDAO("book"), try work.runtimeDAO("shelf"))
    #expect(try books.execute("UPDATE book SET pages = pages * 2 WHERE shelf = 'north'") == 2)
    #expect(try books.query("SELECT title FROM thick_titles") { row in try row.next(String.self) } == ["Atlas"])
    #expect(try shelves.execute("UPDATE shelf SET name = 'east' WHERE name = 'NORTH'") == 1)
    #expect(try books.findAll(.where { $0.shelf == "east" }.order(by: \.id)).map { $0["id"] } == [1, 2])
    #expect(try books.execute("DELETE FROM shelf WHERE name = 'south'") == 1)
    #expect(try books.find(3)["shelf"] == .null)
    #expect(throws: DAOError.self) { try books.execute("INSERT INTO book (number, title) VALUES (9, 'x')") }
    #expect(throws: DAOError.self) { try books.execute("UPDATE main.book SET pages = 1") }
    #expect(throws: DAOError.self) { try books.execute("DROP TABLE book") }
    #expect(try work.undo())
    #expect(try books.find(3)["shelf"] == "south")
    try work.redo()
    try work.commit()
    let rows = try store.store.query("SELECT id || coalesce(shelf, '-') || pages FROM book ORDER BY id") { row, _ in
      try row.next(String.self)
    }
    #expect(rows == ["1east1200", "2east180", "3-300"])
    #expect(try store.factory.runtimeDAO("shelf").findAll().map { $0["name"] } == ["east"])
  }

  @Test func `columns that an entity does not have take their defaults, and computed ones are computed`() throws {
    let (store, work) = try library()
    let book = EntityDescription(
      "book", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("title", .text), Attribute("number", .integer),
        Attribute("part", .integer, column: "part_of", optional: true),
      ])
    let books = work.runtimeDAO(book)
    let volume = try books.insert(books.make(["title": " Encyclopedia ", "number": 7]))
    let part = try books.insert(books.make(["title": "A", "number": 8, "part": volume["id"] ?? .null]))
    let all = try work.runtimeDAO("book")
    #expect(try all.find(try #require(volume["id"]))["pages"] == 100)
    #expect(try all.query("SELECT length FROM book WHERE length = '14'") { row in try row.next(String.self) } == ["14"])
    _ = part
    try work.commit()
    // The trigger of the store has run now; the key of the volume is that of the store, where its part points to it too.
    let rows = try store.store.query("SELECT id || title || ifnull(part_of, '-') || pages FROM book WHERE id > 3 ORDER BY id") { row, _ in
      try row.next(String.self)
    }
    #expect(rows == ["4Encyclopedia-100", "5A4100"])
  }

  @Test func `constraints that only the store knows are named by preview and commit`() throws {
    let (_, work) = try library()
    let books = try work.runtimeDAO("book")
    try books.update(.where { $0.id == 1 }, set: .set(\.pages, to: -1))
    guard case .constraint(.check, "book", _, _)? = try work.preview().problem else {
      Issue.record("\(try work.preview())")
      return
    }
    try work.undo()
    try books.insert(books.make(["shelf": "west", "number": 1, "title": "x"]))
    guard case .constraint(.foreignKey, "book", ["shelf"], _)? = try work.preview().problem else {
      Issue.record("\(try work.preview())")
      return
    }
    let shelves = try work.runtimeDAO("shelf")
    try shelves.insert(shelves.make(["name": "West"]))
    #expect(throws: DAOError.self) { try shelves.insert(shelves.make(["name": "WEST"])) }
    #expect(try work.preview().isClean)
    try work.commit()
  }

  @Test func `upserts meet the unit's rows`() throws {
    let store = try TestStore()
    try store.zones.insert(Zone.samples)
    let work = try store.factory.unitOfWork()
    let zones = work.runtimeDAO(Zone.self)
    let tokyo = try zones.insert(Zone("Asia/Tokyo", 9))
    try zones.delete(Zone.minsk)
    let results = try zones.upsert(
      [Zone("Asia/Tokyo", 10), Zone("Europe/London", 0, "UTC in winter"), Zone("Europe/London", 1), Zone("europe/minsk", 3)], on: ["name"])
    #expect(results.map(\.outcome) == [.updated, .unchanged, .updated, .inserted])
    #expect(results.map(\.entity.id).prefix(3) == [tokyo.id, 2, 2])
    #expect(throws: DAOError.self) { try zones.upsert(Zone("Asia/Tokyo", 10), on: ["offset"]) }
    try work.commit()
    #expect(try store.zones.findAll(.where(\.name == "europe/minsk")).map(\.id) == [8])
    #expect(try store.zones.find(7) == Zone(id: 7, "Asia/Tokyo", 10))
  }

  // MARK: Threads

  @Test func `units that move money between accounts lose nothing`() async throws {
    let store = try FileStore([Account.entityDescription])
    let accounts = store.factory.runtimeDAO(Account.self)
    try await accounts.insert((0..<100).map { Account("\($0)", 100) })
    struct GivenUp: Error {}
    let shared = try store.factory.unitOfWork()
    let moved = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask { [factory = store.factory] in
          var random = SystemRandomNumberGenerator()
          var moved = 0
          for _ in 0..<25 {
            let work = number < 2 ? shared : try factory.unitOfWork()
            let accounts = work.runtimeDAO(Account.self)
            do {
              try syncly {
                try work.group {
                  let pair = try accounts.find([Int64.random(in: 1...100, using: &random), Int64.random(in: 1...100, using: &random)])
                  guard pair.count == 2, pair[0].id != pair[1].id else { return }
                  var (source, target) = (pair[0], pair[1])
                  source.balance -= 1
                  source = try accounts.update(source)
                  if random.next() % 7 == 0 { throw GivenUp() }
                  target.balance += 1
                  try accounts.update(target)
                }
              }
              try await work.commit()
              moved += 1
            } catch is GivenUp {} catch DAOError.conflict { try syncly { try work.rollback() } }
          }
          return moved
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(moved > 0)
    #expect(try await accounts.findAll().reduce(0) { $0 + $1.balance } == 10_000)
  }
}
