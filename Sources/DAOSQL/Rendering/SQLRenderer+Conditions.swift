import DAOCriteria

/// A condition as SQL, or as the constant that it turned out to be.
enum LoweredCondition {
  case constant(Bool)
  case sql(SQLFragment, isCompound: Bool)

  var isAlwaysFalse: Bool { if case .constant(false) = self { true } else { false } }

  static func sql(_ fragment: SQLFragment) -> LoweredCondition { .sql(fragment, isCompound: false) }

  /// The condition behind others that lead to its rows, or before them where it goes deep.
  func behind(_ others: [LoweredCondition]) -> [LoweredCondition] {
    if case .sql(let fragment, _) = self, Condition.isDeepBeyondRelationship(fragment.depth) { return [self] + others }
    return others + [self]
  }

  /// The same, known to go so deep.
  func deep(_ depth: Int) -> LoweredCondition {
    guard case .sql(var fragment, let isCompound) = self else { return self }
    fragment.depth = depth
    return .sql(fragment, isCompound: isCompound)
  }
}

// Filters are two-valued: negation goes down to the leaves, and a leaf that could be unknown says what holds for null.
extension SQLRenderer {
  mutating func lower(_ condition: Condition, in context: TermContext, negated: Bool = false) -> LoweredCondition {
    lowered(condition, in: context, negated: negated).deep(condition.depth)
  }

  private mutating func lowered(_ condition: Condition, in context: TermContext, negated: Bool) -> LoweredCondition {
    if let semiJoin = throughRelationship(condition, negated: negated, in: context) { return semiJoin }
    switch condition.node {
    case .constant(let value): return .constant(value != negated)
    case .not(let inner): return lower(inner, in: context, negated: !negated)
    case .all(let parts):
      let lowered = parts.map { lower($0, in: context, negated: negated) }
      return negated ? disjunction(lowered) : conjunction(lowered)
    case .any(let parts):
      let lowered = parts.map { lower($0, in: context, negated: negated) }
      return negated ? conjunction(lowered) : disjunction(lowered)
    case .compare(let left, let comparison, let right):
      return compare(left, negated ? comparison.negated : comparison, right, orNull: negated, in: context)
    case .between(let term, let lower, let upper): return between(term, lower, upper, negated: negated, in: context)
    case .among(let term, let values): return among(term, values, negated: negated, in: context)
    case .isNull(let term):
      let rendered = render(term, in: context)
      return .sql(rendered.sql + (negated ? " IS NOT NULL" : " IS NULL"))
    case .matches(let term, let match, let pattern, let caseSensitive):
      return matches(term, match, pattern, caseSensitive: caseSensitive, negated: negated, in: context)
    case .search(let found): return search(found, negated: negated, in: context)
    case .some(let path, let inner):
      if path.names.isEmpty { report("", "a quantifier needs the name of a relationship") }
      return some(path.names[...], inner, negated: negated, in: context)
    case .tooDeep:
      report("", "the filter \(Condition.tooDeep)")
      return .constant(false)
    }
  }

  func conjunction(_ parts: [LoweredCondition]) -> LoweredCondition { combine(parts, neutral: true, " AND ") }

  func disjunction(_ parts: [LoweredCondition]) -> LoweredCondition { combine(parts, neutral: false, " OR ") }

  private func combine(_ parts: [LoweredCondition], neutral: Bool, _ separator: String) -> LoweredCondition {
    var fragments: [SQLFragment] = []
    var single: LoweredCondition?
    for part in parts {
      switch part {
      case .constant(let value):
        if value != neutral { return .constant(value) }
      case .sql(let fragment, let isCompound):
        single = part
        fragments.append(isCompound ? fragment.inParentheses : fragment)
      }
    }
    switch fragments.count {
    case 0: return .constant(neutral)
    case 1: return single ?? .constant(neutral)
    default: return .sql(fragments.deepestFirst[...].balanced(separator), isCompound: true)
    }
  }

  /// The leaf, true also where one of the terms is null if `orNull`.
  private func leaf(_ sql: SQLFragment, orNull: Bool, _ terms: RenderedTerm...) -> LoweredCondition {
    let nullable = orNull ? terms.filter { $0.isNullable && $0.scalar == nil } : []
    if nullable.isEmpty { return .sql(sql) }
    return .sql(([sql] + nullable.map { $0.sql + " IS NULL" }).joined(" OR "), isCompound: true)
  }

  // MARK: Comparisons

  private mutating func compare(
    _ leftTerm: Term, _ comparison: Comparison, _ rightTerm: Term, orNull: Bool, in context: TermContext
  ) -> LoweredCondition {
    let (left, right) = matched(
      render(leftTerm, in: context, beside: rightTerm), render(rightTerm, in: context, beside: leftTerm))
    switch comparison {
    case .equal, .notEqual: return equality(left, right, isEqual: comparison == .equal)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      for operand in [left, right] where operand.scalar?.isNull == true {
        report(pathOf(left, right), "can't be ordered against nil; use isNull or isNotNull")
      }
      return leaf(left.comparable + " \(comparison.rawValue) " + right.comparable, orNull: orNull, left, right)
    }
  }

  private func equality(_ left: RenderedTerm, _ right: RenderedTerm, isEqual: Bool) -> LoweredCondition {
    if right.scalar?.isNull == true { return .sql(left.sql + (isEqual ? " IS NULL" : " IS NOT NULL")) }
    if left.scalar?.isNull == true { return .sql(right.sql + (isEqual ? " IS NULL" : " IS NOT NULL")) }
    // `=` with a value is unknown for null, which a filter leaves out as it should; the rest needs IS.
    let operation =
      isEqual ? (left.scalar != nil || right.scalar != nil || !(left.isNullable && right.isNullable) ? " = " : " IS ") : " IS NOT "
    return .sql(left.comparable + operation + right.comparable)
  }

  private mutating func between(_ term: Term, _ low: Term, _ high: Term, negated: Bool, in context: TermContext) -> LoweredCondition {
    let rendered = [term, low, high].map { render($0, in: context, beside: term) }
    // A value between two attributes is stored as they are.
    let type = rendered.first { $0.scalar == nil }?.type ?? .any
    let (beside, lower) = matched(rendered[0].adopting(type), rendered[1].adopting(type))
    var (again, upper) = matched(beside, rendered[2].adopting(type))
    // A value stays as what it meets first: beside a double an integer would be rounded, and beside a text one would be made a text.
    let subject = beside.scalar == nil ? again : beside
    if subject.scalar != nil, upper.scalar == nil, (subject.type == .any) != (upper.type == .any) { upper = upper.asItIs }
    for bound in [subject, lower, upper] where bound.scalar?.isNull == true {
      report(pathOf(subject, lower), "can't be between nil and a value; use isNull or isNotNull")
    }
    // A value that stands first meets another value too, as in `? BETWEEN "low" AND ?`; those compare as numbers only if told so.
    let tested = type == .decimal(.text) ? subject.sql + RenderedTerm.decimalOrder : subject.sql
    if negated {
      let outside = [tested + " < " + lower.comparable, tested + " > " + upper.comparable].joined(" OR ")
      if case .sql(let sql, _) = leaf(outside, orNull: true, subject, lower, upper) { return .sql(sql, isCompound: true) }
    }
    return .sql(tested + " BETWEEN " + lower.comparable + " AND " + upper.comparable)
  }

  private mutating func among(_ term: Term, _ values: [Scalar], negated: Bool, in context: TermContext) -> LoweredCondition {
    let subject = render(term, in: context)
    let shape = ListShape(values)
    for value in values where !value.isNull {
      do { _ = try subject.type.stored(value) } catch { report(subject.path, "\(error)") }
    }
    let packed = shape.hasNUL || !ListText.isPlain(subject.type)
    let binding = literal(.list(subject.type, packed: packed), path: subject.path)
    if shape.isEmpty {
      if shape.hasNull { return .sql(subject.sql + (negated ? " IS NOT NULL" : " IS NULL")) }
      return .constant(negated)
    }
    // No table of the store can stand in the way of the function there.
    let list = SQLFragment("(SELECT \(packed ? "dao_unpack(value)" : "value") FROM temp.json_each(?))", [binding])
    let member = subject.comparable + (negated ? " NOT IN " : " IN ") + list
    // Null is in the list, or is left out by a NOT IN unless it is let back in.
    if negated != shape.hasNull { return leaf(member, orNull: true, subject) }
    return .sql(member)
  }

  // MARK: Text

  private mutating func matches(
    _ term: Term, _ match: TextMatch, _ pattern: Scalar, caseSensitive: Bool, negated: Bool, in context: TermContext
  ) -> LoweredCondition {
    let subject = render(term, in: context).asText
    require(subject.type.isText, subject, "\(match.rawValue) is for text, not for \(subject.type)")
    let folded = !caseSensitive
    let number = literal(.pattern(folded: folded), path: subject.path).literal
    guard case .text(let text) = pattern else {
      report(
        subject.path,
        pattern.isNull ? "\(match.rawValue) against nil; use isNull or isNotNull" : "\(match.rawValue) expects text, not \(pattern.shown)")
      return .constant(false)
    }
    func value(_ form: Binding.Form) -> Binding { Binding(literal: number, form: form, path: subject.path) }
    let tested = folded ? "dao_fold(" + subject.sql + ")" : subject.sql
    switch match {
    case .like:
      let fits = SQLFragment(negated ? "NOT dao_like(" : "dao_like(") + tested + SQLFragment(", ?)", [value(.pattern(folded: folded))])
      return leaf(fits, orNull: negated, subject)
    case .contains:
      let found = "instr(" + tested + SQLFragment(", ?) \(negated ? "= 0" : "> 0")", [value(folded ? .folded : .stored(.text))])
      return leaf(found, orNull: negated, subject)
    case .beginsWith where folded:
      let begins = "instr(" + tested + SQLFragment(", ?) \(negated ? "<> 1" : "= 1")", [value(.folded)])
      return leaf(begins, orNull: negated, subject)
    case .beginsWith:
      // A range of the column's order is exact and can use an index.
      let from = SQLFragment(negated ? " < ?" : " >= ?", [value(.stored(.text))])
      let end = SQLFragment(negated ? " >= ?" : " < ?", [value(.prefixEnd)])
      let range = [subject.sql + from, subject.sql + end].joined(negated ? " OR " : " AND ")
      guard case .sql(let sql, _) = leaf(range, orNull: negated, subject) else { return .constant(false) }
      return .sql(sql, isCompound: true)
    case .endsWith:
      if text.isEmpty { return .sql(subject.sql + (negated ? " IS NULL" : " IS NOT NULL")) }
      // Bytes compare exactly, and UTF-8 lets no pattern begin inside a character.
      // Of an empty text SQLite's substr is null, which `=` leaves out and IS NOT takes in, as a null text.
      let end =
        "substr(CAST(" + tested
        + SQLFragment(
          " AS BLOB), ?) \(negated ? "IS NOT" : "=") ?", [value(.suffixStart(folded: folded)), value(.bytes(folded: folded))])
      return .sql(end)
    }
  }

  // MARK: Types

  /// Two operands with the literal among them stored as the other is; reports types that do not compare.
  private mutating func matched(_ left: RenderedTerm, _ right: RenderedTerm) -> (RenderedTerm, RenderedTerm) {
    var (left, right) = (left, right)
    let path = pathOf(left, right)
    if right.scalar != nil, left.scalar == nil { right = named(right.adopting(left.type), path) }
    if left.scalar != nil, right.scalar == nil { left = named(left.adopting(right.type), path) }
    if left.scalar == nil, right.scalar == nil, !left.type.isComparable(with: right.type) {
      report(path, "can't be compared with \(right.path): \(left.type) and \(right.type), or stored in different forms")
    }
    checkKind(left)
    checkKind(right)
    if left.scalar == nil, right.scalar == nil, (left.type == .any) != (right.type == .any) { return (left.asItIs, right.asItIs) }
    return (left, right)
  }

  private func pathOf(_ left: RenderedTerm, _ right: RenderedTerm) -> String { left.path.isEmpty ? right.path : left.path }

  private func named(_ term: RenderedTerm, _ path: String) -> RenderedTerm {
    var term = term
    term.sql.bindings = term.sql.bindings.map { Binding(literal: $0.literal, form: $0.form, path: path) }
    return term
  }
}
