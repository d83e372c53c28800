import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Values that look like a form which they may not have: an inspection doubts rather than reads another meaning.
@Suite("Values that mislead an inspection")
struct MisleadingValuesTests: InspectingStores {
  let scratch: Scratch
  let store: URL

  init() throws {
    scratch = try Scratch()
    store = scratch.url("store.sqlite")
  }

  private func isUnsure(_ declared: String, _ values: [String], named name: String = "x") throws -> Bool {
    try column(declared, values, named: name).certainty == .unsure
  }

  @Test func `declared digits hold where few numbers lose some, and not for texts, blobs and what is too large`() throws {
    let prices = (1...39).map { "\($0).25" }
    #expect(try column("DECIMAL(10,2)", prices + ["1.255"]).certainty == .likely)
    for wrong in ["'N/A'", "''", "'1,234.50'", "x'78'", "9e999", "1e39"] {
      let found = try column("DECIMAL(10,2)", prices + [wrong])
      #expect(found.certainty == .unsure && found.type != .decimal(.numeric(2)), "\(wrong): \(found)")
    }
    #expect(try isUnsure("DECIMAL(10,0)", prices + ["1"]), "most would lose digits")
    #expect(try isUnsure("DOUBLE(10,2)", prices + ["'x'"]))
    let written = try column("DECIMAL(20,2)", prices + ["1e16"])
    #expect(written.certainty == .sure, "\(written)")
  }

  @Test func `counts from another time than 1970 are not taken for counts from there`() throws {
    let instants = (0..<30).map { 1_709_200_800 + $0 * 86_407 }
    let others: [(String, (Int) -> String)] = [
      ("ticks of .NET", { "\(($0 + 62_135_596_800) * 10_000_000)" }), ("seconds since 2001", { "\($0 - 978_307_200).25" }),
      ("nanoseconds since 2001", { "\(($0 - 978_307_200) * 1_000_000_000)" }),
    ]
    for (unit, written) in others {
      for (declared, name) in [("", "created_at"), ("DATETIME", "x"), ("TIMESTAMP", "visit_time")] {
        #expect(try isUnsure(declared, instants.map(written), named: name), "\(unit) in \(declared)")
      }
    }
    #expect(try column("BIGINT", instants.map { "\($0)000000000" }, named: "created_at").type == .date(.unixNanoseconds))
    let since2001 = try column("REAL", instants.map { "\($0 - 978_307_200).25" }, named: "visit_time")
    #expect(since2001.forms.contains { $0.type == .date(.secondsSince2001) && $0.others == 0 }, "\(since2001)")
  }

  @Test func `dates that are written in digits down to the hour or minute are no seconds`() throws {
    let hours = (0..<24).map { "\(2_024_022_900 + $0)" }
    let minutes = (0..<30).map { "\(2_402_291_000 + $0)" }
    for values in [hours, minutes] {
      #expect(try isUnsure("INTEGER", values, named: "valid_time"))
      #expect(try isUnsure("TIMESTAMP", values))
    }
    #expect(try column("TIMESTAMP", hours + ["2024022960"]).type == .date(.unixSeconds))
  }

  @Test func `names with a Z in front are not Core Data's where the values count from 1970`() throws {
    let unix = (0..<30).map { "\(1_709_200_800 + $0 * 90_061)" }
    #expect(try column("TIMESTAMP", unix, named: "ZTIME", table: "ZONES").type == .date(.unixSeconds))
    let since2001 = (0..<30).map { "\(730_893_600 + $0).5" }
    #expect(try column("TIMESTAMP", since2001, named: "ZTIME", table: "ZONES").type == .date(.secondsSince2001))
  }

  @Test func `millions are days by the Julian count where the name or the declared type says so`() throws {
    let numbers = (0..<30).map { "\(2_450_000 + $0 * 137).5" }
    for name in ["price", "population", "northing"] {
      #expect(try column("REAL", numbers, named: name).type != .date(.julianDays), "\(name)")
    }
    #expect(try column("REAL", numbers, named: "created").type == .date(.julianDays))
    #expect(try column("DATETIME", numbers).certainty == .sure)
  }

  @Test func `a declared date whose values have no form of a date is doubted`() throws {
    for values in [(0..<30).map { "\(45_000 + $0).25" }, (0..<30).map { "\(19_700 + $0)" }, (10..<40).map { "'\($0). 2. 2024'" }] {
      for declared in ["DATETIME", "DATE", "TIMESTAMP"] { #expect(try isUnsure(declared, values), "\(values[0]) in \(declared)") }
    }
  }

  @Test func `texts with a point are decimals where the name says money, or all have as many digits`() throws {
    let thousands = (1..<30).map { "'\($0).\(100 + $0)'" }
    for name in ["preis", "price", "weight"] { #expect(try isUnsure("TEXT", thousands, named: name), "\(name)") }
    #expect(try isUnsure("TEXT", (0..<24).map { "'\($0).30'" }, named: "opens"))
    #expect(try isUnsure("TEXT", (1..<30).map { "'1.\($0)'" }, named: "android"))
    #expect(try column("TEXT", (1..<30).map { "'\($0).25'" }, named: "weight").type == .decimal(.text))
    #expect(try column("TEXT", (1..<30).map { "'\($0).\($0)'" }, named: "price").type == .decimal(.text))
  }

  @Test func `a time of day is likely at most, since minutes and seconds look alike`() throws {
    let times = (10..<40).map { "'03:\($0)'" }
    #expect(try column("TEXT", times, named: "opening_time").certainty == .likely)
    #expect(try isUnsure("TEXT", times, named: "track"))
    #expect(try column("TIME", times).certainty == .sure)
    #expect(try column("MONEY", (1..<30).map { "0.\($0 % 9 + 1)" }).type == .decimal(.numeric(2)))
  }

  @Test func `what can't be used is named: columns without a name, collations of an app, too many columns, UTF-16`() throws {
    try make(
      """
      CREATE TABLE unnamed (id INTEGER PRIMARY KEY, "" TEXT, name TEXT); INSERT INTO unnamed VALUES (1, 'a', 'b');
      CREATE TABLE other ("" INTEGER REFERENCES unnamed, id INTEGER PRIMARY KEY); INSERT INTO other VALUES (1, 2);
      CREATE TABLE alone ("" TEXT); INSERT INTO alone VALUES ('a'), ('b'); CREATE VIEW one AS SELECT 1 AS "";
      CREATE VIEW two AS SELECT 1 AS "", id FROM other;
      CREATE TABLE wide (\((0..<2_000).map { "c\($0)" }.joined(separator: ", ")))
      """)
    let names = try inspect()
    #expect(names["unnamed"]?.columns.map(\.name) == ["id", "name"])
    #expect(names["unnamed"]?.problems == ["a column without a name can't be an attribute"])
    #expect(names.schema.description(of: "unnamed")?.attributes.map(\.name) == ["id", "name"])
    #expect(names.schema.description(of: "other")?.relationships.isEmpty == true)
    for name in ["alone", "one"] { #expect(names[name]?.problems == ["a column without a name can't be an attribute"], "\(name)") }
    #expect(names["alone"]?.rowCount == 2 && names["two"]?.distinctColumns == ["id"])
    #expect(names["wide"]?.problems.first?.contains("more columns than the 2000") == true)

    let other = scratch.url("own.sqlite")
    var configuration = Configuration()
    configuration.prepareDatabase { $0.add(collation: DatabaseCollation("LOCALIZED") { $0.compare($1) }) }
    let queue = try DatabaseQueue(path: other.path, configuration: configuration)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE LOCALIZED)")
    }
    try queue.close()
    let own = try StoreInspector.inspect(other)
    #expect(own["t"]?.problems.first?.hasPrefix("name has the app's own collation LOCALIZED") == true)
    #expect(own.problems == ["its texts are in UTF-16le: only stores in UTF-8 are opened"])
  }
}
