/// The arguments and the result of a function.
package struct FunctionForm: Sendable {
  /// The types that the terms of a function may have.
  package enum Subject: Sendable {
    /// Text.
    case text
    /// Numbers; decimals too.
    case number
    /// Dates, in any form in which they are stored.
    case date
    /// JSON, with a path of steps behind it.
    case json
    /// Anything, all terms alike.
    case oneType
  }

  /// The types that its terms may have.
  package let subject: Subject
  /// Whether it takes a list of terms instead of one.
  package let isList: Bool
  /// The options that follow the terms.
  package let options: [FunctionOption]
  /// The type of the result; nil where it depends on the terms' types.
  package let result: AttributeType?
  /// Whether it makes null of nulls.
  let isNullOfNulls: Bool
  /// Whether it fails of some values. SQLite must not work it out for rows that are not asked for.
  package let mayFail: Bool

  init(
    _ subject: Subject, isList: Bool = false, options: [FunctionOption] = [], result: AttributeType? = nil, isNullOfNulls: Bool = true,
    mayFail: Bool = false
  ) {
    self.subject = subject
    self.isList = isList
    self.options = options
    self.result = result
    self.isNullOfNulls = isNullOfNulls
    self.mayFail = mayFail
  }

  /// How many of its arguments are terms; nil where there can't be so many arguments. Options at the end may be left out, unless a list
  /// stands before them.
  func termCount(among arguments: Int) -> Int? {
    if isList { return arguments > options.count ? arguments - options.count : nil }
    return (1 + options.count(where: \.isRequired)...1 + options.count).contains(arguments) ? 1 : nil
  }

  /// Checks that there are as many arguments as it takes, and that its options are what they may be. A null is anything.
  /// - Throws: ``ValueProblem``.
  package func check(_ arguments: [StoredValue]) throws {
    guard let termCount = termCount(among: arguments.count) else { throw ValueProblem("takes \(countInWords)") }
    for (option, value) in zip(options, arguments.dropFirst(termCount)) where !value.isNull {
      _ = try option.stored(AttributeType.any.scalar(value))
    }
  }

  /// How many arguments it takes, in words.
  var countInWords: String {
    if subject == .json { return "a term and a path of steps" }
    if isList { return options.isEmpty ? "some terms" : "some terms and \(names)" }
    return options.isEmpty ? "one term" : "one term and \(names)"
  }

  private var names: String { options.map(\.name).joined(separator: ", ") }

  /// The type as which a value is stored that stands in the place of a term; nil where the other terms decide.
  var valueType: AttributeType? {
    switch subject {
    case .text: .text
    case .number: .any
    case .date: .date(.iso8601)
    case .json: .json
    case .oneType: nil
    }
  }
}
