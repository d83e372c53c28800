import DAOKit

extension UnitCascadeTests {
  static let keyed = """
    CREATE TABLE p (code TEXT NOT NULL PRIMARY KEY, n);
    CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT REFERENCES p ON UPDATE CASCADE ON DELETE CASCADE, n);
    INSERT INTO p VALUES ('x', 1), ('y', 2); INSERT INTO c VALUES (1, 'x', 'old'), (2, 'y', 'other')
    """
  private static let keyedByParent = """
    CREATE TABLE p (code TEXT NOT NULL PRIMARY KEY, n);
    CREATE TABLE c (p TEXT NOT NULL REFERENCES p ON UPDATE CASCADE, i INTEGER NOT NULL, n, PRIMARY KEY (p, i)) WITHOUT ROWID;
    CREATE TABLE d (
      p TEXT NOT NULL, i INTEGER NOT NULL, k INTEGER NOT NULL, PRIMARY KEY (p, i, k), FOREIGN KEY (p, i) REFERENCES c ON UPDATE CASCADE);
    INSERT INTO p VALUES ('a', 'A'), ('b', 'B'); INSERT INTO c VALUES ('a', 1, 'A1'), ('a', 2, 'A2'), ('b', 1, 'B1');
    INSERT INTO d VALUES ('a', 1, 1), ('a', 2, 1)
    """
  private static let joined: SQL = "SELECT c.n || ' of ' || ifnull(p.n, 'none') FROM c LEFT JOIN p ON p.code = c.code ORDER BY c.n"

  /// A table with the foreign key of another, to a value that is no key.
  static func coded(_ actions: String) -> String {
    """
    CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT REFERENCES p (code) \(actions));
    INSERT INTO p VALUES (1, 'x'), (2, 'y'); INSERT INTO c VALUES (1, 'x'), (2, 'y')
    """
  }

  static let cases = [
    Case(
      name: "a new row takes the value of one that goes, and has a row of its own", sql: keyed,
      edits: ["DELETE FROM p WHERE code = 'x'"],
      rows: [("p", ["code": "x", "n": 3]), ("c", ["code": "x", "n": "new"])], question: joined, answer: ["new of 3", "other of 2"]),
    Case(
      name: "a row has another key, and a new one takes its old key", sql: keyed, edits: ["UPDATE p SET code = 'z' WHERE code = 'x'"],
      rows: [("p", ["code": "x", "n": 3]), ("c", ["code": "x", "n": "new"])], question: joined,
      answer: ["new of 3", "old of 1", "other of 2"]),
    Case(
      name: "two rows exchange values to which others point", sql: keyed,
      edits: [
        "UPDATE p SET code = 't' WHERE code = 'x'", "UPDATE p SET code = 'x' WHERE code = 'y'", "UPDATE p SET code = 'y' WHERE code = 't'",
      ], question: joined, answer: ["old of 1", "other of 2"]),
    Case(
      name: "a row points to another one before its own goes", sql: keyed,
      edits: ["UPDATE c SET code = 'y' WHERE code = 'x'", "DELETE FROM p WHERE code = 'x'"], question: joined,
      answer: ["old of 2", "other of 2"]),
    Case(
      name: "a row that is deleted with another one is there again, with the value of a third",
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, part INTEGER REFERENCES book ON DELETE CASCADE, code TEXT UNIQUE);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, code TEXT REFERENCES book (code) ON DELETE SET NULL ON UPDATE CASCADE);
        INSERT INTO book VALUES (1, NULL, 'x'), (2, 1, 'yy'), (3, 2, 'zzz'), (4, NULL, 'w')
        """, edits: ["DELETE FROM book WHERE id = 2", "UPDATE book SET code = 'yy' WHERE id = 4"],
      rows: [("book", ["id": 3, "part": 1, "code": "w"])], question: "SELECT id || code FROM book ORDER BY id",
      answer: ["1x", "3w", "4yy"]),
    Case(
      name: "a key in other case is the same one",
      sql: """
        CREATE TABLE p (code TEXT NOT NULL PRIMARY KEY COLLATE NOCASE);
        CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE REFERENCES p ON UPDATE CASCADE);
        INSERT INTO p VALUES ('a'); INSERT INTO c VALUES (1, 'a')
        """, edits: ["UPDATE p SET code = 'A'"], question: "SELECT p.code || c.code FROM p JOIN c ON p.code = c.code", answer: ["Aa"]),
    Case(
      name: "a new row takes, in other case, the key that another gives up",
      sql: "CREATE TABLE p (code TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, n); INSERT INTO p VALUES ('a', 'old')",
      edits: ["UPDATE p SET code = 'z'"], rows: [("p", ["code": "A", "n": "new"])], question: "SELECT code || n FROM p ORDER BY n",
      answer: ["Anew", "zold"]),
    Case(
      name: "rows whose key is a reference go, or follow",
      sql: """
        CREATE TABLE p (code TEXT NOT NULL PRIMARY KEY);
        CREATE TABLE c (p TEXT NOT NULL REFERENCES p ON UPDATE CASCADE, i INTEGER NOT NULL, n, PRIMARY KEY (p, i));
        INSERT INTO p VALUES ('a'), ('b'); INSERT INTO c VALUES ('a', 1, 'gone'), ('a', 2, 'moved'), ('b', 1, 'stays')
        """, edits: ["DELETE FROM c WHERE i = 1 AND p = 'a'", "UPDATE p SET code = 'z' WHERE code = 'a'"],
      question: "SELECT p || i || n FROM c ORDER BY p", answer: ["b1stays", "z2moved"]),
    Case(
      name: "a row whose key is a reference follows, and has another key of its own besides", sql: keyedByParent,
      edits: ["UPDATE p SET code = 'z' WHERE code = 'a'", "UPDATE c SET i = 9 WHERE p = 'z' AND i = 1"],
      question: "SELECT p || i || n FROM c ORDER BY p, i", answer: ["b1B1", "z2A2", "z9A1"]),
    Case(
      name: "rows whose key is a reference follow two that exchange their keys, beside a new one", sql: keyedByParent,
      edits: [
        "UPDATE p SET code = 't' WHERE code = 'a'", "UPDATE p SET code = 'a' WHERE code = 'b'", "UPDATE p SET code = 'b' WHERE code = 't'",
        "UPDATE c SET i = 5 - i WHERE p = 'b'",
      ], rows: [("c", ["p": "a", "i": 7, "n": "new"]), ("d", ["p": "a", "i": 7, "k": 1])],
      question: """
        SELECT p.n || p || i || c.n || (SELECT count(*) FROM d WHERE d.p = c.p AND d.i = c.i)
        FROM c JOIN p ON code = p ORDER BY p, i
        """, answer: ["Ba1B10", "Ba7new1", "Ab3A21", "Ab4A11"]),
    Case(
      name: "rows whose key is a reference in another case follow",
      sql: keyedByParent.replacingOccurrences(of: "TEXT NOT NULL", with: "TEXT COLLATE NOCASE NOT NULL"),
      edits: [
        "UPDATE c SET p = 'A' WHERE i = 1 AND p = 'a'", "UPDATE p SET code = 'z' WHERE code = 'a'", "UPDATE c SET i = i + 5 WHERE p = 'Z'",
      ],
      question: "SELECT p || i || n FROM c ORDER BY p, i", answer: ["b1B1", "z6A1", "z7A2"]),
    Case(
      name: "a row has another value and goes, and a new one has its first", sql: coded("ON DELETE CASCADE"),
      edits: ["UPDATE p SET code = 'z' WHERE id = 1", "DELETE FROM p WHERE id = 1"], rows: [("p", ["id": 3, "code": "x"])],
      question: "SELECT id || code FROM c ORDER BY id", answer: ["1x", "2y"]),
    Case(
      name: "a row goes, is there again with another value, and a new one has its first", sql: coded("ON UPDATE CASCADE"),
      edits: ["DELETE FROM p WHERE id = 1"], rows: [("p", ["id": 1, "code": "z"]), ("p", ["id": 3, "code": "x"])],
      question: "SELECT id || code FROM c ORDER BY id", answer: ["1x", "2y"]),
    Case(
      name: "a row whose key is a reference with a default goes, and what it pointed to has another key",
      sql: """
        CREATE TABLE p (k TEXT NOT NULL PRIMARY KEY);
        CREATE TABLE c (k TEXT NOT NULL DEFAULT 'h' REFERENCES p ON UPDATE SET DEFAULT, i INTEGER NOT NULL, PRIMARY KEY (k, i));
        INSERT INTO p VALUES ('h'), ('a'); INSERT INTO c VALUES ('a', 1)
        """, edits: ["DELETE FROM c", "UPDATE p SET k = 'z' WHERE k = 'a'"], question: "SELECT k || i FROM c", answer: []),
    Case(
      name: "a row whose key is a number in another form goes",
      sql: """
        CREATE TABLE p (k REAL NOT NULL PRIMARY KEY);
        CREATE TABLE c (k INTEGER NOT NULL REFERENCES p ON UPDATE CASCADE, i INTEGER NOT NULL, PRIMARY KEY (k, i));
        INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1, 1), (2, 1)
        """, edits: ["DELETE FROM c WHERE k = 1", "UPDATE p SET k = k + 5", "UPDATE c SET i = 4"],
      question: "SELECT k || '.' || i FROM c", answer: ["7.4"]),
    Case(
      name: "values are moved on by one, and those who point to them follow",
      sql: """
        CREATE TABLE p (id INTEGER PRIMARY KEY, pos INTEGER UNIQUE, n);
        CREATE TABLE c (id INTEGER PRIMARY KEY, pos INTEGER REFERENCES p (pos) ON UPDATE CASCADE);
        INSERT INTO p (id, pos) VALUES (1, 2), (2, 3), (3, 4); INSERT INTO c VALUES (1, 2), (2, 3), (3, 4)
        """, edits: ["UPDATE p SET n = 1 WHERE id = 1", "UPDATE p SET pos = pos - 1"], question: "SELECT id || pos FROM c ORDER BY id",
      answer: ["11", "22", "33"]),
    Case(
      name: "values that nobody follows are exchanged by one statement", sql: coded("ON DELETE CASCADE"),
      edits: ["UPDATE p SET code = CASE code WHEN 'x' THEN 'y' ELSE 'x' END"],
      question: "SELECT p.id || c.id || c.code FROM p JOIN c ON c.code = p.code ORDER BY p.id", answer: ["12y", "21x"]),
    Case(
      name: "a reference in another form follows its number",
      sql: """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON UPDATE CASCADE ON DELETE CASCADE);
        INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1, '1'), (2, '2')
        """, edits: ["UPDATE p SET id = 9 WHERE id = 1", "DELETE FROM p WHERE id = 2"], question: "SELECT id || p FROM c", answer: ["19"]),
    Case(
      name: "rows that point to themselves exchange their keys",
      sql: """
        CREATE TABLE w (n INTEGER PRIMARY KEY, p INTEGER REFERENCES w ON UPDATE CASCADE, v); INSERT INTO w VALUES (1, 1, 'a'), (2, 2, 'b')
        """, edits: ["UPDATE w SET n = 9 WHERE n = 1", "UPDATE w SET n = 1 WHERE n = 2", "UPDATE w SET n = 2 WHERE n = 9"],
      question: "SELECT n || p || v FROM w ORDER BY n", answer: ["11b", "22a"]),
    Case(
      name: "rows that point to each other exchange their keys",
      sql: """
        CREATE TABLE w (n INTEGER PRIMARY KEY, p INTEGER REFERENCES w ON UPDATE CASCADE, v); INSERT INTO w VALUES (1, 2, 'a'), (2, 1, 'b')
        """, edits: ["UPDATE w SET n = 9 WHERE n = 1", "UPDATE w SET n = 1 WHERE n = 2", "UPDATE w SET n = 2 WHERE n = 9"],
      question: "SELECT n || p || v FROM w ORDER BY n", answer: ["12b", "21a"]),
    Case(
      name: "nothing points to a row without a value",
      sql: """
        CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE, up TEXT REFERENCES p (code) ON UPDATE CASCADE);
        INSERT INTO p VALUES (1, NULL, 'b'), (2, 'b', NULL)
        """, edits: ["UPDATE p SET code = 'a' WHERE id = 1", "UPDATE p SET code = 'q' WHERE id = 2"],
      question: "SELECT id || code || ifnull(up, '-') FROM p ORDER BY id", answer: ["1aq", "2q-"]),
    Case(
      name: "a row leaves what it may not follow",
      sql: """
        CREATE TABLE p (k INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, k REFERENCES p ON UPDATE CASCADE CHECK (k < 10));
        INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 1)
        """, edits: ["UPDATE c SET k = NULL", "UPDATE p SET k = 50"],
      question: "SELECT p.k || ifnull(c.k, '-') FROM p, c", answer: ["50-"]),
    Case(
      name: "trees below two keys that are exchanged",
      sql: """
        CREATE TABLE w (
          t INTEGER NOT NULL, n INTEGER NOT NULL, p INTEGER, PRIMARY KEY (t, n), FOREIGN KEY (t, p) REFERENCES w ON UPDATE CASCADE);
        INSERT INTO w VALUES (1, 1, NULL), (1, 2, 1), (1, 3, 2), (1, 4, 3), (2, 1, NULL), (2, 3, 1), (2, 5, 3)
        """,
      edits: [
        "UPDATE w SET t = 9 WHERE t = 1 AND n = 1", "UPDATE w SET t = 1 WHERE t = 2 AND n = 1", "UPDATE w SET t = 2 WHERE t = 9 AND n = 1",
        "UPDATE w SET n = 7 WHERE n = 3",
      ], question: "SELECT t || n || ifnull(p, '-') FROM w ORDER BY t, n", answer: ["11-", "157", "171", "21-", "221", "247", "272"]),
    Case(
      name: "values that may not be null, and have to be their own, are exchanged",
      sql: """
        CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
        CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT NOT NULL REFERENCES p (code) ON UPDATE CASCADE);
        INSERT INTO p VALUES (1, 'x'), (2, 'y'); INSERT INTO c VALUES (1, 'x'), (2, 'y')
        """,
      edits: ["UPDATE p SET code = 't' WHERE id = 1", "UPDATE p SET code = 'x' WHERE id = 2", "UPDATE p SET code = 'y' WHERE id = 1"],
      question: "SELECT id || code FROM c ORDER BY id", answer: ["1y", "2x"]),
    Case(
      name: "values are exchanged under an index over an expression, and as bytes",
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); CREATE UNIQUE INDEX lowered ON t (lower(n));
        CREATE TABLE b (k BLOB NOT NULL PRIMARY KEY, n INTEGER) STRICT;
        INSERT INTO t VALUES (1, 'a'), (2, 'b'); INSERT INTO b VALUES (x'01', 1), (x'02', 2)
        """,
      edits: [
        "UPDATE t SET n = CASE id WHEN 1 THEN 'b' ELSE 'a' END", "UPDATE b SET k = x'09' WHERE n = 1", "UPDATE b SET k = x'01' WHERE n = 2",
        "UPDATE b SET k = x'02' WHERE n = 1",
      ], question: "SELECT id || t.n || hex(k) FROM t JOIN b ON b.n = t.id ORDER BY id", answer: ["1b02", "2a01"]),
    Case(
      name: "a table whose constraint replaces rows",
      sql: "CREATE TABLE t (k TEXT NOT NULL, n, PRIMARY KEY (k) ON CONFLICT REPLACE); INSERT INTO t VALUES ('a', 'A')",
      edits: ["UPDATE t SET k = 'b' WHERE k = 'a'"], rows: [("t", ["k": "a", "n": "new"])],
      question: "SELECT k || n FROM t ORDER BY k", answer: ["anew", "bA"]),
    Case(
      name: "values are exchanged in a column without case, under an index of some rows",
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE COLLATE NOCASE, m INTEGER NOT NULL CHECK (m >= 0));
        CREATE UNIQUE INDEX some ON t (m) WHERE m > 0;
        INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)
        """,
      edits: [
        "UPDATE t SET n = 'c', m = 3 WHERE id = 1", "UPDATE t SET n = 'a', m = 1 WHERE id = 2", "UPDATE t SET n = 'b', m = 2 WHERE id = 1",
      ], question: "SELECT id || n || m FROM t ORDER BY id", answer: ["1b2", "2a1"]),
    Case(
      name: "references that are unique are exchanged",
      sql: """
        CREATE TABLE desk (id INTEGER PRIMARY KEY);
        CREATE TABLE person (id INTEGER PRIMARY KEY, desk INTEGER NOT NULL UNIQUE REFERENCES desk);
        INSERT INTO desk VALUES (1), (2); INSERT INTO person VALUES (1, 1), (2, 2)
        """, edits: ["UPDATE person SET desk = 3 - desk"], question: "SELECT id || desk FROM person ORDER BY id", answer: ["12", "21"]),
    Case(
      name: "keys are exchanged",
      sql: """
        CREATE TABLE t (l INTEGER NOT NULL, p INTEGER NOT NULL, n, PRIMARY KEY (l, p)); INSERT INTO t VALUES (1, 1, 'A'), (1, 2, 'B')
        """,
      edits: ["UPDATE t SET p = 9 WHERE n = 'A'", "UPDATE t SET p = 1 WHERE n = 'B'", "UPDATE t SET p = 2 WHERE n = 'A'"],
      question: "SELECT p || n FROM t ORDER BY p", answer: ["1B", "2A"]),
    Case(
      name: "a key changes, and the rows that point to it by hand",
      sql: """
        CREATE TABLE p (code TEXT NOT NULL PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT REFERENCES p);
        INSERT INTO p VALUES ('a'); INSERT INTO c VALUES (1, 'a')
        """, edits: ["UPDATE p SET code = 'b'", "UPDATE c SET code = 'b'"],
      question: "SELECT p.code || c.code FROM c JOIN p ON p.code = c.code", answer: ["bb"]),
  ]
}
