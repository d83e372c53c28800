import DAOKit

/// An entity with two searchable texts and one that is not.
struct Note: Entity, Equatable {
  var id: Int64?
  var title: String
  var body: String?
  var tag: String
  var folderID: Int64?

  static let entityDescription: EntityDescription = EntityDescription(
    "note", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("title", .text, searchable: true),
      Attribute("body", .text, column: "the \"body\"", optional: true, searchable: true), Attribute("tag", .text),
      Attribute("folderID", .integer, optional: true),
    ],
    relationships: [.toOne("folder", Folder.entityDescription, by: "folderID", onDelete: .cascade)])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var title: Field<String> { path.field("title") }
    var body: Field<String?> { path.field("body") }
    var tag: Field<String> { path.field("tag") }
    var folderID: Field<Int64?> { path.field("folderID") }
    var folder: Folder.Fields { Folder.Fields(path: path.appending("folder")) }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(_ title: String, _ body: String? = nil, tag: String = "", in folderID: Int64? = nil) {
    (self.title, self.body, self.tag, self.folderID) = (title, body, tag, folderID)
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    title = try row.next()
    body = try row.next()
    tag = try row.next()
    folderID = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(title)
    try row.write(body)
    try row.write(tag)
    try row.write(folderID)
  }

  static let samples = [
    Note("Summer time in Europe", "Clocks go forward in March", tag: "a", in: 1),
    Note("Winter", "no summer here; time stands still", in: 1),
    Note("Škoda", "A car from Mladá Boleslav", in: 2), Note("Timeless", nil, tag: "summer"), Note("Europe", "Europe, Europe and Asia"),
  ]
}

struct Folder: Entity {
  var id: Int64?
  var name: String

  static let entityDescription: EntityDescription = EntityDescription(
    "folder", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)],
    relationships: [.toMany("notes", Note.entityDescription, by: "folderID")])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64> { path.field("id") }
    var name: Field<String> { path.field("name") }
    var notes: RelatedField<Note> { path.related("notes") }
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(_ name: String) { self.name = name }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
  }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(name)
  }
}

extension TestStore {
  /// A store with the sample notes in two folders.
  static func notes() throws -> TestStore {
    let store = try TestStore([Note.entityDescription, Folder.entityDescription])
    try store.factory.runtimeDAO(Folder.self).insert([Folder("Time zones"), Folder("Cars")])
    try store.notes.insert(Note.samples)
    store.trace.clear()
    return store
  }

  var notes: RuntimeDAO<Note> { factory.runtimeDAO(Note.self) }

  /// The keys that a filter finds; its negation must find all others.
  func found(_ filter: Filter<Note>) throws -> [Int64] {
    let keys = try notes.findAllIDs(SearchCriteria.where(filter).order(by: \.id))
    let others = try notes.findAllIDs(SearchCriteria.where(!filter).order(by: \.id))
    let all = try notes.findAllIDs(SearchCriteria.all.order(by: \.id))
    return (keys + others).sorted() == all ? keys : [-1]
  }

  /// Throws unless each search table is what its table would make of it.
  func checkSearchTables() throws {
    for table in ["note", "folder"] {
      _ = try self.store.execute(
        "INSERT INTO \(identifier: table + "_search") (\(identifier: table + "_search"), rank) VALUES ('integrity-check', 1)")
    }
  }
}
