import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// The functions of criteria as the evaluator works them out: `dao_substring(text, from, length)`, and with the form of the first argument
/// behind it where that matters, `dao_round(price, 'DECIMAL_TEXT', digits)`. Where SQLite has a function of the same name for the number of
/// arguments, such as ``TextFunctions``, that one is called, which makes no `String` of a text.
enum CriteriaFunctions {
  /// Each with its form, which is not made for every row, and whether the form of the first argument stands behind that.
  private static let functions: [(function: Function, form: FunctionForm, hasForm: Bool)] = Function.allCases.compactMap { function in
    switch function.form.subject {
    case .text: (function, function.form, false)
    case .number, .date: (function, function.form, true)
    case .json, .oneType: nil
    }
  }

  static func install(in database: Database) {
    for (number, (function, form, _)) in functions.enumerated() {
      // Of a deterministic one that fails SQLite asks before there is a row.
      let flags = ConnectionFunctions.flags & ~(form.mayFail ? SQLITE_DETERMINISTIC : 0)
      sqlite3_create_function_v2(
        database.sqliteConnection, "dao_" + function.rawValue, -1, flags,
        // The number of the function, beginning with 1: 0 would be no pointer.
        UnsafeMutableRawPointer(bitPattern: number + 1), { CriteriaFunctions.call($0, Int($1), $2) }, nil, nil, nil)
    }
  }

  private static func call(_ context: TextFunctions.Context, _ count: Int, _ values: TextFunctions.Values) {
    let number = Int(bitPattern: sqlite3_user_data(context)) - 1
    guard functions.indices.contains(number) else { return }
    let (function, form, hasForm) = functions[number]
    // SQL of a person's own may call it too.
    guard count > 0, !hasForm || count > 1 && sqlite3_value_type(values?[1]) == SQLITE_TEXT else {
      let what = hasForm ? "a value, the name of its type and options" : "a text and options"
      return sqlite3_result_error(context, "dao_\(function.rawValue) takes \(what)", -1)
    }
    let type = hasForm ? DeclaredArgument.type(context, values, 1) : .text
    let arguments = (0..<count).filter { !hasForm || $0 != 1 }.map { StoredValue(sqlite: values?[$0]) }
    do { try form.check(arguments) } catch {
      return sqlite3_result_error(context, "dao_\(function.rawValue) \(error)", -1)
    }
    let work = FunctionWork(context)
    FunctionCharge.untilLimit(context) {
      for argument in arguments { if case .text(let text) = argument { try work.add(bytes: text.utf8.count) } }
      do { reply(context, try function.value(of: arguments, as: type, work.add)) } catch let problem as ValueProblem {
        sqlite3_result_error(context, problem.description, -1)
      }
      try work.finish()
    }
  }

  private static func reply(_ context: TextFunctions.Context, _ value: StoredValue) {
    switch value {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(var text): text.withUTF8 { TextFunctions.reply(context, $0) }
    case .null, .blob: break
    }
  }
}
