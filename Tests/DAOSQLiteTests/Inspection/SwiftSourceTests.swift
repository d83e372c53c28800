import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What the Swift source of a store does with what Swift can't say.
struct SwiftSourceTests {
  private func source(_ sql: String) throws -> String {
    let scratch = try Scratch()
    let store = scratch.url("store.sqlite")
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { db in
      db.add(collation: DatabaseCollation("mine") { $0.compare($1) })
      try db.execute(sql: sql)
    }
    try queue.close()
    return try StoreInspector.inspect(store).swiftSource()
  }

  @Test func `a table whose key no Swift type can hold is left out, and the others stand`() throws {
    let text = try source(
      """
      CREATE TABLE a (id UUID PRIMARY KEY, x TEXT); CREATE TABLE b (x REAL PRIMARY KEY);
      CREATE TABLE rowids (rowid TEXT, _rowid_ TEXT, oid TEXT);
      CREATE TABLE c (x TEXT COLLATE mine PRIMARY KEY); CREATE TABLE d (d DATE PRIMARY KEY);
      CREATE TABLE e (id INTEGER PRIMARY KEY, b REFERENCES b);
      INSERT INTO d VALUES ('2024-02-29')
      """)
    #expect(text.contains("// left out: a, since id is part of its key, and nothing says what it holds"), "\(text)")
    #expect(text.contains("// left out: b, since x is part of its key"))
    #expect(text.contains("// left out: rowids, since it has no key, and other columns have the row id's names"))
    #expect(text.contains("// left out: c, since x is compared by a collation of an app's own, MINE"))
    #expect(text.contains("@ID @Attribute(.dateText(\"YYYY-MM-DD\")) var d: Date\n") && text.contains("struct E {"))
    #expect(!text.contains("struct A {") && !text.contains("Reference<B>"))
  }

  @Test func `names of types are no others'`() throws {
    let text = try source(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, "kind a" TEXT CHECK ("kind a" IN ('x')), kind_a TEXT CHECK (kind_a IN ('y')),
        attribute TEXT CHECK (attribute IN ('z')), status TEXT CHECK (status IN ('a')), "await" TEXT);
      CREATE TABLE "status value" (id INTEGER PRIMARY KEY); CREATE TABLE "attribute value" (id INTEGER PRIMARY KEY);
      CREATE TABLE DAOCriteria (id INTEGER PRIMARY KEY)
      """)
    let types = text.split(whereSeparator: { " {:\n".contains($0) }).map(String.init)
    let declared = zip(types, types.dropFirst()).filter { ["enum", "struct"].contains($0.0) }.map(\.1)
    #expect(Set(declared).count == declared.count && declared.count == 8, "\(declared)")
    #expect(
      declared.contains("AttributeValueRow") && declared.contains("DAOCriteriaRow") && declared.contains("StatusValue2"), "\(declared)")
    #expect(text.contains("var awaitValue: String?"))
  }

  @Test func `names stand as they are in what is written of them`() throws {
    let text = try source(
      "CREATE TABLE userNAME (id INTEGER PRIMARY KEY); CREATE TABLE NAMEd (id INTEGER PRIMARY KEY, of INTEGER REFERENCES userNAME)")
    #expect(text.contains("@ToMany(\\NAMEd.of) var namEds: Many<NAMEd> = Many()"), "\(text)")
    #expect(text.contains("@ToOne(declared: .foreignKey) var of: Reference<UserNAME>?"))
  }

  /// A name of a database is data: whatever it says, it stays within its text or its comment.
  @Test func `hostile names write no code of their own`() throws {
    let names = ["a\"); fatalError(\"", "b\n}\nfatalError()", "c\\(fatalError())", "d */ fatalError() /*", "e\u{2028}fatalError()\u{202E}"]
    let columns = names.map { "\($0.quotedIdentifier) TEXT CHECK (length(\($0.quotedIdentifier)) < 9)" }.joined(separator: ", ")
    let text = try source("CREATE TABLE \(names[1].quotedIdentifier) (id INTEGER PRIMARY KEY, \(columns))")
    let code = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      $0.contains("fatalError") && !$0.hasPrefix("//")
    }
    #expect(
      code == [
        #"@Entity("b\n}\nfatalError()")"#, #"@Attribute(.column("a\"); fatalError(\"")) var aFatalError: String?"#,
        #"@Attribute(.column("b\n}\nfatalError()")) var bFatalError: String?"#,
        #"@Attribute(.column("c\\(fatalError())")) var cFatalError: String?"#,
        #"@Attribute(.column("d */ fatalError() /*")) var dFatalError: String?"#,
        #"@Attribute(.column("e\u{2028}fatalError()\u{202E}")) var eFatalError: String?"#,
      ])
    let hidden = text.unicodeScalars.filter { $0 != "\n" && SwiftName.visible(String($0)) != String($0) }
    #expect(hidden.isEmpty, "\(hidden)")
  }

  @Test func `a view takes the first column that can identify a row`() throws {
    let text = try source(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL); INSERT INTO t VALUES (1, 1.5), (2, 2.5);
      CREATE VIEW v AS SELECT x * 2 AS twice, id, NULL AS empty FROM t; CREATE VIEW w AS SELECT NULL AS empty;
      CREATE VIEW none AS SELECT id, x FROM t WHERE id > 9
      """)
    #expect(text.contains("struct None {\n  @ID var id: Int\n  var x: Double?\n"), "\(text)")
    #expect(
      text.contains("struct V {\n  @ID var id: Int\n") && text.contains("// left out: w, since none of its columns identifies a row"),
      "\(text)")
  }
}
