import DAOCriteria
import Foundation

/// How a placeholder gets its value from the literals of a criteria: which literal, and in which form.
///
/// The text of a plan depends on a criteria's shape alone; bindings are what turns new values into the statement's parameters.
struct Binding: Sendable {
  enum Form: Sendable {
    /// The scalar as the type stores it.
    case stored(AttributeType)
    /// A list as one JSON array, of plain numbers or texts, or of packed values.
    case list(AttributeType, packed: Bool)
    /// `*` and `?` as GLOB reads them.
    case glob
    /// The pattern as LIKE reads it, after `\` as the escape.
    case like(TextMatch)
    /// The smallest value that is greater than every text with this prefix.
    case prefixEnd
    /// The text's UTF-8 as a blob.
    case bytes
    /// The text's length in bytes, negative: `substr` then counts from the end.
    case suffixStart
  }

  let literal: Int
  let form: Form
  /// The attribute that messages name.
  let path: String

  /// The value for the placeholder.
  /// - Throws: ``ValueProblem`` where the literal does not fit.
  func value(in literals: [Literal]) throws -> StoredValue {
    switch (form, literals[literal]) {
    case (.stored(let type), .scalar(let scalar)): return try type.stored(scalar)
    case (.list(let type, let packed), .list(let scalars)): return .text(try ListText.json(scalars, type: type, packed: packed))
    case (.glob, .scalar(.text(let text))): return .text(Pattern.glob(text))
    case (.like(let match), .scalar(.text(let text))): return .text(Pattern.like(text, match))
    case (.prefixEnd, .scalar(.text(let text))): return Pattern.prefixEnd(text)
    case (.bytes, .scalar(.text(let text))): return .blob(Data(text.utf8))
    case (.suffixStart, .scalar(.text(let text))): return .integer(-Int64(text.utf8.count))
    default: throw ValueProblem("has a value of the wrong form")
    }
  }
}

/// A literal of a criteria: one value, or the values of an `in`.
public enum Literal: Sendable, Hashable {
  /// One value.
  case scalar(Scalar)
  /// The values of an `in`, without null.
  case list([Scalar])
}
