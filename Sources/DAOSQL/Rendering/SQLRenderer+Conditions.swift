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
    standing(in: .condition(condition)) { $0.lowered(condition, in: context, negated: negated).deep(condition.depth) }
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
    case .equal, .notEqual:
      let sign = equalSign(left.scalar == nil ? leftTerm : rightTerm, left.scalar == nil ? left.type : right.type)
      return equality(
        unlooked(left, leftTerm, beside: right), unlooked(right, rightTerm, beside: left), isEqual: comparison == .equal, sign)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      for operand in [left, right] where operand.scalar?.isNull == true {
        report(pathOf(left, right), "can't be ordered against nil; use isNull or isNotNull")
      }
      return ordered(left, comparison, right, orNull: orNull)
    }
  }

  private func ordered(_ left: RenderedTerm, _ comparison: Comparison, _ right: RenderedTerm, orNull: Bool) -> LoweredCondition {
    var (left, right) = (left, right)
    switch (left.scalar == nil, right.scalar == nil) {
    // A value between two attributes may have the form of the other.
    case (true, false) where left.type != right.type: right = right.exact
    case (false, true) where left.type != right.type: left = left.exact
    case (true, false): right = comparison == .less || comparison == .greaterOrEqual ? right.lower : right.upper
    case (false, true): left = comparison == .greater || comparison == .lessOrEqual ? left.lower : left.upper
    case (false, false):
      (left, right) = (left.exact, right.exact)
      // Only beside an attribute SQLite knows by itself that texts are numbers.
      if left.type == .decimal(.text) { left.sql = left.sql + RenderedTerm.decimalOrder }
    case (true, true): break
    }
    return leaf(left.comparable + " \(comparison.rawValue) " + right.comparable, orNull: orNull, left, right)
  }

  /// SQLite finds the row with the INTEGER PRIMARY KEY -2^63 by no double, though the two are equal: so a key is not looked up by one.
  private func unlooked(_ term: RenderedTerm, _ source: Term, beside other: RenderedTerm) -> RenderedTerm {
    guard term.type == .integer, other.type == .real, case .field(let path) = source, subject.entity.key.attributes == [path.description]
    else { return term }
    return term.asItIs
  }

  /// - Parameter sign: what says that a value is equal.
  private func equality(_ left: RenderedTerm, _ right: RenderedTerm, isEqual: Bool, _ sign: String) -> LoweredCondition {
    if right.scalar?.isNull == true { return .sql(left.sql + (isEqual ? " IS NULL" : " IS NOT NULL")) }
    if left.scalar?.isNull == true { return .sql(right.sql + (isEqual ? " IS NULL" : " IS NOT NULL")) }
    if left.scalar == nil, right.isApproximate { return range(left, right, isWithin: isEqual) }
    if right.scalar == nil, left.isApproximate { return range(right, left, isWithin: isEqual) }
    let (left, right) = left.scalar != nil && right.scalar != nil ? (left.exact, right.exact) : (left, right)
    // `=` with a value is unknown for null, which a filter leaves out as it should; the rest needs IS.
    let isWithValue = left.scalar != nil || right.scalar != nil
    let equals = isWithValue ? sign : left.isNullable && right.isNullable ? "IS" : "="
    return .sql(left.comparable + (isEqual ? " \(equals) " : " IS NOT ") + right.comparable)
  }

  /// Equality with a literal to which no stored value is equal, or several may be.
  private func range(_ term: RenderedTerm, _ literal: RenderedTerm, isWithin: Bool) -> LoweredCondition {
    if literal.type == .real { return .constant(!isWithin) }
    return leaf(
      term.sql + (isWithin ? " BETWEEN " : " NOT BETWEEN ") + literal.lower.sql + " AND " + literal.upper.sql, orNull: !isWithin, term)
  }

  private mutating func between(_ term: Term, _ low: Term, _ high: Term, negated: Bool, in context: TermContext) -> LoweredCondition {
    let rendered = [term, low, high].map { render($0, in: context, beside: term) }
    // A value between two others is stored as the first attribute among them, and as each of them where both have a type.
    let type = rendered.first { $0.scalar == nil }?.type ?? .any
    func beside(_ subject: RenderedTerm, _ bound: RenderedTerm) -> (subject: RenderedTerm, bound: RenderedTerm) {
      if subject.scalar == nil { return matched(subject, bound) }
      let isAsFirst = bound.scalar != nil || type == .any || bound.type == .any
      return isAsFirst ? checked(subject.adopting(type), bound.adopting(type)) : matched(subject, bound)
    }
    let (lower, upper) = (beside(rendered[0], rendered[1]), beside(rendered[0], rendered[2]))
    for bound in [lower.subject, lower.bound, upper.bound] where bound.scalar?.isNull == true {
      report(pathOf(lower.subject, lower.bound), "can't be between nil and a value; use isNull or isNotNull")
    }
    // A value compares with each bound in the form of that, and a column without a type only beside some types as it is.
    guard rendered[0].scalar == nil, lower.subject.sql.text == upper.subject.sql.text else {
      let parts = [
        ordered(lower.subject, negated ? .less : .greaterOrEqual, lower.bound, orNull: negated),
        ordered(upper.subject, negated ? .greater : .lessOrEqual, upper.bound, orNull: negated),
      ]
      return negated ? disjunction(parts) : conjunction(parts)
    }
    let (subject, low, high) = (lower.subject, lower.bound.lower, upper.bound.upper)
    if negated {
      let outside = [subject.comparable + " < " + low.comparable, subject.comparable + " > " + high.comparable].joined(" OR ")
      if case .sql(let sql, _) = leaf(outside, orNull: true, subject, low, high) { return .sql(sql, isCompound: true) }
    }
    return .sql(subject.comparable + " BETWEEN " + low.comparable + " AND " + high.comparable)
  }

  private mutating func among(_ term: Term, _ values: [Scalar], negated: Bool, in context: TermContext) -> LoweredCondition {
    let shape = ListShape(values)
    var subject = render(term, in: context)
    if subject.type == .any, shape.isConvertible { subject = subject.asItIs }
    for value in values where !value.isNull {
      do { _ = try subject.type.stored(value) } catch { report(subject.path, "\(error)") }
    }
    let isSinceReference = subject.type == .date(.unixSeconds) && shape.hasEarlyDate
    let form: ListForm = isSinceReference ? .sinceReference : shape.hasNUL || !ListText.isPlain(subject.type) ? .packed : .plain
    let binding = literal(.list(subject.type, form), path: subject.path)
    if shape.isEmpty {
      if shape.hasNull { return .sql(subject.sql + (negated ? " IS NOT NULL" : " IS NULL")) }
      return .constant(negated)
    }
    // No table of the store can stand in the way of the function there.
    let list = SQLFragment("(SELECT \(form == .plain ? "value" : "dao_unpack(value)") FROM temp.json_each(?))", [binding])
    // What is no number is in no list.
    let tested =
      isSinceReference
      ? "coalesce(dao_number(" + subject.sql + ") - \(UnixSeconds.from1970To2001), " + subject.sql + ")" : subject.comparable
    let member = tested + (negated ? " NOT IN " : " IN ") + list
    // Null is in the list, or is left out by a NOT IN unless it is let back in.
    if negated != shape.hasNull { return leaf(member, orNull: true, subject) }
    // Integers that no double is equal to are left out, and of an empty list `NULL NOT IN ()` is true.
    if negated, subject.type == .real { return conjunction([.sql(subject.sql + " IS NOT NULL"), .sql(member)]) }
    return .sql(member)
  }

  // MARK: Text

  private mutating func matches(
    _ term: Term, _ match: TextMatch, _ pattern: Scalar, caseSensitive: Bool, negated: Bool, in context: TermContext
  ) -> LoweredCondition {
    let subject = render(term, in: context)
    require(subject.type.isText, subject, "\(match.rawValue) is for text, not for \(subject.type)")
    let binding = literal(match == .like ? .pattern : .stored(.text), path: subject.path)
    guard pattern.kind == .text else {
      report(
        subject.path,
        pattern.isNull ? "\(match.rawValue) against nil; use isNull or isNotNull" : "\(match.rawValue) expects text, not \(pattern.shown)")
      return .constant(false)
    }
    if match == .beginsWith, caseSensitive {
      // A range of the column's order is exact and can use an index.
      let end = Binding(literal: binding.literal, form: .prefixEnd, path: subject.path)
      let subject = subject.type == .any ? subject.asItIs : subject
      let range = [
        subject.sql + SQLFragment(negated ? " < ?" : " >= ?", [binding]), subject.sql + SQLFragment(negated ? " >= ?" : " < ?", [end]),
      ].joined(negated ? " OR " : " AND ")
      guard case .sql(let sql, _) = leaf(range, orNull: negated, subject) else { return .constant(false) }
      return .sql(sql, isCompound: true)
    }
    let fits = "\(match.function(caseSensitive: caseSensitive))(" + subject.sql + SQLFragment(", ?)", [binding])
    return leaf(negated ? "NOT " + fits : fits, orNull: negated, subject)
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
    // Of two columns without a type one may be of numbers.
    if left.scalar == nil, right.scalar == nil, left.type == .any || right.type == .any { return (left.asItIs, right.asItIs) }
    return (asItIs(left, beside: right), asItIs(right, beside: left))
  }

  /// Two operands as they are stored already.
  private mutating func checked(_ left: RenderedTerm, _ right: RenderedTerm) -> (RenderedTerm, RenderedTerm) {
    let path = pathOf(left, right)
    let (left, right) = (left.scalar == nil ? left : named(left, path), right.scalar == nil ? right : named(right, path))
    checkKind(left)
    checkKind(right)
    guard right.scalar == nil, (left.type == .any) != (right.type == .any) else { return (left, asItIs(right, beside: left)) }
    var bound = right.asItIs
    // Neither a value nor a column without a type would say that decimals compare as numbers.
    if left.scalar != nil, left.type == .decimal(.text) { bound.sql = bound.sql + RenderedTerm.decimalOrder }
    return (left, bound)
  }

  /// A column without a known type beside a text in which SQLite reads a number: what is declared `NUMERIC` or `DATETIME` would have it
  /// compared as that number.
  private func asItIs(_ term: RenderedTerm, beside other: RenderedTerm) -> RenderedTerm {
    term.scalar == nil && term.type == .any && other.scalar?.isNumberInText == true ? term.asItIs : term
  }

  private func pathOf(_ left: RenderedTerm, _ right: RenderedTerm) -> String { left.path.isEmpty ? right.path : left.path }

  private func named(_ term: RenderedTerm, _ path: String) -> RenderedTerm {
    var term = term
    term.sql.bindings = term.sql.bindings.map { Binding(literal: $0.literal, form: $0.form, path: path) }
    return term
  }
}

extension TextMatch {
  /// The connection's function that says whether a text fits a pattern. It is false of what is no text, and null of null.
  package func function(caseSensitive: Bool) -> String {
    switch self {
    case .like: caseSensitive ? "dao_like" : "dao_ilike"
    case .contains: caseSensitive ? "dao_contains" : "dao_icontains"
    case .beginsWith: caseSensitive ? "dao_begins" : "dao_ibegins"
    case .endsWith: caseSensitive ? "dao_ends" : "dao_iends"
    }
  }
}
