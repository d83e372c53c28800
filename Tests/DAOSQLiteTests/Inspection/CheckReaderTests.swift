import DAOCriteria
import DAOSQL
import GRDB
import TestCases
import Testing

/// What is read of a `CHECK` is compared with what SQLite makes of it.
struct CheckReaderTests {
  private func rules(_ checks: String..., columns: [String] = ["a", "b c", "status"]) -> CheckReader {
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    return CheckReader("CREATE TABLE t (\(list), \(checks.map { "CHECK (\($0))" }.joined(separator: ", ")))", columns: columns)
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
    let found = CheckReader(table, columns: ["a", "b"])
    #expect(found.rules["a"]?.description == "> 0 AND < 9" && found.rules["b"]?.description == "IN ('x')")
    #expect(found.others.isEmpty)
  }

  @Test func `what is more stays as it is written`() {
    for check in [
      "length(a) < 5", "a < status", "NOT a = 1", "CASE WHEN a = 1 THEN 1 ELSE a IN (2, 3) END", "a IN (1) OR status IN ('x')",
      "a = 1 + 1", "a IN (SELECT 1)", "a LIKE 'x%'", "a != 3", "a COLLATE NOCASE IN ('x')", "a IS NOT NULL", "a GLOB '[0-9]'",
      "a IN (1, NULL)",
    ] {
      let found = rules(check)
      #expect(found.rules.isEmpty && found.others == ["CHECK (\(check))"], "\(check): \(found)")
    }
    let half = rules("a IN (1, 2) AND length(status) < 5")
    #expect(half.rules["a"]?.description == "IN (1, 2)" && half.others.count == 1)
  }

  /// Values that SQLite lets in are those that the rules allow; where all is understood, it lets in just these.
  @Test func `random checks allow what SQLite allows`() throws {
    var random = RandomSource(seed: TestCases.seed)
    let database = try DatabaseQueue()
    var (understood, whole) = (0, 0)
    for number in 0..<TestCases.count(3_000, inSuite: 400) {
      var maker = CheckMaker(random)
      let check = maker.condition(2)
      random = maker.random
      let found = CheckReader("CREATE TABLE t (a, b, CHECK (\(check)))", columns: ["a", "b"])
      if !found.rules.isEmpty { understood += 1 }
      if found.others.isEmpty { whole += 1 }
      let values: [StoredValue] = [
        .null, .integer(0), .integer(1), .integer(2), .integer(3), .real(1.5), .text("x"), .text("Y"), .integer(-1),
      ]
      try database.read { db in
        for a in values {
          for b in values {
            let sql = "SELECT ifnull((\(check)), 1) FROM (SELECT \(a) AS a, \(b) AS b)"
            let isAllowed = try Bool.fetchOne(db, sql: sql) ?? false
            let fits = [("a", a), ("b", b)].allSatisfy { name, value in found.rules[name].map { $0.allows(value) } ?? true }
            if isAllowed { #expect(fits, "case \(number): \(check) allows \(a), \(b), and \(found.rules) does not") }
            // A rule that is nothing but null's is no rule.
            if found.others.isEmpty, !isAllowed {
              #expect(!fits, "case \(number): \(check) forbids \(a), \(b), and \(found.rules) does not")
            }
          }
        }
      }
    }
    #expect(understood > 20 && whole > 20, "\(understood) understood, \(whole) whole")
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
  private mutating func literal() -> String { random.pick(["0", "1", "2", "1.5", "-1", "+3", "(2)", "'x'", "'Y'", "NULL"]) }
}
