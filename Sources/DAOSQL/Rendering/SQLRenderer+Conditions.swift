import DAOCriteria

// Filters are two-valued: negation goes down to the leaves, and a leaf that could be unknown says what holds for null.
extension SQLRenderer {
  mutating func lower(_ condition: CheckedCondition, in context: TermContext, negated: Bool = false) -> LoweredCondition {
    lowered(condition, in: context, negated: negated).deep(condition.depth.symbols)
  }

  private mutating func lowered(_ condition: CheckedCondition, in context: TermContext, negated: Bool) -> LoweredCondition {
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
    case .between(let lower, let upper): return between(lower, upper, negated: negated, in: context)
    case .among(let term, let list, let values): return among(term, list, values, negated: negated, in: context)
    case .isNull(let term): return .sql("\(render(term, in: context).sql)\(text: negated ? " IS NOT NULL" : " IS NULL")")
    case .matches(let term, let match, let pattern, let caseSensitive):
      return matches(term, match, pattern, caseSensitive: caseSensitive, negated: negated, in: context)
    case .search(let search):
      let rows = rows(of: search)
      return .sql("\(table.column(search.key))\(text: negated ? " NOT" : "") IN (SELECT rowid FROM \(rows.sql))")
    case .some(let quantifier): return some(quantifier.hops[...], quantifier, negated: negated, in: context)
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
    return .sql(([sql] + nullable.map { "\($0.sql) IS NULL" }).joined(" OR "), isCompound: true)
  }

  // MARK: Comparisons

  private mutating func compare(
    _ leftTerm: CheckedTerm, _ comparison: Criteria.Comparison, _ rightTerm: CheckedTerm, orNull: Bool, in context: TermContext
  ) -> LoweredCondition {
    let (left, right) = asCompared(render(leftTerm, in: context), render(rightTerm, in: context))
    switch comparison {
    case .equal, .notEqual:
      let sign = equalSign(left.scalar == nil ? leftTerm : rightTerm)
      return equality(
        unlooked(left, leftTerm, beside: right), unlooked(right, rightTerm, beside: left), isEqual: comparison == .equal, sign)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return ordered(left, comparison, right, orNull: orNull)
    }
  }

  private func ordered(_ left: RenderedTerm, _ comparison: Criteria.Comparison, _ right: RenderedTerm, orNull: Bool) -> LoweredCondition {
    var (left, right) = (left, right)
    switch (left.scalar == nil, right.scalar == nil) {
    // A value between two attributes may have the form of the other.
    case (true, false) where left.type != right.type: right = right.exact
    case (false, true) where left.type != right.type: left = left.exact
    case (true, false):
      right = comparison == .less || comparison == .greaterOrEqual ? right.lower : right.upper
      return leaf("\(left.bounded) \(text: comparison.rawValue) \(right.sql)", orNull: orNull, left, right)
    case (false, true):
      left = comparison == .greater || comparison == .lessOrEqual ? left.lower : left.upper
      return leaf("\(left.sql) \(text: comparison.rawValue) \(right.bounded)", orNull: orNull, left, right)
    case (false, false):
      (left, right) = (left.exact, right.exact)
      // Only beside an attribute SQLite knows by itself that texts are numbers.
      left.sql = left.type.ordered(left.sql)
    case (true, true): break
    }
    return leaf("\(left.ordered) \(text: comparison.rawValue) \(right.ordered)", orNull: orNull, left, right)
  }

  /// SQLite finds the row with the INTEGER PRIMARY KEY -2^63 by no double, though the two are equal: so a key is not looked up by one.
  private func unlooked(_ term: RenderedTerm, _ source: CheckedTerm, beside other: RenderedTerm) -> RenderedTerm {
    guard term.type == .integer, other.type == .real, case .attribute(let attribute) = source.node,
      table.entity.key.attributes == [attribute.name]
    else { return term }
    return term.asItIs
  }

  /// - Parameter sign: what says that a value is equal.
  private func equality(_ left: RenderedTerm, _ right: RenderedTerm, isEqual: Bool, _ sign: String) -> LoweredCondition {
    let isNull = isEqual ? " IS NULL" : " IS NOT NULL"
    if right.scalar?.isNull == true { return .sql("\(left.sql)\(text: isNull)") }
    if left.scalar?.isNull == true { return .sql("\(right.sql)\(text: isNull)") }
    if left.scalar == nil, right.isApproximate { return range(left, right, isWithin: isEqual) }
    if right.scalar == nil, left.isApproximate { return range(right, left, isWithin: isEqual) }
    let (left, right) = left.scalar != nil && right.scalar != nil ? (left.exact, right.exact) : (left, right)
    // `=` with a value is unknown for null, which a filter leaves out as it should; the rest needs IS.
    let isWithValue = left.scalar != nil || right.scalar != nil
    let equals = isWithValue ? sign : left.isNullable && right.isNullable ? "IS" : "="
    return .sql("\(left.comparable) \(text: isEqual ? equals : "IS NOT") \(right.comparable)")
  }

  /// Equality with a value to which no stored value is equal, or several may be.
  private func range(_ term: RenderedTerm, _ value: RenderedTerm, isWithin: Bool) -> LoweredCondition {
    if value.type == .real { return .constant(!isWithin) }
    return leaf(
      "\(term.bounded)\(text: isWithin ? " BETWEEN " : " NOT BETWEEN ")\(value.lower.sql) AND \(value.upper.sql)", orNull: !isWithin, term)
  }

  private mutating func between(
    _ lowerPair: CheckedPair, _ upperPair: CheckedPair, negated: Bool, in context: TermContext
  ) -> LoweredCondition {
    let (first, second) = (render(lowerPair.subject, in: context), render(lowerPair.bound, in: context))
    // A value may be stored in another way for each bound; any other term is the same for both.
    let third = render(upperPair.bound, in: context)
    let lower = besideBound(first, second)
    let upper = besideBound(first.scalar == nil ? first : render(upperPair.subject, in: context), third)
    let hasValues = lower.bound.scalar != nil && upper.bound.scalar != nil
    // A value compares with each bound in the form of that, and a column without a type only beside some types as it is.
    guard first.scalar == nil, lower.subject.sql == upper.subject.sql,
      hasValues || ![first, lower.bound, upper.bound].contains(where: \.isRounded)
    else {
      let parts = [
        ordered(lower.subject, negated ? .less : .greaterOrEqual, lower.bound, orNull: negated),
        ordered(upper.subject, negated ? .greater : .lessOrEqual, upper.bound, orNull: negated),
      ]
      return negated ? disjunction(parts) : conjunction(parts)
    }
    let (subject, low, high) = (lower.subject, lower.bound.lower, upper.bound.upper)
    if negated {
      let outside: SQLFragment =
        "\(subject.bounded) < \(low.bounded) OR \(subject.bounded) > \(high.bounded)"
      if case .sql(let sql, _) = leaf(outside, orNull: true, subject, low, high) { return .sql(sql, isCompound: true) }
    }
    return .sql("\(subject.bounded) BETWEEN \(low.bounded) AND \(high.bounded)")
  }

  private mutating func among(
    _ term: CheckedTerm, _ list: CheckedValue, _ values: [Scalar], negated: Bool, in context: TermContext
  ) -> LoweredCondition {
    let shape = ListShape(values)
    var subject = render(term, in: context)
    if subject.type == .any, shape.isConvertible { subject = subject.asItIs }
    if shape.isEmpty {
      if shape.hasNull { return .sql("\(subject.sql)\(text: negated ? " IS NOT NULL" : " IS NULL")") }
      return .constant(negated)
    }
    let isSinceReference = subject.type.isApproximate(in: shape)
    let form: ListForm = isSinceReference ? .sinceReference : shape.hasNUL || !ListText.isPlain(subject.type) ? .packed : .plain
    let bound = binding(list, .list(subject.type, form))
    // No table of the store can stand in the way of the function there.
    let found: SQLFragment = "(SELECT \(text: form == .plain ? "value" : "dao_unpack(value)") FROM temp.json_each(\(value: bound)))"
    let tested = isSinceReference ? subject.secondsSinceReference : subject.comparable
    let member: SQLFragment = "\(tested)\(text: negated ? " NOT IN " : " IN ")\(found)"
    // Null is in the list, or is left out by a NOT IN unless it is let back in.
    if negated != shape.hasNull { return leaf(member, orNull: true, subject) }
    // Integers that no double is equal to are left out, and of an empty list `NULL NOT IN ()` is true.
    if negated, subject.type == .real { return conjunction([.sql("\(subject.sql) IS NOT NULL"), .sql(member)]) }
    return .sql(member)
  }

  // MARK: Text

  private mutating func matches(
    _ term: CheckedTerm, _ match: Criteria.TextComparison, _ pattern: CheckedValue, caseSensitive: Bool, negated: Bool,
    in context: TermContext
  ) -> LoweredCondition {
    let subject = render(term, in: context)
    if match == .beginsWith, caseSensitive, subject.type.encodedText == nil {
      // A range of the column's order is exact and can use an index.
      let end = binding(pattern, .prefixEnd)
      let text: SQLFragment =
        subject.type.isCollated ? "\(subject.sql) COLLATE BINARY" : subject.type == .any ? subject.asItIs.sql : subject.sql
      var range: SQLFragment =
        negated
        ? "\(text) < \(value: binding(pattern)) OR \(text) >= \(value: end)"
        : "\(text) >= \(value: binding(pattern)) AND \(text) < \(value: end)"
      if subject.type.isCollated, !negated {
        // Those that the column's index can be searched for, and of them the ones that begin just so.
        let (text, end) = (subject.ordered, binding(pattern, .collatedPrefixEnd))
        range = "\(text) >= \(value: binding(pattern)) AND \(text) < \(value: end) AND \(range)"
      }
      guard case .sql(let sql, _) = leaf(range, orNull: negated, subject) else { return .constant(false) }
      return .sql(sql, isCompound: true)
    }
    let fits: SQLFragment = "\(text: match.function(caseSensitive: caseSensitive))(\(subject.plain), \(value: binding(pattern)))"
    return leaf(negated ? "NOT \(fits)" : fits, orNull: negated, subject)
  }

  // MARK: Affinity

  /// Two operands as SQLite has to compare them.
  private func asCompared(_ left: RenderedTerm, _ right: RenderedTerm) -> (RenderedTerm, RenderedTerm) {
    // Of two columns without a type one may be of numbers.
    if left.scalar == nil, right.scalar == nil, left.type == .any || right.type == .any { return (left.asItIs, right.asItIs) }
    return (asItIs(left, beside: right), asItIs(right, beside: left))
  }

  /// A term and one of the two bounds that it is between.
  private func besideBound(_ subject: RenderedTerm, _ bound: RenderedTerm) -> (subject: RenderedTerm, bound: RenderedTerm) {
    if subject.scalar == nil { return asCompared(subject, bound) }
    guard bound.scalar == nil, (subject.type == .any) != (bound.type == .any) else { return (subject, asItIs(bound, beside: subject)) }
    var bound = bound.asItIs
    // Neither a value nor a column without a type would say that decimals compare as numbers. Numbers do as they are.
    if !subject.isRounded { bound.sql = subject.type.ordered(bound.sql) }
    return (subject, bound)
  }

  /// A column without a known type beside a text in which SQLite reads a number: a column declared `NUMERIC` or `DATETIME` would compare it
  /// as that number.
  private func asItIs(_ term: RenderedTerm, beside other: RenderedTerm) -> RenderedTerm {
    term.scalar == nil && term.type == .any && other.scalar?.isNumberInText == true ? term.asItIs : term
  }
}

extension Criteria.TextComparison {
  /// The connection's function that says whether a text fits a pattern. It is false for a value that is no text, and null for null.
  package func function(caseSensitive: Bool) -> String {
    "dao_\(caseSensitive ? "" : "i")\(rawValue)"
  }
}
