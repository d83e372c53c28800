import DAOCriteria

extension SQL.Dialect {
  /// The text of a fragment, and the bindings of its placeholders.
  ///
  /// A value is `?`. Where one is used more than once all are numbered, so that each is bound once: `?1`, `?2`, or behind the values of a
  /// row, which have the numbers that they are given.
  func write(_ fragment: SQLFragment) -> (text: String, bindings: [Binding]) {
    var bindings: [Binding] = []
    var rowValues = 0
    for segment in fragment.segments {
      switch segment {
      case .value(let binding): bindings.append(binding)
      case .rowValue(let number): rowValues = max(rowValues, number)
      case .text, .name: break
      }
    }
    var numbers: [Binding.Source: Int] = [:]
    let isNumbered = Set(bindings.map(\.source)).count < bindings.count
    if isNumbered {
      let all = bindings
      bindings = []
      for binding in all where numbers[binding.source] == nil {
        bindings.append(binding)
        numbers[binding.source] = rowValues + bindings.count
      }
    }
    var text = ""
    for segment in fragment.segments {
      switch segment {
      case .text(let part): text += part
      case .name(let name): text += name.quotedIdentifier
      case .value(let binding): text += isNumbered ? "?\(numbers[binding.source] ?? 0)" : "?"
      case .rowValue(let number): text += "?\(number)"
      }
    }
    return (text, bindings)
  }
}
