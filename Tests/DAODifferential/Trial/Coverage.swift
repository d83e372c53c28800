import DAOKit

/// Which kinds of node were asked about, and how often the answer told something.
package struct Coverage: Sendable {
  private var counts: [String: (asked: Int, telling: Int)] = [:]

  /// Everything that criteria and questions can be made of.
  static let all: [String] =
    ["constant", "between", "among", "among nothing", "among null", "among hundreds", "isNull", "all", "any", "not"]
    + ["some", "every", "none", "nested quantifiers", "several hops", "field", "related field", "value", "nil", "attribute with attribute"]
    + Comparison.allCases.map(\.rawValue) + TextMatch.allCases.flatMap { ["\($0) in case", "\($0) in any case"] }
    + Function.allCases.map(\.rawValue)
    + Aggregate.allCases.flatMap { ["aggregate \($0.rawValue)", "related \($0.rawValue)"] } + ["aggregate of rows", "related rows"]
    + ["ASC FIRST", "ASC LAST", "DESC FIRST", "DESC LAST", "order by a function", "order through a relationship"]
    + ["limit", "offset", "distinct", "group", "having", "one group", "columns", "scope"]
    + ["find", "keys", "count", "exists", "report", "delete", "update", "pages", "overflow", "constraint"]

  package init() {}

  /// What was not asked, or always answered by nothing or by everything.
  package var missing: [String] { Self.all.filter { (counts[$0]?.telling ?? 0) == 0 } }

  /// `58 kinds of node, the rarest 41 times (among hundreds)`
  package var summary: String {
    let rarest = Self.all.map { (name: $0, count: counts[$0]?.telling ?? 0) }.min { $0.count < $1.count }
    return
      "\(Self.all.count - missing.count) of \(Self.all.count) kinds of node, the rarest \(rarest?.count ?? 0) times (\(rarest?.name ?? ""))"
  }

  /// Each kind with how often it was asked and how often that told something.
  package var table: String {
    Self.all.map { "  \($0): \(counts[$0]?.asked ?? 0), telling \(counts[$0]?.telling ?? 0)" }.joined(separator: "\n")
  }

  package mutating func note(_ trial: Trial, _ answer: Answer) {
    var kinds = Kinds()
    kinds.note(trial)
    if case .failed(let kind, _) = answer { kinds.found.insert(kind) }
    let isTelling = trial.isTold(by: answer)
    for kind in kinds.found {
      counts[kind, default: (0, 0)].asked += 1
      if isTelling { counts[kind]?.telling += 1 }
    }
  }

  package mutating func add(_ other: Coverage) {
    for (kind, more) in other.counts {
      counts[kind, default: (0, 0)].asked += more.asked
      counts[kind]?.telling += more.telling
    }
  }
}

extension Trial {
  /// Whether an answer is neither nothing nor simply everything.
  fileprivate func isTold(by answer: Answer) -> Bool {
    guard case .rows(let rows, _) = answer else { return answer.kind == "overflow" || answer.kind == "constraint" }
    let all = world.rows[table].count
    return switch question {
    case .find, .keys, .pages: !rows.isEmpty && (rows.count < all || criteria.filter.isAlwaysTrue)
    case .report: !rows.isEmpty && all > 1
    case .count: rows != [[0]] && (rows != [[.integer(Int64(all))]] || criteria.filter.isAlwaysTrue)
    case .exists: all > 0
    case .delete, .update: rows.first != [0]
    }
  }
}

/// The kinds of node in one trial.
private struct Kinds {
  var found: Set<String> = []
  private var depth = 0

  mutating func note(_ trial: Trial) {
    let criteria = trial.criteria
    switch trial.question {
    case .find: found.insert("find")
    case .keys: found.insert("keys")
    case .count: found.insert("count")
    case .exists: found.insert("exists")
    case .report: found.insert("report")
    case .delete: found.insert("delete")
    case .update: found.insert("update")
    case .pages: found.insert("pages")
    }
    note(criteria.filter)
    note(criteria.scope)
    note(criteria.having)
    if !criteria.scope.isAlwaysTrue { found.insert("scope") }
    if !criteria.having.isAlwaysTrue { found.insert("having") }
    for order in criteria.orders {
      found.insert("\(order.direction.rawValue) \(order.nulls.rawValue)")
      if case .function = order.term { found.insert("order by a function") }
      if case .field(let path) = order.term, !path.rest.isEmpty { found.insert("order through a relationship") }
      note(order.term)
    }
    if criteria.limit != nil { found.insert("limit") }
    if criteria.offset != nil { found.insert("offset") }
    if criteria.isDistinct { found.insert("distinct") }
    if criteria.columns.isEmpty { return }
    found.insert("columns")
    if criteria.columns.contains(where: \.isGroup) {
      found.insert("group")
    } else if criteria.columns.contains(where: \.term.hasAggregate) {
      found.insert("one group")
    }
    for column in criteria.columns { note(column.term) }
  }

  private mutating func note(_ condition: Condition) {
    switch condition.node {
    case .constant: found.insert("constant")
    case .compare(let left, let comparison, let right):
      found.insert(comparison.rawValue)
      if case .field = left, case .field = right { found.insert("attribute with attribute") }
      note(left)
      note(right)
    case .between(let term, let lower, let upper):
      found.insert("between")
      for term in [term, lower, upper] { note(term) }
    case .among(let term, let values):
      found.insert("among")
      if values.isEmpty { found.insert("among nothing") }
      if values.contains(.null) { found.insert("among null") }
      if values.count >= 300 { found.insert("among hundreds") }
      note(term)
    case .isNull(let term):
      found.insert("isNull")
      note(term)
    case .matches(let term, let match, _, let caseSensitive):
      found.insert("\(match) in \(caseSensitive ? "case" : "any case")")
      note(term)
    case .all(let parts):
      found.insert("all")
      for part in parts { note(part) }
    case .any(let parts):
      found.insert("any")
      for part in parts { note(part) }
    case .not(let inner):
      found.insert("not")
      if case .some(_, let condition) = inner.node {
        if case .not = condition.node { found.insert("every") } else { found.insert("none") }
      }
      note(inner)
    case .some(let path, let inner):
      found.insert("some")
      if path.names.count > 1 { found.insert("several hops") }
      if depth > 0 { found.insert("nested quantifiers") }
      depth += 1
      note(inner)
      depth -= 1
    case .search: found.insert("search")
    case .tooDeep: found.insert("too deep")
    }
  }

  private mutating func note(_ term: Term) {
    switch term {
    case .field(let path): found.insert(path.rest.isEmpty ? "field" : "related field")
    case .value(.null): found.insert("nil")
    case .value: found.insert("value")
    case .function(let function, let terms):
      found.insert(function.rawValue)
      for term in terms { note(term) }
    case .aggregate(let aggregate, let inner):
      found.insert("aggregate \(aggregate.rawValue)")
      if let inner { note(inner) } else { found.insert("aggregate of rows") }
    case .related(let aggregate, let path, let inner, let condition):
      found.insert("related \(aggregate.rawValue)")
      if path.names.count > 1 { found.insert("several hops") }
      if let inner { note(inner) } else { found.insert("related rows") }
      note(condition)
    case .search(let result, _): found.insert(result.name)
    case .unstorable: found.insert("unstorable")
    }
  }
}
