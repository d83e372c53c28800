import DAOCriteria
import DAOSQL
import GRDB

extension Database {
  /// Runs a body while the triggers of some tables do not fire: its changes are not the user's. Those that keep a virtual table in step,
  /// such as a search table, do, since it has no other way to know of rows.
  ///
  /// To be called inside a transaction, which is to be rolled back where it throws.
  func withoutTriggers<Value>(of tables: [String], _ body: () throws -> Value) throws -> Value {
    let triggers = try bareRows("SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid") { row in
      (name: row.text(0), table: row.text(1), sql: row.text(2))
    }.filter { trigger in tables.contains { SchemaName.same($0, trigger.table) } }
    if triggers.isEmpty { return try body() }
    let virtual = try bareRows("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0") { $0.text(0) }
    let silent = triggers.filter { trigger in
      let names = SQLTokens.of(trigger.sql).map(\.name)
      return !virtual.contains { table in names.contains { SchemaName.same($0, table) } }
    }
    for trigger in silent { try run("DROP TRIGGER main.\(trigger.name.quotedIdentifier)") }
    let value = try body()
    for trigger in silent { try run(trigger.sql) }
    return value
  }
}
