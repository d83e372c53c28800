/// A function of values, for filters, orders, projections and groups. For a value of another type than it takes (a number where it takes
/// text) the result is null.
///
/// To add one, add its case and its form here, its evaluation in `Function+Value.swift`, and its Swift spelling in ``Field`` and
/// ``TypedTerm``: the check, the JSON form, the evaluator and the SQL follow from the form.
public enum Function: String, Sendable, Hashable, CaseIterable {
  /// Text in lower case, as Swift's `lowercased()`: `dao_lower(x)`.
  case lower
  /// Text in upper case, as Swift's `uppercased()`: `dao_upper(x)`.
  case upper
  /// How many Unicode scalars a text has: `dao_length(x)`.
  case length
  /// The number without its sign: `dao_abs(x)`. In criteria that contain it, whole numbers are compared with values by `IS`, not `=`, so
  /// that it does not fail for a value that no row has. The same holds for texts in criteria that contain `concat` or `replace`, which fail
  /// for long texts.
  case abs
  /// Text without spaces (U+0020) at both ends: `dao_trim(x)`.
  case trim
  /// The texts that are not null, one behind the other with a separator between them: `dao_concat(x, y, ', ')`; empty where all are null.
  case concat
  /// Text with one part of it replaced wherever it occurs, by its UTF-8 bytes: `dao_replace(x, 'a', 'b')`.
  case replace
  /// A part of a text, a number of Unicode scalars after its start, with at most a given number of them: `dao_substring(x, 0, 3)`.
  case substring
  /// The number rounded to a whole one, halves away from zero: `dao_round(x)`; or to digits after the point: `dao_round(x, 'REAL', ?)`.
  /// Null for a decimal in 64 bits whose rounded value needs more.
  case round
  /// The year of a date, in UTC or some seconds east of UTC: `dao_year(x, 'DATETIME_TEXT', 3600)`.
  case year
  /// The month of a date, 1 to 12.
  case month
  /// The day of a date's month, 1 to 31.
  case day
  /// The day of a date's week: 1 is Monday, 7 is Sunday.
  case weekday
  /// The hour of a date's day, 0 to 23.
  case hour
  /// The start of a date's day, in UTC or some seconds east of UTC: `dao_startOfDay(x, 'DATETIME_TEXT', 3600)`.
  case startOfDay
  /// When a date's week began, with Monday.
  case startOfWeek
  /// When a date's month began.
  case startOfMonth
  /// When a date's year began.
  case startOfYear
  /// The first of the terms that is not null: `coalesce(x, y, …)`.
  case coalesce
  /// The text at a path inside JSON, of a term and steps: `dao_json(x, 'TEXT', step, …)`; see ``Criteria/Term/json(_:_:as:)``.
  case jsonText
  /// The integer there: `dao_json(x, 'INTEGER', step, …)`.
  case jsonInteger
  /// The number there: `dao_json(x, 'REAL', step, …)`.
  case jsonReal
  /// The truth value there: `dao_json(x, 'BOOLEAN', step, …)`.
  case jsonBool
}

extension FunctionOption {
  /// Seconds east of UTC.
  fileprivate static let utcOffset: FunctionOption = .integer("utcOffset", -86_399...86_399, standard: 0)
}

extension Function {
  /// The arguments and the result.
  package var form: FunctionForm {
    switch self {
    case .lower, .upper, .trim: FunctionForm(.text, result: .text)
    case .length: FunctionForm(.text, result: .integer)
    case .concat:
      FunctionForm(
        .text, isList: true, options: [.text("separator", standard: "")], result: .text, isNullOfNulls: false, mayFail: true)
    case .replace: FunctionForm(.text, options: [.text("part"), .text("with")], result: .text, mayFail: true)
    case .substring: FunctionForm(.text, options: [.integer("from", 0...(.max)), .open("size", 0...(.max))], result: .text)
    case .abs: FunctionForm(.number, mayFail: true)
    case .round: FunctionForm(.number, options: [.integer("digits", 0...15, standard: 0)])
    case .year, .month, .day, .weekday, .hour: FunctionForm(.date, options: [.utcOffset], result: .integer)
    case .startOfDay, .startOfWeek, .startOfMonth, .startOfYear: FunctionForm(.date, options: [.utcOffset])
    case .coalesce: FunctionForm(.oneType, isList: true, isNullOfNulls: false)
    case .jsonText: FunctionForm(.json, result: .text)
    case .jsonInteger: FunctionForm(.json, result: .integer)
    case .jsonReal: FunctionForm(.json, result: .real)
    case .jsonBool: FunctionForm(.json, result: .bool)
    }
  }
}
