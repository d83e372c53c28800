/// A value that a function takes behind its terms, under a name of its own in the JSON form: the 2 of `round(price, 2)`.
package struct FunctionOption: Sendable, Hashable {
  /// Its name.
  package let name: String
  /// The integers that it may be; nil where it is a text.
  package let range: ClosedRange<Int64>?
  /// The value of an option that is left out; nil where the option is required.
  let standard: Scalar?
  /// Whether it may be left out though nothing stands for it then.
  var isOpen = false

  static func integer(_ name: String, _ range: ClosedRange<Int64>, standard: Int64? = nil) -> FunctionOption {
    FunctionOption(name: name, range: range, standard: standard.map { .integer($0) })
  }

  static func text(_ name: String, standard: String? = nil) -> FunctionOption {
    FunctionOption(name: name, range: nil, standard: standard.map { .text($0) })
  }

  /// An integer that means something only where it is given.
  static func open(_ name: String, _ range: ClosedRange<Int64>) -> FunctionOption {
    FunctionOption(name: name, range: range, standard: nil, isOpen: true)
  }

  /// Whether it can't be left out.
  package var isRequired: Bool { standard == nil && !isOpen }

  /// The type of its values.
  var type: AttributeType { range == nil ? .text : .integer }

  /// A value as an engine takes it.
  /// - Throws: ``ValueProblem`` where the option can't have the value.
  func stored(_ value: Scalar) throws -> StoredValue {
    switch value {
    case .integer(let number):
      guard let range else { break }
      guard range.contains(number) else {
        let bounds = range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        throw ValueProblem("takes \(name) of \(bounds), not \(number)")
      }
      return .integer(number)
    case .text(let text):
      if range == nil { return .text(text) }
    default: break
    }
    throw ValueProblem("expects \(range == nil ? "text" : "an integer") for \(name), not \(value.shown)")
  }
}
