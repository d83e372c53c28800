extension CriteriaChecker {
  /// The context of a term: rows or groups.
  enum Context {
    case row, group
  }

  mutating func checked(_ condition: Criteria.Condition, in context: Context) -> CheckedCondition {
    standing(in: .condition(condition)) { checker in
      let checked = CheckedCondition(checker.throughRelationship(condition, in: context) ?? checker.node(of: condition, in: context))
      if checked.depth.symbols <= checker.limits.symbols { return checked }
      // Conditions around it do not report the problem again.
      checker.report("", "the filter \(Criteria.Condition.tooDeep)")
      return CheckedCondition(.constant(false))
    }
  }

  private mutating func node(of condition: Criteria.Condition, in context: Context) -> CheckedCondition.Node {
    switch condition.node {
    case .constant(let value): return .constant(value)
    case .not(let inner): return checked(inner, in: context).negation
    case .all(let parts): return .all(parts.map { checked($0, in: context) })
    case .any(let parts): return .any(parts.map { checked($0, in: context) })
    case .compare(let left, let comparison, let right): return compare(left, comparison, right, in: context)
    case .between(let term, let lower, let upper): return between(term, lower, upper, in: context)
    case .among(let term, let values): return among(term, values, in: context)
    case .isNull(let term): return .isNull(checked(term, in: context))
    case .matches(let term, let match, let pattern, let caseSensitive):
      return matches(term, match, pattern, caseSensitive: caseSensitive, in: context)
    case .search(let search):
      if context == .group { report(subject.path + search.path.description, "having can't search for words") }
      return checked(search).map { .search($0) } ?? .constant(false)
    case .some(let path, let inner):
      if path.names.isEmpty {
        report("", "a quantifier needs the name of a relationship")
        return checked(inner, in: context).node
      }
      return some(path.names, inner, in: context)
    case .tooDeep:
      report("", "the filter \(Criteria.Condition.tooDeep)")
      return .constant(false)
    }
  }

  // MARK: Comparisons

  private mutating func compare(_ left: Criteria.Term, _ comparison: Criteria.Comparison, _ right: Criteria.Term, in context: Context)
    -> CheckedCondition.Node
  {
    let pair = compared(checked(left, in: context, beside: right), checked(right, in: context, beside: left))
    switch comparison {
    case .equal, .notEqual: break
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      for operand in [pair.subject, pair.bound] where operand.scalar?.isNull == true {
        report(Self.path(of: pair), "can't be ordered against nil; use isNull or isNotNull")
      }
    }
    return .compare(pair.subject, comparison, pair.bound)
  }

  private mutating func between(_ term: Criteria.Term, _ low: Criteria.Term, _ high: Criteria.Term, in context: Context)
    -> CheckedCondition.Node
  {
    let terms = [term, low, high].map { checked($0, in: context, beside: term) }
    // A value between two others is stored as the first attribute among them, and as each of them where both have a type.
    let type = terms.first { $0.scalar == nil }?.type ?? .any
    let (lower, upper) = (beside(terms[0], terms[1], asFirst: type), beside(terms[0], terms[2], asFirst: type))
    for bound in [lower.subject, lower.bound, upper.bound] where bound.scalar?.isNull == true {
      report(Self.path(of: lower), "can't be between nil and a value; use isNull or isNotNull")
    }
    return .between(lower: lower, upper: upper)
  }

  private mutating func beside(_ subject: CheckedTerm, _ bound: CheckedTerm, asFirst type: AttributeType) -> CheckedPair {
    if subject.scalar == nil { return compared(subject, bound) }
    let isAsFirst = bound.scalar != nil || type == .any || bound.type == .any
    return isAsFirst ? named(adopting(subject, type), adopting(bound, type)) : compared(subject, bound)
  }

  private mutating func among(_ term: Criteria.Term, _ values: [Scalar], in context: Context) -> CheckedCondition.Node {
    let subject = checked(term, in: context)
    var wrong = 0
    for value in values where !value.isNull && wrong < Self.maximumProblemsOfList {
      do { _ = try subject.type.stored(value) } catch {
        report(subject.path, "\(error)")
        wrong += 1
      }
    }
    let hasNull = values.contains(.null)
    return .among(subject, value(.list(hasNull ? values.filter { !$0.isNull } : values), .list(subject.type), subject.path), values)
  }

  private mutating func matches(
    _ term: Criteria.Term, _ match: Criteria.TextComparison, _ pattern: Scalar, caseSensitive: Bool, in context: Context
  ) -> CheckedCondition.Node {
    let subject = checked(term, in: context)
    require(subject.type.isText, subject, "\(match.rawValue) is for text, not for \(subject.type)")
    guard pattern.kind == .text else {
      report(
        subject.path,
        pattern.isNull ? "\(match.rawValue) against nil; use isNull or isNotNull" : "\(match.rawValue) expects text, not \(pattern.shown)")
      return .constant(false)
    }
    let value = value(.scalar(pattern), match == .like ? .pattern : .attribute(.text), subject.path)
    return .matches(subject, match, value, caseSensitive: caseSensitive)
  }

  // MARK: Types

  /// Two operands with the value among them stored as the other is; reports types that do not compare.
  private mutating func compared(_ left: CheckedTerm, _ right: CheckedTerm) -> CheckedPair {
    let pair = CheckedPair(
      subject: left.scalar != nil && right.scalar == nil ? adopting(left, right.type) : left,
      bound: right.scalar != nil && left.scalar == nil ? adopting(right, left.type) : right)
    if left.scalar == nil, right.scalar == nil, !left.type.isComparable(with: right.type) {
      report(
        Self.path(of: pair), "can't be compared with \(right.path): \(left.type) and \(right.type), or stored in different forms")
    }
    return named(pair.subject, pair.bound)
  }

  /// Two operands, whose values messages name by the path of both.
  private mutating func named(_ left: CheckedTerm, _ right: CheckedTerm) -> CheckedPair {
    let path = left.path.isEmpty ? right.path : left.path
    let pair = CheckedPair(
      subject: left.scalar == nil ? left : left.naming(path), bound: right.scalar == nil ? right : right.naming(path))
    checkKind(pair.subject)
    checkKind(pair.bound)
    return pair
  }

  private static func path(of pair: CheckedPair) -> String { pair.subject.path.isEmpty ? pair.bound.path : pair.subject.path }

  /// A value stored as another term's type; any other term as it is.
  mutating func adopting(_ term: CheckedTerm, _ type: AttributeType) -> CheckedTerm {
    guard case .value(var value) = term.node else { return term }
    value.use = .attribute(type)
    return CheckedTerm(node: .value(value), type: type, isNullable: term.isNullable, path: term.path)
  }

  /// Reports a value whose kind does not fit the type as which it is stored.
  mutating func checkKind(_ term: CheckedTerm) {
    guard case .value(let value) = term.node, let scalar = value.scalar, !scalar.isNull else { return }
    do { _ = try term.type.stored(scalar) } catch { report(value.path, "\(error)") }
  }

  mutating func require(_ holds: Bool, _ term: CheckedTerm, _ message: String) {
    if !holds, term.type != .any { report(term.path, message) }
  }
}

extension AttributeType {
  /// Whether functions of text take it.
  package var isText: Bool {
    switch self {
    case .text, .storedText, .json, .any: true
    case .bool, .boolText, .integer, .real, .data, .uuid, .date, .decimal: false
    }
  }

  /// Whether functions of dates take it. One of a column without a type is not known to be one.
  var isDate: Bool { if case .date = self { true } else { false } }

  /// Whether functions of numbers take it.
  package var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal, .any: true
    case .bool, .boolText, .text, .storedText, .data, .uuid, .date, .json: false
    }
  }

  /// Whether values of both types compare by their stored forms. Of two texts one may have a collation, by which they compare.
  package func isComparable(with other: AttributeType) -> Bool {
    switch (self, other) {
    case (.any, _), (_, .any), (.integer, .real), (.real, .integer), (.text, .json), (.json, .text): true
    case (.text, .storedText), (.json, .storedText): other.isCollated
    case (.storedText, .text), (.storedText, .json): isCollated
    default: self == other
    }
  }
}
