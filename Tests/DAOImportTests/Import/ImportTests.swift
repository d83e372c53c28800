import DAOImport
import DAOKit
import Foundation
import Testing

/// Feeds that become rows.
@Suite struct ImportTests {
  let factory: DAOFactory
  let people: RuntimeDAO<Person>
  let companies: RuntimeDAO<Company>

  init() throws {
    factory = try Self.factory()
    people = factory.runtimeDAO(Person.self)
    companies = factory.runtimeDAO(Company.self)
  }

  static func factory() throws -> DAOFactory {
    try DAOFactory(
      store: .inMemory(), entities: Person.self, Company.self, Phone.self, Tag.self, PersonTag.self, ImportMark.self)
  }

  /// The words of a person.
  private func tags(of name: String) throws -> [String] {
    let pairs = try factory.runtimeDAO("personTag").findAll()
    guard let id = try people.findFirst(.where(\.name == name))?.id else { return [] }
    return pairs.filter { $0["person"] == .integer(id) }.compactMap { if case .text(let word)? = $0["tag"] { word } else { nil } }.sorted()
  }

  @Test func newRowsAreInsertedAndOthersUpdated() throws {
    let first = try people.import(.json(Data(#"[{"number": 1, "name": "Eva"}, {"number": "2", "name": "Jan"}]"#.utf8)))
    #expect("\(first)" == "person: 2 inserted")
    let eva = try #require(try people.findFirst(.where(\.number == 1)))
    let second = try people.import(.json(Data(#"[{"number": 1, "full_name": "Eva N."}, {"number": 2.0, "name": "Jan"}]"#.utf8)))
    #expect("\(second)" == "person: 1 updated, 1 unchanged")
    let changed = try #require(try people.findFirst(.where(\.number == 1)))
    #expect(changed.id == eva.id && changed.name == "Eva N.")
    #expect(try people.count() == 2)
  }

  @Test func absentValuesKeepAndNullsFollowTheirRule() throws {
    try people.import(.json(Data(#"{"number": 1, "name": {"full": "Eva"}, "born": "1.2.1990", "rating": 5, "salary": "10.25"}"#.utf8)))
    try people.import(.json(Data(#"{"number": 1}"#.utf8)))
    var eva = try #require(try people.findFirst())
    #expect(eva.name == "Eva" && eva.rating == 5 && eva.salary == Decimal(string: "10.25"))
    #expect(eva.born == Date(timeIntervalSince1970: 633_830_400))
    try people.import(.json(Data(#"{"number": 1, "born": null, "rating": null, "salary": null}"#.utf8)))
    eva = try #require(try people.findFirst())
    #expect(eva.born == nil && eva.rating == 3 && eva.salary == nil)
  }

  @Test func anIdentityOfNullMeetsNoRow() throws {
    for _ in 1...2 { try people.import(.json(Data(#"[{"number": null, "name": "A"}, {"name": "B"}]"#.utf8))) }
    #expect(try people.count() == 4)
  }

  @Test func toOneByObjectByKeyAndNull() throws {
    let feed = #"""
      [{"number": 1, "name": "A", "employer": {"code": "X", "name": "Ex", "size": "small"}},
       {"number": 2, "name": "B", "employer": "X"},
       {"number": 3, "name": "C", "work": {"company": "New"}},
       {"number": 4, "name": "D", "employer": null}]
      """#
    let report = try people.import(.json(Data(feed.utf8)))
    #expect("\(report)" == "company: 2 inserted\nperson: 4 inserted")
    #expect(try people.findAll(.all.order(by: \.number)).map(\.employer) == ["X", "X", "New", nil])
    #expect(try companies.findAll(.all.order(by: \.code)) == [Company(code: "New"), Company(code: "X", name: "Ex", size: .small)])
    #expect("\(try people.import(.json(Data(feed.utf8))))" == "company: 1 unchanged\nperson: 4 unchanged")
    try people.import(.json(Data(#"{"number": 1, "employer": null}"#.utf8)))
    #expect(try people.findFirst(.where(\.number == 1))?.employer == nil)
  }

  @Test func linkedRowsStayAsTheyAre() throws {
    try companies.insert(Company(code: "X", name: "Ex"))
    var mapping = ImportMapping<Person>()
    mapping[related: "employer"] = RelationshipMapping("employer", targets: .link)
    try people.import(.json(Data(#"{"number": 1, "name": "A", "employer": {"code": "X", "name": "Other"}}"#.utf8)), mapping)
    #expect(try companies.findAll() == [Company(code: "X", name: "Ex")])
    #expect(try people.findFirst()?.employer == "X")
    let failure = #expect(throws: ImportFailure.self) {
      try people.import(.json(Data(#"[{"number": 2, "name": "B", "employer": {"code": "Y"}}]"#.utf8)), mapping)
    }
    #expect(
      failure?.description
        == #"record 0, line 1, column 2, /0/employer: person.employer names a row that is not there: company with code 'Y'"#)
    #expect(try people.count() == 1 && companies.count() == 1)
  }

  @Test func childrenAreReplacedAndOrphansDeleted() throws {
    func phones() throws -> [String] {
      try factory.runtimeDAO(Phone.self).findAll(.all.order(by: \.id)).map { "\($0.id ?? 0) \($0.digits)" }
    }
    try people.import(.json(Data(#"{"number": 1, "name": "A", "phones": [{"digits": "11"}, {"digits": "12"}, {"digits": "12"}]}"#.utf8)))
    #expect(try phones() == ["1 11", "2 12", "3 12"])
    let report = try people.import(.json(Data(#"{"number": 1, "phones": [{"digits": "12"}, {"digits": "13"}, {"digits": "11"}]}"#.utf8)))
    #expect(try phones() == ["1 11", "2 12", "4 13"])
    #expect("\(report)" == "person: 1 unchanged\nphone: 1 inserted, 2 unchanged, 1 deleted")
    try people.import(.json(Data(#"{"number": 1}"#.utf8)))
    #expect(try phones().count == 3)
    try people.import(.json(Data(#"{"number": 1, "phones": []}"#.utf8)))
    #expect(try phones() == [])
  }

  @Test func pairsAreAddedReplacedAndEmptied() throws {
    try people.import(.json(Data(#"{"number": 1, "name": "A", "tags": ["red", {"word": "blue"}, "red"]}"#.utf8)))
    #expect(try tags(of: "A") == ["blue", "red"])
    try people.import(.json(Data(#"[{"number": 1, "tags": ["green"]}, {"number": 2, "name": "B", "tags": "red"}]"#.utf8)))
    #expect(try tags(of: "A") == ["blue", "green", "red"])
    try people.import(.json(Data(#"{"number": 1, "tags": []}"#.utf8)))
    #expect(try tags(of: "A").count == 3)
    var replacing = ImportMapping<Person>()
    replacing[related: "tags"] = RelationshipMapping(many: .replace)
    let report = try people.import(.json(Data(#"{"number": 1, "tags": ["green", "white"]}"#.utf8)), replacing)
    #expect("\(report)" == "person: 1 unchanged\npersonTag: 1 inserted, 2 deleted\ntag: 1 inserted")
    #expect(try tags(of: "A") == ["green", "white"])
    replacing[related: "tags"] = RelationshipMapping(many: .replaceDeletingOrphans)
    try people.import(.json(Data(#"[{"number": 1, "tags": []}, {"number": 2, "tags": ["white"]}]"#.utf8)), replacing)
    #expect(try factory.runtimeDAO(Tag.self).findAllIDs() == ["blue", "white"])
    try people.import(.json(Data(#"{"number": 2, "tags": null}"#.utf8)))
    #expect(try tags(of: "B") == [])
  }

  @Test func aCompanyHasItsPeople() throws {
    let feed = #"[{"code": "X", "people": [{"number": 1, "name": "A", "phones": [{"digits": "1"}]}, {"number": 2, "name": "B"}]}]"#
    for _ in 1...2 { try companies.import(.json(Data(feed.utf8))) }
    #expect(try people.findAll(.all.order(by: \.number)).map(\.employer) == ["X", "X"])
    #expect(try factory.runtimeDAO(Phone.self).count() == 1)
    // By key, where they are there already.
    try companies.import(.json(Data(#"[{"code": "Y", "people": [2]}]"#.utf8)))
    #expect(try people.findAll(.all.order(by: \.number)).map(\.employer) == ["X", "Y"])
    var replacing = ImportMapping<Company>()
    replacing[related: "people"] = RelationshipMapping(many: .replace)
    try companies.import(.json(Data(#"[{"code": "X", "people": [2]}]"#.utf8)), replacing)
    #expect(try people.findAll(.all.order(by: \.number)).map(\.employer) == [nil, "X"])
  }

  @Test func aRecordMayNameOneThatFollows() throws {
    let nodes = try DAOFactory(store: .inMemory(), describedBy: [nodeEntity()]).runtimeDAO(nodeEntity())
    // Longer than what is looked up together.
    let records = (1...1_200).map { #"{"id": \#($0), "name": "n\#($0)", "parent": \#($0 == 1_200 ? "null" : "\($0 + 1)")}"# }
    let report = try nodes.import(.jsonLines(Data(records.joined(separator: "\n").utf8)))
    #expect(report["node"].inserted == 1_200)
    #expect(try nodes.count(.where { $0["parent"] == nil }) == 1)
    let failure = #expect(throws: ImportFailure.self) {
      try nodes.import(.jsonLines(Data(#"{"id": 7, "name": "seven", "parent": 5000}"#.utf8)))
    }
    #expect(failure?.problems.first?.pointer == "/parent")
    #expect(try nodes.find([.integer(7)])["name"] == "n7")
  }

  @Test func everyProblemOfARecordIsReported() throws {
    let feed = #"""
      [{"number": 1, "name": "A"},
       {"number": "x", "name": null, "born": "soon",
        "employer": [], "phones": [1, null], "tags": [{"word": {}}]}]
      """#
    let failure = #expect(throws: ImportFailure.self) { try people.import(.json(Data(feed.utf8))) }
    #expect(
      failure?.description == """
        record 1, line 2, column 13, /1/number: person.number expects an integer of 64 bits, not the text "x"
        record 1, line 2, column 26, /1/name: person.name can't be null
        record 1, line 2, column 40, /1/born: person.born expects a date like 2026-11-21T06:19:00Z or a date like dd.MM.yyyy, \
        not the text "soon"
        record 1, line 3, column 15, /1/employer: person.employer expects an object or a key, not a list
        record 1, line 3, column 30, /1/phones/0: phone expects an object, not 1
        record 1, line 3, column 33, /1/phones/1: person.phones expects an object or a key, not null
        record 1, line 3, column 58, /1/tags/0/word: tag.word expects a text, not an object
        """)
    #expect(try people.count() == 0)
  }

  @Test func refusedRecordsLeaveNoTrace() throws {
    try people.insert(Person(number: 9, name: "Nine"))
    let feed = #"""
      {"number": 1, "name": "A", "employer": {"code": "X"}}
      {"number": 2, "name": "B", "employer": {"code": "Y", "size": "huge"}}
      {"number": 3, "employer": {"code": "Z"}}
      {"number": 4, "name": "D"
      {"number": 5, "name": "E", "name": "F"}
      7
      {"number": 6, "name": "G"}
      """#
    var mapping = ImportMapping<Person>()
    mapping.include(ImportMapping<Company>())
    let report = try people.import(.jsonLines(Data(feed.utf8)), mapping, options: ImportOptions(failures: .skip(upTo: 5)))
    #expect(report["person"].inserted == 2 && report["person"].failed == 5)
    #expect(try people.findAll(.all.order(by: \.number)).map(\.number) == [1, 6, 9])
    #expect(try companies.findAllIDs() == ["X"])
    #expect(report.problems.map(\.record) == [3, 4, 5, 1, 2])
    #expect(report.problems.map(\.line) == [4, 5, 6, 2, 3])
    #expect(throws: ImportFailure.self) {
      try people.import(.jsonLines(Data(feed.utf8)), mapping, options: ImportOptions(failures: .skip(upTo: 4)))
    }
  }
}

/// The entity of a tree.
private func nodeEntity() -> EntityDescription {
  EntityDescription(
    "node", key: .assigned(["id"]),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("parent", .integer, optional: true)],
    relationships: [.toOne("parent", nodeEntity(), by: "parent"), .toMany("children", nodeEntity(), by: "parent")])
}
