import DAOWaiting
import Foundation
import GRDBSQLite

/// Reports a connection's statements to an observer. SQLite's own profile has milliseconds only (sqlite.org/c3ref/c_trace.html), so that
/// the time between a statement's first step and its last is measured here.
final class StatementWatch {
  private struct Run {
    let start: ContinuousClock.Instant
    let changesBefore: CInt
    var rows = 0
  }

  private let observer: StatementObserver
  // Cursors and the functions of statements run several at a time.
  private var runs: [OpaquePointer: Run] = [:]

  init(_ observer: StatementObserver) { self.observer = observer }

  /// Watches a connection until ``uninstall(from:)``.
  func install(on handle: OpaquePointer) {
    let rows = observer.minimum == .zero ? SQLITE_TRACE_ROW : 0
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | rows),
      { kind, watch, statement, detail in
        guard let watch, let statement else { return 0 }
        Unmanaged<StatementWatch>.fromOpaque(watch).takeUnretainedValue().note(CInt(kind), OpaquePointer(statement), detail)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  static func uninstall(from handle: OpaquePointer) { sqlite3_trace_v2(handle, 0, nil, nil) }

  private func note(_ kind: CInt, _ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case SQLITE_TRACE_STMT:
      // A trigger that begins within the statement, as a comment with its name.
      if let text = detail?.assumingMemoryBound(to: CChar.self), text[0] == 0x2D, text[1] == 0x2D { return }
      runs[statement] = Run(start: .now, changesBefore: sqlite3_total_changes(sqlite3_db_handle(statement)))
    case SQLITE_TRACE_ROW: runs[statement]?.rows += 1
    case SQLITE_TRACE_PROFILE: if let run = runs.removeValue(forKey: statement) { report(statement, run) }
    default: break
    }
  }

  private func report(_ statement: OpaquePointer, _ run: Run) {
    let duration = ContinuousClock.now - run.start
    guard duration >= observer.minimum, let text = sqlite3_sql(statement) else { return }
    let sql = String(cString: text)
    // A search table helps itself by statements of its own, which write the schema's name so (sqlite.org/src, ext/fts5); a connection that
    // asks for the schema does too.
    if sql.contains("'main'.") { return }
    let database = sqlite3_db_handle(statement)
    let changed = sqlite3_total_changes(database) == run.changesBefore ? 0 : Int(sqlite3_changes(database))
    let trace = StatementTrace(
      sql: sql, duration: duration, rowCount: observer.minimum == .zero || changed > 0 ? max(run.rows, changed) : nil,
      isReused: sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0) > 1,
      expanded: observer.showsValues ? Self.expanded(statement) : nil)
    ThreadMarker.hidingSessions { observer.report(trace) }
  }

  private static func expanded(_ statement: OpaquePointer) -> String? {
    guard let text = sqlite3_expanded_sql(statement) else { return nil }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}
