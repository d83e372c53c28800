import GRDB
import GRDBSQLite

/// The functions that each connection has beyond SQLite's own. None of it appears in a schema, so other tools can always read and write a
/// store.
enum ConnectionFunctions {
  /// How a function is made known. A view, trigger, check, index or default of the file can't call it (`SQLITE_DIRECTONLY`): it is for
  /// statements of the connection alone.
  static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

  static func install(in database: Database) {
    UnpackFunction.install(in: database)
    CriteriaFunctions.install(in: database)
    TextFunctions.install(in: database)
    TextMatchFunctions.install(in: database)
    NumberFunctions.install(in: database)
    SumFunctions.install(in: database)
    GroupConcatFunction.install(in: database)
    JSONFunction.install(in: database)
    SearchFunctions.install(in: database)
    DecimalCollation.install(in: database)
    DateFunctions.install(in: database)
    RoundedFunction.install(in: database)
    PlainTextFunction.install(in: database)
  }
}
