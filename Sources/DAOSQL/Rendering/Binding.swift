import DAOCriteria
import Foundation

/// How a placeholder gets its value: which value of the criteria, and in which form.
///
/// The text of a plan depends on the shape of a query alone; bindings turn the values of each query of that shape into the
/// statement's parameters.
struct Binding: Sendable, Hashable {
  enum Form: Sendable, Hashable {
    /// The value in the form of its use.
    case plain(ValueUse)
    /// The lower or the upper of the values by which the type's values compare with the value.
    case lower(AttributeType), upper(AttributeType)
    /// The value as it is compared with another value of the type: an integer beside doubles stays one.
    case exact(AttributeType)
    /// A list as one JSON array, of plain numbers or texts, or of packed values.
    case list(AttributeType, ListForm)
    /// The smallest value that is greater than every text with this prefix.
    case prefixEnd
    /// A value that no text with this prefix comes after, by any collation.
    case collatedPrefixEnd
    /// Words to search for, in all columns of a search table or in one.
    case words(column: String?)
  }

  /// The source of the parameter's value.
  struct Source: Hashable {
    let number: Int
    let form: Form
  }

  /// The number of the value.
  let number: Int
  let form: Form
  /// The attribute that messages name.
  let path: String

  var source: Source { Source(number: number, form: form) }

  /// The value for the placeholder.
  /// - Throws: ``ValueProblem`` where the value does not fit.
  func value(in values: [CriteriaValue]) throws -> StoredValue {
    switch (form, values[number]) {
    case (.plain(.attribute(let type)), .scalar(let scalar)): return try type.stored(scalar)
    case (.plain(let use), let value): return try use.stored(value)
    case (.lower(let type), .scalar(let scalar)): return try type.bounds(of: scalar).lower
    case (.upper(let type), .scalar(let scalar)): return try type.bounds(of: scalar).upper
    case (.lower(let type), .stored(let value)): return (try? type.bounds(of: type.scalar(value)).lower) ?? value
    case (.upper(let type), .stored(let value)): return (try? type.bounds(of: type.scalar(value)).upper) ?? value
    case (.exact(.real), .scalar(.integer(let value))): return .integer(value)
    case (.exact(let type), .scalar(let scalar)): return try type.stored(scalar)
    case (.list(let type, let form), .list(let scalars)): return .text(try ListText.json(scalars, type: type, form))
    case (.prefixEnd, .scalar(.text(let text))): return Prefix.end(text)
    case (.collatedPrefixEnd, .scalar(.text(let text))): return Prefix.end(collated: text)
    case (.words(let column), .words(let query)):
      _ = try ValueUse.words.stored(.words(query))
      return .text(query.matched(column: column))
    default: throw ValueProblem("has a value of the wrong form")
    }
  }
}
