import DAOKit
import Foundation
import GRDB
import Testing

@Suite("What errors of writes say")
struct WriteErrorTests {
  private static let land = EntityDescription(
    "land", table: "Lands", key: .assigned(["code"]),
    attributes: [Attribute("code", .text), Attribute("number", .integer, optional: true)],
    indexes: [Index(on: "number", unique: true)])
  private static let town = EntityDescription(
    "town", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, optional: true),
      Attribute("land", .text, column: "land_code", optional: true, references: ForeignKey(table: "Lands", column: "code")),
      Attribute("landNumber", .integer, optional: true, references: ForeignKey(table: "Lands", column: "number")),
      Attribute("twin", .integer, optional: true, references: ForeignKey(table: "town", column: "id")),
    ])

  private static func stores() throws -> [DAOFactory] {
    [try TestStore([land, town]).factory, DAOFactory(over: try EvaluatorStore([land, town]))]
  }

  private func text(_ body: () throws -> some Any) -> String {
    do { _ = try body() } catch { return "\(error)" }
    return "no error"
  }

  @Test("a broken foreign key names attribute and table, on SQL and in the evaluator")
  func foreignKeys() throws {
    for factory in try Self.stores() {
      let (lands, towns) = (try factory.runtimeDAO("Lands"), try factory.runtimeDAO("town"))
      // Read from the schema, entities and attributes have the names of tables and columns.
      func town(_ values: [String: Scalar]) throws -> DynamicEntity { try towns.make(values) }
      let nowhere = "the foreign key constraint of town on "
      try lands.insert(lands.make(["code": "SK", "number": 1]))
      let first = try towns.insert(town(["land_code": "SK", "landNumber": 1]))
      #expect(
        text { try towns.insert(town(["land_code": "XX"])) }
          == nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#)
      #expect(
        text { try towns.insert([town([:]), town(["land_code": "SK", "landNumber": 9]), town([:])]) }
          == nowhere + #"landNumber does not hold: no row of the table "Lands" has this value (number 1 of those given, from 0)"#)
      #expect(text { try towns.insert(town(["twin": 77])) } == nowhere + #"twin does not hold: no row of the table "town" has this value"#)
      #expect(text { try towns.insert(town(["id": 50, "twin": 50])) } == "no error")
      var changed = first
      changed["land_code"] = "YY"
      #expect(text { try towns.update(changed) } == nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#)
      #expect(text { try towns.upsert(changed) } == nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#)
      #expect(
        text { try lands.delete([["SK"]]) }
          == #"the foreign key constraint of Lands on code does not hold: rows of the table "town" still point to it by "land_code""#)
      var land = try lands.find("SK")
      land["number"] = 2
      #expect(
        text { try lands.update(land) }
          == #"the foreign key constraint of Lands on number does not hold: rows of the table "town" still point to it by "landNumber""#)
      #expect(try towns.count() == 2 && lands.find("SK")["number"] == 1)
    }
  }

  @Test("deletes and updates of many rows name what is broken where several keys may be, on SQL and in the evaluator")
  func manyRows() throws {
    for factory in try Self.stores() {
      let (lands, towns) = (try factory.runtimeDAO("Lands"), try factory.runtimeDAO("town"))
      try lands.insert((1...5).map { try lands.make(["code": .text("L\($0)"), "number": .integer($0)]) })
      try towns.insert((1...5).map { try towns.make(["id": .integer($0), "name": "t"]) })
      let pointed = #"of Lands on code does not hold: rows of the table "town" still point to it by "land_code""#
      let numbered = #"of Lands on number does not hold: rows of the table "town" still point to it by "landNumber""#
      let twin = #"of town on id does not hold: rows of the table "town" still point to it by "twin""#
      func ends(_ end: String, _ body: () throws -> some Any) -> Bool { text(body) == "the foreign key constraint " + end }
      try towns.update(.where { $0.id == 3 }, set: .set("land_code", to: "L2"))
      #expect(ends(pointed) { try lands.delete(.where { $0.number < 4 }) })
      #expect(try lands.delete(.where { $0.number > 4 }) == 1)
      try towns.update(.where { $0.id == 3 }, set: .set("land_code", to: .null), .set("landNumber", to: 2))
      #expect(ends(numbered) { try lands.delete(.where { $0.number < 4 }) })
      #expect(ends(numbered) { try lands.delete(.where { $0.number > 0 }.order(by: .descending(.field("code"))).limit(3)) })
      // Rows that go together may point to each other.
      try towns.update(.where { $0.id == 1 }, set: .set("twin", to: 2))
      #expect(ends(twin) { try towns.delete(.where { $0.id > 1 }) })
      #expect(try towns.delete(.where { $0.id < 3 }) == 2)
      let nowhere = "of town on "
      let change = SearchCriteria<DynamicEntity>.where { $0.id >= 3 }
      #expect(
        ends(nowhere + #"landNumber does not hold: no row of the table "Lands" has this value"#) {
          try towns.update(change, set: .set("land_code", to: "L1"), .set("landNumber", to: 77), .set("twin", to: .null))
        })
      #expect(
        ends(nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#) {
          try towns.update(change, set: .set("land_code", to: .field("name")), .set("landNumber", to: 1))
        })
      #expect(try towns.count(.where { $0.land_code == nil }) == 3)
    }
  }

  @Test("of rows that are deleted together none keeps another from it")
  func deletedTogether() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE a_node (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES a_node (id));
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, node INTEGER REFERENCES a_node (id));
        INSERT INTO a_node VALUES (1, NULL), (2, 1), (3, 2); INSERT INTO leaf VALUES (1, 2);
        """)
    let nodes = try store.factory.runtimeDAO("a_node")
    let error = #"the foreign key constraint of a_node on id does not hold: rows of the table "%" still point to it by "#
    #expect(text { try nodes.delete(.where { $0.id > 1 }) } == error.replacing("%", with: "leaf") + #""node""#)
    #expect(text { try nodes.delete(.where { $0.id < 2 }) } == error.replacing("%", with: "a_node") + #""parent""#)
    #expect(try nodes.count() == 3)
  }

  @Test("keys that restrict, rows below those that go along, and updates of what is referenced are named too")
  func otherActions() throws {
    let schema = """
      CREATE TABLE par (id INTEGER PRIMARY KEY, code INTEGER UNIQUE, along INTEGER UNIQUE);
      CREATE TABLE firm (id INTEGER PRIMARY KEY, par INTEGER REFERENCES par ON DELETE RESTRICT ON UPDATE RESTRICT);
      CREATE TABLE coded (id INTEGER PRIMARY KEY, code INTEGER REFERENCES par (code) ON DELETE CASCADE);
      CREATE TABLE follower (id INTEGER PRIMARY KEY, along INTEGER REFERENCES par (along) ON UPDATE CASCADE ON DELETE CASCADE);
      CREATE TABLE grand (id INTEGER PRIMARY KEY, coded INTEGER REFERENCES coded);
      INSERT INTO par VALUES (1, 10, 100), (2, 20, 200); INSERT INTO firm VALUES (1, 1); INSERT INTO coded VALUES (1, 20);
      INSERT INTO grand VALUES (1, 1); INSERT INTO follower VALUES (1, 200)
      """
    let factory = try TestStore([], sql: schema).factory
    let pars = try factory.runtimeDAO("par")
    func ends(_ end: String, _ body: () throws -> some Any) -> Bool { text(body) == "the foreign key constraint " + end }
    let firm = #"of par on id does not hold: rows of the table "firm" still point to it by "par""#
    #expect(ends(firm) { try pars.delete([[1]]) })
    #expect(ends(firm) { try pars.delete(.where { $0.id == 1 }) })
    let grand = #"of coded on id does not hold: rows of the table "grand" still point to it by "coded""#
    #expect(ends(grand) { try pars.delete([[2]]) })
    #expect(ends(grand) { try pars.delete(.where { $0.id == 2 }) })
    let coded = #"of par on code does not hold: rows of the table "coded" still point to it by "code""#
    #expect(ends(coded) { try pars.update(.where { $0.id == 2 }, set: .set("code", to: 21)) })
    var par = try pars.find(.integer(2))
    par["code"] = 21
    #expect(ends(coded) { try pars.update(par) })
    #expect(try pars.update(.where { $0.id == 2 }, set: .set("along", to: 201)) == 1)
    #expect(try factory.runtimeDAO("follower").find(.integer(1))["along"] == 201)
  }

  @Test("no key below a cascade is named where a default may be what has no row")
  func defaults() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE root (id INTEGER PRIMARY KEY); CREATE TABLE along (id INTEGER PRIMARY KEY, root INTEGER REFERENCES root ON DELETE CASCADE);
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, along INTEGER REFERENCES along);
        CREATE TABLE other (id INTEGER PRIMARY KEY, root INTEGER DEFAULT 99 REFERENCES root ON DELETE SET DEFAULT);
        INSERT INTO root VALUES (1); INSERT INTO other VALUES (1, 1)
        """)
    let roots = try store.factory.runtimeDAO("root")
    let unnamed = "the foreign key constraint of root does not hold: FOREIGN KEY constraint failed"
    #expect(text { try roots.delete([[1]]) } == unnamed)
    #expect(text { try roots.delete(.where { $0.id == 1 }) } == unnamed)
  }

  @Test("what breaks a rule is named where the table's name differs in case")
  func tableInOtherCase() throws {
    let store = try TestStore(
      [],
      sql:
        #"CREATE TABLE "GENRE" ("ID" INTEGER PRIMARY KEY, "Name" TEXT UNIQUE NOT NULL CHECK ("Name" <> 'z')); INSERT INTO genre VALUES (1, 'a')"#
    )
    let genres = store.factory.runtimeDAO(
      EntityDescription(
        "genre", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("title", .text, column: "name", optional: true)])
    )
    #expect(text { try genres.insert(genres.make(["id": 2, "title": "a"])) }.contains("unique constraint of genre on title"))
    #expect(text { try genres.insert(genres.make(["id": 1, "title": "b"])) }.contains("primary key constraint of genre on id"))
  }

  @Test("no key is named where rows may go along by another, and a key's own collation counts")
  func deletedAlong() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE par (id INTEGER PRIMARY KEY);
        CREATE TABLE child (id INTEGER PRIMARY KEY, cas INTEGER REFERENCES par ON DELETE CASCADE, plain INTEGER REFERENCES par);
        CREATE TABLE grand (id INTEGER PRIMARY KEY, child INTEGER REFERENCES child);
        INSERT INTO par VALUES (1); INSERT INTO child VALUES (1, 1, 1); INSERT INTO grand VALUES (1, 1);
        CREATE TABLE word (name TEXT COLLATE NOCASE PRIMARY KEY); CREATE TABLE use (id INTEGER PRIMARY KEY, word TEXT REFERENCES word);
        INSERT INTO word VALUES ('b'); INSERT INTO use VALUES (1, 'B');
        CREATE TABLE two (a INTEGER, b INTEGER, up_a INTEGER, up_b INTEGER, PRIMARY KEY (a, b), FOREIGN KEY (up_a, up_b) REFERENCES two (a, b));
        INSERT INTO two VALUES (1, 1, NULL, NULL), (NULL, 2, 1, 1)
        """)
    func text(_ entity: String, _ filter: Filter<DynamicEntity>) -> String {
      self.text { try store.factory.runtimeDAO(entity).delete(.where(filter)) }
    }
    #expect(
      text("par", .field("id") == 1).hasPrefix("the foreign key constraint of par does not hold"), "\(text("par", .field("id") == 1))")
    #expect(text("word", .field("name") == "b").contains(#"rows of the table "use" still point to it by "word""#))
    #expect(text("two", .field("b") == 1).contains(#"rows of the table "two" still point to it by "up_a", "up_b""#))
  }

  @Test("an attribute takes no value that may be of any kind, on SQL and in the evaluator")
  func ofAnyKind() throws {
    let entity = EntityDescription(
      "row", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("n", .integer, optional: true), Attribute("w", .any, optional: true)])
    for factory in [try TestStore([entity]).factory, DAOFactory(over: try EvaluatorStore([entity]))] {
      let rows = factory.runtimeDAO(entity)
      try rows.insert(rows.make(["n": 1, "w": 1.5]))
      #expect(text { try rows.update(.where { $0.id == 1 }, set: .set("n", to: .field("w"))) }.contains("n: can't take w"))
      #expect(try rows.update(.where { $0.id == 1 }, set: .set("w", to: .field("n"))) == 1)
      #expect(try rows.findAll().map { $0["w"] } == [1])
    }
  }

  @Test("a key that is checked at the end of the transaction has the entity's names where the factory knows it")
  func deferredNames() throws {
    let child = EntityDescription(
      "kid", table: "child", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("place", .integer, column: "zone")])
    let store = try TestStore(
      sql: "CREATE TABLE child (id INTEGER PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED)")
    let dao = store.factory.runtimeDAO(child)
    let message = text { try store.factory.write { try $0.runtimeDAO(child).insert(dao.make(["place": 7])) } }
    #expect(message == #"the foreign key constraint of kid on place does not hold: no row of the table "zone" has this value"#)
  }

  @Test("a key that is checked at the end of the transaction names its table too")
  func deferred() throws {
    let store = try TestStore(
      sql: "CREATE TABLE child (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED)")
    let children = try store.factory.runtimeDAO("child")
    let message = text {
      try store.factory.write { session in
        let dao = try session.runtimeDAO("child")
        try dao.insert([dao.make(["zone": 1]), dao.make(["zone": 2])])
      }
    }
    #expect(message.contains("zone") && message.contains("child"), "\(message)")
    #expect(try children.count() == 0)
  }

  @Test("an upsert on attributes without a unique index says so")
  func upsertTarget() throws {
    for factory in try Self.stores() {
      let towns = try factory.runtimeDAO("town")
      #expect(
        text { try towns.upsert(towns.make(["name": "a"]), on: ["name"]) }
          == #"an upsert of town on name, over which the store has no unique index; use Index(on: "name", unique: true) in the entity, or "#
          + "an upsert on the primary key")
      #expect(
        text { try towns.upsert(towns.make(["name": "a"]), on: ["name", "twin"]) }.contains(#"Index(on: "name", "twin", unique: true)"#))
      #expect(try towns.count() == 0)
    }
  }

  @Test("a dynamic entity refuses an attribute that it does not have: at once, or when it is written, with all of them")
  func unknownAttribute() throws {
    for factory in try Self.stores() {
      let towns = try factory.runtimeDAO("town")
      var row = try towns.make(["name": "a"])
      let sound = try towns.insert(row)
      #expect(
        text { try row.set("nmae", to: 1) } == "the criteria does not fit town: nmae: town has no attribute 'nmae'; did you mean 'name'?")
      try row.set("name", to: "b")
      row["nmae"] = "x"
      row.lnad = 5
      for message in [text { try towns.insert(row) }, text { try towns.upsert(row) }, text { try towns.insert([row, row]) }] {
        #expect(message.contains("nmae: town has no attribute 'nmae'; did you mean 'name'?") && message.contains("lnad"), "\(message)")
      }
      row["id"] = sound["id"]
      #expect(text { try towns.update(row) }.contains("nmae"))
      #expect(try towns.findAll().map { $0["name"] } == ["a"])
    }
  }

  @Test("the number of values is that of the statement's, whichever statement fails")
  func valueCount() throws {
    let store = try FileStore()
    let zones = store.zones
    try zones.insert(Zone("a", 1))
    let other = try DatabaseQueue(path: store.url.path)
    try other.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE zone RENAME COLUMN comment TO remark") }
    func counts(_ body: () throws -> some Any) -> Int? {
      do { _ = try body() } catch DAOError.engine(let failure) {
        #expect(
          "\(failure.sql ?? "")".isEmpty
            || "\(DAOError.engine(failure))".contains(failure.argumentCount == 1 ? "[1 value]" : "[\(failure.argumentCount) values]"))
        return failure.argumentCount
      } catch {}
      return nil
    }
    for _ in 1...2 {
      #expect(counts { try zones.insert(Zone("b", 1)) } == 4)
      #expect(counts { try zones.update(Zone(id: 1, "b", 1)) } == 4)
      #expect(counts { try zones.find(1) } == 1)
      #expect(counts { try zones.findAll(.where(.in(\.id, [1, 2]) && \.offset > 5)) } == 2)
      #expect(counts { try zones.findAll() } == 0)
      #expect(counts { try zones.query("SELECT * FROM zone WHERE comment = \(1) OR comment = \("x") OR id = ?2") { _ in } } == 2)
      #expect(counts { try zones.execute("UPDATE zone SET comment = \(1)") } == 1)
    }
    try other.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE zone RENAME COLUMN remark TO comment") }
    #expect(try zones.find(1).name == "a")
    #expect(try zones.findAll(.where(.in(\.id, [1, 2]))).count == 1)
    // One that fails where it runs.
    #expect(counts { try zones.query("SELECT json(\("{")), \(2)") { _ in } } == 2)
  }
}
