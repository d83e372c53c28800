import DAOCriteria
import DAOSQL
import GRDB

/// A table, index, view or trigger as `sqlite_schema` has it.
struct SchemaObject {
  let type: String
  let name: String
  /// The name of its table or view.
  let table: String
  let sql: String

  /// Returns a database's own objects, in the order in which they were created: none of SQLite's, nor the seed's stamp.
  static func all(in schema: String, _ db: Database) throws -> [SchemaObject] {
    let objects = try db.bareRows("SELECT type, name, tbl_name, sql FROM \(schema).sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") {
      row in
      SchemaObject(type: row.text(0), name: row.text(1), table: row.text(2), sql: row.text(3))
    }
    let shadows = try SchemaCatalog(of: db, side: schema).entries.filter { $0.kind == .shadow }.map(\.name.foldedName)
    let hidden = Set(shadows + [SeedStamp.table.foldedName])
    return objects.filter { !$0.table.foldedName.hasPrefix("sqlite_") && !hidden.contains($0.table.foldedName) }
  }

  /// Whether two objects say the same, whatever their names, spaces and quotes are.
  func isSame(as other: SchemaObject) -> Bool {
    type == other.type && table.foldedName == other.table.foldedName && SQLTokens.areSame(sql(named: "dao"), other.sql(named: "dao"))
  }

  var isVirtual: Bool { type == "table" && SQLTokens.of(sql).prefix(2).contains { $0.isWord("VIRTUAL") } }

  /// Whether it is an index of words over another table's rows: `fts5 (…, content='zone')`.
  var hasContentElsewhere: Bool {
    let tokens = SQLTokens.of(sql)
    return isVirtual
      && tokens.indices.dropLast(2).contains {
        tokens[$0].isWord("content") && tokens[$0 + 1].isSign("=") && !tokens[$0 + 2].name.isEmpty
      }
  }

  /// Whether it has the name of another, or one that was free instead: `by_name_2`. A view is known by its name alone.
  func isNamed(after other: SchemaObject) -> Bool {
    if name.foldedName == other.name.foldedName { return true }
    let start = other.name + "_"
    guard type != "view", let end = name.utf8.index(name.startIndex, offsetBy: start.utf8.count, limitedBy: name.endIndex) else {
      return false
    }
    return SchemaName.same(name[..<end], start) && name[end...].allSatisfy(\.isNumber)
  }

  /// The names in the statement.
  var names: Set<SchemaName> { Set(SQLTokens.of(sql).map(\.name.foldedName)) }

  /// The statement with another name. A schema keeps it as `CREATE … INDEX name …`.
  func sql(named name: String) -> String {
    let tokens = SQLTokens.of(sql)
    guard let place = tokens.firstIndex(where: { $0.isWord(type) }), tokens.indices.contains(place + 1) else { return sql }
    let old = tokens[place + 1].text
    return sql[..<old.startIndex] + name.quotedIdentifier + sql[old.endIndex...]
  }
}

extension [SchemaObject] {
  func named(_ type: String, _ name: String) -> SchemaObject? { first { $0.type == type && $0.name.foldedName == name.foldedName } }
}
