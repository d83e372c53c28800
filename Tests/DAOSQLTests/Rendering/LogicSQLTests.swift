import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of and, or and not")
struct LogicSQLTests {
  @Test func `lists stand side by side, and a list in another in parentheses`() throws {
    try assertZones(
      .and(\.standardOffset > 0, \.standardOffset < 5000), #""standardOffset" > ? AND "standardOffset" < ?"#,
      not: #""standardOffset" <= ? OR "standardOffset" >= ?"#, [.integer(0), .integer(5000)])
    try assertZones(
      .or(\.standardOffset == 0, \.standardOffset == 3600), #""standardOffset" = ? OR "standardOffset" = ?"#,
      not: #""standardOffset" IS NOT ? AND "standardOffset" IS NOT ?"#, [.integer(0), .integer(3600)])
    try assertZones(
      (\.standardOffset == 0 || \.standardOffset == 3600) && \.comment != nil,
      #"("standardOffset" = ? OR "standardOffset" = ?) AND "comment" IS NOT NULL"#,
      not: #"("standardOffset" IS NOT ? AND "standardOffset" IS NOT ?) OR "comment" IS NULL"#, [.integer(0), .integer(3600)])
  }

  @Test func `not goes to the leaves, each with what it says of null`() throws {
    try assertZones(
      !(\.standardOffset > 0 && \.comment > "a"), #""standardOffset" <= ? OR ("comment" <= ? OR "comment" IS NULL)"#,
      not: #""standardOffset" > ? AND "comment" > ?"#, [.integer(0), .text("a")])
    try assertZones(
      !(\.standardOffset == 0 || !(\.comment == nil)), #""standardOffset" IS NOT ? AND "comment" IS NULL"#, [.integer(0)])
  }

  @Test func `a part that is constant leaves the others`() throws {
    try assertZones(.in(\.name, [String]()) || \.standardOffset == 0, #""standardOffset" = ?"#, [.integer(0)])
    try assertZones(.notIn(\.name, [String]()) && \.standardOffset == 0, #""standardOffset" = ?"#, [.integer(0)])
    try assertZones(.optional(0) { \.standardOffset == $0 }, #""standardOffset" = ?"#, [.integer(0)])
  }

  @Test func `a filter that is constant is no condition, or no statement`() throws {
    let all: [Filter<Clock.Zone>] = [.everything, .all([]), .notIn(\.name, [String]()), !.any([])]
    for filter in all {
      try assertSQL(SearchCriteria.where(filter), for: .count, #"SELECT COUNT(*) FROM "zone""#)
      #expect(try SearchCriteria<Clock.Zone>.where(!filter).sql() == nil)
    }
  }
}
