import DAOKit
import Foundation
import GRDB
import Testing

/// References whose columns are of another kind than the keys that they hold, as other programs declare them.
@Suite struct MixedKeysTests {
  private static let values: [DatabaseValue] = [
    1e-7, 1e20, Double.infinity, "inf", Int64(1) << 53 + 1, "100", 100, "abc", "0100", 2.5, "2.5", "7", 8, "x7", "-3", -3,
    "9223372036854775807", "", "1.50",
  ].map { (value: any DatabaseValueConvertible) in value.databaseValue }

  /// Whether a text is a number, but not as SQLite writes it: only a reference that is read as a number is found.
  private static func isSpelledOtherwise(_ value: DatabaseValue) -> Bool { ["0100".databaseValue, "1.50".databaseValue].contains(value) }

  private func factory(_ schema: String, _ fill: @escaping (Database) throws -> Void) throws -> DAOFactory {
    let engine = try SQLiteEngine(inMemory: { database in
      try database.execute(sql: schema)
      try fill(database)
    })
    return DAOFactory(over: EngineStore(engine))
  }

  /// Which rows belong together is what the database's own join says.
  private func compare(_ factory: DAOFactory, _ entity: String, _ relationship: String, join: String) throws -> Int {
    let dao = try factory.runtimeDAO(entity)
    let found = try dao.findAll(SearchCriteria().prefetch(relationship)).flatMap { row in
      try row.related(relationship).map { [row["n"], $0["n"]].map { "\($0 ?? .null)" }.joined(separator: " – ") }
    }
    let expected = try dao.query(SQL(stringLiteral: join)) { row in
      let pair: [Int64] = [try row.next(), try row.next()]
      return pair.map { "\(Scalar.integer($0))" }.joined(separator: " – ")
    }
    #expect(found.sorted() == expected.sorted(), "\(entity).\(relationship)")
    return found.count
  }

  @Test(arguments: [("STRING", "VARCHAR(20)"), ("VARCHAR(20)", "STRING"), ("INTEGER", "STRING"), ("NUMERIC", "TEXT"), ("TEXT", "TEXT")])
  func `prefetching finds the rows that a join finds, there and back`(_ key: String, _ reference: String) throws {
    let factory = try factory(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE prods (sku \(key) PRIMARY KEY, n INTEGER NOT NULL);
      CREATE TABLE ords (n INTEGER PRIMARY KEY, product \(reference) REFERENCES prods (sku));
      """
    ) { database in
      for (number, value) in Self.values.enumerated() {
        let isInteger = if case .int64 = value.storage { true } else { false }
        if isInteger || key != "INTEGER", !Self.isSpelledOtherwise(value) {
          try database.execute(sql: "INSERT OR IGNORE INTO prods VALUES (?, ?)", arguments: [value, number])
        }
        try database.execute(sql: "INSERT INTO ords (product) VALUES (?), (NULL)", arguments: [value])
      }
    }
    let there = try compare(factory, "ords", "product", join: "SELECT o.n, p.n FROM ords o JOIN prods p ON o.product = p.sku")
    let back = try compare(
      factory, "prods", "ords",
      join: "SELECT p.n, o.n FROM prods p JOIN ords o ON o.product = p.sku AND \(Self.sameText("o.product", "p.sku"))")
    #expect(there >= back && back >= 4)
  }

  private static func sameText(_ one: String, _ other: String) -> String { "CAST(\(one) AS TEXT) = CAST(\(other) AS TEXT)" }

  @Test(arguments: [("STRING", "VARCHAR(20)"), ("VARCHAR(20)", "STRING")])
  func `prefetching over pairs does too`(_ key: String, _ reference: String) throws {
    let factory = try factory(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE a (sku \(key) PRIMARY KEY, n INTEGER NOT NULL);
      CREATE TABLE b (sku \(key) PRIMARY KEY, n INTEGER NOT NULL);
      CREATE TABLE ab (a \(reference) REFERENCES a, b \(reference) REFERENCES b, PRIMARY KEY (a, b));
      """
    ) { database in
      let values = Self.values.filter { !Self.isSpelledOtherwise($0) }
      for (number, value) in values.enumerated() {
        try database.execute(sql: "INSERT OR IGNORE INTO a VALUES (?, ?)", arguments: [value, number])
        try database.execute(sql: "INSERT OR IGNORE INTO b VALUES (?, ?)", arguments: [value, number])
      }
      for (number, value) in Self.values.enumerated() {
        for step in [1, 5] {
          try database.execute(
            sql: "INSERT OR IGNORE INTO ab VALUES (?, ?)", arguments: [value, Self.values[(number * step + 3) % Self.values.count]])
        }
      }
    }
    let pairs = "JOIN ab ON ab.a = a.sku JOIN b ON ab.b = b.sku"
    let there = "SELECT a.n, b.n FROM a \(pairs) AND \(Self.sameText("ab.a", "a.sku"))"
    let back = "SELECT b.n, a.n FROM a \(pairs) AND \(Self.sameText("ab.b", "b.sku"))"
    #expect(try compare(factory, "a", "b", join: there) >= 10)
    #expect(try compare(factory, "b", "a", join: back) >= 10)
  }

  @Test func `prefetching over keys of two columns does too`() throws {
    let factory = try factory(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE prods (sku STRING, lot STRING, n INTEGER NOT NULL, PRIMARY KEY (sku, lot));
      CREATE TABLE ords (n INTEGER PRIMARY KEY, sku VARCHAR(20), lot VARCHAR(20), FOREIGN KEY (sku, lot) REFERENCES prods (sku, lot));
      """
    ) { database in
      for (number, value) in Self.values.enumerated() {
        for step in 0..<4 {
          let other = Self.values[(number + step) % Self.values.count]
          try database.execute(sql: "INSERT OR IGNORE INTO prods VALUES (?, ?, ?)", arguments: [value, other, number * 4 + step])
          try database.execute(sql: "INSERT INTO ords (sku, lot) VALUES (?, ?), (?, NULL)", arguments: [value, other, value])
        }
      }
    }
    let on = "ON o.sku = p.sku AND o.lot = p.lot"
    #expect(try compare(factory, "ords", "prods", join: "SELECT o.n, p.n FROM ords o JOIN prods p \(on)") >= 20)
    let back =
      "SELECT p.n, o.n FROM prods p JOIN ords o \(on) AND \(Self.sameText("o.sku", "p.sku")) AND \(Self.sameText("o.lot", "p.lot"))"
    #expect(try compare(factory, "prods", "ords", join: back) >= 20)
  }

  /// Else a key of thirty columns would have a billion forms.
  @Test func `a key of many columns that are stored in other forms is refused`() throws {
    func factory(_ count: Int) throws -> DAOFactory {
      let names = (0..<count).map { "c\($0)" }
      func columns(_ type: String) -> String { names.map { "\($0) \(type)" }.joined(separator: ", ") }
      let list = names.joined(separator: ", ")
      let values = names.map { _ in "'1'" }.joined(separator: ", ")
      return try self.factory(
        """
        CREATE TABLE prods (\(columns("STRING")), n INTEGER NOT NULL, PRIMARY KEY (\(list)));
        CREATE TABLE ords (n INTEGER PRIMARY KEY, \(columns("TEXT")), FOREIGN KEY (\(list)) REFERENCES prods (\(list)));
        INSERT INTO prods VALUES (\(values), 7);
        INSERT INTO ords VALUES (1, \(values));
        """
      ) { _ in }
    }
    let found = try factory(4).runtimeDAO("ords").findAll(SearchCriteria().prefetch("prods"))
    #expect(try found.flatMap { try $0.related("prods").map { $0["n"] } } == [7])
    let error = #expect(throws: DAOError.self) { try factory(30).runtimeDAO("ords").findAll(SearchCriteria().prefetch("prods")) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("ords.prods matches more than four attributes"), "\(String(describing: error))")
  }
}
