import DAOCriteria
import DAOSchema

/// The search table of a table with searchable attributes, and the triggers that keep it in step.
///
/// ```sql
/// CREATE VIRTUAL TABLE "zone_search" USING fts5(
///   "comment", "name", content="zone", content_rowid="id", tokenize='unicode61 remove_diacritics 2')
/// CREATE TRIGGER "zone_search_insert" AFTER INSERT ON "zone" BEGIN
///   INSERT INTO "zone_search" (rowid, "comment", "name") VALUES (new."id", new."comment", new."name"); END
/// CREATE TRIGGER "zone_search_delete" AFTER DELETE ON "zone" BEGIN
///   INSERT INTO "zone_search" ("zone_search", rowid, "comment", "name") VALUES ('delete', old."id", old."comment", old."name"); END
/// CREATE TRIGGER "zone_search_update" AFTER UPDATE ON "zone"
///   WHEN old."id" IS NOT new."id" OR old."comment" IS NOT new."comment" OR … BEGIN both; END
/// ```
///
/// It holds an index alone; the texts are the table's own. Rows that were there before it are taken in by
/// `INSERT INTO "zone_search" ("zone_search") VALUES ('rebuild')`. A store has it where its schema has these
/// texts, which SQLite keeps as they are.
package enum SearchSQL {
  /// The statements, the search table first; none where nothing is searchable.
  package static func statements(for entity: EntityDescription) -> [String] {
    let columns = entity.searchableAttributes.map(\.column)
    guard entity.source == .table, !columns.isEmpty, let key = entity.keyAttributes.first?.column else { return [] }
    return statements(table: entity.table, key: key, columns: columns)
  }

  /// The statements for columns of a table whose key is its row id.
  static func statements(table: String, key: String, columns: [String]) -> [String] {
    let search = EntityDescription.searchTable(of: table)
    let (quoted, target) = (search.quotedIdentifier, table.quotedIdentifier)
    func trigger(_ event: String, when: String = "", _ actions: String...) -> String {
      "CREATE TRIGGER \("\(search)_\(event.lowercased())".quotedIdentifier) AFTER \(event) ON \(target) \(when)BEGIN "
        + actions.joined(separator: "; ") + "; END"
    }
    func values(_ row: String) -> String { ([key] + columns).map { "\(row).\($0.quotedIdentifier)" }.joined(separator: ", ") }
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let add = "INSERT INTO \(quoted) (rowid, \(list)) VALUES (\(values("new")))"
    let remove = "INSERT INTO \(quoted) (\(quoted), rowid, \(list)) VALUES ('delete', \(values("old")))"
    let differs = ([key] + columns).map { "old.\($0.quotedIdentifier) IS NOT new.\($0.quotedIdentifier)" }.joined(separator: " OR ")
    return [
      "CREATE VIRTUAL TABLE \(quoted) USING fts5(\(list), content=\(target), content_rowid=\(key.quotedIdentifier), "
        + "\(tokenizer))",
      trigger("INSERT", add), trigger("DELETE", remove), trigger("UPDATE", when: "WHEN \(differs) ", remove, add),
    ]
  }

  /// The names of its triggers, in the order of their statements.
  package static func triggerNames(of table: String) -> [String] {
    ["insert", "delete", "update"].map { "\(EntityDescription.searchTable(of: table))_\($0)" }
  }

  private static let tokenizer = "tokenize='unicode61 remove_diacritics 2'"

  /// Returns the statement that indexes the rows that existed before the search table.
  package static func rebuild(_ table: String) -> String {
    let quoted = EntityDescription.searchTable(of: table).quotedIdentifier
    return "INSERT INTO \(quoted) (\(quoted)) VALUES ('rebuild')"
  }

  // MARK: Comparing

  /// Returns the statements that index the words that a table has now, in temporary tables beside its search table, so that the two can be
  /// compared by ``indexedWords`` and ``presentWords``.
  package static func words(of table: String, key: String, columns: [String]) -> [String] {
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let search = EntityDescription.searchTable(of: table).doubling("'")
    return [
      "CREATE VIRTUAL TABLE temp.dao_words USING fts5(\(list), content='', \(tokenizer))",
      "INSERT INTO temp.dao_words (rowid, \(list)) SELECT \(key.quotedIdentifier), \(list) FROM main.\(table.quotedIdentifier)",
      "CREATE VIRTUAL TABLE temp.dao_words_present USING fts5vocab(temp, dao_words, instance)",
      "CREATE VIRTUAL TABLE temp.dao_words_indexed USING fts5vocab(main, '\(search)', instance)",
    ]
  }

  /// The words that the search table has, each at its position.
  package static let indexedWords = "SELECT term, doc, col, \"offset\" FROM temp.dao_words_indexed"

  /// The words that the table has.
  package static let presentWords = "SELECT term, doc, col, \"offset\" FROM temp.dao_words_present"

  /// The statements that remove the temporary tables.
  package static let forgetWords = ["dao_words_indexed", "dao_words_present", "dao_words"].map { "DROP TABLE IF EXISTS temp.\($0)" }
}

extension StoreSchema.SearchTable {
  /// A table's search table.
  /// - Parameters:
  ///   - columns: its columns, in order.
  ///   - statements: the SQL that it was made with, and that of the table's triggers.
  package init(of table: StoreSchema.Table, columns: [String], statements: [String], isBehind: Bool) {
    let indexed = table.columns.filter { column in columns.contains { SchemaName.same($0, column.name) } }.map(\.name)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let wanted = table.integerPrimaryKey.map { SearchSQL.statements(table: table.name, key: $0, columns: indexed) }
    self.init(columns: columns, statements: statements, isBehind: isBehind, isComplete: false)
    isComplete = wanted?.allSatisfy(has) ?? false
  }

  /// Whether it, or a trigger of its table, was made by a statement. Names may be spelled in other cases, as SQLite allows.
  func has(_ statement: String) -> Bool { statements.contains { SchemaName.same($0, statement) } }
}
