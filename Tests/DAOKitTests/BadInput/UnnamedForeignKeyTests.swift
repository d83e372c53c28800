import DAOKit
import Testing

@Suite("Which foreign keys errors do not name")
struct UnnamedForeignKeyTests {
  @Test func `what a trigger breaks, or may have put right, is not laid to the row's own keys`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE land (code TEXT PRIMARY KEY, towns INTEGER DEFAULT 0);
        CREATE TABLE region (id INTEGER PRIMARY KEY);
        CREATE TABLE log (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region);
        CREATE TABLE town (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region, land TEXT REFERENCES land, sight INTEGER);
        CREATE TABLE sight (id INTEGER PRIMARY KEY, town INTEGER REFERENCES town);
        INSERT INTO land VALUES ('SK', 0);
        INSERT INTO town VALUES (1, NULL, 'SK', 0), (2, NULL, 'SK', 0);
        INSERT INTO sight VALUES (1, 1), (2, 2);
        CREATE TRIGGER new_land BEFORE INSERT ON town WHEN NEW.land = 'XX' BEGIN INSERT OR IGNORE INTO land VALUES (NEW.land, 0); END;
        CREATE TRIGGER counted AFTER INSERT ON town BEGIN UPDATE land SET towns = towns + 1 WHERE code = NEW.land; END;
        CREATE TRIGGER logged AFTER UPDATE ON town BEGIN INSERT INTO log VALUES (NULL, NEW.sight); END;
        CREATE TRIGGER gone BEFORE DELETE ON town WHEN OLD.id = 2 BEGIN
          DELETE FROM sight WHERE town = 2;
          INSERT INTO log VALUES (NULL, 9);
        END
        """)
    let towns = try store.factory.runtimeDAO("town")
    let unnamed = "a write to town breaks a foreign key: FOREIGN KEY constraint failed"
    let region = #"the foreign key constraint of town on region does not hold: no row of the table "region" has this value"#
    // The trigger makes the land.
    #expect(errorText { try towns.insert(towns.make(["land": "XX", "region": 5])) } == region)
    #expect(errorText { try towns.insert(towns.make(["land": "YY"])) } == unnamed)
    #expect(errorText { try towns.update(.where { $0.id == 1 }, set: .set("sight", to: 5)) } == unnamed)
    #expect(errorText { try towns.update(.where { $0.id == 1 }, set: .set("region", to: .field("id"))) } == unnamed)
    #expect(errorText { try towns.update(.where { $0.id == 1 }, set: .set("region", to: 5)) } == region)
    // The rows of sight are deleted by a trigger, which breaks another key.
    for id in [1, 2] as [Scalar] {
      #expect(errorText { try towns.delete([[id]]) } == unnamed)
      #expect(errorText { try towns.delete(.where(.field("id") == id)) } == unnamed)
    }
    // A trigger of another table is not fired.
    let lands = try store.factory.runtimeDAO("land")
    let pointed = #"the foreign key constraint of land on code does not hold: rows of the table "town" still point to it by "land""#
    #expect(errorText { try lands.delete([["SK"]]) } == pointed)
  }

  @Test func `a key of a row that a trigger changes or removes is not named, nor one whose values change on the way`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE land (code TEXT PRIMARY KEY, old TEXT);
        CREATE TABLE region (id INTEGER PRIMARY KEY);
        CREATE TABLE town (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region, land TEXT REFERENCES land, name TEXT);
        CREATE TABLE village (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region, land TEXT REFERENCES land);
        CREATE TABLE log (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region);
        INSERT INTO land VALUES ('SK', NULL), ('CS', 'TS');
        CREATE TRIGGER repaired AFTER INSERT ON town WHEN NEW.land = 'old' BEGIN
          UPDATE town SET name = 'x', land = 'SK' WHERE id = NEW.id;
        END;
        CREATE TRIGGER logged AFTER INSERT ON town WHEN NEW.name = 'log' BEGIN INSERT INTO log VALUES (NULL, 7); END;
        CREATE TRIGGER renamed AFTER INSERT ON village WHEN NEW.land = 'TS' BEGIN
          UPDATE land SET (code, old) = (old, code) WHERE old = 'TS';
        END;
        CREATE TRIGGER gone AFTER INSERT ON village WHEN NEW.region = 9 BEGIN
          DELETE FROM village WHERE id = NEW.id;
          INSERT INTO log VALUES (NULL, 7);
        END;
        CREATE TABLE node (id INTEGER PRIMARY KEY, up TEXT REFERENCES node, land TEXT REFERENCES land);
        """)
    let (towns, villages) = (try store.factory.runtimeDAO("town"), try store.factory.runtimeDAO("village"))
    let region = #"the foreign key constraint of town on region does not hold: no row of the table "region" has this value"#
    #expect(errorText { try towns.insert(towns.make(["land": "old"])) } == "no error")
    #expect(errorText { try towns.insert(towns.make(["land": "old", "region": 5])) } == region)
    #expect(
      errorText { try towns.insert(towns.make(["land": "old", "name": "log"])) }
        == "a write to town breaks a foreign key: FOREIGN KEY constraint failed", "it is that of log")
    #expect(errorText { try villages.insert(villages.make(["land": "TS"])) } == "no error")
    for values in [["land": "TT", "region": 9], ["region": 9]] as [[String: Scalar]] {
      #expect(
        errorText { try villages.insert(villages.make(values)) }
          == "a write to village breaks a foreign key: FOREIGN KEY constraint failed", "it is that of log")
    }
    // The text is the row's own number.
    let nodes = try store.factory.runtimeDAO("node")
    #expect(errorText { try nodes.insert(nodes.make(["id": 5, "up": "5"])) } == "no error")
    #expect(
      errorText { try nodes.insert(nodes.make(["id": 6, "up": "6", "land": "XX"])) }
        == #"the foreign key constraint of node on land does not hold: no row of the table "land" has this value"#)
  }

  /// A case, what its trigger does, a new town's values, and the key that has to be named; or, behind `not`, those that must not be.
  private static let repaired: [(name: String, trigger: String, values: [String: Scalar], key: String)] = [
    (
      "a list of columns is set behind another", "UPDATE land SET n = 1, (code, old) = (old, code) WHERE old = NEW.land",
      ["land": "TS", "region": 9], "not land"
    ),
    (
      "replaced along",
      """
      INSERT OR REPLACE INTO land VALUES (NEW.land, NULL, 0);
      INSERT INTO log VALUES (NULL, 7)
      """,
      ["land": "SK", "region": 9], "not region"
    ),
    ("left out", "SELECT RAISE(IGNORE)", ["land": "SK", "region": 9], "not region"),
    (
      "set by a cascade",
      """
      UPDATE pair SET b = 1;
      INSERT INTO log VALUES (NULL, 7)
      """, ["a": 1, "b": 5], "not b"
    ),
    (
      "a log is trimmed",
      """
      DELETE FROM log WHERE id < 9;
      UPDATE land SET n = n + 1 WHERE code = NEW.land
      """, ["land": "SK", "region": 9],
      "region"
    ),
    ("own row named in an audit", "INSERT INTO audit VALUES (NULL, 'town', NEW.id)", ["region": 9], "region"),
    ("own row stamped", "UPDATE town SET note = 'x' WHERE id = NEW.id", ["region": 9], "region"),
  ]

  @Test(arguments: repaired.indices)
  func `a trigger's words say what it may have repaired`(number: Int) throws {
    let (name, trigger, values, key) = Self.repaired[number]
    let time = name == "left out" ? "BEFORE" : "AFTER"
    let before = name == "left out" ? "INSERT INTO log VALUES (NULL, 7);" : ""
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE land (code TEXT PRIMARY KEY, old TEXT, n INTEGER DEFAULT 0);
        CREATE TABLE region (id INTEGER PRIMARY KEY);
        CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
        CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT, row INTEGER);
        CREATE TABLE town (id INTEGER PRIMARY KEY, land TEXT REFERENCES land ON DELETE CASCADE, a INTEGER, b INTEGER, note TEXT,
          region INTEGER REFERENCES region, FOREIGN KEY (a, b) REFERENCES pair ON UPDATE CASCADE, FOREIGN KEY (b) REFERENCES region);
        CREATE TABLE log (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region);
        INSERT INTO land VALUES ('SK', NULL, 0), ('CS', 'TS', 0);
        INSERT INTO pair VALUES (1, 5);
        INSERT INTO region VALUES (1);
        CREATE TRIGGER t \(time) INSERT ON town BEGIN \(before) \(trigger); END
        """)
    let towns = try store.factory.runtimeDAO("town")
    let told = errorText { try towns.insert(towns.make(values)) }
    if key.hasPrefix("not ") {
      #expect(told != "no error" && !told.contains(" on \(key.dropFirst(4)) "), "\(name): \(told)")
      return
    }
    #expect(told == #"the foreign key constraint of town on \#(key) does not hold: no row of the table "region" has this value"#, "\(name)")
  }

  @Test func `an upsert that sets a part of a row is not said to break a key that it does not write`() throws {
    let towns: EntityDescription = EntityDescription(
      "town", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("land", .text, optional: true), Attribute("region", .integer, optional: true),
        Attribute("code", .text),
      ], indexes: [Index(on: "code", unique: true)])
    let schema = """
      CREATE TABLE land (code TEXT PRIMARY KEY);
      CREATE TABLE region (id INTEGER PRIMARY KEY);
      CREATE TABLE town (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region, land TEXT REFERENCES land, code TEXT NOT NULL UNIQUE);
      INSERT INTO land VALUES ('SK');
      INSERT INTO region VALUES (1);
      INSERT INTO town VALUES (1, 1, 'SK', 'a')
      """
    let store = try TestStore([], sql: schema)
    let dao = store.factory.runtimeDAO(towns)
    func told(_ values: [String: Scalar], _ updating: [String]) -> String {
      errorText {
        try store.factory.write {
          try $0.runtimeDAO(towns).upsert(dao.make(values), on: ["code"], updating: updating)
        }
      }
    }
    let values: [String: Scalar] = ["land": "XX", "region": 9, "code": "a"]
    #expect(
      told(values, ["region"])
        == #"the foreign key constraint of town on region does not hold: no row of the table "region" has this value"#)
    #expect(
      told(values, ["land"]) == #"the foreign key constraint of town on land does not hold: no row of the table "land" has this value"#)
    #expect(told(["land": "XX", "region": 1, "code": "a"], ["region"]) == "no error")
  }

  @Test func `a row may point to the key that it is only to get, and a key that is checked later did not fail now`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE land (code TEXT PRIMARY KEY);
        CREATE TABLE region (id INTEGER PRIMARY KEY);
        CREATE TABLE node (id INTEGER PRIMARY KEY, up REFERENCES node, land TEXT REFERENCES land);
        CREATE TABLE late (id INTEGER PRIMARY KEY,
          land TEXT REFERENCES land DEFERRABLE INITIALLY DEFERRED, region INTEGER REFERENCES region);
        INSERT INTO land VALUES ('SK');
        CREATE TABLE stay (id INTEGER PRIMARY KEY, land TEXT REFERENCES land);
        CREATE TABLE log (id INTEGER PRIMARY KEY, region INTEGER REFERENCES region);
        INSERT INTO stay VALUES (1, 'SK');
        CREATE TRIGGER back AFTER DELETE ON land BEGIN INSERT INTO land VALUES (OLD.code); INSERT INTO log VALUES (NULL, 7); END;
        """)
    let (nodes, lates) = (try store.factory.runtimeDAO("node"), try store.factory.runtimeDAO("late"))
    let land = #"does not hold: no row of the table "land" has this value"#
    #expect(errorText { try nodes.insert(nodes.make(["up": 1, "land": "XX"])) } == "the foreign key constraint of node on land \(land)")
    #expect(errorText { try nodes.insert(nodes.make(["up": 1])) } == "no error")
    #expect(
      errorText { try nodes.insert(nodes.make(["up": 77])) }
        == #"the foreign key constraint of node on up does not hold: no row of the table "node" has this value"#)
    let told = errorText {
      try store.factory.write { session in
        let lates = try session.runtimeDAO("late")
        try lates.insert(lates.make(["land": "XX", "region": 9]))
      }
    }
    #expect(!told.contains("on land") && told != "no error", "\(told)")
    #expect(
      errorText { try lates.insert(lates.make(["region": 9])) }
        == #"the foreign key constraint of late on region does not hold: no row of the table "region" has this value"#)
    // The row is back when the keys are looked at; it is the log's that is broken.
    #expect(
      errorText { try store.factory.runtimeDAO("land").delete([["SK"]]) }
        == "a write to land breaks a foreign key: FOREIGN KEY constraint failed")
  }

  @Test func `a default is not named where the change to it may break another key`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE root (id INTEGER PRIMARY KEY);
        CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
        CREATE TABLE town (id INTEGER PRIMARY KEY, root INTEGER UNIQUE DEFAULT 99 REFERENCES root ON DELETE SET DEFAULT);
        CREATE TABLE grand (id INTEGER PRIMARY KEY, root INTEGER REFERENCES town (root));
        CREATE TABLE stem (id INTEGER PRIMARY KEY);
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, b INTEGER DEFAULT 99 REFERENCES stem ON DELETE SET DEFAULT, a INTEGER,
          FOREIGN KEY (a, b) REFERENCES pair);
        INSERT INTO root VALUES (1), (99);
        INSERT INTO town VALUES (1, 1);
        INSERT INTO grand VALUES (1, 1);
        INSERT INTO stem VALUES (1), (99);
        INSERT INTO pair VALUES (1, 1);
        INSERT INTO leaf VALUES (1, 1, 1);
        """)
    for entity in ["root", "stem"] {
      #expect(
        errorText { try store.factory.runtimeDAO(entity).delete([[1]]) }
          == "a write to \(entity) breaks a foreign key: FOREIGN KEY constraint failed")
    }
  }
}
