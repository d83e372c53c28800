import DAOCriteria
import Foundation

/// How a placeholder gets its value from the literals of a criteria: which literal, and in which form.
///
/// The text of a plan depends on a criteria's shape alone; bindings are what turns new values into the statement's parameters.
struct Binding: Sendable {
  enum Form: Sendable, Hashable {
    /// The scalar as the type stores it.
    case stored(AttributeType)
    /// The lower or the upper of the values by which the type's values compare with the scalar.
    case lower(AttributeType), upper(AttributeType)
    /// The scalar as it is compared with another value of the type: an integer beside doubles stays one.
    case exact(AttributeType)
    /// A number of rows, which can't be negative: to SQLite that is none at all.
    case rowCount
    /// A list as one JSON array, of plain numbers or texts, or of packed values.
    case list(AttributeType, ListForm)
    /// A pattern of `like`.
    case pattern
    /// The smallest value that is greater than every text with this prefix.
    case prefixEnd
    /// A step of a path into JSON: a key, or a place that counts from the start.
    case step
    /// Words to look for, in all columns of a search table or in one.
    case words(column: String?)
    /// What stands around words that were found; FTS5 would end it at a NUL.
    case mark
    /// How many words are shown.
    case wordCount
    /// The value of a place, which must be one that the type may have.
    case place(AttributeType)
  }

  /// What the value depends on.
  struct Source: Hashable {
    let literal: Int
    let form: Form
  }

  let literal: Int
  let form: Form
  /// The attribute that messages name.
  let path: String

  var source: Source { Source(literal: literal, form: form) }

  /// The value for the placeholder.
  /// - Throws: ``ValueProblem`` where the literal does not fit.
  func value(in literals: [Literal]) throws -> StoredValue {
    switch (form, literals[literal]) {
    case (.stored(let type), .scalar(let scalar)): return try type.stored(scalar)
    case (.lower(let type), .scalar(let scalar)): return try type.bounds(of: scalar).lower
    case (.upper(let type), .scalar(let scalar)): return try type.bounds(of: scalar).upper
    case (.exact(.real), .scalar(.integer(let value))): return .integer(value)
    case (.exact(let type), .scalar(let scalar)): return try type.stored(scalar)
    case (.rowCount, .scalar(.integer(let count))):
      guard count >= 0 else { throw ValueProblem("is \(count); it can't be negative") }
      return .integer(count)
    case (.list(let type, let form), .list(let scalars)): return .text(try ListText.json(scalars, type: type, form))
    case (.pattern, .scalar(.text(let text))): return .text(try fitting(text))
    case (.prefixEnd, .scalar(.text(let text))): return Prefix.end(text)
    case (.step, .scalar(.text(let key))): return .text(key)
    case (.step, .scalar(.integer(let place))):
      if let problem = JSONStep.place(Int(clamping: place)).problem { throw problem }
      return .integer(place)
    case (.words(let column), .words(let query)):
      guard query.text.utf8.count <= 20_000 else { throw ValueProblem("searches for a text of more than 20000 bytes") }
      return .text(query.matched(column: column))
    case (.mark, .scalar(.text(let text))):
      guard !text.utf8.contains(0) else { throw ValueProblem("can't have a NUL in what marks it") }
      return .text(text)
    case (.wordCount, .scalar(.integer(let count))):
      guard 1...64 ~= count else { throw ValueProblem("shows 1 to 64 words, not \(count)") }
      return .integer(count)
    case (.place(let type), .stored(let value)):
      guard type.mayBeKept(as: value) else { throw ValueProblem("is no \(type) in the place: \(value)") }
      return value
    default: throw ValueProblem("has a value of the wrong form")
    }
  }

  /// A pattern is held against every row, and its length counts each time.
  private func fitting(_ pattern: String) throws -> String {
    guard pattern.utf8.count <= 20_000 else { throw ValueProblem("has a pattern of more than 20000 bytes") }
    return pattern
  }
}

/// A literal of a criteria: one value, or the values of an `in`.
public enum Literal: Sendable, Hashable {
  /// One value.
  case scalar(Scalar)
  /// The values of an `in`, without null.
  case list([Scalar])
  /// The words of a search.
  case words(TextQuery)
  /// A value of a place, in the form in which a store has it.
  case stored(StoredValue)
}

extension AttributeType {
  /// Whether a store may have a value's storage class in an attribute of this type.
  fileprivate func mayBeKept(as value: StoredValue) -> Bool {
    switch (self, value) {
    case (_, .null), (.any, _): true
    case (.real, .integer), (.date(.unixSeconds), .integer), (.real, .real), (.date(.unixSeconds), .real): true
    case (.bool, .integer), (.integer, .integer), (.date(.unixMilliseconds), .integer), (.decimal(.scaled), .integer): true
    case (.text, .text), (.json, .text), (.uuid(.text), .text), (.date(.iso8601), .text), (.decimal(.text), .text): true
    case (.data, .blob), (.uuid(.blob), .blob): true
    default: false
    }
  }
}
