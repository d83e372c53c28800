import DAOImport
import DAOKit
import Foundation
import GRDB
import Testing

/// Files that are no Core Data stores, rows that do not fit, and mappings that do not.
@Suite struct CoreDataProblemTests {
  /// The lines of the error of an import, which leaves nothing.
  private func problems(
    _ file: CoreDataFile, _ mappings: [CoreDataMapping] = NoteEntities.mappings(), dropping: Bool = false, limit: Int = 100
  ) throws -> [String] {
    let factory = try NoteEntities.factory()
    do {
      try CoreDataStore(file.url).import(into: factory, mappings, once: "notes", droppingBrokenLinks: dropping, problems: limit)
      return []
    } catch {
      for entity in NoteEntities.all { #expect(try factory.runtimeDAO(entity).count() == 0) }
      if case DAOError.invalidDescription("Model.sqlite", let problems)? = error as? DAOError { return problems }
      if let failure = error as? ImportFailure { return failure.problems.map { "\($0)" } }
      return ["\(error)"]
    }
  }

  private func kind(_ url: URL) -> DAOError.BootstrapProblem.Kind? {
    do { _ = try CoreDataStore(url) } catch DAOError.bootstrap(let problem) { return problem.kind } catch {}
    return nil
  }

  // MARK: Files

  @Test func filesThatAreNoStoresAreRefused() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.close()
    func other(_ name: String, _ data: Data) throws -> URL {
      let url = file.folder.appendingPathComponent(name)
      try data.write(to: url)
      return url
    }
    let bytes = try #require(try file.contents()["Model.sqlite"])
    #expect(kind(file.folder.appendingPathComponent("none.sqlite")) == .missingSeed)
    #expect(kind(file.folder) == .notAFile)
    #expect(kind(try other("empty.sqlite", Data())) == .notADatabase)
    #expect(kind(try other("text.sqlite", Data("no database, but a text of some length, as the header has".utf8))) == .notADatabase)
    #expect(kind(try other("encrypted.sqlite", Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }))) == .notADatabase)
    #expect(kind(try other("cut.sqlite", bytes.prefix(bytes.count - 100))) == .truncated)
    #expect(kind(try other("half.sqlite", bytes.prefix(bytes.count / 8192 * 4096))) == .truncated)
    #expect(kind(file.url) == nil)
  }

  @Test func databasesOfOthersAreRefused() throws {
    let file = try CoreDataFile("DROP TABLE Z_PRIMARYKEY; CREATE TABLE note (id INTEGER PRIMARY KEY)")
    #expect(kind(file.url) == .wrongApplication)
    try file.run("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER)")
    #expect(kind(file.url) == .wrongApplication)
  }

  @Test func contradictionsOfZ_PRIMARYKEYAreRefused() throws {
    for (row, word) in [
      ("(1, 'A', 2, 0), (2, 'B', 1, 0)", "circle"), ("(1, 'A', 9, 0)", "no entity 9"), ("(1, NULL, 0, 0)", "has the entity"),
      ("(1, 'A', 'x', 0)", "super-entity of A"),
    ] {
      let file = try CoreDataFile("INSERT INTO Z_PRIMARYKEY VALUES \(row)")
      #expect { try CoreDataStore(file.url) } throws: { "\($0)".contains(word) }
    }
    let file = try CoreDataFile("INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 0, 0); CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY)")
    #expect(kind(file.url) == .corrupt)
    // An entity of another configuration has no table here.
    let other = try CoreDataFile("INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 0, 0), (16001, 'CHANGE', 0, 0)")
    #expect(try CoreDataStore(other.url).entities.isEmpty)
  }

  // MARK: Rows

  @Test func valuesThatDoNotFitAreNamedAllAtOnce() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run(
      """
      UPDATE ZCDNOTE SET ZITEMCOUNT = 'many', ZCREATED = 'today' WHERE Z_PK = 5;
      UPDATE ZCDNOTE SET ZISPINNED = 2, ZIDENTIFIER = x'0102' WHERE Z_PK = 7;
      UPDATE ZCDNOTE SET ZTITLE = NULL, ZPRICE = 1.005 WHERE Z_PK = 9;
      UPDATE ZCDTAG SET ZNAME = 'blue';
      """)
    let found = try problems(file)
    let expected = [
      "/CDNote/5/itemcount: note.itemCount expects an integer, but the row holds ", "/CDNote/5/created: note.created expects a date",
      "/CDNote/7/identifier: note.identifier expects a UUID of 16 bytes", "/CDNote/9/title: note.title can't be null",
      "/CDTag/2: tag.name is refused",
    ]
    for line in expected { #expect(found.contains { $0.hasPrefix(line) }, "\(line)\n\(found)") }
    #expect(try problems(file, limit: 2).count == 2)
  }

  @Test func valuesThatTheTypeDoesNotTakeAreNamed() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run("UPDATE ZCDNOTE SET ZISPINNED = 2 WHERE Z_PK = 7; UPDATE ZCDNOTE SET ZPRICE = 1.005 WHERE Z_PK = 9")
    let found = try problems(file)
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("/CDNote/7/ispinned: note.isPinned expects true or false") == true, "\(found)")
    #expect(found.last?.hasPrefix("/CDNote/9/price: note.price ") == true, "\(found)")
  }

  @Test func referencesToNothingAreNamedOrDropped() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run(
      """
      UPDATE ZCDNOTE SET ZFOLDER = 99 WHERE Z_PK = 5;
      UPDATE ZCDFOLDER SET ZPARENT = 77 WHERE Z_PK = 2;
      INSERT INTO Z_2TAGS VALUES (5, 66, 1);
      """)
    let found = try problems(file)
    #expect(
      Set(found) == [
        "/CDNote/5/folder: note.folder leads to CDFolder 99, which is not there or does not become folder",
        "/CDFolder/2/parent: folder.parent leads to CDFolder 77, which is not there or does not become folder",
        "/Z_2TAGS/5-66: noteTag names CDTag 66, which is not there or does not become tag",
      ])
    let factory = try NoteEntities.factory()
    let report = try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings(), droppingBrokenLinks: true)
    for entity in ["note", "folder", "noteTag"] { #expect(report[entity].unlinked == 1) }
    #expect(try factory.values(NoteEntities.note, "title", "folder") == ["First –", "Shopping 1", "Loose –"])
    #expect(try factory.values(NoteEntities.folder, "name", "parent") == ["Work 3", "Home –", "All –"])
  }

  @Test func aRefusedRowIsNoProblemOfOthers() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run("UPDATE ZCDFOLDER SET ZNAME = NULL WHERE Z_PK = 1")
    #expect(try problems(file).map { $0.prefix(38) } == ["/CDFolder/1/name: folder.name can't be"])
  }

  @Test func rowsOfUnknownEntitiesAreNamed() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run("UPDATE ZCDNOTE SET Z_ENT = 8 WHERE Z_PK = 5; UPDATE ZCDTAG SET Z_ENT = NULL WHERE Z_PK = 2")
    let found = try problems(file)
    #expect(found.contains("/CDNote/5/Z_ENT: CDNote has a row of the entity 8, which Z_PRIMARYKEY does not have in ZCDNOTE"), "\(found)")
    #expect(
      found.contains {
        $0.hasPrefix("/CDTag/2/Z_ENT: CDTag has a row of the entity NULL")
          || $0.hasPrefix("/CDTag/2/Z_ENT: CDTag has a row of the entity null")
      }, "\(found)")
  }

  @Test func rowsWithoutAKeyOfTheirOwnAreNamed() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run(
      """
      DROP TABLE ZCDTAG;
      CREATE TABLE ZCDTAG (Z_PK, Z_ENT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZCDTAG VALUES (1, 4, 'red'), (1, 4, 'green'), (2, 4, 'blue'), ('x', 4, 'grey');
      """)
    #expect(
      try problems(file) == [
        "/CDTag/1/Z_PK: tag has the Z_PK of another row", "/CDTag/'x'/Z_PK: tag has a Z_PK that is no integer",
      ])
  }

  @Test func keysMayBeAnyNumber() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run(
      "UPDATE ZCDTAG SET Z_PK = -9223372036854775808 WHERE Z_PK = 1; UPDATE Z_2TAGS SET Z_4TAGS = -9223372036854775808 WHERE Z_4TAGS = 1")
    try file.run(
      "UPDATE ZCDTAG SET Z_PK = 9223372036854775807 WHERE Z_PK = 2; UPDATE Z_2TAGS SET Z_4TAGS = 9223372036854775807 WHERE Z_4TAGS = 2")
    #expect(try problems(file).isEmpty)
  }

  @Test func externalFilesThatAreMissingAreNamed() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let name = "0B2C8C41-8E3C-4B0B-9C43-1D8E2E1F0A11"
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 5", [Data([2]) + Data(name.utf8) + Data([0])])
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 7", [Data([2]) + Data("../../secret".utf8) + Data([0])])
    let found = try problems(file, NoteEntities.mappings(data: ["photo": .external]))
    #expect(found.count == 3)
    #expect(found.first?.hasPrefix("/CDNote/5/photo: note.photo is in the file \(name), which is not in ") == true, "\(found)")
    // A path is the name of no file, and other bytes are none of external data.
    for row in [7, 9] { #expect(found.contains { $0.hasPrefix("/CDNote/\(row)/photo: note.photo expects the byte 1") }, "\(found)") }
  }

  @Test func aHookThatThrowsRefusesTheImport() throws {
    struct Unreadable: Error {}
    let file = try CoreDataFile(CoreDataFile.notes)
    var mapping = ImportMapping<DynamicEntity>()
    mapping.instead(\.colour) { _ in throw Unreadable() }
    let found = try problems(file, NoteEntities.mappings(note: mapping))
    #expect(found.count == 3 && found.allSatisfy { $0.contains("note.colour is refused") })
  }

  @Test func rowsThatAreThereAreNotTaken() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let factory = try NoteEntities.factory()
    try factory.runtimeDAO(NoteEntities.tag).insert(DynamicEntity(NoteEntities.tag, ["name": .text("red")]))
    let failure = #expect(throws: ImportFailure.self) { try CoreDataStore(file.url).import(into: factory, NoteEntities.mappings()) }
    #expect(failure?.problems.map(\.pointer) == ["/CDTag/1"])
    #expect(try factory.runtimeDAO(NoteEntities.note).count() == 0)
  }

  // MARK: Mappings

  @Test func problemsOfMappingsAreNamedAllAtOnce() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    #expect(try problems(file, []) == ["no entity is named"])
    #expect(
      try problems(
        file,
        [
          .entity(describedBy: NoteEntities.tag), .entity(describedBy: NoteEntities.note, from: "CDNote"),
          .entity(describedBy: NoteEntities.note, from: "CDNote"),
        ])
        == ["the Core Data store has no entity 'tag', which becomes tag; it has CDFolder, CDNote, CDList, CDTag", "CDNote is named twice"])
    var note = ImportMapping<DynamicEntity>()
    note["title"] = "heading"
    note["price"] = "created"
    note["rating"] = "photo"
    note["none"] = "title"
    note[related: "nothing"] = "folder"
    note.before(related: "tags") { _, _ in .skip }
    let found = try problems(
      file, [.entity(describedBy: NoteEntities.note, from: "CDNote", note, data: ["title": .external], orders: ["folder": "position"])])
    let expected = [
      "note.title is mapped to 'heading', which is no column of CDNote",
      "note.price is decimal, but the column ZCREATED has date; name another one, or convert it by a hook",
      "note.rating is double, but the column ZPHOTO has data; name another one, or convert it by a hook",
      "note.colour is text, but the column ZCOLOUR has data; name another one, or convert it by a hook",
      "the mapping names 'none', which is no attribute of note", "the mapping names 'nothing', which is no relationship of note",
      "note.tags has a hook, and relationships of a Core Data store are imported without hooks",
      "data: names 'title', which is no column of data in CDNote",
      "note reads data of CDNote whose form the store does not say; name it: data: [\"colour\": .plain, \"photo\": .plain], with "
        + ".external for attributes that allow external storage",
      "note.folder leads to folder, which no Core Data entity becomes; name one, or exclude the relationship",
      "note.tags leads to tag, which no Core Data entity becomes; name one, or exclude the relationship",
    ]
    for line in expected { #expect(found.contains(line), "\(line)\n\(found.joined(separator: "\n"))") }
    #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
  }

  @Test func whatIsRequiredMustBeThere() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let entity = EntityDescription(
      "tag", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("weight", .integer), Attribute("size", .integer, default: .integer(1))])
    #expect(
      try problems(file, [.entity(describedBy: entity, from: "CDTag")])
        == ["tag.weight has no column of its name in CDTag, and can't be null; map it to one"])
  }

  @Test func positionsThatAreNotThereAreNamed() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    try file.run("ALTER TABLE ZCDNOTE DROP COLUMN Z_FOK_FOLDER; ALTER TABLE Z_2TAGS DROP COLUMN Z_FOK_4TAGS")
    let found = try problems(file)
    #expect(found.contains("note.tags is not ordered: Z_2TAGS has no positions of tags"), "\(found)")
    try file.run("ALTER TABLE Z_2TAGS ADD COLUMN Z_FOK_4TAGS INTEGER")
    #expect(
      try problems(file) == ["folder.notes has no positions in the Core Data store, or no 'position' takes them"])
  }
}
