import GRDB
import GRDBSQLite

/// `dao_highlight(table, column, start, end)` and `dao_snippet(table, column, start, end, ellipsis, words)`: the same texts as those of
/// FTS5's `highlight` and `snippet` (sqlite.org/fts5.html, section 5.1), in time proportional to the text and its hits.
///
/// FTS5's own `snippet` takes the square of the hits, and SQLite checks no limit inside a function. These check them every 64 kB. The
/// column is one of the table's: -1, FTS5's "the best of all", is an error.
enum SearchFunctions {
  static func install(in database: Database) {
    guard let handle = database.sqliteConnection, let api = api(of: handle), let create = api.pointee.xCreateFunction else { return }
    func add(_ name: String, _ function: @escaping fts5_extension_function) {
      // FTS5 keeps the function that has the name already, and with it what schemas may call. It is called where there is no search.
      sqlite3_create_function_v2(
        handle, name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
        { context, _, _ in sqlite3_result_error(context, "this function is for the rows of a search", -1) }, nil, nil, nil)
      _ = create(api, name, nil, function, nil)
    }
    add("dao_highlight") { api, row, context, count, values in
      guard let call = SearchCall(api, row, context), count == 3 else { return SearchFunctions.refuse(context, "dao_highlight", 4) }
      call.reply { try call.highlight(values) }
    }
    add("dao_snippet") { api, row, context, count, values in
      guard let call = SearchCall(api, row, context), count == 5 else { return SearchFunctions.refuse(context, "dao_snippet", 6) }
      call.reply { try call.snippet(values) }
    }
  }

  private static func refuse(_ context: TextFunctions.Context, _ name: String, _ count: Int) {
    sqlite3_result_error(context, "\(name) takes \(count) arguments", -1)
  }

  /// FTS5's own functions; nil where SQLite has no FTS5. They belong to the connection, and nothing keeps them here.
  private static func api(of handle: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    // SQLite keeps the address of this text.
    let type: StaticString = "fts5_api_ptr"
    let characters = UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)
    var api: UnsafeMutablePointer<fts5_api>?
    withUnsafeMutablePointer(to: &api) { place in
      if sqlite3_bind_pointer(statement, 1, place, characters, nil) == SQLITE_OK { sqlite3_step(statement) }
    }
    return api
  }
}
