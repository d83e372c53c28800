import DAOKit
import Foundation
import GRDB
import Testing

/// Texts that are padded to a width, and texts in blobs.
@Suite struct EncodedTextTests {
  struct Part: Entity, Hashable {
    var code: String
    var note: String?

    static let entityDescription = EntityDescription(
      "part", key: .assigned(["code"]),
      attributes: [Attribute("code", .text(.padded(8))), Attribute("note", .text(.blob), optional: true)], indexes: [Index(on: "note")])

    struct Fields: EntityFields {
      let path: FieldPath
      init(path: FieldPath) { self.path = path }
      var code: Field<String> { path.field("code") }
      var note: Field<String?> { path.field("note") }
    }

    var primaryKey: String? { code }

    init(_ code: String, _ note: String? = nil) { (self.code, self.note) = (code, note) }

    init(row: inout RowReader) throws {
      code = try row.next()
      note = try row.next()
    }

    func write(to row: inout ColumnWriter) throws {
      try row.write(code)
      try row.write(note)
    }
  }

  private static let table = """
    CREATE TABLE part (code CHAR(8) NOT NULL PRIMARY KEY, note BLOB);
    CREATE INDEX part_note ON part (note);
    INSERT INTO part VALUES ('ab      ', CAST('Žluť' AS BLOB)), ('a	      ', NULL), ('a       ', CAST('a' AS BLOB)),
      ('        ', x''), ('Straße 1', CAST('Straße' AS BLOB))
    """

  private let store: TestStore
  private let parts: RuntimeDAO<Part>
  private let factory: DAOFactory

  init() throws {
    store = try TestStore([], sql: Self.table)
    factory = DAOFactory(over: store.store)
    parts = factory.runtimeDAO(Part.self)
  }

  private func codes(_ criteria: SearchCriteria<Part>) throws -> [String] { try parts.findAll(criteria).map(\.code) }

  private func quoted() throws -> [String] {
    try parts.query("SELECT quote(code) || quote(note) FROM part ORDER BY rowid") { try $0.next() }
  }

  @Test func `they are read without their padding, and written as they were`() throws {
    #expect(try codes(.all.order(by: \.code)) == ["", "a", "a\t", "ab", "Straße 1"].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(try parts.find("ab").note == "Žluť" && parts.find("").note == "" && parts.find("a\t").note == nil)
    let before = try quoted()
    try parts.update(try parts.findAll())
    #expect(try parts.upsert(try parts.findAll()).allSatisfy { $0.outcome == .unchanged })
    let work = try factory.unitOfWork()
    try work.runtimeDAO(Part.self).update(try work.runtimeDAO(Part.self).findAll())
    try work.commit()
    #expect(try quoted() == before)
    let new = try parts.insert(Part("ß", "ß"))
    #expect(try quoted().last == "'ß       'X'C39F'" && parts.find("ß") == new)
    #expect(try parts.delete(["ß"]) == 1)
  }

  @Test func `filters and orders know the text, and an index its stored form`() throws {
    #expect(try codes(.where { $0.code == "a" }) == ["a"])
    #expect(try codes(.where { .in($0.code, ["a", "ab", "x"]) }.order(by: \.code)) == ["a", "ab"])
    #expect(try codes(.where { $0.code > "a" }.order(by: \.code)) == ["a\t", "ab"])
    #expect(try codes(.where { .between($0.code, "", "a\t") }.order(by: .descending(\.code))) == ["a\t", "a", "Straße 1", ""])
    #expect(try codes(.where { $0.note == "Žluť" }) == ["ab"])
    #expect(try codes(.where { .in($0.note, ["a", nil]) }.order(by: \.code)) == ["a", "a\t"])
    #expect(try codes(.where { $0.note >= "Straße" }.order(by: \.note)) == ["Straße 1", "a", "ab"])
    #expect(try parts.explain(.where { $0.code == "a" }).usedIndexes == ["sqlite_autoindex_part_1"])
    #expect(try parts.explain(.where { $0.note > "a" }.order(by: \.note)).sorts.isEmpty)
    #expect(try parts.minimum(of: \.code) == "" && parts.maximum(of: \.code) == "ab" && parts.maximum(of: \.note) == "Žluť")
    var seen: [String] = []
    var page = try parts.page(.all.order(by: \.code), size: 2)
    while true {
      seen += page.items.map(\.code)
      guard let next = page.next else { break }
      page = try parts.page(.all.order(by: \.code), size: 2, after: next)
    }
    #expect(seen == ["", "Straße 1", "a", "a\t", "ab"])
  }

  @Test func `functions and patterns see the text`() throws {
    #expect(try codes(.where { $0.code.length() == 1 }) == ["a"])
    #expect(try codes(.where { $0.note.lowercased() == "žluť" }) == ["ab"])
    #expect(try codes(.where { .beginsWith($0.code, "a") && !.beginsWith($0.code, "a ") }.order(by: \.code)) == ["a", "a\t", "ab"])
    #expect(try codes(.where { .endsWith($0.code, "b") }) == ["ab"])
    #expect(try codes(.where { .contains($0.note, "traß") }) == ["Straße 1"])
    #expect(try codes(.where { .beginsWith($0.note, "Str") }) == ["Straße 1"])
    let joined = try parts.project(.groupConcat(\.code, separator: "|", order: .ascending(\.code)))
    #expect(joined == ["|Straße 1|a|a\t|ab"])
    let groups = try parts.project(.group(by: \.code), .count, matching: .all.order(by: \.code))
    #expect(groups.map(\.0) == ["", "Straße 1", "a", "a\t", "ab"])
  }

  @Test func `a text that the form can't hold is refused, in filters too`() throws {
    for code in ["123456789", "a ", " "] {
      #expect(throws: DAOError.self) { try parts.insert(Part(code)) }
      #expect(throws: DAOError.self) { try codes(.where { $0.code == code }) }
    }
    let error = #expect(throws: DAOError.self) { try parts.insert(Part("a ")) }
    #expect("\(String(describing: error))".contains("part.code"), "\(String(describing: error))")
    #expect(throws: DAOError.self) { try codes(.where { $0.code == $0.note }) }
    #expect(try parts.count() == 5)
    #expect(EntityDescription("t", key: .assigned(["a"]), attributes: [Attribute("a", .text(.padded(0)))]).problems.count == 1)
    #expect(AttributeType(declaredName: "TEXT_PADDED(0)") == .text && AttributeType(declaredName: "TEXT_PADDED(70000)") == .text)
  }

  @Test func `values of another form are errors of their rows, and findings that a repair writes anew`() throws {
    let folder = try StoreFolder()
    let file = folder.file("parts")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: Self.table + """
          ; INSERT INTO part VALUES ('c', 'text'), ('d           ', x'C3'), ('nine chars', 7)
          """)
    }
    try queue.close()
    let doctor = StoreDoctor(entities: Part.self)
    let report = try doctor.examine(file)
    func broken(_ report: DoctorReport, _ attribute: String) -> Set<[StoredValue]> {
      Set(report.findings.filter { $0.attribute == attribute && $0.kind == .unreadableValue }.flatMap(\.examples).map(\.key))
    }
    #expect(broken(report, "code") == [[.text("c")], [.text("d           ")], [.text("nine chars")]])
    #expect(broken(report, "note") == [[.text("c")], [.text("d           ")], [.text("nine chars")]])
    let again = try DatabaseQueue(path: file.path)
    try again.writeWithoutTransaction { db in for sql in report.repairSQL { try db.execute(sql: sql) } }
    try again.close()
    let second = try doctor.examine(file)
    #expect(broken(second, "code") == [[.text("nine chars")]] && broken(second, "note").count == 2)
    #expect(second.repairSQL == [], "\(second) \(report.repairSQL)")
    let rows = try DAOFactory(store: .file(file), entities: Part.self).runtimeDAO(Part.self)
    #expect(try rows.find("c").note == "text")
    let error = #expect(throws: DAOError.self) { try rows.find("d") }
    #expect("\(String(describing: error))".contains("part.note in row 0 expects the bytes of a text"), "\(String(describing: error))")
  }

  @Test func `dynamic entities take the forms by name, and a column of another width does not fit`() throws {
    let known = SchemaCorrections(types: ["part": ["code": .text(.padded(8)), "note": .text(.blob)]])
    #expect(try DAOFactory(over: store.factory.store, corrections: known).runtimeDAO("part").find(["ab"])["note"] == "Žluť")
    let wider = SchemaCorrections(types: ["part": ["code": .text(.padded(9))]])
    #expect(throws: DAOError.self) { try DAOFactory(over: store.factory.store, corrections: wider).runtimeDAO("part") }
  }
}
