import DAOCriteria
import GRDB
import GRDBSQLite

/// `dao_text(code, 'TEXT_PADDED(8)')`: the text that is read from a value in a form of its own; any other value as it is.
enum PlainTextFunction {
  static func install(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_text", 2, ConnectionFunctions.flags, nil,
      { context, _, values in
        let type = DeclaredArgument.type(context, values, 1)
        let value = StoredValue(sqlite: values?[0])
        guard case .text(var text) = type.plain(value) else { return sqlite3_result_value(context, values?[0]) }
        guard FunctionCharge.take(bytes: text.utf8.count, context) else { return }
        text.withUTF8 { TextFunctions.reply(context, $0) }
      }, nil, nil, nil)
  }
}
