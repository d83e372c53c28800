import CriteriaTesting
import DAOCriteria
import DAOSQL
import Foundation
import Testing

@Suite("SQL of comparisons")
struct ComparisonSQLTests {
  @Test func `equal and not equal to a value are each other's negation, and not equal includes null`() throws {
    try assertZones(\.standardOffset == 3600, #""standardOffset" = ?"#, not: #""standardOffset" IS NOT ?"#, [.integer(3600)])
    try assertZones(\.comment != "ä", #""comment" IS NOT ?"#, not: #""comment" = ?"#, [.text("ä")])
  }

  @Test func `equal to nil is IS NULL`() throws {
    try assertZones(\.comment == nil, #""comment" IS NULL"#, not: #""comment" IS NOT NULL"#)
    try assertZones(\.comment != nil, #""comment" IS NOT NULL"#, not: #""comment" IS NULL"#)
    try assertZones(.isNull(\.comment), #""comment" IS NULL"#, not: #""comment" IS NOT NULL"#)
    try assertZones(.isNotNull(\.comment), #""comment" IS NOT NULL"#, not: #""comment" IS NULL"#)
  }

  @Test func `an order becomes its opposite under not`() throws {
    try assertZones(\.standardOffset < 0, #""standardOffset" < ?"#, not: #""standardOffset" >= ?"#, [.integer(0)])
    try assertZones(\.standardOffset <= 0, #""standardOffset" <= ?"#, not: #""standardOffset" > ?"#, [.integer(0)])
    try assertZones(\.standardOffset > 0, #""standardOffset" > ?"#, not: #""standardOffset" <= ?"#, [.integer(0)])
    try assertZones(\.standardOffset >= 0, #""standardOffset" >= ?"#, not: #""standardOffset" < ?"#, [.integer(0)])
  }

  @Test func `an order under not is true of null`() throws {
    try assertZones(\.comment < "V", #""comment" < ?"#, not: #""comment" >= ? OR "comment" IS NULL"#, [.text("V")])
  }

  @Test func `two attributes are equal by IS only where both may be null`() throws {
    try assertZones(\.name == \.comment, #""name" = "comment""#, not: #""name" IS NOT "comment""#)
    try assertZones(\.comment == \.countryCode, #""comment" IS "countryCode""#, not: #""comment" IS NOT "countryCode""#)
  }

  @Test func `an order of two attributes is true of null under not`() throws {
    try assertZones(\.name < \.comment, #""name" < "comment""#, not: #""name" >= "comment" OR "comment" IS NULL"#)
    try assertZones(
      \.comment >= \.countryCode, #""comment" >= "countryCode""#,
      not: #""comment" < "countryCode" OR "comment" IS NULL OR "countryCode" IS NULL"#)
  }

  @Test func `between names both ends, and under not what is outside`() throws {
    try assertZones(
      .between(\.standardOffset, 0, 3600), #""standardOffset" BETWEEN ? AND ?"#,
      not: #""standardOffset" < ? OR "standardOffset" > ?"#, [.integer(0), .integer(3600)])
    try assertZones(
      .between(\.standardOffset, 0...3600), #""standardOffset" BETWEEN ? AND ?"#, [.integer(0), .integer(3600)])
    try assertZones(
      .between(\.comment, "A", "V"), #""comment" BETWEEN ? AND ?"#,
      not: #""comment" < ? OR "comment" > ? OR "comment" IS NULL"#, [.text("A"), .text("V")])
  }

  @Test func `a value is bound in the form in which its attribute is stored`() throws {
    let date = Date(timeIntervalSince1970: 86_400)
    let id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    try assertSamples(.field("bool") == true, #""bool" = ?"#, [.integer(1)])
    try assertSamples(.field("date") == .date(date), #""date" = ?"#, [.text("1970-01-02T00:00:00.000Z")])
    try assertSamples(.field("milliseconds") == .date(date), #""milliseconds" = ?"#, [.integer(86_400_000)])
    try assertSamples(.field("uuid") == .uuid(id), #""uuid" = ?"#, [.blob(Data(0...15))])
    try assertSamples(.field("uuidText") == .uuid(id), #""uuidText" = ?"#, [.text("00010203-0405-0607-0809-0a0b0c0d0e0f")])
    try assertSamples(.field("scaled") == .decimal(1.5), #""scaled" = ?"#, [.integer(150)])
  }

  @Test func `a date in seconds is the range of the doubles that are read as it`() throws {
    let date = Date(timeIntervalSince1970: 86_400)
    let ends: [StoredValue] = [.real(86_400 - 0x1p-24), .real(86_400 + 0x1p-24)]
    try assertSamples(
      .field("seconds") == .date(date), #""seconds" BETWEEN ? AND ?"#, not: #""seconds" NOT BETWEEN ? AND ?"#, ends)
    try assertSamples(.field("seconds") < .date(date), #""seconds" < ?"#, not: #""seconds" >= ?"#, [ends[0]])
  }

  @Test func `decimals that are stored as text are compared as numbers`() throws {
    try assertSamples(.field("decimal") == .decimal(1.5), #""decimal" COLLATE dao_decimal = ?"#, [.text("1.5")])
    try assertSamples(
      .field("decimal") < .decimal(10), #""decimal" COLLATE dao_decimal < ?"#, not: #""decimal" COLLATE dao_decimal >= ?"#, [.text("10")])
  }
}
