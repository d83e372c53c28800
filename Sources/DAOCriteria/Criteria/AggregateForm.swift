/// What an aggregate takes and what comes of it.
struct AggregateForm {
  /// What its term has to be.
  enum Subject {
    case anything, number, text
  }

  /// What it makes.
  enum Result {
    /// A number of rows, which is never null.
    case count
    /// What its term is.
    case same
    /// The mean of numbers.
    case mean
    case text
  }

  let subject: Subject
  let result: Result
  /// Whether it fails where the result does not fit, or a value is none of the attribute's form.
  let mayFail: Bool

  /// The type of what it makes.
  /// - Parameter type: the term's; nil where it has none.
  func type(of type: AttributeType?) -> AttributeType? {
    switch result {
    case .count: .integer
    case .same: type
    case .mean: if case .decimal = type { .decimal(.text) } else { .real }
    case .text: .text
    }
  }
}
