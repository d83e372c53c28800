import DAOImport
import DAOKit
import Foundation
import GRDB
import Testing

/// Rows of a Core Data store that become rows of a store.
@Suite struct CoreDataImportTests {
  @Test func entitiesAndRowsAreRead() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let old = try CoreDataStore(file.url)
    #expect(old.entities.map(\.name) == ["CDFolder", "CDNote", "CDList", "CDTag"])
    #expect(old["cdlist"]?.superEntity == "CDNote")
    let note = try #require(old["CDNote"]).description
    #expect(note.table == "ZCDNOTE" && note["created"]?.type == .date(.unixSeconds) && note["price"]?.type == .decimal(.text))
    var rows: [DynamicEntity] = []
    try old.forEachRow(of: "CDNote") { rows.append($0) }
    #expect(rows.map { $0["z_pk"] } == [.integer(5), .integer(7), .integer(9)])
    #expect(rows.map { $0["z_ent"] } == [.text("CDNote"), .text("CDList"), .text("CDNote")])
    #expect(rows[0]["created"] == .date(Date(timeIntervalSinceReferenceDate: 694_224_000.5)))
    #expect(rows[0]["price"] == .decimal(Decimal(string: "19.9") ?? 0) && rows[0]["folder"] == .integer(1))
    try old.forEachRow(of: "CDList") { rows = [$0] }
    #expect(rows.map { $0["title"] } == [.text("Shopping")])
    #expect { try old.forEachRow(of: "CDNot") { _ in } } throws: { error in
      if case DAOError.unknownEntity("CDNot", let known, let nearest)? = error as? DAOError {
        known.count == 4 && nearest == "CDNote"
      } else {
        false
      }
    }
  }

  @Test func rowsKeepTheirValuesAndReferences() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let factory = try NoteEntities.factory()
    let report = try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings())
    #expect("\(report)" == "folder: 3 inserted\nnote: 3 inserted\nnoteTag: 3 inserted\nrelatedNote: 3 inserted\ntag: 2 inserted")
    #expect(report.isComplete && report.records == 14)
    #expect(try factory.values(NoteEntities.folder, "id", "name", "parent") == ["1 Work 3", "2 Home –", "3 All –"])
    #expect(
      try factory.values(NoteEntities.note, "id", "title", "kind", "price", "rating", "isPinned", "itemCount", "colour", "folder") == [
        "1 First CDNote 19.9 4.5 true – a-b 1", "2 Shopping CDList 1000000 – false 3 – 1", "3 Loose CDNote – -2.0 false – – –",
      ])
    let rows = try factory.runtimeDAO(NoteEntities.note).findAll(.all.order(by: .ascending(.field("id"))))
    #expect(
      rows.map { $0["created"] }
        == [694_224_000.5, 0, -1].map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
    #expect(rows.map { $0["identifier"] } == [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))), .null, .null])
    #expect(rows.map { $0["photo"] } == [.null, .null, .data(Data([0xFF, 0xD8]))])
  }

  @Test func aDecimalIsTheOneThatWasWritten() throws {
    // Core Data writes them as doubles, which may be a little beside the nearest one.
    let file = try CoreDataFile(
      CoreDataFile.notes, "UPDATE ZCDNOTE SET ZPRICE = CASE Z_PK WHEN 5 THEN 3.3299999999999996 WHEN 7 THEN '12345678901.25' ELSE -1e3 END")
    let factory = try NoteEntities.factory()
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings())
    #expect(try factory.values(NoteEntities.note, "price") == ["3.33", "12345678901.25", "-1000"])
  }

  @Test func orderedAndReflexivePairsAreKept() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let factory = try NoteEntities.factory()
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings())
    #expect(try factory.values(NoteEntities.noteTag, "note", "tag", "position") == ["1 blue 1024", "1 red 2048", "2 blue 1024"])
    // Z_2RELATED holds those that are related, Z_2RELATEDFROM those that have them.
    #expect(try factory.values(NoteEntities.relatedNote, "one", "other") == ["1 2", "2 1", "3 3"])
    #expect(try factory.values(NoteEntities.note, "title", "position") == ["First 2048", "Shopping 1024", "Loose –"])
  }

  @Test func aReflexiveRelationshipThatIsItsOwnInverse() throws {
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Node', 0, 3);
      CREATE TABLE ZNODE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      CREATE TABLE Z_1RELATED (Z_1RELATED INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1RELATED, REFLEXIVE));
      INSERT INTO ZNODE VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
      INSERT INTO Z_1RELATED VALUES (1, 2);
      """)
    let factory = try DAOFactory(store: .inMemory(), describedBy: [Node.description, Node.pair])
    var mapping = ImportMapping<DynamicEntity>()
    mapping["id"] = "z_pk"
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: Node.description, mapping)])
    #expect(try factory.values(Node.pair, "one", "other") == ["2 1"])
  }

  @Test func pairsAreFoundByANameWithANumberOrAMapping() throws {
    let sql = CoreDataFile.notes.replacing("Z_4TAGS", with: "Z_4TAGS1")
    let factory = try NoteEntities.factory()
    let numbered = try CoreDataFile(sql)
    try CoreDataStore(numbered.url).import(into: factory, NoteEntities.mappings())
    #expect(try factory.values(NoteEntities.noteTag, "note", "tag", "position") == ["1 blue 1024", "1 red 2048", "2 blue 1024"])

    // Two tables with a side of one name.
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run(
      """
      ALTER TABLE Z_2TAGS RENAME COLUMN Z_4TAGS TO Z_4LABELS;
      CREATE TABLE Z_2WORDS (Z_2NOTES INTEGER, Z_4LABELS INTEGER);
      INSERT INTO Z_2WORDS VALUES (9, 1);
      """)
    var mapping = NoteEntities.noteMapping
    mapping[related: "tags"] = "labels"
    var tags = ImportMapping<DynamicEntity>()
    tags[related: "notes"] = .excluded
    let old = try CoreDataStore(file.url)
    let mappings: [CoreDataMapping] = [
      .entity(describedBy: NoteEntities.note, from: "CDNote", mapping, data: NoteEntities.data),
      .entity(describedBy: NoteEntities.tag, from: "CDTag", tags),
      .entity(describedBy: NoteEntities.folder, from: "CDFolder"),
    ]
    #expect { try old.import(into: NoteEntities.factory(), mappings) } throws: {
      "\($0)".contains("'4labels' of Z_2TAGS, '4labels' of Z_2WORDS")
    }
    mapping[related: "tags"] = "Z_2WORDS"
    let other = try NoteEntities.factory()
    try old.import(
      into: other, [.entity(describedBy: NoteEntities.note, from: "CDNote", mapping, data: NoteEntities.data)] + mappings.dropFirst())
    #expect(try other.values(NoteEntities.noteTag, "note", "tag") == ["3 red"])
  }

  @Test func theKeyIsKeptWhereTheMappingSaysSo() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let factory = try NoteEntities.factory()
    var mapping = NoteEntities.noteMapping
    mapping["id"] = "Z_PK"
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings(note: mapping))
    #expect(try factory.values(NoteEntities.note, "id", "title") == ["5 First", "7 Shopping", "9 Loose"])
    #expect(try factory.values(NoteEntities.noteTag, "note", "tag") == ["5 blue", "5 red", "7 blue"])
  }

  @Test func aSubEntityOfItsOwnTakesItsRows() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let list = EntityDescription(
      "list", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text), Attribute("itemCount", .integer)])
    let plain = EntityDescription("plain", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text)])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [list, plain])
    let report = try CoreDataStore(file.url).import(
      into: factory, [.entity(describedBy: plain, from: "CDNote"), .entity(describedBy: list, from: "CDList")])
    #expect(try factory.values(plain, "title") == ["First", "Loose"])
    #expect(try factory.values(list, "title", "itemCount") == ["Shopping 3"])
    // What the other entity's rows have is not missed here.
    #expect(
      report.leftOut.contains("CDNote.photo") && !report.leftOut.contains("CDList.photo") && !report.leftOut.contains("CDNote.itemcount"))
    #expect(report.leftOut.contains("Z_2RELATED") && !report.leftOut.contains("Z_2TAGS"))
  }

  @Test func aMappingNamesOthers() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let page = EntityDescription(
      "page", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("heading", .text), Attribute("shelfID", .integer, optional: true)],
      relationships: [.toOne("shelf", NoteEntities.folder, by: "shelfID")])
    let factory = try DAOFactory(
      store: .inMemory(),
      describedBy: [NoteEntities.folder, NoteEntities.note, NoteEntities.tag, NoteEntities.noteTag, NoteEntities.relatedNote, page])
    var pages = ImportMapping<DynamicEntity>()
    pages["heading"] = "TITLE"
    pages[related: "shelf"] = "Folder"
    pages.before { record in record["title"] == "Loose" ? .skip : .proceed }
    let report = try CoreDataStore(file.url).import(
      into: factory, [.entity(describedBy: page, from: "CDNote", pages), .entity(describedBy: NoteEntities.folder, from: "CDFolder")])
    #expect(try factory.values(page, "heading", "shelfID") == ["First 1", "Shopping 1"])
    #expect("\(report["page"])" == "2 inserted, 1 skipped")
  }

  @Test func aHookMakesAReferenceWhereTheRelationshipIsExcluded() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let old = try CoreDataStore(file.url)
    let factory = try NoteEntities.factory()
    let home = try factory.runtimeDAO(NoteEntities.folder).insert(DynamicEntity(NoteEntities.folder, ["name": .text("Home")]))
    var mapping = NoteEntities.noteMapping
    mapping.instead(\.folder) { _ in home["id"] ?? .null }
    #expect { try old.import(into: factory, NoteEntities.mappings(note: mapping)) } throws: {
      "\($0)".contains("note.folder is a reference, which is imported without hooks")
    }
    mapping[related: "folder"] = .excluded
    mapping[related: "tags"] = .excluded
    try old.import(into: factory, [.entity(describedBy: NoteEntities.note, from: "CDNote", mapping, data: NoteEntities.data)])
    #expect(try factory.values(NoteEntities.note, "title", "folder") == ["First 1", "Shopping 1", "Loose 1"])
  }

  @Test func aHookRepairsAValueOfAnotherType() throws {
    let file = try CoreDataFile(CoreDataFile.notes, "UPDATE ZCDNOTE SET ZCREATED = 'today' WHERE Z_PK = 7")
    let factory = try NoteEntities.factory()
    var mapping = NoteEntities.noteMapping
    mapping.instead(\.created) { record in
      record["created"] == "today"
        ? .date(Date(timeIntervalSince1970: 0)) : (record["created"]?.real).map { .date(Date(timeIntervalSince1970: $0)) } ?? .null
    }
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings(note: mapping))
    let rows = try factory.runtimeDAO(NoteEntities.note).findAll(.all.order(by: .ascending(.field("id"))))
    #expect(
      rows.map { $0["created"] } == [
        .date(Date(timeIntervalSinceReferenceDate: 694_224_000.5)), .date(Date(timeIntervalSince1970: 0)),
        .date(Date(timeIntervalSinceReferenceDate: -1)),
      ])
  }

  @Test func externalDataAreRead() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    // More than a batch has, and than is read at once.
    let large = Data(repeating: 7, count: 6_000_000)
    let reference = try file.external(large)
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 5", [reference])
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 9", [Data([1, 1, 2, 3])])
    let factory = try NoteEntities.factory()
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings(data: ["Photo": .external]))
    let rows = try factory.runtimeDAO(NoteEntities.note).findAll(.all.order(by: .ascending(.field("id"))))
    #expect(rows.map { $0["photo"] } == [.data(large), .null, .data(Data([1, 2, 3]))])
  }

  @Test func theFormOfDataIsAskedFor() throws {
    // Whatever the rows are.
    for sql in ["SELECT 1", "UPDATE ZCDNOTE SET ZPHOTO = x'010203' WHERE ZPHOTO IS NOT NULL", "DELETE FROM ZCDNOTE"] {
      let file = try CoreDataFile(CoreDataFile.notes, sql)
      let mappings: [CoreDataMapping] = [
        .entity(describedBy: NoteEntities.note, from: "CDNote", NoteEntities.noteMapping),
        .entity(describedBy: NoteEntities.tag, from: "CDTag"), .entity(describedBy: NoteEntities.folder, from: "CDFolder"),
      ]
      #expect { try CoreDataStore(file.url).import(into: NoteEntities.factory(), mappings) } throws: { error in
        guard case DAOError.invalidDescription(_, let problems)? = error as? DAOError else { return false }
        return problems == [
          "note reads data of CDNote whose form the store does not say; name it: data: [\"colour\": .plain, \"photo\": .plain], with "
            + ".external for attributes that allow external storage"
        ]
      }
    }
    let file = try CoreDataFile(CoreDataFile.notes, "UPDATE ZCDNOTE SET ZPHOTO = x'010203' WHERE ZPHOTO IS NOT NULL")
    let factory = try NoteEntities.factory()
    try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings())
    let photos = try factory.runtimeDAO(NoteEntities.note).findAll().compactMap { $0["photo"] }.filter { !$0.isNull }
    #expect(photos == [.data(Data([1, 2, 3]))])
  }

  @Test func aHookNeverGetsAReferenceToAFileForData() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let reference = try file.external(Data([7]))
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 5", [reference])
    let page = EntityDescription("page", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text)])
    var pages = ImportMapping<DynamicEntity>()
    pages.instead(\.title) { record in .text("\(record["photo"]?.data?.count ?? 0)") }
    let failure = #expect(throws: ImportFailure.self) {
      try CoreDataStore(file.url).import(
        into: DAOFactory(store: .inMemory(), describedBy: [page]), [.entity(describedBy: page, from: "CDNote", pages)])
    }
    #expect(failure?.problems.map(\.pointer) == ["/CDNote/5/photo"])
    #expect(failure?.description.contains("names the file") == true)
    // The form is named, and the hook gets the data of the file.
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = NULL WHERE Z_PK = 9")
    let factory = try DAOFactory(store: .inMemory(), describedBy: [page])
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: page, from: "CDNote", pages, data: ["photo": .external])])
    #expect(try factory.values(page, "title") == ["1", "0", "0"])
  }

  @Test func referencesToLaterRowsAreClosed() throws {
    // Each is the parent of the one before, over several batches.
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Node', 0, 1200);
      CREATE TABLE ZNODE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZPARENT INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO ZNODE SELECT i, 1, 1, 'n' || i, CASE WHEN i < 1200 THEN i + 1 END FROM n;
      """)
    let factory = try DAOFactory(store: .inMemory(), describedBy: [Node.description, Node.pair])
    var mapping = ImportMapping<DynamicEntity>()
    mapping["id"] = "z_pk"
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: Node.description, mapping)])
    let nodes = try factory.runtimeDAO(Node.description).findAll(.all.order(by: .ascending(.field("id"))))
    #expect(nodes.count == 1200 && nodes.last?["parent"] == .null)
    let wrong = nodes.dropLast().enumerated().filter { number, row in row["parent"] != Scalar.integer(Int64(number + 2)) }
    #expect(wrong.isEmpty)
  }
}
