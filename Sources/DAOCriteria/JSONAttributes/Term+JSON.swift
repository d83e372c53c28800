extension Criteria.Term {
  /// The value at a path inside a JSON attribute, or another term that is JSON, where it has the type. ``Operand`` and ``Field`` are the
  /// typed forms.
  ///
  /// The check reports a term that is no JSON, any other type than text, integer, real and bool, and a path without a step or with more
  /// than ``JSONStep/maximumCount``.
  public static func json(_ document: Criteria.Term, _ steps: [JSONStep], as type: AttributeType) -> Criteria.Term {
    guard let function = Function.allCases.first(where: { $0.jsonType == type }) else {
      return .unstorable("can't read what is inside \(document.projectedName) as \(type), but as text, integer, double or Bool")
    }
    return .function(function, [document] + steps.map(\.term))
  }
}

extension Function {
  /// The type that it reads a value in JSON as; nil for a term that does not read JSON.
  package var jsonType: AttributeType? { form.subject == .json ? form.result : nil }
}
