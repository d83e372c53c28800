import DAOCriteria

/// The indexes that might serve a criteria, from what it compares and orders by: in its own table, and in those that its relationships lead to.
/// Whether one does, the engine is asked.
struct IndexCandidates {
  /// Each of one index, or of several that only help together: those of the alternatives of an OR.
  private(set) var groups: [[CandidateIndex]] = []
  private let root: EntityDescription
  private let scope: Condition

  /// Candidates for a criteria within its scope.
  init(_ kind: StatementKind, _ criteria: Criteria, in entity: EntityDescription) {
    root = entity
    scope = criteria.scope
    var access = TableAccess(entity)
    add(criteria.condition, to: &access)
    access.orders = orders(of: kind, criteria, &access)
    keep(access)
  }

  private mutating func keep(_ access: TableAccess) { for index in access.indexes { keep([index]) } }

  private mutating func keep(_ group: [CandidateIndex]) {
    // Each costs some trials.
    if groups.count < 24, !group.isEmpty, !groups.contains(group) { groups.append(group) }
  }

  // MARK: Orders

  private mutating func orders(
    of kind: StatementKind, _ criteria: Criteria, _ access: inout TableAccess
  ) -> [(attribute: Attribute, isDescending: Bool)] {
    var orders = criteria.orders
    switch kind {
    case .entities, .keys, .page:
      if criteria.limit != nil || criteria.offset != nil || criteria.after != nil { orders = criteria.totalOrders(in: root) }
    case .report:
      for column in criteria.columns { visit(column.term, in: &access) }
      // Rows that come group by group need no sort; the least and the greatest stand at the ends of an index.
      let groups = criteria.columns.filter { $0.isGroup || criteria.isDistinct }.map { Ordering(of: $0) }
      if !groups.isEmpty { orders = groups }
      if criteria.columns.count == 1, case .aggregate(let aggregate, let term?) = criteria.columns[0].term, aggregate.isEnd {
        orders = [Ordering(term)]
      }
    case .count, .exists, .delete, .update: return []
    }
    for order in orders { visit(order.term, in: &access) }
    let sorted = orders.compactMap { order in
      attribute(order.term, of: root).map { (attribute: $0, isDescending: order.direction == .descending) }
    }
    return sorted.count == orders.count ? sorted : []
  }

  // MARK: Conditions

  private mutating func add(_ condition: Condition, negated: Bool = false, to access: inout TableAccess) {
    if let name = condition.commonRelationship, access.entity.relationship(name)?.isToMany == false {
      let isTrueOfNulls = condition.isTrueOfNulls
      let inner: Condition = isTrueOfNulls ? .not(condition.withinRelationship) : condition.withinRelationship
      return related([name], inner, negated: negated != isTrueOfNulls, to: &access)
    }
    for term in condition.ownTerms { visit(term, in: &access) }
    switch condition.node {
    case .constant, .search, .tooDeep: break
    case .not(let inner): add(inner, negated: !negated, to: &access)
    case .all(let parts), .any(let parts):
      if case .any = condition.node, !negated { return alternatives(parts, negated: negated, to: access) }
      if case .all = condition.node, negated { return alternatives(parts, negated: negated, to: access) }
      for part in parts { add(part, negated: negated, to: &access) }
    case .some(let path, let inner): related(path.names[...], inner, negated: negated, to: &access)
    case .compare(let left, let comparison, let right):
      for (term, other) in [(left, right), (right, left)] {
        guard let attribute = attribute(term, of: access.entity), other.isFixed else { continue }
        switch negated ? comparison.negated : comparison {
        case .equal where attribute.type == .date(.unixSeconds) && other.isApproximate: access.ranges.append(attribute)
        case .equal: access.equal.append(attribute)
        case .notEqual: break
        case .less, .lessOrEqual, .greater, .greaterOrEqual: if !(negated && attribute.isOptional) { access.ranges.append(attribute) }
        }
      }
    case .between(let term, let lower, let upper):
      if !negated, let attribute = attribute(term, of: access.entity), lower.isFixed || upper.isFixed { access.ranges.append(attribute) }
    case .among(let term, _): if !negated, let attribute = attribute(term, of: access.entity) { access.among.append(attribute) }
    case .isNull(let term): if !negated, let attribute = attribute(term, of: access.entity) { access.equal.append(attribute) }
    case .matches(let term, .beginsWith, _, caseSensitive: true):
      if !negated, let attribute = attribute(term, of: access.entity), attribute.type != .any { access.ranges.append(attribute) }
    case .matches: break
    }
  }

  /// An OR is searched for in indexes where each of its parts has one.
  private mutating func alternatives(_ parts: [Condition], negated: Bool, to access: TableAccess) {
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
  private mutating func related(_ path: ArraySlice<String>, _ inner: Condition, negated: Bool, to access: inout TableAccess) {
    guard let name = path.first else { return add(inner, negated: negated, to: &access) }
    guard let steps = steps(name, from: access.entity), let last = steps.last else { return }
    if !negated { access.among += steps[0].pairs.map(\.here) }
    // They are listed, or looked at from each row.
    var listed = TableAccess(last.target)
    related(path.dropFirst(), inner, negated: false, to: &listed)
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

  private func steps(_ name: String, from entity: EntityDescription) -> [RelationshipStep]? {
    entity.relationship(name).flatMap { try? entity.steps(of: $0) }
  }

  // MARK: Terms

  /// Subqueries for one value.
  private mutating func visit(_ term: Term, in access: inout TableAccess) {
    switch term {
    case .value, .search, .unstorable: break
    case .function(_, let terms): for term in terms { visit(term, in: &access) }
    case .aggregate(let aggregate, let inner?) where aggregate.isEnd:
      var rows = TableAccess(access.entity)
      if access.entity === root { add(scope, to: &rows) }
      if let attribute = attribute(inner, of: access.entity) { rows.orders = [(attribute, false)] }
      keep(rows)
    case .aggregate: break
    case .field(let path):
      guard !path.rest.isEmpty, access.entity[path.description] == nil, let step = steps(path.first, from: access.entity)?.last else {
        return
      }
      var looked = TableAccess(step.target, equal: step.pairs.map(\.there))
      visit(.field(path.dropFirst), in: &looked)
      keep(looked)
    case .related(let aggregate, let path, let inner, let condition):
      var (entity, last): (EntityDescription, RelationshipStep?) = (access.entity, nil)
      for name in path.names {
        guard let steps = steps(name, from: entity), let step = steps.last else { return }
        if steps.count > 1 { pairs(steps[0], to: step) }
        if let last { keep(TableAccess(last.target, equal: last.pairs.map(\.there))) }
        (entity, last) = (step.target, step)
      }
      guard let last else { return }
      var looked = TableAccess(entity, equal: last.pairs.map(\.there))
      add(condition, to: &looked)
      if let inner, aggregate.isEnd, let attribute = attribute(inner, of: entity) { looked.orders = [(attribute, false)] }
      keep(looked)
    }
  }

  /// The attribute that a term is, where an index orders it as the statement does: decimals that are kept as text compare as numbers.
  private func attribute(_ term: Term, of entity: EntityDescription) -> Attribute? {
    guard case .field(let path) = term, let attribute = entity[path.description], attribute.type != .decimal(.text) else { return nil }
    return attribute
  }
}

extension Condition {
  /// The terms of a comparison.
  fileprivate var ownTerms: [Term] {
    switch node {
    case .compare, .between, .among, .isNull, .matches: terms
    case .constant, .all, .any, .not, .search, .some, .tooDeep: []
    }
  }
}

extension Term {
  /// Whether it is a literal to which several stored values may be equal.
  fileprivate var isApproximate: Bool { if case .value(let scalar) = self { scalar.isApproximate } else { false } }

  /// Whether it has one value for all rows.
  fileprivate var isFixed: Bool {
    switch self {
    case .value, .aggregate: true
    case .function(_, let terms): terms.allSatisfy(\.isFixed)
    case .field, .related, .search, .unstorable: false
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
