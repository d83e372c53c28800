import DAOKit
import Foundation
import GRDB
import Testing

@testable import DAOImport

/// The columns of sub-entities whose attributes have one name, of attributes of any name, and of references.
@Suite struct CoreDataColumnTests {
  private static let item: EntityDescription = EntityDescription(
    "item", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("title", .text, optional: true), Attribute("parent", .integer, optional: true)],
    relationships: [.toOne("parent", item, by: "parent")])
  private static let all = TagEntities.all + [item]

  @Test func theFirstColumnThatIsNotNullIsTaken() throws {
    let file = try CoreDataFile(CoreDataFile.objects)
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
      try file.problems(Self.all, [.entity(describedBy: Self.item, from: "Object", mapping)]) == [
        "item.parent is mapped to 'elder', which is no column of Object", "item.title is mapped to 'titel2', which is no column of Object",
      ])
  }

  @Test func aColumnOfAnotherSubEntityIsNotTakenForTheOwn() throws {
    let file = try CoreDataFile(CoreDataFile.objects)
    var mapping = ImportMapping<DynamicEntity>()
    mapping[related: "parent"] = .excluded
    let folders = { (mapping: ImportMapping<DynamicEntity>) in [CoreDataMapping.entity(describedBy: Self.item, from: "Folder", mapping)] }
    #expect(
      try file.problems(Self.all, folders(mapping)) == [
        "item.title reads the column ZTITLE, which is null in each Folder, but 'title2' has values of Folder; map it to the column that "
          + "is meant, or to a list of columns, the first with a value, or exclude it"
      ])
    // A column of the name need not be there.
    try file.run("ALTER TABLE ZOBJECT DROP COLUMN ZTITLE")
    #expect(
      try file.problems(Self.all, folders(mapping)).map { $0.contains("has no column of its name, but 'title2' has values") } == [true])
    // What the mapping says is meant.
    mapping["title"] = .excluded
    #expect(try file.problems(Self.all, folders(mapping)).isEmpty)
    mapping["title"] = "title1"
    #expect(try file.problems(Self.all, folders(mapping)).isEmpty)

    // A reference, too.
    try file.run("ALTER TABLE ZOBJECT RENAME COLUMN ZPARENT TO ZPARENT1; ALTER TABLE ZOBJECT ADD COLUMN ZPARENT INTEGER")
    mapping[related: "parent"] = nil
    #expect(
      try file.problems(Self.all, folders(mapping)).map { $0.hasPrefix("item.parent reads the column ZPARENT, which is null") } == [true])
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
      try file.problems(Self.all, mappings(page, pages)).map {
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
      try file.problems(Self.all, mappings(plain, ImportMapping())).map {
        $0.hasPrefix("page.folderID has the key of folder, and no index")
      }
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
}
