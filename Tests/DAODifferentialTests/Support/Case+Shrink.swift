import DAOKit

extension Case {
  /// The smallest case found that still fails, by dropping rows and parts of the criteria one after the other.
  func shrunk(_ fails: (Case) -> Bool) -> Case {
    var smallest = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smallest.smaller where fails(candidate) {
        smallest = candidate
        isSmaller = true
        break
      }
    }
    return smallest
  }

  private var smaller: [Case] {
    var cases: [Case] = []
    func add(_ change: (inout Case) -> Void) {
      var smaller = self
      change(&smaller)
      cases.append(smaller)
    }
    if rows.count > 3 {
      add { $0.rows.removeFirst(rows.count / 2) }
      add { $0.rows.removeLast(rows.count / 2) }
    }
    if !criteria.scope.isAlwaysTrue { add { $0.criteria.scope = .constant(true) } }
    if !criteria.having.isAlwaysTrue { add { $0.criteria.having = .constant(true) } }
    if criteria.isDistinct { add { $0.criteria.isDistinct = false } }
    if criteria.limit != nil { add { $0.criteria.limit = nil } }
    if criteria.offset != nil { add { $0.criteria.offset = nil } }
    for index in criteria.orders.indices { add { $0.criteria.orders.remove(at: index) } }
    if criteria.columns.count > 1 { for index in criteria.columns.indices { add { $0.criteria.columns.remove(at: index) } } }
    for part in criteria.filter.parts { add { $0.criteria.filter = part } }
    for part in criteria.having.parts { add { $0.criteria.having = part } }
    for index in rows.indices { add { $0.rows.remove(at: index) } }
    return cases
  }
}

extension Condition {
  /// Conditions that are one part smaller.
  fileprivate var parts: [Condition] {
    switch node {
    case .all(let parts): parts + parts.indices.map { .all(Self.without(parts, $0)) }
    case .any(let parts): parts + parts.indices.map { .any(Self.without(parts, $0)) }
    case .not(let inner): [inner] + inner.parts.map { .not($0) }
    case .among(let term, let values) where values.count > 1:
      [.among(term, Array(values.prefix(values.count / 2))), .among(term, Array(values.suffix(values.count - values.count / 2)))]
    case .constant(true): []
    default: [.constant(true)]
    }
  }

  private static func without(_ parts: [Condition], _ index: Int) -> [Condition] {
    parts.enumerated().filter { $0.offset != index }.map(\.element)
  }
}

extension Case {
  /// What to read when the stores differ.
  func report(seed: UInt64, _ answers: (array: Answer, sqlite: Answer)) -> String {
    let question = """
        filter: \(criteria.filter.text)
        scope: \(criteria.scope.text)
        having: \(criteria.having.text)
        columns: \(criteria.columns.map { ($0.isGroup ? "group " : "") + $0.term.text }.joined(separator: ", "))
        orders: \(criteria.orders.map { "\($0.term.text) \($0.direction.rawValue) \($0.nulls.rawValue)" }.joined(separator: ", "))
        distinct: \(criteria.isDistinct), limit: \(criteria.limit.map { "\($0)" } ?? "none"), offset: \(criteria.offset ?? 0)
      """
    let shown = rows.map { row in
      row.filter { question.contains("\"\($0.key)\"") }.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")
    }
    return """
      The stores differ (DAO_SEED=\(seed) DAO_CASES=1), asked to \(self.question.text)
      \(question)
        rows:
          \(shown.joined(separator: "\n    "))
        arrays: \(answers.array)
        SQLite: \(answers.sqlite)
      """
  }
}

extension Question {
  var text: String {
    guard case .update(let changes) = self else { return "\(self)" }
    return "update " + changes.map { "\($0.target.text) = \($0.value.text)" }.joined(separator: ", ")
  }
}

extension Condition {
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

extension Term {
  /// The term as a person would write it.
  var text: String {
    switch self {
    case .field(let path): "\"\(path)\""
    case .value(let scalar): "\(scalar)"
    case .function(let function, let terms): "\(function.rawValue)(\(terms.map(\.text).joined(separator: ", ")))"
    case .aggregate(let aggregate, let term): "\(aggregate.rawValue)(\(term?.text ?? "*"))"
    case .related(let aggregate, let path, let term, let condition):
      "\(aggregate.rawValue)(\(path) \(term?.text ?? "*") where \(condition.text))"
    case .search(let result, let search): "\(result) of \(search)"
    case .unstorable: "unstorable"
    }
  }
}
