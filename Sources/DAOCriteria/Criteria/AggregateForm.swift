/// The argument and the result of an aggregate.
struct AggregateForm {
  /// The types that the term of an aggregate may have.
  enum Subject {
    case anything, number, text
  }

  /// The type of the result.
  enum Result {
    /// A number of rows, which is never null.
    case count
    /// The type of the term.
    case same
    /// The sum of numbers.
    case sum
    /// The mean of numbers.
    case mean
    case text
  }

  let subject: Subject
  let result: Result
  /// Whether it fails where the result does not fit, or a value is none of the attribute's form.
  let mayFail: Bool

  /// The type of the result.
  /// - Parameter type: the term's; nil where it has none.
  func type(of type: AttributeType?) -> AttributeType? {
    switch result {
    case .count: .integer
    case .same: type
    case .sum: if case .decimal(let storage) = type { .decimal(storage.sum) } else { type }
    case .mean: if case .decimal = type { .decimal(.text) } else { .real }
    case .text: .text
    }
  }
}
