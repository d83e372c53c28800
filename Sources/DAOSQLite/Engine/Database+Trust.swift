import CDAOSQLite
import GRDB
import GRDBSQLite

/// A file's schema is a program: views, triggers, checks and computed columns run whenever somebody reads or writes. It was written by the
/// maker of the file: no connection trusts it more than necessary (sqlite.org/security.html).
extension Database {
  /// Keeps what the schema says from doing harm:
  /// - no text, blob or row is longer than the limit, so that `zeroblob(1000000000)` in a check is an error;
  /// - SQL can't write into the schema, into the tables behind virtual tables, or without a journal (`SQLITE_DBCONFIG_DEFENSIVE`);
  /// - the schema calls harmless functions alone (`PRAGMA trusted_schema = OFF`);
  /// - `fts3_tokenizer`, which takes and gives addresses of memory, is not there.
  func distrustSchema(maximumLength: Int) {
    guard let handle = sqliteConnection else { return }
    configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1, maximumLength)))
    for count: Int32 in 1...2 { sqlite3_create_function_v2(handle, "fts3_tokenizer", count, SQLITE_UTF8, nil, nil, nil, nil, nil) }
    // GRDB's, which a trigger could call.
    for function in Self.driverFunctions { remove(function: function) }
  }

  /// Trusts the schema where a trigger writes into a virtual table, as those of search tables do: SQLite refuses them otherwise. To be
  /// called before rows are written, and again when the schema has changed.
  func trustSearchTriggers() throws {
    let found = try bareRows(
      """
      SELECT EXISTS (
        SELECT 1 FROM main.sqlite_schema AS virtual JOIN main.sqlite_schema AS fired
          ON fired.type = 'trigger'
          AND instr(
            replace(replace(lower(fired.sql), '""', '"'), '``', '`'),
            replace(replace(lower(virtual.name), '""', '"'), '``', '`')) > 0
        WHERE virtual.type = 'table' AND virtual.rootpage = 0)
      """
    ) { $0.bool(0) }
    let isNeeded = found == [true]
    // Switching it has every statement of the connection compiled once more, even to what it is.
    if configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, nil) != isNeeded { configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, isNeeded) }
  }

  /// Trusts whatever schema the program itself makes on a connection.
  func trustSchema() { configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, true) }

  /// Has the WAL stay when the last connection closes: to fold it in would take its time, and locks.
  func keepsWAL() { configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }

  /// Switches an option; nil leaves it as it is.
  /// - Returns: whether it is on.
  @discardableResult
  private func configure(_ option: Int32, _ isOn: Bool?) -> Bool {
    guard let sqliteConnection else { return false }
    return dao_configure(UnsafeMutableRawPointer(sqliteConnection), option, isOn.map { $0 ? 1 : 0 } ?? -1) == 1
  }

  private static var driverFunctions: [DatabaseFunction] {
    [.capitalize, .lowercase, .uppercase, .localizedCapitalize, .localizedLowercase, .localizedUppercase]
  }
}
