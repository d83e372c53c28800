import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB
import TestCases
import Testing

/// What is read of a `CHECK` is compared with what SQLite makes of it.
struct CheckReaderTests {
  private func rules(_ checks: String..., columns: [String] = ["a", "b c", "status"]) -> CheckReader {
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    return reader("CREATE TABLE t (\(list), \(checks.map { "CHECK (\($0))" }.joined(separator: ", ")))", columns.map { ($0, "") })
  }

  private func reader(_ sql: String, _ columns: [(name: String, type: String)], collation: String = "BINARY") -> CheckReader {
    let columns = columns.map { StoreSchema.Column(name: $0.name, declaredType: $0.type, collation: collation) }
    return CheckReader(sql, of: StoreSchema.Table(name: "t", columns: columns))
  }

  @Test func `lists and ranges are understood in each spelling`() {
    #expect(rules("status IN ('open', 'paid')").rules == ["status": .values([.text("open"), .text("paid")])])
    #expect(rules("status = 'open' OR 'it''s' == status OR status IS NULL").rules == ["status": .values([.text("open"), .text("it's")])])
    #expect(
      rules("a BETWEEN -1 AND 2.5").rules
        == ["a": .range(from: .init(.integer(-1), isIncluded: true), to: .init(.real(2.5), isIncluded: true))])
    #expect(
      rules("([b c] > (0)) AND 5 > \"b c\"").rules
        == ["b c": .range(from: .init(.integer(0), isIncluded: false), to: .init(.integer(5), isIncluded: false))])
    #expect(rules("t.a IN (1, 2, 3)", "a <= 2").rules == ["a": .values([.integer(1), .integer(2)])])
    #expect(rules("a > 0", "a > 5 AND a < 9 AND a <= 9").rules["a"]?.description == "> 5 AND < 9")
  }

  @Test func `a rule of a column, with a name of its own, is one too`() {
    let table =
      "CREATE TABLE t (a INTEGER CONSTRAINT positive CHECK (a > 0) DEFAULT 1, b TEXT CHECK(b IN ('x')), CONSTRAINT c CHECK (a < 9))"
    let found = reader(table, [("a", "INTEGER"), ("b", "TEXT")])
    #expect(found.rules["a"]?.description == "> 0 AND < 9" && found.rules["b"]?.description == "IN ('x')")
    #expect(found.others.isEmpty)
  }

  @Test func `values are compared by the column's affinity, and by no other collation than the bytes`() {
    let sql = "CREATE TABLE t (i INTEGER CHECK (i IN (1, 2) AND i >= '1'), t TEXT CHECK (t IN (0, 1)), n NUMERIC CHECK (n > '1' AND n > 2))"
    let found = reader(sql, [("i", "INTEGER"), ("t", "TEXT"), ("n", "NUMERIC")])
    #expect(found.rules["i"] == .values([.integer(1), .integer(2)]) && found.rules["t"] == .values([.text("0"), .text("1")]))
    #expect(found.rules["n"]?.description == "> 2")
    let collated = reader("CREATE TABLE t (k TEXT COLLATE NOCASE CHECK (k IN ('A')))", [("k", "TEXT")], collation: "NOCASE")
    #expect(collated.rules.isEmpty && collated.others == ["CHECK (k IN ('A'))"])
    #expect(reader("CREATE TABLE t (h INTEGER CHECK (h = 0x1F))", [("h", "INTEGER")]).rules.isEmpty)
  }

  @Test func `what is more stays as it is written`() {
    for check in [
      "length(a) < 5", "a < status", "NOT a = 1", "CASE WHEN a = 1 THEN 1 ELSE a IN (2, 3) END", "a IN (1) OR status IN ('x')",
      "a = 1 + 1", "a IN (SELECT 1)", "a LIKE 'x%'", "a != 3", "a COLLATE NOCASE IN ('x')", "a IS NOT NULL", "a GLOB '[0-9]'",
      "a IN (1, NULL)", "CASE WHEN length(status) < 5 AND a IN (1, 2) AND status <> 'x' THEN 0 ELSE 1 END",
      "length(status) BETWEEN 0 AND a = 1", "length(status) NOT BETWEEN 5 AND a < 9",
    ] {
      let found = rules(check)
      #expect(found.rules.isEmpty && found.others == ["CHECK (\(check))"], "\(check): \(found)")
    }
    // Deep ones would take as many calls.
    let nested = { (depth: Int) in String(repeating: "(", count: depth) + "a = 1" + String(repeating: ")", count: depth) }
    #expect(rules(nested(15)).rules["a"]?.description == "IN (1)" && rules(nested(15)).others.isEmpty)
    #expect(rules(nested(20_000)).rules.isEmpty && rules(nested(20_000)).others.count == 1)
    let half = rules("a IN (1, 2) AND length(status) < 5")
    #expect(half.rules["a"]?.description == "IN (1, 2)" && half.others.count == 1)
  }

  /// Values that SQLite lets in are those that the rules allow; where all is understood, it lets in just these.
  @Test func `random checks allow what SQLite allows`() throws {
    var random = RandomSource(seed: TestCases.seed)
    let database = try DatabaseQueue()
    var (understood, whole) = (0, 0)
    let types = ["", "INTEGER", "TEXT", "NUMERIC", "REAL"]
    for number in 0..<TestCases.count(3_000, inSuite: 400) {
      let columns = [("a", random.pick(types)), ("b", random.pick(types))]
      var maker = CheckMaker(random)
      let check = maker.condition(2)
      random = maker.random
      let found = reader("CREATE TABLE t (a, b, CHECK (\(check)))", columns)
      if !found.rules.isEmpty { understood += 1 }
      if found.others.isEmpty { whole += 1 }
      let values = ["NULL", "0", "1", "2", "3", "1.5", "'x'", "'Y'", "-1", "'1'", "'3'", "x'01'"]
      try database.write { db in
        try db.execute(sql: "DROP TABLE IF EXISTS t; CREATE TABLE t (a \(columns[0].1), b \(columns[1].1))")
        let rows = values.flatMap { a in values.map { "(\(a), \($0))" } }.joined(separator: ", ")
        try db.execute(sql: "INSERT INTO t VALUES \(rows)")
        for row in try Row.fetchAll(db, sql: "SELECT a, b, ifnull((\(check)), 1) FROM t") {
          let (a, b, isAllowed): (StoredValue, StoredValue, Bool) = (Self.value(row, 0), Self.value(row, 1), row[2])
          let fits = [("a", a), ("b", b)].allSatisfy { name, value in found.rules[name].map { $0.allows(value) } ?? true }
          let about = "case \(number): \(columns), \(check), \(a), \(b), \(found.rules)"
          if isAllowed { #expect(fits, "\(about): allowed") }
          if found.others.isEmpty, !isAllowed { #expect(!fits, "\(about): forbidden") }
        }
      }
    }
    #expect(understood > 20 && whole > 20, "\(understood) understood, \(whole) whole")
  }
}

extension CheckReaderTests {
  private static func value(_ row: Row, _ column: Int) -> StoredValue {
    switch (row[column] as DatabaseValue).storage {
    case .null: .null
    case .int64(let number): .integer(number)
    case .double(let number): .real(number)
    case .string(let text): .text(text)
    case .blob(let bytes): .blob(bytes)
    }
  }
}

/// Makes conditions of two columns.
private struct CheckMaker {
  var random: RandomSource

  init(_ random: RandomSource) { self.random = random }

  mutating func condition(_ depth: Int) -> String {
    switch random.below(depth == 0 ? 5 : 8) {
    case 0: return "\(column()) IN (\((0..<(1 + random.below(3))).map { _ in literal() }.joined(separator: ", ")))"
    case 1: return "\(column()) BETWEEN \(literal()) AND \(literal())"
    case 2: return "\(column()) \(sign()) \(literal())"
    case 3: return "\(literal()) \(sign()) \(column())"
    case 4: return random.pick(["\(column()) IS NULL", "length(\(column())) < 2", "\(column()) < \(column())", "NOT \(column()) = 1"])
    case 5: return "(\(condition(depth - 1)))"
    case 6: return "\(condition(depth - 1)) AND \(condition(depth - 1))"
    default: return "\(condition(depth - 1)) OR \(condition(depth - 1))"
    }
  }

  private mutating func column() -> String { random.pick(["a", "b", "\"a\"", "[b]", "A"]) }
  private mutating func sign() -> String { random.pick(["=", "==", "<", "<=", ">", ">=", "IS", "<>"]) }
  private mutating func literal() -> String { random.pick(["0", "1", "2", "1.5", "-1", "+3", "(2)", "'x'", "'Y'", "'1'", "'3'", "NULL"]) }
}
