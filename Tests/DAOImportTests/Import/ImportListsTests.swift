import DAOImport
import DAOKit
import Foundation
import Testing

/// Lists of related rows that replace each other, move rows, and delete orphans.
@Suite struct ImportListsTests {
  let factory: DAOFactory
  let people: RuntimeDAO<Person>
  let companies: RuntimeDAO<Company>

  init() throws {
    factory = try ImportTests.factory()
    people = factory.runtimeDAO(Person.self)
    companies = factory.runtimeDAO(Company.self)
  }

  private func phones() throws -> [String] { try factory.runtimeDAO(Phone.self).findAll(.all.order(by: \.id)).map(\.digits) }

  @Test("of several lists for one row the last counts, in one batch as in several", arguments: [1, 500])
  func theLastListCounts(batch: Int) throws {
    let options = ImportOptions(batch: batch)
    let twice = #"{"number":1,"name":"A","phones":[{"digits":"11"}]}"#
    try people.import(.jsonLines(Data("\(twice)\n\(twice)".utf8)), options: options)
    #expect(try phones() == ["11"])
    let other = #"{"number":1,"name":"A","phones":[{"digits":"12"}]}"#
    try people.import(.jsonLines(Data("\(twice)\n\(other)".utf8)), options: options)
    #expect(try phones() == ["12"])
    let none = #"{"number":1,"phones":[]}"#
    try people.import(.jsonLines(Data("\(none)\n\(other)".utf8)), options: options)
    #expect(try phones() == ["12"])
  }

  @Test func aRowThatALaterListHasAgainStays() throws {
    let (nodes, _) = try Node.dao()
    var mapping = ImportMapping<DynamicEntity>()
    mapping[related: "children"] = RelationshipMapping(many: .replaceDeletingOrphans)
    let list = #"{"id":1,"children":[{"id":2,"name":"b"}]}"#
    try nodes.import(.jsonLines(Data(list.utf8)), mapping)
    let empty = #"{"id":1,"children":[]}"#
    try nodes.import(.jsonLines(Data("\(empty)\n\(list)".utf8)), mapping, options: ImportOptions(batch: 1))
    #expect(try nodes.count() == 2)
    try nodes.import(.jsonLines(Data(empty.utf8)), mapping)
    #expect(try nodes.count() == 1)
    #expect(throws: DAOError.self) { try nodes.import(.jsonLines(Data(empty.utf8)), mapping, options: ImportOptions(batch: 1, mark: "x")) }
  }

  @Test func orphansThatReferToEachOtherAreDeleted() throws {
    let book = EntityDescription(
      "book", key: .assigned(["id"]), attributes: [Attribute("id", .integer)],
      relationships: [
        .toMany("chapters", chapter(), by: "book", mapping: RelationshipMapping(many: .replaceDeletingOrphans)),
        .toMany("figures", figure(), by: "book", mapping: RelationshipMapping(many: .replaceDeletingOrphans)),
      ])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [book, chapter(), figure()])
    let books = factory.runtimeDAO(book)
    let chapters = (1...20).map { #"{"id":\#($0),"previous":\#($0 == 1 ? "null" : "\($0 - 1)")}"# }.joined(separator: ",")
    try books.import(.json(Data(#"{"id":1,"chapters":[\#(chapters)],"figures":[{"id":1,"chapter":7}]}"#.utf8)))
    #expect(try factory.runtimeDAO(figure()).count() == 1)
    try books.import(.json(Data(#"{"id":1,"chapters":[],"figures":[]}"#.utf8)))
    #expect(try factory.runtimeDAO(chapter()).count() == 0 && factory.runtimeDAO(figure()).count() == 0)
  }

  @Test func aRowWithoutIdentityIsNotTakenForOneThatHasOne() throws {
    var mapping = ImportMapping<Company>()
    mapping[related: "people"] = RelationshipMapping(many: .replace)
    let feed = ImportSource.json(Data(#"[{"code":"X","people":[{"number":1,"name":"A"},{"name":"A"}]}]"#.utf8))
    for _ in 1...3 { try companies.import(feed, mapping) }
    #expect(try people.findAll(.where(\.employer == "X")).map(\.number).sorted { ($0 ?? 0) < ($1 ?? 0) } == [nil, 1])
    #expect(try people.count() == 2)
  }

  @Test func aRowThatMovesToAnotherListKeepsWhatNoFeedHas() throws {
    var mapping = ImportMapping<Company>()
    mapping[related: "people"] = RelationshipMapping(many: .replaceDeletingOrphans)
    try companies.import(.json(Data(#"[{"code":"X","people":[{"number":1,"name":"A"},{"number":2,"name":"B"}]}]"#.utf8)), mapping)
    try people.update(.where(\.number == 1), set: .set(\.isFavourite, to: true))
    let id = try people.findFirst(.where(\.number == 1))?.id
    let filling = (0..<600).map { #"{"code":"F\#($0)"}"# }.joined(separator: "\n")
    try companies.import(
      .jsonLines(Data("{\"code\":\"X\",\"people\":[]}\n\(filling)\n{\"code\":\"Y\",\"people\":[1]}".utf8)), mapping)
    let left = try people.findAll()
    #expect(left.map(\.number) == [1] && left.first?.id == id && left.first?.isFavourite == true && left.first?.employer == "Y")
  }

  @Test func orphansOfPairsOnTheOtherSideStay() throws {
    let (nodes, factory) = try Node.dao()
    var mapping = ImportMapping<DynamicEntity>()
    mapping[related: "related"] = RelationshipMapping(many: .replaceDeletingOrphans)
    try nodes.import(.json(Data(#"[{"id":1,"related":[2,4]},{"id":2,"related":[3]}]"#.utf8)), mapping)
    try nodes.import(.json(Data(#"[{"id":1,"related":[]}]"#.utf8)), mapping)
    // 2 is paired with 3, and 4 with nothing.
    #expect(try nodes.findAllIDs(.all.order(by: .ascending(.field("id")))) == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(try factory.runtimeDAO(Node.pair).count() == 1)
  }

  @Test func newRowsMayTakeOverUniqueValuesOfThoseThatGo() throws {
    let box = EntityDescription(
      "box", key: .assigned(["id"]), attributes: [Attribute("id", .integer)],
      relationships: [.toMany("things", thing, by: "box", mapping: RelationshipMapping(many: .replaceDeletingOrphans))])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [box, thing])
    let boxes = factory.runtimeDAO(box)
    try boxes.import(.json(Data(#"[{"id":1,"things":[{"place":0,"text":"a"},{"place":1,"text":"b"}]}]"#.utf8)))
    try boxes.import(.json(Data(#"[{"id":1,"things":[{"place":0,"text":"c"},{"place":1,"text":"b"}]}]"#.utf8)))
    #expect(
      try factory.runtimeDAO(thing).findAll(.all.order(by: .ascending(.field("place")))).map { $0["text"] ?? .null }
        == [.text("c"), .text("b")])
  }

  @Test func aHookThatStoresAChildLeavesItRelated() throws {
    var mapping = ImportMapping<Company>()
    var inner = ImportMapping<Person>()
    inner.instead { [people] record in try people.insert(Person(number: record["number"]?.integer.map { Int($0) }, name: "own")) }
    mapping.include(inner)
    try companies.import(.json(Data(#"[{"code":"X","people":[{"number":1,"name":"A"}]}]"#.utf8)), mapping)
    #expect(try people.findAll().map { "\($0.name) \($0.employer ?? "")" } == ["own X"])
  }

  @Test func longListsTakeTimeInProportion() throws {
    let (count, options) = (20_000, ImportOptions())
    let list = (0..<count).map { #"{"digits":"\#($0 % 50)"}"# }.joined(separator: ",")
    let feed = ImportSource.json(Data(#"[{"number":1,"name":"A","phones":[\#(list)]}]"#.utf8))
    try people.import(feed, options: options)
    #expect("\(try people.import(feed)["phone"])" == "\(count) unchanged")
    let words = (0..<count).map { #""w\#($0)""# }.joined(separator: ",")
    let tags = ImportSource.json(Data(#"[{"number":1,"tags":[\#(words)]}]"#.utf8))
    try people.import(tags)
    #expect("\(try people.import(tags)["personTag"])" == "nothing")
  }

  @Test func absentRowsThatReferToEachOtherAreDeleted() throws {
    let (nodes, _) = try Node.dao()
    try nodes.import(
      .json(Data(#"[{"id":1},{"id":2,"parent":1},{"id":3,"parent":3},{"id":4,"parent":5},{"id":5,"parent":4},{"id":6}]"#.utf8)))
    let report = try nodes.import(.json(Data(#"[{"id":6}]"#.utf8)), deletingAbsent: .everything)
    #expect(report["node"].deleted == 5)
    #expect(try nodes.findAllIDs() == [[.integer(6)]])
  }

  @Test func rowsWithinOthersAreNotAbsent() throws {
    let (nodes, _) = try Node.dao()
    let report = try nodes.import(
      .json(Data(#"[{"id":1,"children":[{"id":2,"name":"b"}],"parent":{"id":3}},{"id":4,"related":[5]}]"#.utf8)),
      deletingAbsent: .everything)
    #expect(report["node"].deleted == 0)
    #expect(try nodes.count() == 5)
  }
}

/// One of several in a box, each in a place of its own.
private let thing = EntityDescription(
  "thing", key: .generated("id"),
  attributes: [
    Attribute("id", .integer, mapping: .excluded),
    Attribute("box", .integer, references: ForeignKey(table: "box", column: "id", onDelete: .cascade)), Attribute("place", .integer),
    Attribute("text", .text),
  ], indexes: [Index(on: "box", "place", unique: true)])

private func chapter() -> EntityDescription {
  EntityDescription(
    "chapter", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("book", .integer, references: ForeignKey(table: "book", column: "id", onDelete: .cascade)),
      Attribute("previous", .integer, optional: true),
    ], relationships: [.toOne("previous", chapter(), by: "previous")])
}

private func figure() -> EntityDescription {
  EntityDescription(
    "figure", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("book", .integer, references: ForeignKey(table: "book", column: "id", onDelete: .cascade)),
      Attribute("chapter", .integer),
    ], relationships: [.toOne("chapter", chapter(), by: "chapter")])
}
