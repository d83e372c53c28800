import DAOKit
import DAOPacking
import Foundation
import GRDB
import TestCases
import Testing

/// Seeds from files with rows.
@Suite("Seeds from JSON and CSV")
struct SeedFileTests {
  let folder: PackingFolder
  var seed: URL { folder.file("seed.sqlite") }

  static let country = EntityDescription(
    "country", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text, searchable: false)])
  static let city = EntityDescription(
    "city", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text),
      Attribute("country", .text, column: "country_code", references: ForeignKey(table: "country", column: "code")),
      Attribute("area", .real, optional: true), Attribute("isCapital", .bool, default: .bool(false)),
      Attribute("founded", .date(.unixMilliseconds), optional: true), Attribute("tag", .uuid(.blob), optional: true),
      Attribute("budget", .decimal(.text), optional: true), Attribute("flag", .data, optional: true),
      Attribute("facts", .json, optional: true), Attribute("note", .text, optional: true),
    ], indexes: [Index(on: "country")])

  init() throws {
    folder = try PackingFolder()
  }

  private func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.file(name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private var packer: SeedPacker { SeedPacker(describedBy: [Self.country, Self.city], version: 2) }

  private func rows(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: seed.path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map { $0.isNull ? "-" : $0.sqlText }.joined(separator: " ") }
    }
  }

  private func problems(_ body: () throws -> some Any) -> [String] {
    do { _ = try body() } catch SeedPacker.Failure.rows(let problems) { return problems.map(\.description) } catch {
      Issue.record("\(error)")
    }
    return []
  }

  static let cities = """
    [{"id": 7, "name": "Brno", "country": "CZ", "area": 230.2, "isCapital": false, "founded": "1243-01-01T00:00:00Z",
      "tag": "0e984725-c51c-4bf4-9960-e1c80e27aba0", "budget": "19.90", "flag": "AP8=", "facts": {"b": [1, 2], "a": null}, "note": ""},
     {"name": "Praha", "country": "CZ", "isCapital": true},
     {"name": "Wien", "country": "AT", "isCapital": true, "founded": null, "facts": 12}]
    """
  static let csvCities = """
    name,id,country,isCapital,area,founded,tag,budget,flag,facts,note
    Brno,7,CZ,0,230.2,1243-01-01T00:00:00Z,0e984725-c51c-4bf4-9960-e1c80e27aba0,19.90,AP8=,"{""a"":null,""b"":[1,2]}",""
    "Praha",8,CZ,true,,,,,,,
    Wien,9,AT,1,,,,,,12,
    """

  @Test func `both forms make the same rows, in any order of the files; references may lead ahead`() throws {
    let countries = try file("countries.csv", "code,name\r\nCZ,\"Česko, \"\"Czechia\"\"\"\r\nAT,\" Österreich\nAustria\"\r\n")
    let manifest = try packer.pack([.json(file("cities.json", Self.cities), of: "city"), .csv(countries, of: "country")], to: seed)
    #expect(manifest.rowCounts == ["city": 3, "country": 2])
    #expect(manifest.version == 2)
    let all = "SELECT id, name, country_code, area, isCapital, founded, quote(tag), budget, quote(flag), facts FROM city ORDER BY id"
    let expected = [
      #"7 Brno CZ 230.2 0 -22941878400000 X'0E984725C51C4BF49960E1C80E27ABA0' 19.9 X'00FF' {"a":null,"b":[1,2]}"#,
      "8 Praha CZ - 1 - NULL - NULL -",
      "9 Wien AT - 1 - NULL - NULL 12",
    ]
    let fromJSON = try rows(all)
    #expect(fromJSON == expected)
    // An empty cell says nothing; an empty text in quotes does.
    #expect(try rows("SELECT quote(note) FROM city ORDER BY id") == ["''", "NULL", "NULL"])
    #expect(try rows("SELECT name FROM country ORDER BY code") == [" Österreich\nAustria", "Česko, \"Czechia\""])

    _ = try packer.pack([.csv(countries, of: "country"), .csv(file("cities.csv", Self.csvCities), of: "city")], to: seed)
    let fromCSV = try rows(all)
    #expect(fromCSV == expected)
    #expect(try rows("SELECT quote(note) FROM city ORDER BY id") == ["''", "NULL", "NULL"])
  }

  @Test func `dates are read in ISO 8601, and as their column has them`() throws {
    let fair = EntityDescription(
      "fair", key: .assigned(["day"]),
      attributes: [
        Attribute("day", .date(.text("YYYY-MM-DD"))), Attribute("opens", .date(.text("HH:MM")), optional: true),
        Attribute("noted", .date(.unixMicroseconds)),
      ])
    let packer = SeedPacker(describedBy: [fair], version: 1)
    let json = try file(
      "fairs.json", #"[{"day": "2026-11-21", "opens": "09:30", "noted": "2026-11-21T06:19:00.123456Z"}]"#)
    let csv = try file("fairs.csv", "day,opens,noted\n2026-11-22T00:00:00Z,,2026-11-21T06:19:00Z\n")
    _ = try packer.pack([.json(json, of: "fair"), .csv(csv, of: "fair")], to: seed)
    #expect(
      try rows("SELECT day, opens, noted FROM fair ORDER BY day") == [
        "2026-11-21 09:30 1795241940123456", "2026-11-22 - 1795241940000000",
      ])
  }

  @Test func `everything that is wrong is told at once, with file, row, attribute and value; nothing is made`() throws {
    let json = try file(
      "cities.json",
      """
      [{"id": 1.5, "name": "a", "country": "CZ", "isCapital": "yes"}, 3, {"nme": "x", "country": "CZ", "founded": "soon", "flag": "%"},
       {"name": null, "country": "CZ", "id": 99999999999999999999}]
      """)
    let csv = try file("countries.csv", "code,name\nCZ\nDE,a,b\n,x\n")
    #expect(
      problems { try packer.pack([.json(json, of: "city"), .csv(csv, of: "country")], to: seed) } == [
        "cities.json, row 1: city.id expects an integer of 64 bits, not 1.5",
        "cities.json, row 1: city.isCapital expects Bool, not the text \"yes\"",
        "cities.json, row 2: city expects an object, not 3",
        "cities.json, row 3: city.nme is no attribute; did you mean 'name'?", "cities.json, row 3: city.name is missing",
        "cities.json, row 3: city.founded expects a date like 2026-11-21T06:19:00Z, not the text \"soon\"",
        "cities.json, row 3: city.flag expects Base64, not the text \"%\"",
        "cities.json, row 4: city.id expects an integer of 64 bits, not 99999999999999999999", "cities.json, row 4: city.name is missing",
        "countries.csv, row 1: country expects 2 cells, not 1", "countries.csv, row 2: country expects 2 cells, not 3",
        "countries.csv, row 3: country.code is an empty cell; an empty text is written in quotes",
      ])
    #expect(!FileManager.default.fileExists(atPath: seed.path))
    let many = try file("many.json", "[" + Array(repeating: "1", count: 300).joined(separator: ",") + "]")
    #expect(problems { try packer.pack([.json(many, of: "city"), .json(json, of: "city")], to: seed) }.count == 100)
  }

  @Test func `references without their row, keys that stand twice and entities that are none are refused`() throws {
    let orphan = try file("cities.json", #"[{"name": "Oslo", "country": "NO"}]"#)
    do {
      _ = try packer.pack([.json(orphan, of: "city")], to: seed)
      Issue.record("an orphan was packed")
    } catch SeedPacker.Failure.unsound(let findings) { #expect(findings.map(\.kind) == [.foreignKey]) }
    let twice = try file("countries.csv", "code,name\nCZ,a\nCZ,b\n")
    #expect(
      problems { try packer.pack([.csv(twice, of: "country")], to: seed) } == [
        "countries.csv, row 2: country.code is 'CZ', as in row 1 of countries.csv"
      ])
    #expect {
      try packer.pack([.csv(twice, of: "contry")], to: seed)
    } throws: { error in
      if case DAOError.unknownEntity(name: "contry", _, nearest: "country") = error { true } else { false }
    }
    #expect(!FileManager.default.fileExists(atPath: seed.path))
  }

  @Test(
    arguments: [
      ("x.json", "[{]"), ("x.json", #"{"code": "CZ"}"#), ("x.json", #"[{"code": "CZ", "code": "DE", "name": "x"}]"#), ("x.json", ""),
      ("x.csv", "code,name\nCZ,\"a\n"), ("x.csv", "code,name\nCZ,\"a\"b\n"), ("x.csv", "code,nam\nCZ,a\n"),
      ("x.csv", "code,code,name\nCZ,AT,a\n"),
      ("x.csv", "code,name\rCZ,a\r"), ("x.csv", "code,name\nCZ,a\"b\n"), ("x.csv", ""),
    ])
  func `what is no JSON, no CSV, or would be read otherwise than it stands there is refused`(_ name: String, _ text: String) throws {
    let url = try file(name, text)
    let found = problems { try packer.pack([name.hasSuffix("csv") ? .csv(url, of: "country") : .json(url, of: "country")], to: seed) }
    #expect(!found.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: seed.path))
  }

  @Test func `a comma and a character that joins it are two characters, and a line separator ends no line`() throws {
    let countries = try file("c.csv", "code,name\nCZ,\u{301}b\nAT,a\u{2028}b\nDE,\"\"\n")
    _ = try packer.pack([.csv(countries, of: "country"), .csv(file("cities.csv", Self.csvCities), of: "city")], to: seed)
    #expect(try rows("SELECT quote(name) FROM country ORDER BY code") == ["'a\u{2028}b'", "'\u{301}b'", "''"])
  }

  @Test func `an empty cell is nil where the attribute may be; a column that is left out is the default`() throws {
    let mark = EntityDescription(
      "mark", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("name", .text), Attribute("rank", .integer, optional: true, default: .integer(5)),
        Attribute("size", .integer, optional: true, default: .integer(7)),
      ])
    let url = try file("marks.csv", "id,name,rank\n1,a,\n2,b,3\n")
    try SeedPacker(describedBy: [mark]).pack([.csv(url, of: "mark")], to: seed)
    #expect(try rows("SELECT id, name, rank, size FROM mark ORDER BY id") == ["1 a - 7", "2 b 3 7"])
  }

  @Test func `a seed does not take the place of what it is made of`() throws {
    let url = try file("countries", "code,name\nCZ,a\n")
    let manifest = try file("x.manifest", "code,name\nCZ,a\n")
    for (file, target) in [(url, url), (manifest, folder.file("x"))] {
      #expect {
        try packer.pack([.csv(file, of: "country")], to: target)
      } throws: { error in
        if case DAOError.bootstrap(let problem) = error { problem.kind == .system } else { false }
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == "code,name\nCZ,a\n")
    }
  }

  @Test func `a file that is not there, and one that is not UTF-8`() throws {
    #expect(problems { try packer.pack([.csv(folder.file("no.csv"), of: "country")], to: seed) }.count == 1)
    let url = folder.file("latin.csv")
    try Data([0x63, 0x6F, 0x64, 0x65, 0x0A, 0xE9, 0x0A]).write(to: url)
    #expect(problems { try packer.pack([.csv(url, of: "country")], to: seed) } == ["latin.csv: country is not UTF-8 (line 2, column 1)"])
  }
}

extension DatabaseValue {
  fileprivate var sqlText: String {
    switch storage {
    case .null: "-"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .blob(let value): "\(value)"
    }
  }
}

/// What makes a row no row of its entity, beyond its own values.
@Suite("Doubles, JSON and blanks in rows of seeds")
struct SeedRowTests {
  private let folder: PackingFolder
  private var seed: URL { folder.file("seed.sqlite") }

  private static let place = EntityDescription(
    "place", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("land", .text, optional: true),
      Attribute("rank", .integer, optional: true),
      Attribute("facts", .json, optional: true), Attribute("kind", .text, default: "town"),
    ], indexes: [Index(on: "name", unique: true), Index(on: "land", "rank", unique: true)])

  init() throws { folder = try PackingFolder() }

  private func file(_ name: String, _ text: String) throws -> SeedFile {
    let url = folder.file(name)
    try Data(text.utf8).write(to: url)
    return name.hasSuffix("csv") ? .csv(url, of: "place") : .json(url, of: "place")
  }

  private func problems(_ files: SeedFile...) -> [String] {
    do { _ = try SeedPacker(describedBy: [Self.place]).pack(files, to: seed) } catch SeedPacker.Failure.rows(let problems) {
      return problems.map(\.description)
    } catch { Issue.record("\(error)") }
    return []
  }

  @Test func `every key and unique value that stands twice is told with both rows, beside all else that is wrong`() throws {
    let first = try file("a.csv", "id,name,land,rank\n1,Brno,CZ,2\n,Praha,CZ,1\n1,Wien,AT,1\n4,Brno,CZ,2\n5,Linz,,\n6,Graz,,\n")
    let second = try file(
      "b.json", #"[{"name": "Linz"}, {"name": 5}, {"id": 2, "name": "x", "land": "AT", "rank": 9}, {"name": "y", "land": "CZ", "rank": 1}]"#
    )
    #expect(
      problems(first, second) == [
        "a.csv, row 3: place.id is 1, as in row 1 of a.csv",
        "a.csv, row 4: place.name is 'Brno', as in row 1 of a.csv",
        "a.csv, row 4: place.land, rank is 'CZ', 2, as in row 1 of a.csv",
        "b.json, row 1: place.name is 'Linz', as in row 5 of a.csv",
        "b.json, row 2: place.name expects text, not 5",
        "b.json, row 3: place.id is 2, as in row 2 of a.csv",
        "b.json, row 4: place.land, rank is 'CZ', 1, as in row 2 of a.csv",
      ])
    #expect(!FileManager.default.fileExists(atPath: seed.path))
    let many = try file("many.csv", "name\n" + (0..<300).map { "n\($0 % 3)\n" }.joined())
    #expect(problems(many).count == 100)
  }

  @Test func `of random rows just those are told that a row before them has`() throws {
    var random = RandomSource(seed: TestCases.seed)
    for _ in 0..<40 {
      var (lines, expected, names): ([String], [String], [String: Int]) = ([], [], [:])
      for row in 1...30 {
        let name = "n\(Int.random(in: 0..<60, using: &random))"
        lines.append(name)
        if let first = names[name] {
          expected.append("r.csv, row \(row): place.name is '\(name)', as in row \(first) of r.csv")
        } else {
          names[name] = row
        }
      }
      let rows = try file("r.csv", "name\n" + lines.joined(separator: "\n") + "\n\n\n")
      #expect(problems(rows) == expected)
    }
  }

  @Test func `what is no JSON is refused in a JSON attribute, from JSON and from CSV`() throws {
    let found = try problems(
      file("a.csv", "name,facts\na,{}\nb,{\nc,nul\nd,\"[1, \"\"x\"\"]\"\n"),
      file("b.json", #"[{"name": "e", "facts": "{\"a\": 1}"}, {"name": "f", "facts": "[1,"}, {"name": "g", "facts": [1]}]"#))
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.contains("place.facts expects JSON, not the text") }, "\(found)")
    #expect(found.map { $0.prefix(13) } == ["a.csv, row 2:", "a.csv, row 3:", "b.json, row 2"])
  }

  @Test func `blank lines at the end are no rows, and an empty cell is no text`() throws {
    for end in ["", "\n", "\n\n", "\n   \n\n", "\r\n\r\n", "\n  "] {
      #expect(try problems(file("a.csv", "name,kind\na,x\nb," + end)) == [])
    }
    #expect(
      try problems(file("a.csv", "name,kind\na,x\n\nb,x\n,\n\n")) == [
        "a.csv, row 2: place expects 2 cells, not 1",
        "a.csv, row 4: place.name is an empty cell; an empty text is written in quotes",
      ])
    #expect(try problems(file("a.json", #"[{"name": ""}]"#)) == [])
    // In quotes it is an empty text, in a row of its own.
    let twice = "a.csv, row 2: place.name is '', as in row 1 of a.csv"
    for end in ["", "\n", "\n\n"] { #expect(try problems(file("a.csv", "name\n\"\"\n\"\"" + end)) == [twice], "\(end.utf8.count)") }
    #expect(try problems(file("a.csv", "name\na\n\n\n")) == [])
  }

  @Test func `a row that is wrong otherwise is told to be a double too`() throws {
    #expect(
      try problems(file("a.csv", "name,kind,rank\na,x,1\na,x,one\n,x,2\n")) == [
        "a.csv, row 2: place.rank expects an integer of 64 bits, not the text \"one\"",
        "a.csv, row 2: place.name is 'a', as in row 1 of a.csv",
        "a.csv, row 3: place.name is an empty cell; an empty text is written in quotes",
      ])
  }

  @Test func `a value that stands twice is shown in a line`() throws {
    let name = String(repeating: "n", count: 10_000)
    let found = try problems(file("a.csv", "name\n\(name)\n\(name)\n"))
    #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("a.csv, row 2: place.name is 'nnn") && $0.utf8.count < 200 }, "\(found)")
  }
}
