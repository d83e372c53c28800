import DAOImport
import DAOKit
import Foundation
import Testing

/// Feeds of rows with generated columns: their values are written out, and not read.
@Suite struct GeneratedColumnImportTests {
  /// A line whose size the store computes.
  struct Line: Entity, Hashable {
    var id: Int64?
    var size: CompanySize
    var name: String
    var total: Int

    static let entityDescription = EntityDescription(
      "line", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("size", .text, generated: true, mapping: "how_large"), Attribute("name", .text),
        Attribute("total", .integer, generated: true),
      ], identity: ["name"])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var name: Field<String> { path.field("name") }
      var total: Field<Int> { path.field("total") }
    }

    var primaryKey: Int64? { id }
    mutating func setGeneratedKey(_ key: Int64) { id = key }

    init(row: inout RowReader) throws {
      id = try row.next()
      size = try row.next()
      name = try row.next()
      total = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(id)
      try row.write(size)
      try row.write(name)
      try row.write(total)
    }
  }

  let factory: DAOFactory
  let lines: RuntimeDAO<Line>

  init() throws {
    factory = try DAOFactory(store: .inMemory())
    lines = factory.runtimeDAO(Line.self)
    try lines.execute(
      """
      CREATE TABLE line (
        id INTEGER PRIMARY KEY NOT NULL, size TEXT NOT NULL AS (iif(length(name) > 3, 'large', 'small')), name TEXT NOT NULL UNIQUE,
        total INTEGER NOT NULL AS (length(name)) STORED)
      """)
    try lines.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, doc TEXT, line TEXT AS (substr(doc, 1, 3)) REFERENCES line (name))")
  }

  @Test func theirValuesAreIgnoredAndExported() throws {
    let feed = #"[{"name": "pen", "total": 77, "how_large": "huge"}, {"name": "paper", "total": null}, {"name": "ink"}]"#
    #expect("\(try lines.import(.json(Data(feed.utf8))))" == "line: 3 inserted")
    #expect("\(try lines.import(.json(Data(feed.utf8))))" == "line: 3 unchanged")
    #expect(try lines.findAll(.all.order(by: \.name)).map(\.size) == [.small, .large, .small])
    let exported = try lines.exported(.all.order(by: \.name), as: .csv())
    #expect(String(decoding: exported, as: UTF8.self) == "id,how_large,name,total\n3,small,ink,3\n2,large,paper,5\n1,small,pen,3\n")
    // What was written out is read again.
    #expect("\(try lines.import(.csv(exported)))" == "line: 3 unchanged")
    #expect("\(try lines.import(.csv(Data("id,name,total\n1,pencil,0\n".utf8)), byKey))" == "line: 1 updated")
    #expect(try lines.find(1).total == 6)
  }

  private var byKey: ImportMapping<Line> {
    var mapping = ImportMapping<Line>()
    mapping.identity = ["id"]
    return mapping
  }

  @Test func aProblemInAnotherAttributeIsFound() throws {
    for feed in [#"{"name": [1]}"#, #"{"total": 3}"#] {
      let failure = #expect(throws: ImportFailure.self) { try lines.import(.json(Data(feed.utf8))) }
      #expect(failure?.problems.map(\.attribute) == ["name"])
    }
  }

  @Test func hooksAndIdentitiesOfThemAreRefused() throws {
    var mapping = ImportMapping<Line>()
    mapping.identity = ["total"]
    mapping.before(\.total) { _, _ in .proceed }
    #expect {
      try lines.import(.json(Data("[]".utf8)), mapping)
    } throws: { error in
      guard case DAOError.invalidDescription(entity: "line", problems: let problems) = error else { return false }
      let problem = "is a generated column, which the store computes by itself"
      return problems == ["line's identity names 'total', which \(problem)", "line.total \(problem), so it can't have hooks"]
    }
  }

  @Test func aRelationshipThatIsHeldByOneIsExcluded() throws {
    let notes = try factory.runtimeDAO("note")
    let feed = ImportSource.json(Data(#"[{"id": 1, "doc": "pen: new"}]"#.utf8))
    #expect {
      try notes.import(feed)
    } throws: { error in
      guard case DAOError.invalidDescription(entity: "note", problems: let problems) = error else { return false }
      return problems
        == ["note.line", "line.note"].map {
          "\($0) can't be imported: 'line' is a generated column, which the store computes by itself; exclude it from the mapping"
        }
    }
    var mapping = ImportMapping<DynamicEntity>()
    mapping[related: "line"] = .excluded
    try lines.import(.json(Data(#"{"name": "pen"}"#.utf8)))
    #expect("\(try notes.import(feed, mapping))" == "note: 1 inserted")
    #expect(try notes.findAll(.where(.field("line.total") == 3)).map { $0["doc"] } == ["pen: new"])
  }
}
