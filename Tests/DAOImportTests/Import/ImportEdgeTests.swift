import DAOImport
import DAOKit
import Foundation
import GRDB
import TestCases
import Testing

/// Feeds and mappings at the edges of what can be imported.
@Suite struct ImportEdgeTests {
  let factory: DAOFactory
  let people: RuntimeDAO<Person>

  init() throws {
    factory = try ImportTests.factory()
    people = factory.runtimeDAO(Person.self)
  }

  @Test("a delimiter that can't be one is refused", arguments: ["；", "\"", "\n", "\r", "·"] as [Unicode.Scalar])
  func delimitersAreChecked(_ delimiter: Unicode.Scalar) {
    #expect(throws: DAOError.self) { try people.import(.csv(Data("number,name\n1,A\n".utf8), delimiter: delimiter)) }
    #expect(throws: DAOError.self) { try people.exported(as: .csv(delimiter: delimiter)) }
  }

  @Test func aBadCellCostsItsRowAlone() throws {
    let csv = Data("number,name\n1,A\n2,5\" pipe\n3,B\n4\n5,C\r x\n6,D\n7,\"E".utf8)
    let options = ImportOptions(failures: .skip(upTo: 9))
    let failure = #expect(throws: ImportFailure.self) { try people.import(.csv(csv), options: options) }
    #expect(failure?.problems.map(\.line) == [3, 5, 6, 8])
    let report = try people.import(.csv(csv.dropLast(5)), options: options)
    #expect("\(report)".hasPrefix("person: 3 inserted, 3 failed"))
    let twice = #expect(throws: ImportFailure.self) { try people.import(.csv(Data("number,name,name\n1,A,B\n".utf8)), options: options) }
    #expect(twice?.problems.first?.message == "has the name \"name\" twice in the header")
  }

  @Test func namesOfTheHeaderAreCheckedBehindARefusedRow() throws {
    let csv = Data("number,name,name\n1,A\n2,B,C\n".utf8)
    let failure = #expect(throws: ImportFailure.self) { try people.import(.csv(csv), options: ImportOptions(failures: .skip(upTo: 9))) }
    #expect(failure?.problems.last?.message == "has the name \"name\" twice in the header")
    #expect(try people.count() == 0)
  }

  @Test func aHookThatReturnsNoJSONRefusesItsRecord() throws {
    var mapping = ImportMapping<Person>()
    mapping.instead(related: "employer") { $0["at"]?.text.map { .number($0) } }
    for text in ["", "1,2", "x"] {
      #expect(throws: ImportFailure.self) { try people.import(.json(Data(#"{"number":1,"name":"A","at":"\#(text)"}"#.utf8)), mapping) }
    }
  }

  @Test func theRowsOfAKeyAndOfAnObjectAreTheSameWithAHook() throws {
    var mapping = ImportMapping<Person>()
    var inner = ImportMapping<Company>()
    inner.after(\.code) { code, _ in code.uppercased() }
    mapping.include(inner)
    try people.import(
      .json(Data(#"[{"number":1,"name":"A","employer":{"code":"x"}},{"number":2,"name":"B","employer":"x"}]"#.utf8)), mapping)
    #expect(try people.findAll().map(\.employer) == ["X", "X"])
    inner.instead(\.code) { _ in "Y" }
    mapping.include(inner)
    #expect(throws: ImportFailure.self) { try people.import(.json(Data(#"[{"number":2,"employer":"x"}]"#.utf8)), mapping) }
  }

  @Test func anErrorOfTheStoreInAHookEndsTheImport() throws {
    var mapping = ImportMapping<Person>()
    mapping.before(\.name) { _, _ in throw DAOError.unsupported("no more") }
    #expect(throws: DAOError.self) {
      try people.import(.json(Data(#"[{"number":1,"name":"A"}]"#.utf8)), mapping, options: ImportOptions(failures: .skip(upTo: 9)))
    }
  }

  @Test func aVersionCannotBeMappedAndIsCountedOn() throws {
    func entity(_ mapping: AttributeMapping) -> EntityDescription {
      EntityDescription(
        "page", key: .assigned(["id"]),
        attributes: [Attribute("id", .integer), Attribute("text", .text), Attribute("version", .integer, version: true, mapping: mapping)])
    }
    let pages = try DAOFactory(store: .inMemory(), describedBy: [entity(AttributeMapping())]).runtimeDAO(entity(AttributeMapping()))
    for text in ["a", "b", "b"] { try pages.import(.json(Data(#"[{"id":1,"text":"\#(text)","version":7}]"#.utf8))) }
    #expect(try pages.findFirst()?["version"] == .integer(1))
    let mapped = try DAOFactory(store: .inMemory(), describedBy: [entity("v")]).runtimeDAO(entity("v"))
    #expect(throws: DAOError.self) { try mapped.import(.json(Data("[]".utf8))) }
  }

  @Test func anExcludedRelationshipLeavesItsAttributeToTheFeed() throws {
    try factory.runtimeDAO(Company.self).insert(Company(code: "X"))
    var mapping = ImportMapping<Person>()
    mapping[related: "employer"] = .excluded
    try people.import(.json(Data(#"{"number":1,"name":"A","employer":"X"}"#.utf8)), mapping)
    #expect(try people.findFirst()?.employer == "X")
    #expect(throws: ImportFailure.self) { try people.import(.json(Data(#"{"number":2,"name":"B","employer":"Y"}"#.utf8)), mapping) }
  }

  @Test func aRecordWithAMillionProblemsReportsAHundred() throws {
    let nulls = Array(repeating: "null", count: 100_000).joined(separator: ",")
    let failure = #expect(throws: ImportFailure.self) {
      try people.import(.json(Data(#"[{"number":1,"name":"A","phones":[\#(nulls)]}]"#.utf8)))
    }
    #expect(failure?.problems.count == 100)
  }

  @Test func recordsWithinRecordsAreReadToADepth() throws {
    let (nodes, _) = try Node.dao()
    func nested(_ depth: Int) -> Data {
      Data(((0..<depth).map { #"{"id":\#($0),"children":["# }.joined() + String(repeating: "]}", count: depth)).utf8)
    }
    try nodes.import(.json(nested(60)))
    #expect(try nodes.count() == 60)
    for depth in [70, 400, 100_000] { #expect(throws: ImportFailure.self) { try nodes.import(.json(nested(depth))) } }
    #expect(try nodes.count() == 60)
  }

  @Test func aPointerOfOneObjectHasNoNumber() throws {
    let failure = #expect(throws: ImportFailure.self) { try people.import(.json(Data(#"{"number":"x","name":"A"}"#.utf8))) }
    #expect(failure?.problems.first?.pointer == "/number")
    let inside = #expect(throws: ImportFailure.self) {
      try people.import(.json(Data(#"{"data":{"a/b":[{"number":"x","name":"A"}]}}"#.utf8), at: ["data", "a/b"]))
    }
    #expect(inside?.problems.first?.pointer == "/data/a~1b/0/number")
  }

  @Test func compositeIdentitiesFarApartReadFewRows() throws {
    let cell = EntityDescription(
      "cell", key: .assigned(["x", "y"]), attributes: [Attribute("x", .integer), Attribute("y", .integer), Attribute("v", .integer)])
    let cells = try DAOFactory(store: .inMemory(), describedBy: [cell]).runtimeDAO(cell)
    func feed(_ value: Int, _ keep: (Int, Int) -> Bool) -> ImportSource {
      let rows = (0..<100).flatMap { x in (0..<100).filter { keep(x, $0) }.map { #"{"x":\#(x),"y":\#($0),"v":\#(value)}"# } }
      return .jsonLines(Data(rows.joined(separator: "\n").utf8))
    }
    try cells.import(feed(1) { _, _ in true })
    let report = try cells.import(feed(2) { $0 == $1 })
    #expect("\(report)" == "cell: 100 updated")
    #expect(try cells.count(.where { $0["v"] == 2 }) == 100)
  }

  @Test(arguments: TestCases.seeds(1_000, inSuite: 60))
  func integerKeysMeetTheirRowsWhateverTheirOrder(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let stop = EntityDescription(
      "stop", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("v", .integer)])
    let stops = try DAOFactory(store: .inMemory(), describedBy: [stop]).runtimeDAO(stop)
    var expected: [Int: Int] = [:]
    var value = 0
    for _ in 0..<6 {
      var keys = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: -5...25, using: &random) }
      // Those of new rows mostly ascend, and may begin where the last ones ended.
      if Bool.random(using: &random) { keys.sort() }
      if Bool.random(using: &random), let last = expected.keys.max() { keys = keys.sorted().map { $0 + last + 5 } }
      let lines = keys.map { key in
        value += 1
        expected[key] = value
        return #"{"id":\#(key),"v":\#(value)}"#
      }
      try stops.import(
        .jsonLines(Data(lines.joined(separator: "\n").utf8)), options: ImportOptions(batch: Bool.random(using: &random) ? nil : 3))
    }
    let rows = try stops.findAll()
    #expect(rows.count == expected.count)
    for row in rows {
      guard case .integer(let id)? = row["id"] else { Issue.record("no key"); continue }
      #expect(row["v"] == expected[Int(id)].map { .integer(Int64($0)) }, "stop \(id)")
    }
  }

  @Test("keys of other classes among the integers", arguments: ["'abc'", "x'00'", "5.5", "9e30"])
  func keysOfOtherClassesAmongTheIntegers(_ key: String) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-import-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: url) }
    try DatabaseQueue(path: url.path).write { db in
      try db.execute(sql: "CREATE TABLE item (id INT NOT NULL PRIMARY KEY, v INTEGER); INSERT INTO item VALUES (3, 1), (\(key), 1)")
    }
    let item = EntityDescription(
      "item", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("v", .integer, optional: true)])
    let items = try DAOFactory(store: .file(url), describedBy: [item]).runtimeDAO(item)
    let report = try items.import(.jsonLines(Data("{\"id\":3,\"v\":2}\n{\"id\":9,\"v\":2}".utf8)))
    #expect("\(report)" == "item: 1 inserted, 1 updated")
  }

  @Test func theLastRecordOfARowCountsWhereAnotherIsRefused() throws {
    let author = EntityDescription("author", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)])
    let book = EntityDescription(
      "book", key: .assigned(["id"]),
      attributes: [
        Attribute("id", .integer), Attribute("v", .integer, optional: true), Attribute("u", .integer, optional: true),
        Attribute("author", .text),
      ], indexes: [Index(on: "u", unique: true)], relationships: [.toOne("author", author, by: "author")])
    // The author of the first record comes with the third. The last breaks a unique value, so that the records are stored one by one.
    let lines = [
      #"{"id":1,"v":1,"author":"x"}"#, #"{"id":1,"v":2,"author":{"code":"y","name":"n"}}"#,
      #"{"id":3,"u":1,"author":{"code":"x","name":"n"}}"#, #"{"id":4,"u":1,"author":"x"}"#,
    ]
    let books = try DAOFactory(store: .inMemory(), describedBy: [author, book]).runtimeDAO(book)
    let report = try books.import(
      .jsonLines(Data(lines.joined(separator: "\n").utf8)), options: ImportOptions(failures: .skip(upTo: 1)))
    #expect(report.problems.map(\.record) == [3])
    let first = try books.find([.integer(1)])
    #expect(first["v"] == .integer(2) && first["author"] == .text("y"))
  }

  @Test func recordsOfManyAttributesAreStoredInSmallerParts() throws {
    let wide = EntityDescription(
      "wide", key: .assigned(["code"]),
      attributes: [Attribute("code", .text)] + (0..<300).map { Attribute("a\($0)", .integer, optional: true) })
    let statements = HookLog()
    let rows = try DAOFactory(store: .inMemory(), describedBy: [wide]) { statements.add($0.sql) }.runtimeDAO(wide)
    try rows.import(.jsonLines(Data((0..<2_000).map { #"{"code":"\#($0)"}"# }.joined(separator: "\n").utf8)))
    #expect(statements.lines.filter { $0.hasPrefix("SELECT \"code\"") }.count == 3)
  }

  @Test func datesOfValuesKeepTheirMilliseconds() throws {
    struct Own: Encodable {
      let number = 1
      let name = "A"
      let born = Date(timeIntervalSince1970: 1.25)
    }
    try people.import(.values([Own()]))
    #expect(try people.findFirst()?.born == Date(timeIntervalSince1970: 1.25))
  }

  @Test func aValueOfTenMegabytesIsStoredAsItIs() throws {
    let text = "\\\"" + String(repeating: "0123456789 žluťoučký ", count: 430_000)
    let json = try JSONEncoder().encode(["number": "1", "name": text])
    try people.import(.json(json))
    #expect(try people.findFirst()?.name == text)
    #expect("\(try people.import(.json(json)))" == "person: 1 unchanged")
  }

  @Test func manyRefusedRecordsAreCountedAndTheOthersStored() throws {
    // Of three records the first can't be read, the second breaks a unique key, the third is new.
    try people.insert(Person(number: 0, name: "Zero"))
    var mapping = ImportMapping<Person>()
    mapping.identity = ["name"]
    let lines = (1...3_000).map { number in
      switch number % 3 {
      case 0: #"{"number": "x", "name": "n\#(number)"}"#
      case 1: #"{"number": 0, "name": "n\#(number)"}"#
      default: #"{"number": \#(number), "name": "n\#(number)"}"#
      }
    }
    let report = try people.import(
      .jsonLines(Data(lines.joined(separator: "\n").utf8)), mapping, options: ImportOptions(batch: 100, failures: .skip(upTo: .max)))
    #expect("\(report["person"])" == "1000 inserted, 2000 failed")
    #expect(report.problems.map(\.record).sorted() == (0..<3_000).filter { ($0 + 1) % 3 != 2 })
    #expect(try people.count() == 1_001)
  }

  @Test func aLoopThatFailedIsOver() async throws {
    var iterator = people.importing(.jsonLines(Data("{\"number\":1,\"name\":\"A\"}\n{\n{\"number\":2,\"name\":\"B\"}".utf8)))
      .makeAsyncIterator()
    await #expect(throws: ImportFailure.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(try await people.count() == 0)
  }
}
