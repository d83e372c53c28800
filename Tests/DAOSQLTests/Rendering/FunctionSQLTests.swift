import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of functions")
struct FunctionSQLTests {
  @Test func `lower, upper and trim are the connection's, as SQLite's own know ASCII alone`() throws {
    try assertZones(.lower(\.name) == "a", #"dao_lower("name") = ?"#, not: #"dao_lower("name") IS NOT ?"#, [.text("a")])
    try assertZones(.upper(\.comment) == "A", #"dao_upper("comment") = ?"#, not: #"dao_upper("comment") IS NOT ?"#, [.text("A")])
    try assertZones(.trim(\.name) == "a b", #"dao_trim("name") = ?"#, [.text("a b")])
  }

  @Test func `length is null of null`() throws {
    try assertZones(
      .length(\.comment) < 13, #"dao_length("comment") < ?"#, not: #"dao_length("comment") >= ? OR dao_length("comment") IS NULL"#,
      [.integer(13)])
  }

  @Test func `substring, replace and concat bind what they take besides`() throws {
    try assertZones(
      .substring(\.name, from: 1, size: 2) == "ur", #"dao_substring("name", ?, ?) = ?"#, [.integer(1), .integer(2), .text("ur")])
    try assertZones(.substring(\.name, from: 7) == "x", #"dao_substring("name", ?) = ?"#, [.integer(7), .text("x")])
    try assertZones(
      .replace(\.name, "/", with: "-") == "x", #"dao_replace("name", ?, ?) = ?"#, [.text("/"), .text("-"), .text("x")])
    try assertZones(
      .concat(\.name, \.comment, separator: ", ") == "x", #"dao_concat("name", "comment", ?) = ?"#, [.text(", "), .text("x")])
  }

  @Test func `a text is equal by IS where replace or concat could fail of it`() throws {
    try assertZones(
      \.name == "a" && .replace(\.name, "a", with: "b") == "b", #""name" IS ? AND dao_replace("name", ?, ?) = ?"#,
      [.text("a"), .text("a"), .text("b"), .text("b")])
  }

  @Test func `abs, beside which a whole number is equal by IS`() throws {
    try assertZones(.abs(\.standardOffset) == 18_000, #"dao_abs("standardOffset") = ?"#, [.integer(18_000)])
    try assertZones(
      \.standardOffset == 1 && .abs(\.standardOffset) == 1, #""standardOffset" IS ? AND dao_abs("standardOffset") = ?"#,
      [.integer(1), .integer(1)])
  }

  @Test func `round of a double, to digits too; a whole number is round`() throws {
    try assertZones(.round(\.latitude) > 48, #"dao_round("latitude") > ?"#, [.real(48)])
    try assertZones(.round(\.latitude, digits: 2) > 48.15, #"dao_round("latitude", 'REAL', ?) > ?"#, [.integer(2), .real(48.15)])
    try assertZones(.round(\.standardOffset) == 0, #""standardOffset" = ?"#, [.integer(0)])
  }

  @Test func `round of decimals receives their form`() throws {
    try assertSamples(
      .round(.field("decimal"), digits: 1) > .decimal(2), #"dao_round("decimal", 'DECIMAL_TEXT', ?) COLLATE dao_decimal > ?"#,
      [.integer(1), .text("2")])
    try assertSamples(
      .round(.field("scaled"), digits: 1) > .decimal(2), #"dao_round("scaled", 'DECIMAL_INTEGER(2)', ?) > ?"#, [.integer(1), .integer(200)])
  }

  @Test func `coalesce takes values and attributes`() throws {
    try assertZones(.coalesce(\.comment, "-") == "-", #"coalesce("comment", ?) = ?"#, [.text("-"), .text("-")])
    try assertZones(.coalesce(\.comment, \.name) == "a", #"coalesce("comment", "name") = ?"#, [.text("a")])
  }

  @Test func `functions of functions, and on both sides`() throws {
    try assertZones(.length(.trim(\.comment)) > 20, #"dao_length(dao_trim("comment")) > ?"#, [.integer(20)])
    try assertZones(\.name == .lower(\.name), #""name" = dao_lower("name")"#, not: #""name" IS NOT dao_lower("name")"#)
    try assertZones(
      .upper(\.comment) == .upper(\.countryCode), #"dao_upper("comment") IS dao_upper("countryCode")"#,
      not: #"dao_upper("comment") IS NOT dao_upper("countryCode")"#)
  }

  @Test func `the value at a path in JSON`() throws {
    try assertCountries(
      .json(\.details, "cities", 0, "name", as: String.self) == "Wien", #"dao_json("details", 'TEXT', ?, ?, ?) = ?"#,
      [.text("cities"), .integer(0), .text("name"), .text("Wien")])
    try assertCountries(
      .json(\.details, "area", as: Int.self) > 1, #"dao_json("details", 'INTEGER', ?) > ?"#, [.text("area"), .integer(1)])
    try assertCountries(.json(\.details, "share", as: Double.self) > 1, #"dao_json("details", 'REAL', ?) > ?"#, [.text("share"), .real(1)])
    try assertCountries(
      .json(\.details, "isIsland", as: Bool.self) == true, #"dao_json("details", 'BOOLEAN', ?) = ?"#, [.text("isIsland"), .integer(1)])
  }
}
