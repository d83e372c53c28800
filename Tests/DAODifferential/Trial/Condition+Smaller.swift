import DAOKit

extension Criteria.Condition {
  /// Conditions that are one part smaller.
  var smaller: [Criteria.Condition] {
    switch node {
    case .constant: []
    case .all(let parts): Self.smaller(parts, Criteria.Condition.all)
    case .any(let parts): Self.smaller(parts, Criteria.Condition.any)
    case .not(let inner): [inner] + inner.smaller.map { .not($0) }
    case .some(let path, let inner):
      [.constant(true)] + path.shorter.map { .some($0, inner) } + (inner.isAlwaysTrue ? [] : [.some(path, .constant(true))])
        + inner.smaller.map { .some(path, $0) }
    case .compare(let left, let comparison, let right):
      [.constant(true)] + left.smaller.map { .compare($0, comparison, right) } + right.smaller.map { .compare(left, comparison, $0) }
    case .between(let term, let low, let high):
      [.constant(true), .compare(term, .greaterOrEqual, low), .compare(term, .lessOrEqual, high)]
        + term.smaller.map { .between($0, low, high) } + low.smaller.map { .between(term, $0, high) }
        + high.smaller.map { .between(term, low, $0) }
    case .among(let term, let values):
      [.constant(true)] + Self.halves(values).map { .among(term, $0) } + term.smaller.map { .among($0, values) }
    case .isNull(let term): [.constant(true)] + term.smaller.map { .isNull($0) }
    case .matches(let term, let match, let pattern, let caseSensitive):
      [.constant(true)] + term.smaller.map { .matches($0, match, pattern, caseSensitive: caseSensitive) }
        + pattern.smaller.map { .matches(term, match, $0, caseSensitive: caseSensitive) }
    case .search(let search): [.constant(true)] + search.smaller.map { .search($0) }
    case .tooDeep: [.constant(true)]
    }
  }

  private static func smaller(_ parts: [Criteria.Condition], _ join: ([Criteria.Condition]) -> Criteria.Condition) -> [Criteria.Condition] {
    let without = parts.indices.map { index in join(parts.enumerated().filter { $0.offset != index }.map(\.element)) }
    return parts + without
      + parts.indices.flatMap { index in
        parts[index].smaller.map { part in
          var smaller = parts
          smaller[index] = part
          return join(smaller)
        }
      }
  }

  private static func halves(_ values: [Scalar]) -> [[Scalar]] {
    values.count > 1 ? [Array(values.prefix(values.count / 2)), Array(values.dropFirst(values.count / 2)), Array(values.dropFirst())] : []
  }
}

extension Criteria.Term {
  /// Terms that are one part smaller.
  var smaller: [Criteria.Term] {
    switch self {
    case .field(let path): path.shorter.map { .field($0) }
    case .value(let value): value.smaller.map { .value($0) }
    case .function(let function, let terms):
      terms
        + (terms.count > 1
          ? terms.indices.map { index in .function(function, terms.enumerated().filter { $0.offset != index }.map(\.element)) } : [])
        + terms.indices.flatMap { index in
          terms[index].smaller.map { term in
            var smaller = terms
            smaller[index] = term
            return .function(function, smaller)
          }
        }
    case .aggregate(let aggregate, let inner): inner.map { $0.smaller.map { .aggregate(aggregate, $0) } } ?? []
    case .related(let aggregate, let path, let inner, let condition):
      path.shorter.map { .related(aggregate, $0, inner, condition) }
        + (condition.isAlwaysTrue ? [] : [.related(aggregate, path, inner, .constant(true))])
        + condition.smaller.map { .related(aggregate, path, inner, $0) }
        + (inner?.smaller ?? []).map { .related(aggregate, path, $0, condition) }
    case .search(let result, let search): search.smaller.map { .search(result, $0) }
    case .unstorable: []
    }
  }
}

extension Criteria.Search {
  /// Searches for less text.
  fileprivate var smaller: [Criteria.Search] {
    path.shorter.map { Criteria.Search($0, query) }
      + Scalar.text(query.text).smaller.compactMap { smaller in
        guard case .text(let text) = smaller else { return nil }
        return Criteria.Search(path, FullTextQuery(text, query.kind, prefix: query.isPrefix))
      }
  }
}

extension FieldPath {
  /// Without one of its names.
  fileprivate var shorter: [FieldPath] {
    names.count < 2
      ? []
      : names.indices.map { index in names.enumerated().filter { $0.offset != index }.reduce(.root) { $0.appending($1.element) } }
  }
}

extension Scalar {
  /// Simpler values of the same kind.
  fileprivate var smaller: [Scalar] {
    switch self {
    case .text(let text) where text.unicodeScalars.count > 1:
      [
        .text(String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))),
        .text(String(String.UnicodeScalarView(text.unicodeScalars.dropLast()))),
      ]
    default: []
    }
  }
}
