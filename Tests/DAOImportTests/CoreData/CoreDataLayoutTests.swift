import DAOKit
import Foundation
import GRDB
import Testing

@testable import DAOImport

/// What Core Data writes for models with sub-entities whose attributes and relationships have one name, and for attributes of any name.
@Suite struct CoreDataLayoutTests {
  /// The problems of the mappings of an import.
  private func problems(_ file: CoreDataFile, _ mappings: [CoreDataMapping]) throws -> [String] {
    let factory = try DAOFactory(store: .inMemory(), describedBy: TagEntities.all + [Self.item])
    do { try CoreDataStore(file.url).import(into: factory, mappings) } catch DAOError.invalidDescription(_, let problems) {
      return problems
    }
    return []
  }

  // MARK: Columns

  /// Notes and folders, whose titles and parents are in columns of their own.
  private static let objects = """
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Object', 0, 0), (2, 'Note', 1, 0), (3, 'Folder', 1, 0);
    CREATE TABLE ZOBJECT (
      Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR, ZTITLE1 VARCHAR, ZTITLE2 VARCHAR, ZFOLDER INTEGER,
      ZPARENT INTEGER, Z3_PARENT INTEGER, Z_FOK_PARENT INTEGER);
    CREATE INDEX ZOBJECT_Z_ENT_INDEX ON ZOBJECT (Z_ENT);
    CREATE INDEX ZOBJECT_ZFOLDER_INDEX ON ZOBJECT (ZFOLDER);
    CREATE INDEX ZFOLDER_ZPARENT_INDEX ON ZOBJECT (ZPARENT);
    INSERT INTO ZOBJECT (Z_PK, Z_ENT, ZTITLE1, ZTITLE2, ZFOLDER, ZPARENT, Z3_PARENT) VALUES
      (1, 2, 'note', NULL, 3, NULL, NULL), (2, 3, NULL, 'folder', NULL, 3, 3), (3, 3, NULL, 'top', NULL, NULL, NULL),
      (4, 2, NULL, NULL, NULL, NULL, NULL);
    """

  private static let item: EntityDescription = EntityDescription(
    "item", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("title", .text, optional: true), Attribute("parent", .integer, optional: true)],
    relationships: [.toOne("parent", item, by: "parent")])

  @Test func theFirstColumnThatIsNotNullIsTaken() throws {
    let file = try CoreDataFile(Self.objects)
    let factory = try DAOFactory(store: .inMemory(), describedBy: [Self.item])
    var mapping = ImportMapping<DynamicEntity>()
    mapping["title"] = ["title1", "title2"]
    mapping[related: "parent"] = ["folder", "parent"]
    let report = try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: Self.item, from: "Object", mapping)])
    #expect(try factory.values(Self.item, "title", "parent") == ["note 3", "folder 3", "top –", "– –"])
    #expect(report.leftOut.isEmpty)
    mapping["title"] = ["title1", "titel2"]
    mapping[related: "parent"] = ["folder", "elder"]
    #expect(
      try problems(file, [.entity(describedBy: Self.item, from: "Object", mapping)]) == [
        "item.parent is mapped to 'elder', which is no column of Object", "item.title is mapped to 'titel2', which is no column of Object",
      ])
  }

  @Test func aColumnOfAnotherSubEntityIsNotTakenForTheOwn() throws {
    let file = try CoreDataFile(Self.objects)
    var mapping = ImportMapping<DynamicEntity>()
    mapping[related: "parent"] = .excluded
    let folders = { (mapping: ImportMapping<DynamicEntity>) in [CoreDataMapping.entity(describedBy: Self.item, from: "Folder", mapping)] }
    #expect(
      try problems(file, folders(mapping)) == [
        "item.title reads the column ZTITLE, which is null in each Folder, but 'title2' has values of Folder; map it to the column that "
          + "is meant, or to a list of columns, the first with a value, or exclude it"
      ])
    // A column of the name need not be there.
    try file.run("ALTER TABLE ZOBJECT DROP COLUMN ZTITLE")
    #expect(try problems(file, folders(mapping)).map { $0.contains("has no column of its name, but 'title2' has values") } == [true])
    // What the mapping says is meant.
    mapping["title"] = .excluded
    #expect(try problems(file, folders(mapping)).isEmpty)
    mapping["title"] = "title1"
    #expect(try problems(file, folders(mapping)).isEmpty)

    // A reference, too.
    try file.run("ALTER TABLE ZOBJECT RENAME COLUMN ZPARENT TO ZPARENT1; ALTER TABLE ZOBJECT ADD COLUMN ZPARENT INTEGER")
    mapping[related: "parent"] = nil
    #expect(try problems(file, folders(mapping)).map { $0.hasPrefix("item.parent reads the column ZPARENT, which is null") } == [true])
  }

  @Test func attributesOfAnyNameAreRead() throws {
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 0);
      CREATE TABLE ZTHING (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z_ID VARCHAR, Z_THINGKEY__DONATED INTEGER, ZNEXT INTEGER, Z1_NEXT INTEGER,
        Z_FOK_NEXT INTEGER);
      INSERT INTO ZTHING VALUES (1, 1, 1, 'a', 7, 1, 1, 1024);
      """)
    let old = try CoreDataStore(file.url)
    #expect(
      old["Thing"]?.description.attributes.map(\.name) == [
        "z_pk", "z_ent", "_id", "_thingkey__donated", "next", "z1_next", "z_fok_next",
      ])
    let thing = EntityDescription("thing", key: .assigned(["_id"]), attributes: [Attribute("_id", .text)])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [thing])
    let report = try old.import(into: factory, [.entity(describedBy: thing, from: "Thing")])
    #expect(try factory.values(thing, "_id") == ["a"])
    // The number of the entity that a reference leads to says nothing more than the reference.
    #expect(report.leftOut == ["Thing._thingkey__donated", "Thing.next", "Thing.z_fok_next"])
  }

  @Test func aNumberIsNoReferenceWithoutAnIndex() throws {
    let file = try CoreDataFile(
      CoreDataFile.notes,
      """
      ALTER TABLE ZCDNOTE ADD COLUMN ZFOLDERID INTEGER;
      ALTER TABLE ZCDFOLDER ADD COLUMN ZSERVER INTEGER;
      UPDATE ZCDFOLDER SET ZSERVER = 100 + Z_PK;
      UPDATE ZCDNOTE SET ZFOLDERID = 103 WHERE Z_PK = 5;
      """)
    let folder = EntityDescription("folder", key: .assigned(["id"]), attributes: [Attribute("id", .integer)])
    let attributes = [Attribute("id", .integer), Attribute("folderID", .integer, optional: true)]
    let page = EntityDescription(
      "page", key: .generated("id"), attributes: attributes, relationships: [.toOne("shelf", folder, by: "folderID")])
    var folders = ImportMapping<DynamicEntity>()
    folders["id"] = "server"
    func mappings(_ page: EntityDescription, _ mapping: ImportMapping<DynamicEntity>) -> [CoreDataMapping] {
      [.entity(describedBy: folder, from: "CDFolder", folders), .entity(describedBy: page, from: "CDNote", mapping)]
    }
    var pages = ImportMapping<DynamicEntity>()
    func factory(_ page: EntityDescription) throws -> DAOFactory { try DAOFactory(store: .inMemory(), describedBy: [folder, page]) }
    #expect(
      try problems(file, mappings(page, pages)).map {
        $0.hasPrefix("page.shelf has the column ZFOLDERID by the name of its attribute alone, and no index Z…_ZFOLDERID_INDEX")
      } == [true])
    // The key of the other row.
    pages[related: "shelf"] = .excluded
    pages["folderID"] = "folderid"
    var own = try factory(page)
    try CoreDataStore(file.url).import(into: own, mappings(page, pages))
    #expect(try own.values(page, "folderID") == ["103", "–", "–"])
    // An attribute that has the key of another row has no relationship to map.
    let plain = EntityDescription(
      "page", key: .generated("id"),
      attributes: [Attribute("id", .integer)] + [
        Attribute("folderID", .integer, optional: true, references: ForeignKey(table: "folder", column: "id", onDelete: .nullify))
      ])
    #expect(
      try problems(file, mappings(plain, ImportMapping())).map { $0.hasPrefix("page.folderID has the key of folder, and no index") }
        == [true])
    own = try factory(plain)
    var copied = ImportMapping<DynamicEntity>()
    copied["folderID"] = "folderid"
    try CoreDataStore(file.url).import(into: own, mappings(plain, copied))
    #expect(try own.values(plain, "folderID") == ["103", "–", "–"])
    // With the index, both lead to rows by their Z_PK.
    try file.run("CREATE INDEX ZCDNOTE_ZFOLDERID_INDEX ON ZCDNOTE (ZFOLDERID); UPDATE ZCDNOTE SET ZFOLDERID = 3 WHERE Z_PK = 5")
    for page in [page, plain] {
      own = try factory(page)
      try CoreDataStore(file.url).import(into: own, mappings(page, ImportMapping()))
      #expect(try own.values(page, "folderID") == ["103", "–", "–"])
    }
  }

  // MARK: Pairs

  /// Two sub-entities in one table, which have the relationship `tags` each.
  private static let siblings = """
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Base', 0, 0), (2, 'A', 1, 0), (3, 'B', 1, 0), (4, 'Tag', 0, 0);
    CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2TAGS (Z_2AS INTEGER, Z_4TAGS INTEGER);
    CREATE TABLE Z_3TAGS (Z_3BS INTEGER, Z_4TAGS1 INTEGER);
    INSERT INTO ZBASE VALUES (1, 2, 1, 'a'), (2, 3, 1, 'b');
    INSERT INTO ZTAG VALUES (1, 4, 1, 'x'), (2, 4, 1, 'y');
    INSERT INTO Z_2TAGS VALUES (1, 1);
    INSERT INTO Z_3TAGS VALUES (2, 2);
    """

  @Test func siblingsHaveTablesOfTheirOwn() throws {
    let file = try CoreDataFile(Self.siblings)
    let (one, two) = (
      CoreDataMapping.entity(describedBy: TagEntities.one, from: "A"), CoreDataMapping.entity(describedBy: TagEntities.two, from: "B")
    )
    let tags = CoreDataMapping.entity(describedBy: TagEntities.tag, from: "Tag")
    for (mappings, expected) in [([one], ["a x"]), ([two], ["b y"]), ([one, two], ["a x", "b y"]), ([two, one], ["a x", "b y"])] {
      let factory = try TagEntities.factory()
      let report = try CoreDataStore(file.url).import(into: factory, mappings + [tags])
      #expect(try TagEntities.pairs(factory) == expected)
      #expect(report.leftOut.count == 2 - mappings.count + (2 - mappings.count), "\(report.leftOut)")
    }
  }

  @Test func aSuperEntityTakesTheTablesOfSeveralSubEntitiesWhereTheMappingSaysSo() throws {
    let file = try CoreDataFile(Self.siblings)
    let tags = CoreDataMapping.entity(describedBy: TagEntities.tag, from: "Tag")
    var mapping = ImportMapping<DynamicEntity>()
    let problem =
      "one.tags may be '4tags' of Z_2TAGS, '4tags1' of Z_3TAGS; map it to a side with its number, to a table, or to a list of these"
    #expect(try problems(file, [.entity(describedBy: TagEntities.one, from: "Base", mapping), tags]) == [problem])
    mapping[related: "tags"] = ["Z_2TAGS", "4tags1"]
    let factory = try TagEntities.factory()
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: TagEntities.one, from: "Base", mapping), tags])
    #expect(try TagEntities.pairs(factory) == ["a x", "b y"])
  }

  @Test func pairsThatNoMappingTakesAreReported() throws {
    let file = try CoreDataFile(
      Self.siblings,
      """
      DROP TABLE Z_2TAGS; DROP TABLE Z_3TAGS;
      CREATE TABLE Z_1TAGS (Z_1THINGS INTEGER, Z_4TAGS INTEGER);
      INSERT INTO Z_1TAGS VALUES (1, 1), (2, 1), (2, 2);
      """)
    let (a, tags) = (
      CoreDataMapping.entity(describedBy: TagEntities.one, from: "A"), CoreDataMapping.entity(describedBy: TagEntities.tag, from: "Tag")
    )
    let factory = try TagEntities.factory()
    let report = try CoreDataStore(file.url).import(into: factory, [a, .entity(describedBy: TagEntities.bare, from: "B"), tags])
    #expect(try TagEntities.pairs(factory) == ["a x"])
    #expect(report.leftOut == ["Z_1TAGS (2 pairs of B)"])
    // Another relationship takes them, or a mapping does without.
    let other = try TagEntities.factory()
    let whole = try CoreDataStore(file.url).import(into: other, [a, .entity(describedBy: TagEntities.two, from: "B"), tags])
    #expect(try TagEntities.pairs(other) == ["a x", "b x", "b y"])
    #expect(whole.leftOut.isEmpty)
    var without = ImportMapping<DynamicEntity>()
    without[related: "tags"] = .excluded
    let half = try CoreDataStore(file.url).import(
      into: TagEntities.factory(), [a, .entity(describedBy: TagEntities.two, from: "B", without), tags])
    #expect(half.leftOut.isEmpty)
  }

  @Test func bothSidesHavePositions() throws {
    let file = try CoreDataFile(
      Self.siblings,
      """
      DROP TABLE Z_2TAGS; DROP TABLE Z_3TAGS;
      CREATE TABLE Z_2TAGS (Z_2ONES INTEGER, Z_4TAGS INTEGER, Z_FOK_2ONES INTEGER, Z_FOK_4TAGS INTEGER);
      INSERT INTO Z_2TAGS VALUES (1, 1, 1024, 2048), (1, 2, 3072, 1024);
      """)
    func mappings(_ one: String?, _ tag: String?) -> [CoreDataMapping] {
      [
        .entity(describedBy: TagEntities.one, from: "A", orders: one.map { ["tags": $0] } ?? [:]),
        .entity(describedBy: TagEntities.tag, from: "Tag", orders: tag.map { ["ones": $0] } ?? [:]),
      ]
    }
    let factory = try TagEntities.factory()
    for mappings in [mappings("place", "otherPlace"), mappings("place", "otherPlace").reversed()] {
      let own = try TagEntities.factory()
      let report = try CoreDataStore(file.url).import(into: own, mappings)
      #expect(try own.values(TagEntities.oneTag, "tag", "place", "otherPlace") == ["x 2048 1024", "y 1024 3072"])
      #expect(report.leftOut == ["B (1 row)"])
    }
    // Those that nobody asks for are reported.
    let report = try CoreDataStore(file.url).import(into: factory, mappings("place", nil))
    #expect(try factory.values(TagEntities.oneTag, "tag", "place", "otherPlace") == ["x 2048 –", "y 1024 –"])
    #expect(report.leftOut == ["Z_2TAGS.Z_FOK_2ONES", "B (1 row)"])
    #expect(
      try problems(file, mappings("place", "place")) == [
        "tag.ones has its positions in 'place', as one.tags has; name another attribute"
      ])
  }

  @Test func positionsAndEntitiesThatNothingReadsAreReported() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let factory = try NoteEntities.factory()
    let mappings: [CoreDataMapping] = [
      .entity(describedBy: NoteEntities.note, from: "CDNote", NoteEntities.noteMapping, data: NoteEntities.data),
      .entity(describedBy: NoteEntities.folder, from: "CDFolder"), .entity(describedBy: NoteEntities.tag, from: "CDTag"),
    ]
    let report = try CoreDataStore(file.url).import(into: factory, mappings)
    #expect(report.leftOut == ["CDNote.z_fok_folder", "Z_2TAGS.Z_FOK_4TAGS"])
    var tags = ImportMapping<DynamicEntity>()
    tags[related: "notes"] = .excluded
    let rest = try CoreDataStore(file.url).import(
      into: NoteEntities.factory(), [.entity(describedBy: NoteEntities.tag, from: "CDTag", tags)])
    #expect(rest.leftOut == ["CDFolder (3 rows)", "CDNote (2 rows)", "CDList (1 row)"])
  }

  // MARK: Rows that hooks leave out

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

  // MARK: Dates

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

  // MARK: Entities and files

  @Test func entitiesOfTheHistoryAreNone() throws {
    let file = try CoreDataFile(
      """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Transaction', 0, 0), (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0),
        (16003, 'TRANSACTIONSTRING', 0, 0);
      CREATE TABLE ZTRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
      INSERT INTO ZTRANSACTION VALUES (1, 1, 1, 'rent');
      INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 0);
      """)
    let old = try CoreDataStore(file.url)
    #expect(old.entities.map(\.name) == ["Transaction"])
    let factory = try TagEntities.factory()
    let report = try old.import(into: factory, [.entity(describedBy: TagEntities.bare, from: "transaction")])
    #expect(try factory.values(TagEntities.bare, "name") == ["rent"])
    #expect(report.leftOut.isEmpty)
  }

  @Test func entitiesOfOneNameAreRefusedAndDeepOnesAreRead() throws {
    for rows in ["(1, 'A', 2, 0), (2, 'A', 0, 0), (3, 'B', 0, 0)", "(1, 'A', 0, 0), (2, 'B', 3, 0), (3, 'C', 2, 0)"] {
      let file = try CoreDataFile("CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER); INSERT INTO Z_PRIMARYKEY VALUES \(rows)")
      #expect { try CoreDataStore(file.url) } throws: { "\($0)".contains("entity A or the number 2 twice") || "\($0)".contains("circle") }
    }
    // Each is the super-entity of the next.
    let file = try CoreDataFile(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, i - 1, 0 FROM n;
      CREATE TABLE ZE1 (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZE1 VALUES (1, 2000, 1, 'deep');
      """)
    let factory = try TagEntities.factory()
    try CoreDataStore(file.url).import(into: factory, [.entity(describedBy: TagEntities.bare, from: "E7")])
    #expect(try factory.values(TagEntities.bare, "name") == ["deep"])
  }

  @Test func rowsAreReadInOrderWithoutASort() throws {
    let file = try CoreDataFile(Self.objects)
    let sql = CoreDataRows.sql("ZOBJECT", ["Z_PK", "ZTITLE"], of: [2, 3])
    let plan = try ForeignDatabase.reading(file.url) { connection in
      var lines: [String] = []
      try connection.each("EXPLAIN QUERY PLAN \(sql)") { row in
        for _ in 0..<3 { _ = try row.takeStored() }
        lines.append("\(try row.takeStored())")
      }
      return lines
    }
    #expect(plan.count == 1 && plan.first?.contains("SCAN ZOBJECT") == true, "\(plan)")
  }

  @Test func columnsAreCountedTogether() throws {
    let file = try CoreDataFile("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Wide', 0, 0)")
    let names = (1...1200).map { "ZC\($0)" }
    try file.run("CREATE TABLE ZWIDE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \(names.joined(separator: ", ")))")
    try file.run(
      "INSERT INTO ZWIDE (Z_PK, Z_ENT, ZC1, ZC501, ZC1200) VALUES (1, 1, 1, x'00', 'x'), (2, 1, NULL, NULL, 'y'), (3, 2, 1, 1, 1)")
    let counts = try ForeignDatabase.reading(file.url) {
      try CoreDataCounts($0).counts("ZWIDE", names, where: "Z_ENT = 1")
    }
    #expect(counts.rows == 2 && counts.values.filter { $0.value > 0 } == ["ZC1": 1, "ZC501": 1, "ZC1200": 2])
    #expect(CoreDataCounts.sql("T", ["A", "B"], where: "TRUE").components(separatedBy: "FROM").count == 2)
  }

  @Test func externalDataOfALinkedStoreAreRead() throws {
    let file = try CoreDataFile(CoreDataFile.notes)
    let reference = try file.external(Data([7]))
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = ? WHERE Z_PK = 5", [reference])
    let link = file.folder.appendingPathComponent("elsewhere/Other.sqlite")
    try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
    try file.run("UPDATE ZCDNOTE SET ZPHOTO = NULL WHERE Z_PK = 9")
    let factory = try NoteEntities.factory()
    try CoreDataStore(link).import(into: factory, NoteEntities.mappings(data: ["photo": .external]))
    let photos = try factory.runtimeDAO(NoteEntities.note).findAll().compactMap { $0["photo"] }.filter { !$0.isNull }
    #expect(photos == [.data(Data([7]))])
  }
}
