import DAOImport
import DAOKit
import Foundation
import Testing

/// Rows that records name before they come.
@Suite struct ImportLinksTests {
  private static func lines(_ lines: String...) -> ImportSource { .jsonLines(Data(lines.joined(separator: "\n").utf8)) }

  /// Records without a relationship, so many that what follows is of another batch.
  private static let filling = (10...39).map { #"{"id": \#($0), "name": "f"}"# }.joined(separator: "\n")

  @Test func theLastRecordSaysWhereALinkLeads() throws {
    let (nodes, _) = try Node.dao(Node.named)
    try nodes.import(
      Self.lines(
        #"{"id":1,"name":"a","parent":3}"#, #"{"id":1,"parent":null}"#, #"{"id":2,"name":"b","parent":9}"#, Self.filling,
        #"{"id":2,"parent":3}"#, #"{"id":3,"name":"c"}"#),
      options: ImportOptions(batch: 10))
    #expect(try nodes.tree().filter { !$0.contains("\"f\"") } == [#"1 "a" <- nil"#, #"2 "b" <- 3"#, #"3 "c" <- nil"#])
  }

  @Test func linksOfBatchesAreClosedWithTheBatchThatHasTheirRow() throws {
    let (nodes, _) = try Node.dao(Node.named)
    #expect(throws: ImportFailure.self) {
      try nodes.import(
        Self.lines(#"{"id":1,"name":"a","parent":3}"#, Self.filling, #"{"id":3,"name":"c"}"#, Self.filling, "{"),
        options: ImportOptions(batch: 10))
    }
    #expect(try nodes.find([.integer(1)])["parent"] == .integer(3))
  }

  @Test func aRowThatNeverComesIsReportedOnceARecord() throws {
    let (nodes, _) = try Node.dao(Node.named)
    let feed = Self.lines(#"{"id":1,"name":"a","parent":7,"related":[8,9,2]}"#, #"{"id":2,"name":"b"}"#)
    let report = try nodes.import(feed, options: ImportOptions(failures: .skip(upTo: 1)))
    #expect("\(report["node"])" == "2 inserted, 3 unlinked")
    #expect(report.problems.map(\.pointer) == ["/parent", "/related/0", "/related/1"])
    let (others, _) = try Node.dao(Node.named)
    #expect(throws: ImportFailure.self) { try others.import(feed) }
    #expect(try others.count() == 0)
  }

  @Test func anImportThatGoesOnStoresNothingTwiceAndClosesItsLinks() throws {
    let entity = EntityDescription(
      "event", key: .generated("id"),
      attributes: [
        Attribute("id", .integer, mapping: .excluded), Attribute("code", .text, optional: true), Attribute("text", .text),
        Attribute("cause", .integer, optional: true),
      ], relationships: [.toOne("cause", event(), by: "cause")], identity: ["code"])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [entity, ImportMark.entityDescription])
    let events = factory.runtimeDAO(entity)
    // Most rows have no identity, by which they could be found again. One of them waits.
    let start =
      #"{"code":"a","text":"a","cause":"z"}"# + "\n" + #"{"text":"b","cause":"y"}"# + "\n"
      + (0..<30).map { #"{"text":"n\#($0)"}"# }.joined(separator: "\n")
    let options = ImportOptions(batch: 10, mark: "events")
    #expect(throws: ImportFailure.self) { try events.import(Self.lines(start, "{"), options: options) }
    let marks = factory.runtimeDAO(ImportMark.self)
    func noted() throws -> [String] { try marks.findAll(.all.order(by: \.link)).map { "\($0.records) \($0.link)" } }
    #expect(try noted() == ["30 ", "0 0/cause cause", "1 1/cause cause"])
    // The records before are not read again: what they name is in the mark.
    let rest = #"{"code":"z","text":"z"}"# + "\n" + (0..<9).map { #"{"text":"m\#($0)"}"# }.joined(separator: "\n")
    let other = Array(repeating: "{}", count: 30).joined(separator: "\n")
    #expect(throws: ImportFailure.self) {
      try events.import(Self.lines(other, #"{"text":"c"}"#, #"{"text":"d"}"#, rest, "{"), options: options)
    }
    #expect(try noted() == ["40 ", "1 1/cause cause"])
    try events.import(Self.lines(other, #"{"text":"c"}"#, #"{"text":"d"}"#, rest, #"{"code":"y","text":"y"}"#), options: options)
    #expect(try events.count() == 43 && marks.count() == 0)
    for (text, cause) in [("a", "z"), ("b", "y")] {
      let row = try #require(try events.findFirst(.where { $0["code"] == .text(cause) }))
      #expect(try events.findFirst(.where { $0["text"] == .text(text) })?["cause"] == row["id"])
    }
  }

  @Test func anImportDoesNotGoOnWithAnotherWayToFindTheRowsThatItWaitsFor() throws {
    let (nodes, factory) = try Node.dao(Node.named)
    let options = ImportOptions(batch: 1, mark: "nodes")
    #expect(throws: ImportFailure.self) { try nodes.import(Self.lines(#"{"id":1,"name":"a","parent":7}"#, "{"), options: options) }
    try nodes.insert(DynamicEntity(Node.named, ["id": .integer(5), "name": .text("7")]))
    var mappings = [ImportMapping<DynamicEntity>(), ImportMapping<DynamicEntity>(), ImportMapping<DynamicEntity>()]
    mappings[0][related: "parent"] = .excluded
    mappings[1].identity = ["name"]
    mappings[2].identity = ["id", "name"]
    for mapping in mappings {
      let failure = #expect(throws: DAOError.self) {
        try nodes.import(Self.lines(#"{"id":1}"#, #"{"id":7,"name":"b"}"#), mapping, options: options)
      }
      #expect("\(failure.map { "\($0)" } ?? "")".contains("node.parent to id"))
    }
    try nodes.import(Self.lines(#"{"id":1}"#, #"{"id":7,"name":"b"}"#), options: options)
    #expect(try nodes.find([.integer(1)])["parent"] == .integer(7))
    #expect(try factory.runtimeDAO(ImportMark.self).count() == 0)
  }

  @Test func aRowThatOneRelationshipNamesMayComeWithinAnother() throws {
    let stop: EntityDescription = Self.stop
    let stops = try DAOFactory(store: .inMemory(), describedBy: [stop]).runtimeDAO(stop)
    // The second record names row 0 by its key, as the record within it does, beside which row 0 comes.
    let report = try stops.import(
      Self.lines(
        #"{"id":6,"name":"f","last":0,"next":{"id":4,"name":"d","last":{"id":0,"name":"z"}}}"#,
        #"{"id":7,"name":"g","last":0,"next":{"id":5,"name":"e","last":0}}"#))
    #expect("\(report)" == "stop: 5 inserted")
    #expect(
      try stops.findAll(.where { $0["last"] == 0 }.order(by: .ascending(.field("id")))).compactMap(\.primaryKey)
        == [4, 5, 6, 7].map { [.integer($0)] })
  }

  private static let stop: EntityDescription = EntityDescription(
    "stop", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("last", .integer, optional: true),
      Attribute("next", .integer, optional: true),
    ], relationships: [.toOne("last", stop, by: "last"), .toOne("next", stop, by: "next")])

  @Test func twoImportsOfOneNameMayRunBesideEachOther() async throws {
    let (nodes, factory) = try Node.dao(Node.named)
    let lines = (0..<20).map { #"{"id":\#($0),"name":"n","parent":99}"# } + [#"{"id":99,"name":"root"}"#]
    let feed = ImportSource.jsonLines(Data(lines.joined(separator: "\n").utf8))
    let options = ImportOptions(batch: 5, mark: "nodes")
    var (one, other) = (
      nodes.importing(feed, options: options).makeAsyncIterator(), nodes.importing(feed, options: options).makeAsyncIterator()
    )
    while true {
      let (first, second) = (try await one.next(), try await other.next())
      if first == nil, second == nil { break }
    }
    let (count, children, marks) = try await (
      nodes.count(), nodes.count(.where { $0["parent"] == 99 }), factory.runtimeDAO(ImportMark.self).count()
    )
    #expect(count == 21 && children == 20 && marks == 0)
  }

  @Test func manyLinksOfOneRowAndToOneRowAreClosedInTimeOfTheirNumber() throws {
    let (nodes, _) = try Node.dao(Node.named)
    let count = 30_000
    let related = (1...count).map { "\($0)" }.joined(separator: ",")
    let lines =
      [#"{"id":0,"name":"r","related":[\#(related)]}"#] + (1...count).map { #"{"id":\#($0),"name":"n","parent":-1}"# }
      + [#"{"id":-1,"name":"root"}"#]
    let report = try nodes.import(.jsonLines(Data(lines.joined(separator: "\n").utf8)))
    #expect(report["nodePair"].inserted == count && report["node"].inserted == count + 2)
  }

  @Test func aLinkThatCannotBeClosedIsAProblemOfItsRecord() throws {
    let entity = EntityDescription(
      "node", key: .assigned(["id"]),
      attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("parent", .integer, optional: true)],
      indexes: [Index(on: "parent", unique: true)], relationships: [.toOne("parent", Node.named, by: "parent")])
    let nodes = try DAOFactory(store: .inMemory(), describedBy: [entity]).runtimeDAO(entity)
    let report = try nodes.import(
      Self.lines(#"{"id":1,"name":"a","parent":3}"#, #"{"id":2,"name":"b","parent":3}"#, #"{"id":3,"name":"c"}"#),
      options: ImportOptions(failures: .skip(upTo: 5)))
    #expect("\(report["node"])" == "3 inserted, 1 updated, 1 unlinked")
    #expect(report.problems.map(\.record) == [1] && report.problems.first?.pointer == "/parent")
    #expect(try nodes.tree() == [#"1 "a" <- 3"#, #"2 "b" <- nil"#, #"3 "c" <- nil"#])
  }

  @Test func twoRelationshipsMayNameTheSameRowAtDifferentPaths() throws {
    let entity = EntityDescription(
      "trip", key: .assigned(["id"]),
      attributes: [Attribute("id", .integer), Attribute("start", .integer, optional: true), Attribute("end", .integer, optional: true)],
      relationships: [
        .toOne("start", Node.named, by: "start", mapping: ["start", "from.start"]), .toOne("end", Node.named, by: "end"),
      ])
    let trips = try DAOFactory(store: .inMemory(), describedBy: [entity, Node.named, Node.pair]).runtimeDAO(entity)
    let failure = #expect(throws: ImportFailure.self) { try trips.import(Self.lines(#"{"id":1,"from":{"start":7},"end":7}"#)) }
    #expect(failure?.problems.map(\.pointer) == ["/from/start"])
    let report = try trips.import(
      Self.lines(#"{"id":1,"from":{"start":7},"end":7}"#, #"{"id":2,"start":{"id":7,"name":"g"}}"#),
      options: ImportOptions(failures: .skip(upTo: 0)))
    #expect(report.problems == [])
    #expect(try trips.findFirst()?["end"] == .integer(7))
  }

  @Test func aRecordMayNameARowOfALaterOneWhereAThirdIsRefused() throws {
    let book = EntityDescription(
      "book", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("node", .integer)],
      relationships: [.toOne("node", Node.named, by: "node")])
    let books = try DAOFactory(store: .inMemory(), describedBy: [book, Node.named, Node.pair]).runtimeDAO(book)
    let report = try books.import(
      Self.lines(#"{"id":1,"node":7}"#, #"{"id":2,"node":{"id":7,"name":"g"}}"#, #"{"id":3,"node":9}"#),
      options: ImportOptions(failures: .skip(upTo: 1)))
    #expect(report["book"].inserted == 2 && report.problems.map(\.record) == [2])
  }

  @Test func manyLinksTakeNoQueryForEachBatch() throws {
    let statements = HookLog()
    let factory = try DAOFactory(store: .inMemory(), describedBy: [Node.named, Node.pair]) { statements.add($0.sql) }
    let feed = (0..<5_000).map { #"{"id":\#($0),"name":"n","parent":9999}"# } + [#"{"id":9999,"name":"root"}"#]
    try factory.runtimeDAO(Node.named).import(.jsonLines(Data(feed.joined(separator: "\n").utf8)))
    #expect(try factory.runtimeDAO(Node.named).count(.where { $0["parent"] == 9_999 }) == 5_000)
    let selects = statements.lines.filter { $0.hasPrefix("SELECT") }.count
    #expect(selects < 100, "\(selects) queries")
  }
}

private func event() -> EntityDescription {
  EntityDescription(
    "event", key: .generated("id"),
    attributes: [
      Attribute("id", .integer, mapping: .excluded), Attribute("code", .text, optional: true), Attribute("text", .text),
      Attribute("cause", .integer, optional: true),
    ], relationships: [.toOne("cause", event(), by: "cause")], identity: ["code"])
}
