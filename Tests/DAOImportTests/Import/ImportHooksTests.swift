import DAOImport
import DAOKit
import Foundation
import Testing

/// Hooks before, instead of and after records, attributes and relationships.
@Suite struct ImportHooksTests {
  let factory: DAOFactory
  let people: RuntimeDAO<Person>
  let companies: RuntimeDAO<Company>
  let log = HookLog()

  init() throws {
    factory = try ImportTests.factory()
    people = factory.runtimeDAO(Person.self)
    companies = factory.runtimeDAO(Company.self)
  }

  struct TooBad: Error, CustomStringConvertible { var description: String { "too bad" } }

  @Test func theOrderIsTheDocumentedOne() throws {
    var mapping = ImportMapping<Person>()
    var inner = ImportMapping<Company>()
    mapping.before { [log] in log.add("before \($0["number"] ?? nil)") }
    mapping.before(\.name) { [log] value, _ in log.add("before name \(value)") }
    mapping.after(\.name) { [log] value, _ in
      log.add("after name \(value)")
      return value + "!"
    }
    mapping.instead(\.rating) { [log] record in
      log.add("instead of rating")
      return record["stars"]?.text?.count ?? 0
    }
    mapping.before(related: "employer") { [log] value, record in log.add("before employer of \(record["number"] ?? nil)") }
    mapping.after(related: "employer") { [log] person, _ in log.add("after employer \(person.employer ?? "")") }
    mapping.after { [log, people, companies] person, record in
      // The rows are there, in the same transaction.
      log.add("after \(person.name) of \(try people.count()) at \(try companies.count())")
    }
    inner.before { [log] in log.add("before company \($0["code"] ?? nil)") }
    inner.instead { [log] in
      log.add("instead of company \($0["code"] ?? nil)")
      return nil
    }
    inner.after { [log] company, _ in log.add("after company \(company.code)") }
    mapping.include(inner)
    try people.import(
      .json(
        Data(#"[{"number": 1, "name": "A", "stars": "***", "employer": {"code": "X", "name": "Ex"}}, {"number": 2, "name": "B"}]"#.utf8)),
      mapping)
    #expect(
      log.lines == [
        "before 1", "before name \"A\"", "after name A", "instead of rating", "before employer of 1", "before company \"X\"",
        "before 2", "before name \"B\"", "after name B", "instead of rating",
        "instead of company \"X\"", "after company X",
        "after employer X", "after A! of 2 at 1", "after B! of 2 at 1",
      ])
    #expect(try people.findAll(.all.order(by: \.number)).map(\.rating) == [3, 0])
  }

  @Test func aHookBeforeIsCalledFirstWhereThereIsOneInstead() throws {
    var mapping = ImportMapping<Person>()
    mapping.before(\.rating) { [log] value, _ in
      log.add("before rating \(value)")
      return value == 0 ? .skip : .proceed
    }
    mapping.instead(\.rating) { [log] _ in
      log.add("instead of rating")
      return 7
    }
    mapping.before(related: "employer") { [log] value, _ in
      log.add("before employer \(value)")
      return value == "none" ? .skip : .proceed
    }
    mapping.instead(related: "employer") { [log] _ in
      log.add("instead of employer")
      return "X"
    }
    let feed = """
      [{"number": 1, "name": "A", "rating": 3, "employer": "Y"}, {"number": 2, "name": "B", "rating": 0, "employer": "none"},
       {"number": 3, "name": "C"}]
      """
    try people.import(.json(Data(feed.utf8)), mapping)
    #expect(
      log.lines == [
        "before rating 3", "instead of rating", "before employer \"Y\"", "instead of employer",
        "before rating 0", "before employer \"none\"",
        "instead of rating", "instead of employer",
      ])
    let found = try people.findAll(.all.order(by: \.number))
    #expect(found.map(\.rating) == [7, 3, 7])
    #expect(found.map(\.employer) == ["X", nil, "X"])
  }

  @Test func aMappingOfNoEntityCantBeIncluded() throws {
    var mapping = ImportMapping<Person>()
    mapping.include(ImportMapping<DynamicEntity>())
    let error = #expect(throws: DAOError.self) { try people.import(.json(Data("[]".utf8)), mapping) }
    #expect("\(try #require(error))".contains("a mapping of DynamicEntity is included"))
  }

  @Test func skippedPartsStayAsTheyAre() throws {
    try people.import(.json(Data(#"{"number": 1, "name": "A", "rating": 5, "employer": "X"}"#.utf8)))
    var mapping = ImportMapping<Person>()
    mapping.before { $0["deleted"] == true ? .skip : .proceed }
    mapping.before(\.rating) { _, _ in .skip }
    mapping.before(related: "employer") { _, _ in .skip }
    let feed = #"[{"number": 1, "name": "B", "rating": 1, "employer": null}, {"number": 2, "name": "C", "deleted": true}]"#
    #expect("\(try people.import(.json(Data(feed.utf8)), mapping))" == "person: 1 updated, 1 skipped")
    let person = try #require(try people.findFirst())
    #expect(person.name == "B" && person.rating == 5 && person.employer == "X")
    #expect(try people.count() == 1)
  }

  @Test func aSkippedRecordWithinAnotherIsRelatedToNothing() throws {
    var mapping = ImportMapping<Person>()
    var inner = ImportMapping<Company>()
    inner.before { _ in .skip }
    mapping.include(inner)
    let report = try people.import(.json(Data(#"{"number": 1, "name": "A", "employer": {"code": "X"}}"#.utf8)), mapping)
    #expect("\(report)" == "company: 1 skipped\nperson: 1 inserted")
    #expect(try people.findFirst()?.employer == nil)
    #expect(try companies.count() == 0)
  }

  @Test func aHookStoresARecordInItsOwnWay() throws {
    var mapping = ImportMapping<Person>()
    var inner = ImportMapping<Company>()
    inner.instead { [companies] record in
      let code = record["code"]?.text ?? ""
      return try companies.exists(code) ? try companies.find(code) : try companies.insert(Company(code: code, name: "own"))
    }
    mapping.include(inner)
    let feed = #"[{"number": 1, "name": "A", "employer": {"code": "X"}}, {"number": 2, "name": "B", "employer": {"code": "X"}}]"#
    #expect("\(try people.import(.json(Data(feed.utf8)), mapping))" == "company: 2 handled\nperson: 2 inserted")
    #expect(try companies.findAll() == [Company(code: "X", name: "own")])
    #expect(try people.findAll().map(\.employer) == ["X", "X"])
  }

  @Test func aHookReturnsTheRowsOfARelationship() throws {
    var mapping = ImportMapping<Person>()
    mapping.instead(related: "employer") { record in
      record["at"].map { .object(["code": $0, "name": "from a hook"]) }
    }
    mapping.instead(related: "tags") { record in .list((record["words"]?.text ?? "").split(separator: " ").map { .text("\($0)") }) }
    try people.import(.json(Data(#"[{"number": 1, "name": "A", "at": "X", "words": "a b"}, {"number": 2, "name": "B"}]"#.utf8)), mapping)
    #expect(try companies.findAll() == [Company(code: "X", name: "from a hook")])
    #expect(try factory.runtimeDAO(Tag.self).findAllIDs(.all.order(by: \.word)) == ["a", "b"])
    mapping.instead(related: "employer") { _ in .list([]) }
    let failure = #expect(throws: ImportFailure.self) { try people.import(.json(Data(#"[{"number": 3, "name": "C"}]"#.utf8)), mapping) }
    #expect(failure?.description == "record 0, line 1, column 2, /0/employer: person.employer expects an object or a key, not a list")
  }

  @Test("a hook that throws refuses its record, which leaves no trace", arguments: 0..<7)
  func aHookRefuses(_ which: Int) throws {
    var mapping = ImportMapping<Person>()
    @Sendable func isBad(_ record: ImportRecord) -> Bool { record["number"] == 2 }
    switch which {
    case 0: mapping.before { if isBad($0) { throw TooBad() } else { .proceed } }
    case 1: mapping.before(\.name) { if isBad($1) { throw TooBad() } else { .proceed } }
    case 2: mapping.instead(\.rating) { if isBad($0) { throw TooBad() } else { 1 } }
    case 3: mapping.after(\.name) { if isBad($1) { throw TooBad() } else { $0 } }
    case 4: mapping.instead { if isBad($0) { throw TooBad() } else { nil } }
    case 5: mapping.after(related: "employer") { if isBad($1) { throw TooBad() } }
    default: mapping.after { if isBad($1) { throw TooBad() } }
    }
    let feed = #"""
      [{"number": 1, "name": "A", "employer": "X"}, {"number": 2, "name": "B", "employer": "Y"},
       {"number": 3, "name": "C", "employer": "Z"}]
      """#
    let report = try people.import(.json(Data(feed.utf8)), mapping, options: ImportOptions(failures: .skip(upTo: 9)))
    #expect(report["person"].inserted == 2 && report["person"].failed == 1 && report["company"].inserted == 2)
    #expect(report.problems.count == 1 && report.problems.first?.message == "is refused: too bad")
    #expect(try people.findAll(.all.order(by: \.number)).map(\.number) == [1, 3])
    #expect(try companies.findAllIDs(.all.order(by: \.code)) == ["X", "Z"])
    #expect(throws: ImportFailure.self) { try people.import(.json(Data(feed.utf8)), mapping) }
  }

  @Test func everyProblemOfAMappingIsReportedBeforeTheFeedIsRead() throws {
    var mapping = ImportMapping<Person>()
    mapping.identity = ["numer"]
    mapping["nam"] = "x"
    mapping[\.rating] = [""]
    mapping[related: "boss"] = "boss"
    mapping[related: "phones"] = RelationshipMapping(many: .replace)
    mapping.include(ImportMapping<ImportMark>())
    let error = #expect(throws: DAOError.self) { try people.import(.json(URL(filePath: "/none")), mapping) }
    guard case .invalidDescription("person", let problems)? = error else {
      _ = Issue.record("\(error.debugDescription)")
      return
    }
    #expect(
      problems == [
        "person's identity names 'numer', which is not an attribute",
        "the mapping names 'nam', which is no attribute of person",
        "person.rating is mapped to the path '', which has an empty name",
        "the mapping names 'boss', which is no relationship of person",
        "person.phones can't be replaced: its rows can't be without one; delete them with .replaceDeletingOrphans",
        "no relationship leads to importMark, whose mapping is included",
      ])
  }
}

/// The calls of hooks, in their order.
final class HookLog: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []

  var lines: [String] { lock.withLock { noted } }

  @discardableResult
  func add(_ line: String) -> ImportDecision {
    lock.withLock { noted.append(line) }
    return .proceed
  }
}
