import DAOCriteria

/// The indexes that might serve a query, from its comparisons and orders: in its own table, and in those that its relationships lead to.
/// Whether one does, the engine is asked.
struct IndexCandidates {
  /// Each of one index, or of several that only help together: those of the alternatives of an OR.
  private(set) var groups: [[CandidateIndex]] = []
  private let criteria: CheckedCriteria

  /// Candidates for a use of a query's rows.
  init(_ use: Criteria.Use, _ criteria: CheckedCriteria) {
    self.criteria = criteria
    var access = TableAccess(criteria.entity)
    add(criteria.scope, to: &access)
    add(criteria.filter, to: &access)
    access.orders = orders(of: use, &access)
    keep(access)
  }

  private mutating func keep(_ access: TableAccess) { for index in access.indexes { keep([index]) } }

  private mutating func keep(_ group: [CandidateIndex]) {
    // Each costs some trials.
    if groups.count < 24, !group.isEmpty, !groups.contains(group) { groups.append(group) }
  }

  // MARK: Orders

  private mutating func orders(of use: Criteria.Use, _ access: inout TableAccess) -> [(attribute: Attribute, isDescending: Bool)] {
    var isEnd = false
    var orders = criteria.orders.map { (term: $0.term, isDescending: $0.ordering.direction == .descending) }
    switch use {
    case .entities, .keys, .page:
      if criteria.isPaged { orders += criteria.keyOrders.map { (term: $0.term, isDescending: $0.ordering.direction == .descending) } }
    case .report:
      for column in criteria.columns { visit(column.term, in: &access) }
      // Rows that come group by group need no sort; the least and the greatest stand at the ends of an index.
      let groups = criteria.columns.filter { $0.isGroup || criteria.isDistinct }.map { (term: $0.term, isDescending: false) }
      if !groups.isEmpty { orders = groups }
      if criteria.columns.count == 1, case .aggregate(let call) = criteria.columns[0].term.node, call.aggregate.isEnd, let term = call.term
      {
        orders = [(term: term, isDescending: false)]
        isEnd = true
      }
    case .count, .exists, .delete, .update: return []
    }
    for order in orders { visit(order.term, in: &access) }
    let sorted = orders.compactMap { order in
      (isEnd ? order.term.bounded : order.term.indexed).map { (attribute: $0, isDescending: order.isDescending) }
    }
    return sorted.count == orders.count ? sorted : []
  }

  // MARK: Conditions

  private mutating func add(_ condition: CheckedCondition, negated: Bool = false, to access: inout TableAccess) {
    switch condition.node {
    case .constant, .search: break
    case .not(let inner): add(inner, negated: !negated, to: &access)
    case .all(let parts), .any(let parts):
      if case .any = condition.node, !negated { return alternatives(parts, negated: negated, to: access) }
      if case .all = condition.node, negated { return alternatives(parts, negated: negated, to: access) }
      for part in parts { add(part, negated: negated, to: &access) }
    case .some(let quantifier): related(quantifier.hops[...], quantifier.condition, negated: negated, to: &access)
    case .compare(let left, let comparison, let right):
      for term in [left, right] { visit(term, in: &access) }
      for (term, other) in [(left, right), (right, left)] {
        guard let attribute = other.scalar == nil ? term.found : term.found ?? term.bounded, other.isFixed else { continue }
        switch negated ? comparison.negated : comparison {
        case .equal where other.scalar.map(attribute.type.isApproximate) ?? false: access.ranges.append(attribute)
        case .equal: access.equal.append(attribute)
        case .notEqual: break
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
          let isBounded = (other.scalar == nil ? term.indexed : term.bounded) != nil
          if isBounded, !(negated && attribute.isOptional) { access.ranges.append(attribute) }
        }
      }
    case .between(let lower, let upper):
      for term in [lower.subject, lower.bound, upper.bound] { visit(term, in: &access) }
      let hasValues = lower.bound.scalar != nil && upper.bound.scalar != nil
      if !negated, let attribute = hasValues ? lower.subject.bounded : lower.subject.indexed,
        lower.bound.isFixed || upper.bound.isFixed
      {
        access.ranges.append(attribute)
      }
    case .among(let term, _, _):
      visit(term, in: &access)
      if !negated, let attribute = term.found { access.among.append(attribute) }
    case .isNull(let term):
      visit(term, in: &access)
      if !negated, let attribute = term.found ?? term.bounded { access.equal.append(attribute) }
    case .matches(let term, let match, _, let caseSensitive):
      visit(term, in: &access)
      guard match == .beginsWith, caseSensitive else { break }
      if !negated, let attribute = term.indexed, attribute.type != .any { access.ranges.append(attribute) }
    }
  }

  /// An OR is searched for in indexes where each of its parts has one.
  private mutating func alternatives(_ parts: [CheckedCondition], negated: Bool, to access: TableAccess) {
    var group: [CandidateIndex] = []
    var isWhole = true
    for part in parts {
      var alternative = TableAccess(access.entity)
      add(part, negated: negated, to: &alternative)
      if let index = alternative.indexes.first {
        if !group.contains(index) { group.append(index) }
      } else if !alternative.isByKey {
        isWhole = false
      }
    }
    if isWhole { keep(group) }
  }

  // MARK: Relationships

  /// The rows of which one at the end of a path does.
  private mutating func related(
    _ hops: ArraySlice<CheckedHop>, _ inner: CheckedCondition, negated: Bool, to access: inout TableAccess
  ) {
    guard let steps = hops.first?.steps, let last = steps.last else { return add(inner, negated: negated, to: &access) }
    if !negated { access.among += steps[0].pairs.map(\.here) }
    // They are listed, or looked up from each row.
    var listed = TableAccess(last.target)
    related(hops.dropFirst(), inner, negated: false, to: &listed)
    keep(listed)
    var looked = listed
    looked.equal = last.pairs.map(\.there) + listed.equal
    keep(looked)
    if steps.count > 1 { pairs(steps[0], to: last) }
  }

  /// The table of pairs, from both sides.
  private mutating func pairs(_ first: RelationshipStep, to last: RelationshipStep) {
    let (here, there) = (first.pairs.map(\.there), last.pairs.map(\.here))
    for equal in [here, there, here + there, there + here] { keep(TableAccess(first.target, equal: equal)) }
  }

  // MARK: Terms

  /// Subqueries for one value.
  private mutating func visit(_ term: CheckedTerm, in access: inout TableAccess) {
    switch term.node {
    case .attribute, .value, .search, .unknown: break
    case .function(_, let terms): for term in terms { visit(term, in: &access) }
    case .aggregate(let call):
      guard call.aggregate.isEnd, let inner = call.term else { break }
      var rows = TableAccess(access.entity)
      if access.entity === criteria.entity { add(criteria.scope, to: &rows) }
      if let attribute = inner.bounded { rows.orders = [(attribute, false)] }
      keep(rows)
    case .beyond(let hop, let inner):
      guard let step = hop.steps.last else { break }
      var looked = TableAccess(step.target, equal: step.pairs.map(\.there))
      visit(inner, in: &looked)
      keep(looked)
    case .related(let call, let hops, let condition):
      var last: RelationshipStep?
      for hop in hops {
        guard let step = hop.steps.last else { return }
        if hop.steps.count > 1 { pairs(hop.steps[0], to: step) }
        if let last { keep(TableAccess(last.target, equal: last.pairs.map(\.there))) }
        last = step
      }
      guard let last else { return }
      var looked = TableAccess(last.target, equal: last.pairs.map(\.there))
      add(condition, to: &looked)
      if call.aggregate.isEnd, let attribute = call.term?.bounded { looked.orders = [(attribute, false)] }
      keep(looked)
    }
  }
}

extension CheckedTerm {
  /// The attribute that it is, where an index orders it as the statement does: decimals that are kept as text compare as numbers, and
  /// dates with an offset as instants.
  fileprivate var indexed: Attribute? {
    if case .attribute(let attribute) = node, attribute.type.order == nil { attribute } else { nil }
  }

  /// The attribute that it is, where an index finds its values between two others, and the first and the last: numbers that are read as
  /// decimals too.
  fileprivate var bounded: Attribute? {
    if case .attribute(let attribute) = node, case .rounded = attribute.type.order { attribute } else { indexed }
  }

  /// The attribute that it is, where an index finds its equal values: digits in a text have one spelling, though they order otherwise.
  fileprivate var found: Attribute? {
    if case .attribute(let attribute) = node, attribute.type.order == nil || !attribute.type.hasSeveralForms { attribute } else { nil }
  }

  /// Whether it has one value for all rows.
  fileprivate var isFixed: Bool {
    switch node {
    case .value, .aggregate: true
    case .function(_, let terms): terms.allSatisfy(\.isFixed)
    case .attribute, .beyond, .related, .search, .unknown: false
    }
  }
}

extension Aggregate {
  /// Whether it is the value at one end of an order.
  fileprivate var isEnd: Bool { self == .min || self == .max }
}

extension TableAccess {
  /// Whether rows are found by the key that they are kept by.
  fileprivate var isByKey: Bool {
    entity.hasGeneratedKey && (equal + among + ranges).contains { entity.key.attributes.contains($0.name) }
  }
}
