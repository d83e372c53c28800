import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of lists of values")
struct ListSQLTests {
  private let list = "(SELECT value FROM temp.json_each(?))"

  @Test func `in and not in bind the values as one JSON text`() throws {
    try assertZones(
      .in(\.standardOffset, [0, 3600]), #""standardOffset" IN \#(list)"#, not: #""standardOffset" NOT IN \#(list)"#, [.text("[0,3600]")])
    try assertZones(.notIn(\.name, ["ä", #"""#]), #""name" NOT IN \#(list)"#, not: #""name" IN \#(list)"#, [.text(#"["ä","\""]"#)])
  }

  @Test func `not in includes null rows`() throws {
    try assertZones(
      .notIn(\.comment, ["ä"]), #""comment" NOT IN \#(list) OR "comment" IS NULL"#, not: #""comment" IN \#(list)"#, [.text(#"["ä"]"#)])
  }

  @Test func `nil among the values stands for null rows`() throws {
    try assertZones(
      .in(\.comment, ["ä", nil]), #""comment" IN \#(list) OR "comment" IS NULL"#, not: #""comment" NOT IN \#(list)"#, [.text(#"["ä"]"#)])
    try assertZones(.in(\.comment, [nil]), #""comment" IS NULL"#, not: #""comment" IS NOT NULL"#)
  }

  @Test func `the text of in is the same for any number of values, and 100,000 are one binding`() throws {
    let few = try #require(try SearchCriteria<Clock.Zone>.where(.in(\.standardOffset, [1])).sql())
    let many = try #require(try SearchCriteria<Clock.Zone>.where(.in(\.standardOffset, 3600..<103_600)).sql())
    #expect(few.text == many.text && many.bindings.count == 1)
  }

  @Test func `in no values is no statement, and not in no values is no condition`() throws {
    #expect(try SearchCriteria<Clock.Zone>.where(.in(\.comment, [String]())).sql() == nil)
    #expect(try SearchCriteria<Clock.Zone>.where(.in(\.comment, [String]())).countSQL() == nil)
    try assertSQL(
      SearchCriteria<Clock.Zone>.where(.notIn(\.comment, [String]())), for: .count, #"SELECT COUNT(*) FROM "zone""#)
  }
}
