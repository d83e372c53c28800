import DAOKit
import Foundation
import GRDB
import Testing

@Suite("What errors of foreign keys say")
struct ForeignKeyErrorTests {
  @Test func `a broken foreign key names attribute and table, on SQL and in the evaluator`() throws {
    for factory in try Towns.stores() {
      let (lands, towns) = (try factory.runtimeDAO("Lands"), try factory.runtimeDAO("town"))
      // Read from the schema, entities and attributes have the names of tables and columns.
      func town(_ values: [String: Scalar]) throws -> DynamicEntity { try towns.make(values) }
      let nowhere = "the foreign key constraint of town on "
      try lands.insert(lands.make(["code": "SK", "number": 1]))
      let first = try towns.insert(town(["land_code": "SK", "landNumber": 1]))
      #expect(
        errorText { try towns.insert(town(["land_code": "XX"])) }
          == nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#)
      #expect(
        errorText { try towns.insert([town([:]), town(["land_code": "SK", "landNumber": 9]), town([:])]) }
          == nowhere + #"landNumber does not hold: no row of the table "Lands" has this value (number 1 of those given, from 0)"#)
      #expect(
        errorText { try towns.insert(town(["twin": 77])) } == nowhere + #"twin does not hold: no row of the table "town" has this value"#)
      #expect(errorText { try towns.insert(town(["id": 50, "twin": 50])) } == "no error")
      var changed = first
      changed["land_code"] = "YY"
      #expect(errorText { try towns.update(changed) } == nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#)
      #expect(errorText { try towns.upsert(changed) } == nowhere + #"land_code does not hold: no row of the table "Lands" has this value"#)
      #expect(
        errorText { try lands.delete([["SK"]]) }
          == #"the foreign key constraint of Lands on code does not hold: rows of the table "town" still point to it by "land_code""#)
      var land = try lands.find("SK")
      land["number"] = 2
      #expect(
        errorText { try lands.update(land) }
          == #"the foreign key constraint of Lands on number does not hold: rows of the table "town" still point to it by "landNumber""#)
      #expect(try towns.count() == 2 && lands.find("SK")["number"] == 1)
    }
  }

  @Test func `deletes and updates of many rows name what is broken where several keys may be, on SQL and in the evaluator`() throws {
    for factory in try Towns.stores() {
      let (lands, towns) = (try factory.runtimeDAO("Lands"), try factory.runtimeDAO("town"))
      try lands.insert((1...5).map { try lands.make(["code": .text("L\($0)"), "number": .integer($0)]) })
      try towns.insert((1...5).map { try towns.make(["id": .integer($0), "name": "t"]) })
      let pointed = #"of Lands on code does not hold: rows of the table "town" still point to it by "land_code""#
      let numbered = #"of Lands on number does not hold: rows of the table "town" still point to it by "landNumber""#
      let twin = #"of town on id does not hold: rows of the table "town" still point to it by "twin""#
      func ends(_ end: String, _ body: () throws -> some Any) -> Bool { errorText(body) == "the foreign key constraint " + end }
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

  @Test func `of rows that are deleted together none keeps another from it`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE a_node (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES a_node (id));
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, node INTEGER REFERENCES a_node (id));
        INSERT INTO a_node VALUES (1, NULL), (2, 1), (3, 2);
        INSERT INTO leaf VALUES (1, 2);
        """)
    let nodes = try store.factory.runtimeDAO("a_node")
    let error = #"the foreign key constraint of a_node on id does not hold: rows of the table "%" still point to it by "#
    #expect(errorText { try nodes.delete(.where { $0.id > 1 }) } == error.replacing("%", with: "leaf") + #""node""#)
    #expect(errorText { try nodes.delete(.where { $0.id < 2 }) } == error.replacing("%", with: "a_node") + #""parent""#)
    #expect(try nodes.count() == 3)
  }

  @Test func `keys that restrict, rows below those that go along, and updates of what is referenced are named too`() throws {
    let schema = """
      CREATE TABLE par (id INTEGER PRIMARY KEY, code INTEGER UNIQUE, along INTEGER UNIQUE);
      CREATE TABLE firm (id INTEGER PRIMARY KEY, par INTEGER REFERENCES par ON DELETE RESTRICT ON UPDATE RESTRICT);
      CREATE TABLE coded (id INTEGER PRIMARY KEY, code INTEGER REFERENCES par (code) ON DELETE CASCADE);
      CREATE TABLE follower (id INTEGER PRIMARY KEY, along INTEGER REFERENCES par (along) ON UPDATE CASCADE ON DELETE CASCADE);
      CREATE TABLE grand (id INTEGER PRIMARY KEY, coded INTEGER REFERENCES coded);
      INSERT INTO par VALUES (1, 10, 100), (2, 20, 200);
      INSERT INTO firm VALUES (1, 1);
      INSERT INTO coded VALUES (1, 20);
      INSERT INTO grand VALUES (1, 1);
      INSERT INTO follower VALUES (1, 200)
      """
    let factory = try TestStore([], sql: schema).factory
    let pars = try factory.runtimeDAO("par")
    func ends(_ end: String, _ body: () throws -> some Any) -> Bool { errorText(body) == "the foreign key constraint " + end }
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

  @Test func `a default that has no row is named, unless it may be a key below a cascade`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE root (id INTEGER PRIMARY KEY);
        CREATE TABLE along (id INTEGER PRIMARY KEY, root INTEGER REFERENCES root ON DELETE CASCADE);
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, along INTEGER REFERENCES along);
        CREATE TABLE other (id INTEGER PRIMARY KEY, root INTEGER DEFAULT 99 REFERENCES root ON DELETE SET DEFAULT);
        INSERT INTO root VALUES (1), (2);
        INSERT INTO other VALUES (1, 1), (2, 2);
        INSERT INTO along VALUES (1, 1);
        """)
    let roots = try store.factory.runtimeDAO("root")
    let unnamed = "a write to root breaks a foreign key: FOREIGN KEY constraint failed"
    #expect(errorText { try roots.delete([[1]]) } == unnamed)
    #expect(errorText { try roots.delete(.where { $0.id == 1 }) } == unnamed)
    // No row of along points to the second.
    let named = #"the foreign key constraint of other on root does not hold: no row of the table "root" has the default"#
    #expect(errorText { try roots.delete([[2]]) } == named)
    #expect(errorText { try roots.delete(.where { $0.id == 2 }) } == named)
    try store.factory.runtimeDAO("other").delete(.where { $0.id == 1 })
    try roots.insert(roots.make(["id": 99]))
    #expect(try roots.delete([[1]]) == 1 && roots.delete([[2]]) == 1)
  }

  @Test func `a parent whose key is spelled in another case is no missing one, and its children keep it`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE word (name TEXT COLLATE NOCASE PRIMARY KEY, root TEXT COLLATE NOCASE REFERENCES word);
        CREATE TABLE use (id INTEGER PRIMARY KEY, word TEXT REFERENCES word, zone INTEGER REFERENCES zone);
        CREATE TABLE zone (id INTEGER PRIMARY KEY);
        CREATE TABLE along (id INTEGER PRIMARY KEY, word TEXT REFERENCES word ON DELETE CASCADE);
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, along INTEGER REFERENCES along);
        INSERT INTO word VALUES ('b', NULL), ('c', NULL), ('d', NULL);
        INSERT INTO use VALUES (1, 'B', NULL);
        INSERT INTO along VALUES (1, 'B'), (2, 'D');
        INSERT INTO leaf VALUES (1, 2);
        CREATE TRIGGER refused BEFORE INSERT ON word WHEN NEW.name = 'e' BEGIN INSERT INTO use VALUES (NULL, NULL, 7); END;
        CREATE TRIGGER changed AFTER UPDATE ON word BEGIN INSERT INTO leaf VALUES (NULL, 77); END
        """)
    let (words, uses) = (try store.factory.runtimeDAO("word"), try store.factory.runtimeDAO("use"))
    #expect(errorText { try uses.insert(uses.make(["word": "C"])) } == "no error")
    let zone = #"the foreign key constraint of use on zone does not hold: no row of the table "zone" has this value"#
    #expect(errorText { try uses.insert(uses.make(["word": "D", "zone": 9])) } == zone)
    #expect(errorText { try uses.update(.where { $0.id == 1 }, set: .set("word", to: "D"), .set("zone", to: 9)) } == zone)
    let pointed = #"the foreign key constraint of word on name does not hold: rows of the table "use" still point to it by "word""#
    // Row 1 of along would go along, and no row of leaf points to that.
    #expect(errorText { try words.delete([["b"]]) } == pointed)
    #expect(errorText { try words.delete([["C"]]) } == pointed)
    #expect(
      errorText { try words.delete([["d"]]) }
        == "a write to word breaks a foreign key: FOREIGN KEY constraint failed", "a trigger changes leaf, so it may be another key")
    // Both break what a trigger does, and nothing of their own.
    let unnamed = "a write to word breaks a foreign key: FOREIGN KEY constraint failed"
    #expect(errorText { try words.insert(words.make(["name": "e", "root": "E"])) } == unnamed)
    var word = try words.find(.text("b"))
    word["name"] = "B"
    #expect(errorText { try words.update(word) } == unnamed)
  }

  @Test func `rows that go along by another of their keys are in nobody's way, by key either`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE par (id INTEGER PRIMARY KEY);
        CREATE TABLE child (id INTEGER PRIMARY KEY, cas INTEGER REFERENCES par ON DELETE CASCADE, plain INTEGER REFERENCES par);
        CREATE TABLE grand (id INTEGER PRIMARY KEY, child INTEGER REFERENCES child);
        CREATE TABLE far (id INTEGER PRIMARY KEY, child INTEGER REFERENCES child ON DELETE CASCADE, par INTEGER REFERENCES par);
        INSERT INTO par VALUES (1), (2);
        INSERT INTO child VALUES (1, 1, 1), (2, 2, NULL);
        INSERT INTO grand VALUES (1, 1), (2, 2);
        INSERT INTO far VALUES (1, 2, 2)
        """)
    let pars = try store.factory.runtimeDAO("par")
    for id in [1, 2] as [Scalar] {
      let unnamed = "a write to par breaks a foreign key: FOREIGN KEY constraint failed"
      #expect(errorText { try pars.delete([[id]]) } == unnamed)
      #expect(errorText { try pars.delete(.where(.field("id") == id)) } == unnamed)
    }
  }

  @Test func `what own SQL breaks names no entity that it may not be about`() throws {
    let store = try TestStore(
      sql: """
        CREATE TABLE child (
          id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id), late INTEGER REFERENCES zone DEFERRABLE INITIALLY DEFERRED)
        """)
    let unnamed = "a write to the store breaks a foreign key: FOREIGN KEY constraint failed"
    #expect(errorText { try store.zones.execute("INSERT INTO child (zone) VALUES (7)") } == unnamed)
    #expect(
      errorText { try store.factory.write { try $0.runtimeDAO(Zone.self).execute("INSERT INTO child (zone) VALUES (7)") } } == unnamed)
    let late = #"the foreign key constraint of child on late does not hold: no row of the table "zone" has this value"#
    #expect(errorText { try store.factory.write { try $0.runtimeDAO(Zone.self).execute("INSERT INTO child (late) VALUES (7)") } } == late)
    #expect(errorText { try store.zones.execute("INSERT INTO child (late) VALUES (7)") } == unnamed)
  }

  @Test func `no key is named where rows may go along by another, and a key's own collation counts`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE par (id INTEGER PRIMARY KEY);
        CREATE TABLE child (id INTEGER PRIMARY KEY, cas INTEGER REFERENCES par ON DELETE CASCADE, plain INTEGER REFERENCES par);
        CREATE TABLE grand (id INTEGER PRIMARY KEY, child INTEGER REFERENCES child);
        INSERT INTO par VALUES (1);
        INSERT INTO child VALUES (1, 1, 1);
        INSERT INTO grand VALUES (1, 1);
        CREATE TABLE word (name TEXT COLLATE NOCASE PRIMARY KEY);
        CREATE TABLE use (id INTEGER PRIMARY KEY, word TEXT REFERENCES word);
        INSERT INTO word VALUES ('b');
        INSERT INTO use VALUES (1, 'B');
        CREATE TABLE two (a INTEGER, b INTEGER, up_a INTEGER, up_b INTEGER, PRIMARY KEY (a, b),
          FOREIGN KEY (up_a, up_b) REFERENCES two (a, b));
        INSERT INTO two VALUES (1, 1, NULL, NULL), (NULL, 2, 1, 1)
        """)
    func text(_ entity: String, _ filter: Filter<DynamicEntity>) -> String {
      errorText { try store.factory.runtimeDAO(entity).delete(.where(filter)) }
    }
    #expect(
      text("par", .field("id") == 1).hasPrefix("a write to par breaks a foreign key: "), "\(text("par", .field("id") == 1))")
    #expect(text("word", .field("name") == "b").contains(#"rows of the table "use" still point to it by "word""#))
    #expect(text("two", .field("b") == 1).contains(#"rows of the table "two" still point to it by "up_a", "up_b""#))
  }

  @Test func `a key that is checked at the end of the transaction has the entity's names where the factory knows it`() throws {
    let child = EntityDescription(
      "kid", table: "child", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("place", .integer, column: "zone")])
    let store = try TestStore(
      sql: "CREATE TABLE child (id INTEGER PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED)")
    let dao = store.factory.runtimeDAO(child)
    let message = errorText { try store.factory.write { try $0.runtimeDAO(child).insert(dao.make(["place": 7])) } }
    #expect(message == #"the foreign key constraint of kid on place does not hold: no row of the table "zone" has this value"#)
  }

  @Test func `a key that is checked at the end of the transaction names its table too`() throws {
    let store = try TestStore(
      sql: "CREATE TABLE child (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone (id) DEFERRABLE INITIALLY DEFERRED)")
    let children = try store.factory.runtimeDAO("child")
    let message = errorText {
      try store.factory.write { session in
        let dao = try session.runtimeDAO("child")
        try dao.insert([dao.make(["zone": 1]), dao.make(["zone": 2])])
      }
    }
    #expect(message.contains("zone") && message.contains("child"), "\(message)")
    #expect(try children.count() == 0)
  }
}
