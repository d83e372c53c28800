import DAOWaiting
import Foundation
import GRDBSQLite

/// Reports a connection's statements to an observer. SQLite's own profile has milliseconds only (sqlite.org/c3ref/c_trace.html), so that
/// the time between a statement's first step and its last is measured here.
///
/// SQLite reports the end of a statement without its result. The report waits until the reset of the statement tells it, or until the
/// connection's next statement begins.
final class StatementWatch {
  private struct Run {
    let start: ContinuousClock.Instant
    let changesBefore: CInt
    var rows = 0
  }

  private let observer: StatementObserver
  // Cursors and the functions of statements run several at a time.
  private var runs: [OpaquePointer: Run] = [:]
  private var lastEnd: (statement: OpaquePointer, time: ContinuousClock.Instant)?
  // Has ended, and waits for its result.
  private var ended: (statement: OpaquePointer, trace: StatementTrace)?

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

  /// Reports the statement that ended last, whose result is known now.
  /// - Parameters:
  ///   - statement: the statement that has the result; nil for whichever ended last.
  ///   - code: SQLite's result.
  ///   - isRunAgain: whether the same call runs it again: then this run is left out.
  func settle(_ statement: OpaquePointer? = nil, _ code: CInt = SQLITE_OK, isRunAgain: Bool = false) {
    guard var trace = ended?.trace, statement == nil || statement == ended?.statement else { return }
    ended = nil
    if isRunAgain { return }
    if ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(code) { trace.errorCode = code }
    // The receiver may open other files.
    ThreadMarker.hidingSessions { StatementObserver.$ofOpening.withValue(nil) { observer.report(trace) } }
  }

  private func note(_ kind: CInt, _ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case SQLITE_TRACE_STMT:
      // A trigger that begins within the statement has another text, a comment with its name.
      guard let detail, UnsafePointer(detail.assumingMemoryBound(to: CChar.self)) == sqlite3_sql(statement) else { return }
      settle()
      observer.begins?()
      runs[statement] = begun(statement, at: .now)
    case SQLITE_TRACE_ROW: runs[statement, default: begunAgain(statement)].rows += 1
    case SQLITE_TRACE_PROFILE:
      let run = runs.removeValue(forKey: statement) ?? begunAgain(statement)
      end(statement, run)
      lastEnd = (statement, .now)
    default: break
    }
  }

  private func begun(_ statement: OpaquePointer, at start: ContinuousClock.Instant) -> Run {
    Run(start: start, changesBefore: sqlite3_total_changes(sqlite3_db_handle(statement)))
  }

  /// A statement that SQLite compiles anew, since the schema has changed, ends and runs again without a word of its beginning.
  private func begunAgain(_ statement: OpaquePointer) -> Run {
    begun(statement, at: lastEnd?.statement == statement ? lastEnd?.time ?? .now : .now)
  }

  private func end(_ statement: OpaquePointer, _ run: Run) {
    let duration = ContinuousClock.now - run.start
    guard duration >= observer.minimum, let text = sqlite3_sql(statement) else { return }
    let sql = String(cString: text)
    // A search table helps itself by statements of its own, which write the schema's name so (sqlite.org/src, ext/fts5); a connection that
    // asks for the schema does too.
    if sql.contains("'main'.") { return }
    let database = sqlite3_db_handle(statement)
    // Another statement may have changed rows while this one read.
    let isReading = sqlite3_stmt_readonly(statement) != 0
    let changed = isReading || sqlite3_total_changes(database) == run.changesBefore ? 0 : Int(sqlite3_changes(database))
    let trace = StatementTrace(
      sql: sql, duration: duration, rowCount: observer.minimum == .zero || changed > 0 ? max(run.rows, changed) : nil,
      isReused: sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0) > 1,
      expanded: observer.showsValues ? Self.expanded(statement) : nil)
    // One that SQLite has compiled anew meanwhile runs again, and has ended only now.
    if ended?.statement != statement { settle() }
    ended = (statement, trace)
  }

  private static func expanded(_ statement: OpaquePointer) -> String? {
    guard let text = sqlite3_expanded_sql(statement) else { return nil }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}
