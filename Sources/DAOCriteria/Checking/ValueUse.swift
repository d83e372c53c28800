import Foundation

/// The purpose of a value in a query, which decides what it may be.
package enum ValueUse: Sendable, Hashable {
  /// It is stored as the type, or compared with values stored as the type.
  case attribute(AttributeType)
  /// The values of a list, each as the type.
  case list(AttributeType)
  /// A number of rows.
  case rowCount
  /// A pattern of `like`.
  case pattern
  /// A step of a path into JSON: a key, or an index counted from 0.
  case step
  /// A value that a function takes behind its terms.
  case option(FunctionOption)
  /// Words that are searched for.
  case words
  /// A mark around words that were found. FTS5 would end it at a NUL.
  case mark
  /// The number of words that a snippet shows.
  case wordCount
  /// A value of a position, which must be one that a store may have in an attribute of the type.
  case position(AttributeType)

  /// Patterns and searches are compared with every row, so their length counts each time: at most this many bytes.
  private static let maximumLength = 20_000

  /// The value as stores keep it; of a list or of words, which each engine writes in its own way, null.
  /// - Throws: ``ValueProblem`` where the value can't be used for this purpose.
  package func stored(_ value: CriteriaValue) throws -> StoredValue {
    switch (self, value) {
    case (.attribute(let type), .scalar(let scalar)): return try type.stored(scalar)
    case (.list(let type), .list(let scalars)):
      for scalar in scalars { _ = try type.stored(scalar) }
      return .null
    case (.rowCount, .scalar(.integer(let count))):
      guard count >= 0 else { throw ValueProblem("is \(count); it can't be negative") }
      return .integer(count)
    case (.pattern, .scalar(.text(let text))):
      guard text.utf8.count <= Self.maximumLength else { throw ValueProblem("has a pattern of more than \(Self.maximumLength) bytes") }
      return .text(text)
    case (.step, .scalar(.text(let key))): return .text(key)
    case (.step, .scalar(.integer(let place))):
      if let problem = JSONStep.place(Int(clamping: place)).problem { throw problem }
      return .integer(place)
    case (.option(let option), .scalar(let scalar)): return try option.stored(scalar)
    case (.words, .words(let query)):
      guard query.text.utf8.count <= Self.maximumLength else {
        throw ValueProblem("searches for a text of more than \(Self.maximumLength) bytes")
      }
      return .null
    case (.mark, .scalar(.text(let text))):
      guard !text.utf8.contains(0) else { throw ValueProblem("can't have a NUL in what marks it") }
      return .text(text)
    case (.wordCount, .scalar(.integer(let count))):
      guard 1...64 ~= count else { throw ValueProblem("shows 1 to 64 words, not \(count)") }
      return .integer(count)
    case (.position(let type), .stored(let value)):
      guard type.mayBeKept(as: value) else { throw ValueProblem("is no \(type) in the place: \(value)") }
      return value
    default: throw ValueProblem("has a value of the wrong form")
    }
  }
}

extension AttributeType {
  /// Whether a store may have a value's storage class in an attribute of this type.
  fileprivate func mayBeKept(as value: StoredValue) -> Bool {
    switch (storedForm, value) {
    case (_, .null), (.any, _), (.integer, .integer), (.text, .text), (.blob, .blob): true
    case (.real, .integer), (.real, .real), (.number, .integer), (.number, .real): true
    default: false
    }
  }
}
