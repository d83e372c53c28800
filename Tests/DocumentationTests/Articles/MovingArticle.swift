import DAOImport
import DAOMacros
import DAOTestSupport
import Foundation
import Testing

/// The code of Documentation/moving-from-core-data.md.
@Suite struct MovingArticle: ArticleTest {
  let article = Article("Documentation/moving-from-core-data.md")

  @Entity
  struct Folder {
    @ID var id: Int64?
    var name: String
    @ToOne(onDelete: .nullify) var parent: Reference<Folder>?
    @ToMany(\Note.folder) var notes: Many<Note> = Many()
  }

  @Entity
  struct Note {
    @ID var id: Int64?
    var title: String
    var created: Date?
    var isPinned: Bool = false
    var colour: String?
    var photo: Data?
    var position: Int?
    @ToOne(onDelete: .cascade) var folder: Reference<Folder>?
    @ManyToMany(by: \NoteTag.note, to: \NoteTag.tag) var tags: Many<Tag> = Many()
  }

  @Entity
  struct Tag {
    @ID var name: String
  }

  @Entity
  struct NoteTag {
    @ID @ToOne(onDelete: .cascade) var note: Reference<Note>
    @ID @ToOne(onDelete: .cascade) var tag: Reference<Tag>
    var position: Int?
  }

  struct Address: JSONAttributeValue {
    var city: String
  }

  @Entity
  struct Owner {
    @ID @Attribute(.mapped("_id")) var id: String
    var name: String
    var address: Address?
  }

  @Entity
  struct Dog {
    @ID @Attribute(.mapped(["_id.$oid", "_id"])) var id: String
    var name: String
    var born: Date?
    var tags: [String] = []
    @ToOne(onDelete: .nullify) var owner: Reference<Owner>?
  }

  /// Stands for an app's own value transformer.
  private static func name(ofColour data: Data) throws -> String { data == Data([255, 0, 0]) ? "red" : "another" }

  @Test func `the code of moving-from-core-data.md runs and prints its output`() throws {
    try withFolder { folder in
      let factory = try Self.factory()
      let url = folder.appendingPathComponent("Model.sqlite")
      try writeStore(url)
      let old = try CoreDataStore(url)
      print(old.entities.map(\.name).joined(separator: " "))
      print(old["CDNote"]?.description.attributes.map(\.name).joined(separator: " ") ?? "")
      try old.forEachRow(of: "CDNote") { row in
        print("\(row["z_ent"] ?? .null) \(row["z_pk"] ?? .null): \(row["heading"] ?? .null)")
      }
      let mappings = try imports(old, factory)

      try writeStore(folder.appendingPathComponent("Broken.sqlite"), isBroken: true)
      try distantPast(old, into: Self.factory(), mappings)
      try refuses(try CoreDataStore(folder.appendingPathComponent("Broken.sqlite")), mappings, into: Self.factory())
      try realm(try DAOFactory(store: .inMemory(), entities: Owner.self, Dog.self))
    }
    try article.expectSQLAndOutput()
  }

  private static func factory() throws -> DAOFactory {
    try DAOFactory(store: .inMemory(), entities: Folder.self, Note.self, Tag.self, NoteTag.self, ImportMark.self)
  }

  private func imports(_ old: CoreDataStore, _ factory: DAOFactory) throws -> [CoreDataMapping] {
    var notes = ImportMapping<Note>()
    notes[\.title] = "heading"
    notes.instead(\.colour) { record in
      try record["colour"]?.data.map(Self.name(ofColour:))
    }
    let mappings: [CoreDataMapping] = [
      .entity(Folder.self, from: "CDFolder", orders: ["notes": "position"]),
      .entity(Note.self, from: "CDNote", notes, data: ["photo": .external, "colour": .plain], orders: ["tags": "position"]),
      .entity(Tag.self, from: "CDTag"),
    ]
    print(try old.import(into: factory, mappings, once: "Core Data"))
    print(try old.import(into: factory, mappings, once: "Core Data"))

    let stored = try factory.runtimeDAO(Note.self).findAll(.all.order(by: \.id))
    #expect(
      stored.map(\.title) == ["Maps", "Shopping"] && stored.map(\.colour) == ["red", nil] && stored.map(\.photo) == [Data([7]), nil])
    #expect(stored.map(\.position) == [2048, 1024] && stored.map(\.isPinned) == [true, false])
    #expect(try factory.runtimeDAO(NoteTag.self).findAll().map(\.position).count == 2)
    return mappings
  }

  private func distantPast(_ old: CoreDataStore, into factory: DAOFactory, _ mappings: [CoreDataMapping]) throws {
    var notes = ImportMapping<Note>()
    notes[\.title] = "heading"
    notes[\.colour] = .excluded
    notes.instead(\.created) { record in
      (record["created"]?.real).map { Date(timeIntervalSince1970: $0) }.flatMap { $0 == .distantPast ? nil : $0 }
    }

    let note = CoreDataMapping.entity(Note.self, from: "CDNote", notes, data: ["photo": .external])
    let report = try old.import(into: factory, [mappings[0], note, mappings[2]])
    let stored = try factory.runtimeDAO(Note.self).findAll(.all.order(by: \.id))
    #expect(stored.map(\.created) == [Date(timeIntervalSinceReferenceDate: 694_224_000), nil])
    #expect(report.leftOut == ["Z_2TAGS.Z_FOK_4TAGS"])
  }

  private func refuses(_ broken: CoreDataStore, _ mappings: [CoreDataMapping], into other: DAOFactory) throws {
    do { try broken.import(into: other, mappings) } catch let failure as ImportFailure { print(failure) }

    #expect(try other.runtimeDAO(Folder.self).count() == 0)
  }

  private func realm(_ factory: DAOFactory) throws {
    let blocks = CodeBlock.blocks(of: try Documents.text(article.path))
    let export = Data(blocks.filter { $0.language == "json" }.flatMap(\.lines).joined(separator: "\n").utf8)
    var dogs = ImportMapping<Dog>()
    dogs.instead(\.born) { record in
      (record["born"]?.real).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    try factory.write { session in
      print(try session.runtimeDAO(Owner.self).import(.json(export, at: "Owner")))
      print(try session.runtimeDAO(Dog.self).import(.json(export, at: "Dog"), dogs))
    }

    let found = try factory.runtimeDAO(Dog.self).findAll(.all.order(by: \.id))
    #expect(found.map(\.id) == ["64a1b2", "64a1b3"] && found.map(\.tags) == [["old", "calm"], []])
    #expect(found.first?.born == Date(timeIntervalSinceReferenceDate: 694_224_000.5))
    #expect(try factory.runtimeDAO(Owner.self).findAll().map(\.address?.city) == ["Brno"])
  }

  /// Writes a file in the layout of Core Data, with the means of this package.
  private func writeStore(_ url: URL, isBroken: Bool = false) throws {
    let entities = EntityDescription(
      "Z_PRIMARYKEY", key: .assigned(["Z_ENT"]),
      attributes: [Attribute("Z_ENT", .integer), Attribute("Z_NAME", .text), Attribute("Z_SUPER", .integer)])
    let factory = try DAOFactory(store: .file(url), describedBy: [entities])
    let dao = factory.runtimeDAO(entities)
    let statements: [SQL] = [
      "INSERT INTO Z_PRIMARYKEY VALUES (1, 'CDFolder', 0), (2, 'CDNote', 0), (3, 'CDList', 2), (4, 'CDTag', 0)",
      "CREATE TABLE ZCDFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, ZNAME VARCHAR)",
      """
      CREATE TABLE ZCDNOTE (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPINNED INTEGER, ZFOLDER INTEGER, Z_FOK_FOLDER INTEGER,
        ZCREATED TIMESTAMP, ZHEADING VARCHAR, ZCOLOUR BLOB, ZPHOTO BLOB)
      """,
      "CREATE TABLE ZCDTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
      "CREATE TABLE Z_2TAGS (Z_2NOTES INTEGER, Z_4TAGS INTEGER, Z_FOK_4TAGS INTEGER)",
      "INSERT INTO ZCDFOLDER VALUES (1, 1, 1, 2, 'Work'), (2, 1, 1, NULL, 'All')",
      """
      INSERT INTO ZCDNOTE VALUES (5, 2, 1, 1, 1, 2048, 694224000, 'Maps', x'FF0000', x'0107'),
        (7, 3, 1, NULL, 1, 1024, NULL, 'Shopping', NULL, NULL)
      """,
      "INSERT INTO ZCDTAG VALUES (1, 4, 1, 'red'), (2, 4, 1, 'blue')", "INSERT INTO Z_2TAGS VALUES (5, 1, 2048), (5, 2, 1024)",
    ]
    for statement in statements { try dao.execute(statement) }
    if isBroken {
      try dao.execute("UPDATE ZCDNOTE SET ZCREATED = CASE Z_PK WHEN 5 THEN 'today' END, ZFOLDER = CASE Z_PK WHEN 7 THEN 99 END")
    }
    try factory.close()
  }
}
