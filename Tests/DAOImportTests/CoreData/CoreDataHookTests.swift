import DAOKit
import Foundation
import GRDB
import Testing

@testable import DAOImport

/// Hooks of an import that leave rows out, or repair values.
@Suite struct CoreDataHookTests {
  @Test func referencesToRowsThatAHookSkipsAreNull() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    var folders = ImportMapping<DynamicEntity>()
    folders.before { record in record["name"] == "All" || record["name"] == "Work" ? .skip : .proceed }
    var tags = ImportMapping<DynamicEntity>()
    tags.before { record in record["name"] == "red" ? .skip : .proceed }
    let mappings: [CoreDataMapping] = [
      .entity(
        describedBy: NoteEntities.note, from: "CDNote", NoteEntities.noteMapping, data: NoteEntities.data, orders: ["tags": "position"]),
      .entity(describedBy: NoteEntities.folder, from: "CDFolder", folders, orders: ["notes": "position"]),
      .entity(describedBy: NoteEntities.tag, from: "CDTag", tags),
    ]
    let factory = try NoteEntities.factory()
    let report = try CoreDataStore(file.url).import(into: factory, mappings)
    #expect(try factory.values(NoteEntities.note, "title", "folder") == ["First –", "Shopping –", "Loose –"])
    #expect(try factory.values(NoteEntities.noteTag, "note", "tag") == ["1 blue", "2 blue"])
    #expect(report["note"].unlinked == 2 && report["noteTag"].unlinked == 1 && report["folder"].skipped == 2)

    // A reference that can't be null is a problem.
    let page = EntityDescription(
      "page", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("folder", .integer)],
      relationships: [.toOne("folder", NoteEntities.folder, by: "folder")])
    try file.run("UPDATE ZCDNOTE SET ZFOLDER = 1")
    let others = try DAOFactory(store: .inMemory(), describedBy: NoteEntities.all + [page])
    let failure = #expect(throws: ImportFailure.self) {
      try CoreDataStore(file.url).import(
        into: others,
        [.entity(describedBy: page, from: "CDNote"), .entity(describedBy: NoteEntities.folder, from: "CDFolder", folders)])
    }
    #expect(failure?.problems.first?.message == "leads to CDFolder 1, which a hook left out, and can't be null")
    #expect(failure?.problems.count == 3)
  }

  @Test func aRowThatIsNotFoundAgainIsAProblem() throws {
    // A hook removes the row before its reference is closed.
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Node', 0, 0);
      CREATE TABLE ZNODE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZPARENT INTEGER);
      INSERT INTO ZNODE VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'b', NULL);
      """)
    let factory = try DAOFactory(store: .inMemory(), describedBy: [Node.description, Node.pair])
    var mapping = ImportMapping<DynamicEntity>()
    mapping["id"] = "z_pk"
    mapping.after { _, record in
      if record["name"] == "a" { try factory.runtimeDAO(Node.description).execute("DELETE FROM node WHERE id = 1") }
    }
    let failure = #expect(throws: ImportFailure.self) {
      try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: Node.description, mapping)])
    }
    #expect(
      failure?.problems.map { "\($0)" } == [
        "/Node/1: node is stored with the key 1, by which it is not found again, so that its references stay open"
      ])
  }

  @Test func distantPastIsAProblemThatAHookRepairs() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run("UPDATE ZCDNOTE SET ZCREATED = ? WHERE Z_PK = 7", [Date.distantPast.timeIntervalSinceReferenceDate])
    let old = try CoreDataStore(file.url)
    let failure = #expect(throws: ImportFailure.self) { try old.import(into: NoteEntities.factory(), NoteEntities.mappings()) }
    #expect(failure?.problems.map(\.pointer) == ["/CDNote/7/created"])
    var mapping = NoteEntities.noteMapping
    mapping.instead(\.created) { record in
      let date = (record["created"]?.real).map { Date(timeIntervalSince1970: $0) }
      return date.map { $0 == .distantPast ? .null : .date($0) } ?? .null
    }
    let factory = try NoteEntities.factory()
    try old.import(into: factory, NoteEntities.mappings(note: mapping))
    let rows = try factory.runtimeDAO(NoteEntities.note).findAll(.all.order(by: .ascending(.field("id"))))
    #expect(rows.map { $0["created"]?.isNull } == [false, true, false])
  }
}
