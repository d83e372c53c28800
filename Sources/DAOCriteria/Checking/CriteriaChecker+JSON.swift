extension CriteriaChecker {
  /// The arguments of a function that reads inside JSON: a term that is JSON, and the steps of a path.
  /// - Parameters:
  ///   - terms: the arguments as they were given; one at least.
  ///   - arguments: the same, checked.
  mutating func json(_ terms: [Criteria.Term], _ arguments: [CheckedTerm]) -> [CheckedTerm] {
    let document = adopting(arguments[0], .json)
    checkKind(document)
    // The type of a value is unknown, and so is that of a path that leads nowhere, which has been reported.
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
      guard case .value(var value) = argument.node else { return argument }
      if step != nil { value.use = .step }
      value.path = document.path
      return CheckedTerm(node: .value(value), type: argument.type, isNullable: argument.isNullable, path: argument.path)
    }
    return [document] + steps
  }
}
