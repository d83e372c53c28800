import DAOCriteria

extension SQLRenderer {
  /// `dao_json("details", 'TEXT', ?, ?)`: a term that is JSON, the type that its value at the end of a path is read as, and the path's
  /// steps.
  /// - Parameter arguments: the terms, rendered; one at least.
  mutating func json(_ terms: [Term], _ arguments: [RenderedTerm], as type: AttributeType) -> RenderedTerm {
    let document = arguments[0].adopting(.json)
    checkKind(document)
    // Of a value the type is unknown, and so it is of what leads nowhere, which has been reported.
    if let kept = terms[0].type(in: subject.entity), kept != .json {
      report(document.path, "is \(kept), and a path leads only into JSON")
    }
    let path = terms.dropFirst().map { JSONStep($0) }
    if !(1...JSONStep.maximumCount).contains(path.count) {
      report(document.path, "takes a path of 1 to \(JSONStep.maximumCount) steps, not of \(path.count)")
    }
    if path.contains(where: { $0 == nil }) { report(document.path, "takes keys and places as steps of a path") }
    for problem in path.compactMap({ $0?.problem }) { report(document.path, "\(problem)") }
    let steps = zip(arguments.dropFirst(), path).map { argument, step in
      let bindings = argument.sql.bindings.map { Binding(literal: $0.literal, form: step == nil ? $0.form : .step, path: document.path) }
      return SQLFragment(argument.sql.text, bindings)
    }
    return RenderedTerm(
      sql: "dao_json(" + ([document.sql, SQLFragment("'\(type.declaredName)'")] + steps).joined(", ") + ")", type: type, isNullable: true,
      path: document.path)
  }
}
