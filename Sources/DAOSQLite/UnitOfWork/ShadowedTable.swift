import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB

/// The SQL by which a unit's connection shows a table with the unit's edits: a temporary table of the edited rows, and a temporary view
/// with the table's name, which SQLite finds first. Statements over the table mean the view from then on:
///
/// ```sql
/// CREATE TEMP VIEW zone AS
/// SELECT id, name FROM main.zone AS m WHERE m.id NOT IN (SELECT dao_key_0 FROM temp.dao_edited_zone)
/// UNION ALL SELECT id, name FROM temp.dao_edited_zone WHERE dao_state < 2
/// ```
///
/// `NOT IN` comes before the conditions of a statement. SQLite would have put off `NOT EXISTS`, and a function of the statement's could
/// fail for a row that is shown no more.
///
/// The edited rows have the columns of the table, with their types, collations and defaults and without its rules; and `dao_edit`, the
/// number of the edit; `dao_state`: 0 for a new row, 1 for a changed one, 2 for a deleted one, 3 for a new one that went; `dao_key_0` …,
/// the key of the row of the table that is shown no more; `dao_base_0` …, that row. Triggers make edits of the updates and deletes of the
/// view.
struct ShadowedTable {
  let table: EditedTable
  /// The statements that make it.
  let statements: [String]
  /// Adds an edited row with all its values: the number, the state, the key, the base, and the columns that are not computed.
  let put: String
  /// Removes an edited row, by its number.
  let remove: String
  /// Reads an edited row by its number: the state, the base, and the columns.
  let find: String
  /// The edited row that has a key, visible or not, by the values of the key in the store.
  let findByKey: String
  /// Adds a row with the values of some columns, those of others by their defaults: the number, the state, the key, the base, and the
  /// columns.
  let insert: ([String]) -> String

  /// - Parameters:
  ///   - number: the table's, by which triggers note their edits.
  ///   - schema: the table as the store has it.
  ///   - sql: the statement that has made it.
  init(_ table: EditedTable, number: Int, _ schema: StoreSchema.Table, sql: String) {
    self.table = table
    let edited = "dao_edited_\(table.name)".quotedIdentifier
    let name = table.name.quotedIdentifier
    let all = table.columns.map(\.quotedIdentifier)
    let written = table.columns.indices.filter { !table.computed.contains($0) }.map { table.columns[$0].quotedIdentifier }
    let keys = table.key.map { table.columns[$0].quotedIdentifier }
    let ownKeys = table.key.indices.map { "dao_key_\($0)" }
    let bases = table.columns.indices.map { "dao_base_\($0)" }

    func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    func of(_ row: String, _ names: [String]) -> String { names.map { "\(row).\($0)" }.joined(separator: ", ") }
    func tuple(_ row: String, _ names: [String]) -> String { names.count == 1 ? of(row, names) : "(\(of(row, names)))" }

    let keyColumns = zip(ownKeys, table.key).map { own, position in
      let column = schema[table.columns[position]]
      let type = schema.isStrict && SchemaName.same(column?.declaredType ?? "", "ANY") ? "" : column?.declaredType ?? ""
      return "\(own) \(type.quotedType) NOT NULL COLLATE \((column?.collation ?? "BINARY").quotedIdentifier)"
    }
    let columns = Self.columns(schema, sql)
    let definitions =
      ["dao_edit INTEGER PRIMARY KEY", "dao_state INTEGER NOT NULL"] + keyColumns + bases + columns
      + ["UNIQUE (\(list(ownKeys)))"]
    let indexes = ([keys] + schema.indexes.filter { $0.isPlain && $0.origin != .primaryKey }.map { $0.columns.map(\.quotedIdentifier) })
      .enumerated().map { index, columns in
        "CREATE INDEX temp.\("dao_index_\(index)_\(table.name)".quotedIdentifier) ON \(edited) (\(list(columns)))"
      }
    // A key that is null is that of no edited row.
    let nullable = table.key.filter { !table.required.contains($0) }.map { "m.\(table.columns[$0].quotedIdentifier) IS NULL OR " }
    let isShown = "\(nullable.joined())\(tuple("m", keys)) NOT IN (SELECT \(list(ownKeys)) FROM temp.\(edited))"
    let isOld = keys.map { "\($0) IS OLD.\($0)" }.joined(separator: " AND ")
    let existing = "dao_touch(\(number), (SELECT dao_edit FROM \(edited) WHERE \(isOld) AND dao_state < 2))"
    func edit(state: Int, of row: String, orElse update: String) -> String {
      """
      INSERT INTO \(edited) (dao_edit, dao_state, \(list(ownKeys + bases + written))) \
      VALUES (\(existing), \(state), \(of("OLD", keys + all)), \(of(row, written))) ON CONFLICT (dao_edit) DO UPDATE SET \(update)
      """
    }
    let isKeyless = keys.map { "OLD.\($0) IS NULL" }.joined(separator: " OR ")
    let refusal =
      Set(table.key).isSubset(of: table.required)
      ? "" : "SELECT RAISE(ABORT, 'a row whose key is null can not be edited in a unit of work') WHERE \(isKeyless); "
    let message = "UNIQUE constraint failed: \(table.key.map { "\(table.name).\(table.columns[$0])" }.joined(separator: ", "))"
    statements =
      ["CREATE TEMP TABLE \(edited) (\(definitions.joined(separator: ", ")))"] + indexes + [
        """
        CREATE TEMP VIEW \(name) (\(list(all))) AS SELECT \(of("m", all)) FROM main.\(name) AS m \
        WHERE \(isShown) \
        UNION ALL SELECT \(list(all)) FROM temp.\(edited) WHERE dao_state < 2
        """,
        """
        CREATE TEMP TRIGGER \("dao_update_\(table.name)".quotedIdentifier) INSTEAD OF UPDATE ON \(name) BEGIN \
        \(refusal)SELECT RAISE(ABORT, '\(message.replacing("'", with: "''"))') WHERE \(tuple("NEW", keys)) IS NOT \(tuple("OLD", keys)) \
        AND EXISTS (SELECT 1 FROM \(name) WHERE \(keys.map { "\($0) IS NEW.\($0)" }.joined(separator: " AND "))); \
        \(edit(state: 1, of: "NEW", orElse: written.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))); END
        """,
        """
        CREATE TEMP TRIGGER \("dao_delete_\(table.name)".quotedIdentifier) INSTEAD OF DELETE ON \(name) BEGIN \
        \(refusal)\(edit(state: 2, of: "OLD", orElse: "dao_state = CASE dao_state WHEN 0 THEN 3 ELSE 2 END")); END
        """,
      ]
    // A row that has moved away may still hide the row of its old key. The new one hides none: its own key is one that no row has.
    let isTaken =
      "EXISTS (SELECT 1 FROM temp.\(edited) WHERE \(ownKeys.enumerated().map { "\($1) = ?\($0 + 3)" }.joined(separator: " AND ")))"
    let ownPlaces = ownKeys.indices.map { "CASE WHEN ?2 = 0 AND \(isTaken) THEN randomblob(24) ELSE ?\($0 + 3) END" }.joined(
      separator: ", ")
    let head = "INSERT INTO temp.\(edited) (dao_edit, dao_state, \(list(ownKeys + bases))"
    func row(_ columns: [String]) -> String {
      let first = 3 + ownKeys.count
      let rest = (0..<bases.count + columns.count).map { "?\($0 + first)" }
      return "\(head)\(columns.isEmpty ? "" : ", ")\(list(columns))) VALUES (?1, ?2, \(([ownPlaces] + rest).joined(separator: ", ")))"
    }
    put = row(written)
    insert = { row($0.map(\.quotedIdentifier)) }
    remove = "DELETE FROM temp.\(edited) WHERE dao_edit = ?"
    find = "SELECT dao_state, \(list(bases + all)) FROM temp.\(edited) WHERE dao_edit = ?"
    findByKey =
      "SELECT dao_edit FROM temp.\(edited) WHERE \(ownKeys.map { "\($0) = ?" }.joined(separator: " AND "))"
  }

  /// The definitions of the table's columns without its rules.
  private static func columns(_ table: StoreSchema.Table, _ sql: String) -> [String] {
    guard let made = CreateTable(sql), made.columns.count == table.columns.count else {
      return table.columns.filter { !$0.isGenerated }.map { column in
        let definition = "\(column.name.quotedIdentifier) \(column.declaredType.quotedType) COLLATE \(column.collation.quotedIdentifier)"
        return column.defaultSQL.map { "\(definition) DEFAULT (\($0))" } ?? definition
      }
    }
    return made.columns.map { column in
      var column = column
      column.clauses.removeAll { ![.defaultValue, .collate, .generated].contains($0.kind) || namesOwnFunction($0.text) }
      // Only in a strict table it means that values stay as they are.
      if table.isStrict, SchemaName.same(column.type, "ANY") { column.type = "" }
      return column.sql
    }
  }

  /// Whether SQL of the file names a function of the library's. The file's own schema can't call one (``ConnectionFunctions``); what is
  /// temporary could.
  static func namesOwnFunction(_ sql: String) -> Bool { SQLTokens.of(sql).contains { SchemaName($0.name).hasPrefix("dao_") } }
}
