import DAOKit

extension Question {
  var text: String {
    guard case .update(let changes) = self else { return "\(self)" }
    return "update " + changes.map { "\($0.target.text) = \($0.value.text)" }.joined(separator: ", ")
  }
}

extension Criteria.Condition {
  /// The condition as a person would write it.
  var text: String {
    switch node {
    case .constant(let value): "\(value)"
    case .compare(let left, let comparison, let right): "\(left.text) \(comparison.rawValue) \(right.text)"
    case .between(let term, let lower, let upper): "\(term.text) between \(lower.text) and \(upper.text)"
    case .among(let term, let values): "\(term.text) in \(values)"
    case .isNull(let term): "\(term.text) is null"
    case .matches(let term, let match, let pattern, let caseSensitive):
      "\(term.text) \(match) \(pattern)\(caseSensitive ? "" : " in any case")"
    case .search(let search): "\(search.path) has \(search.query)"
    case .all(let parts): "(" + parts.map(\.text).joined(separator: " && ") + ")"
    case .any(let parts): "(" + parts.map(\.text).joined(separator: " || ") + ")"
    case .not(let inner): "!(\(inner.text))"
    case .some(let path, let inner): "some \(path): (\(inner.text))"
    case .tooDeep: "too deep"
    }
  }
}

extension Criteria.Term {
  /// The term as a person would write it.
  var text: String {
    switch self {
    case .field(let path): "\"\(path)\""
    case .value(let scalar): "\(scalar)"
    case .function(let function, let terms): "\(function.rawValue)(\(terms.map(\.text).joined(separator: ", ")))"
    case .aggregate(let aggregate, let term): "\(aggregate)(\(term?.text ?? "*"))"
    case .related(let aggregate, let path, let term, let condition):
      "\(aggregate)(\(path) \(term?.text ?? "*") where \(condition.text))"
    case .search(let result, let search): "\(result) of \(search)"
    case .unstorable: "unstorable"
    }
  }
}
