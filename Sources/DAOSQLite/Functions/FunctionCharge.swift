import CDAOSystem
import DAOCriteria
import GRDBSQLite

/// The work of the library's functions: it counts for the query whose statement calls them; see ``RunBudget``.
enum FunctionCharge {
  /// Runs a body in which the functions that this thread calls count their work on a meter.
  static func counting<Result>(on meter: RunMeter, _ body: () throws -> Result) rethrows -> Result {
    let outer = dao_thread_meter()
    dao_set_thread_meter(Unmanaged.passUnretained(meter).toOpaque())
    defer { dao_set_thread_meter(outer) }
    return try body()
  }

  /// Counts steps of a function, and ends the statement where its budget is spent.
  /// - Returns: false where it is; the function has nothing left to do then.
  static func take(_ steps: @autoclosure () -> Int, _ context: TextFunctions.Context) -> Bool {
    guard let meter = dao_thread_meter() else { return true }
    if Unmanaged<RunMeter>.fromOpaque(meter).takeUnretainedValue().take(steps()) { return true }
    sqlite3_result_error_code(context, SQLITE_INTERRUPT)
    return false
  }

  /// Runs a function's body, and ends the statement where the body ends at a limit; see ``ConnectionLimits/goOn()``.
  static func untilLimit(_ context: TextFunctions.Context, _ body: () throws -> Void) {
    do { try body() } catch { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }
  }

  /// Counts steps of a collation. It has no way to end its statement, which ends when SQLite asks for the limits next.
  static func count(_ steps: Int) {
    if let meter = dao_thread_meter() { _ = Unmanaged<RunMeter>.fromOpaque(meter).takeUnretainedValue().take(steps) }
  }

  /// Counts the bytes of texts that a function reads.
  static func take(bytes: Int, _ context: TextFunctions.Context) -> Bool { take(bytes / RunBudget.bytesPerStep, context) }
}
