/// The attributes and the other entities that a query reads.
struct AttributeReading {
  private let entity: EntityDescription
  /// The positions of the entity's own attributes that it reads.
  private(set) var positions: Set<Int> = []
  /// The entities of which any change counts.
  private(set) var others: Set<EntityDescription> = []
  /// Whether the positions are all that the result depends on.
  private(set) var isComplete = true

  /// The part of the filter that a row alone decides: it is true of all rows of which the filter is.
  private(set) var decidable = Criteria.Condition.constant(true)
  /// Whether that is all of the filter.
  private(set) var isDecidable = true

  private init(_ entity: EntityDescription) { self.entity = entity }

  /// What a condition over the rows of an entity reads.
  init(_ condition: Criteria.Condition, of entity: EntityDescription) {
    self.init(entity)
    read(condition)
  }

  /// What a query reads.
  init(of query: ObservedQuery) {
    var filter = query.scope
    if case .criteria(let criteria, _) = query.rows { filter = .all([filter, criteria.filter]) }
    self.init(filter, of: query.entity)
    let conjuncts = filter.conjuncts
    let plain = conjuncts.filter(isPlain)
    (decidable, isDecidable) = (.all(plain), plain.count == conjuncts.count)
    if case .criteria(let criteria, let reading) = query.rows { read(criteria, reading) }
  }

  /// Reads what a query has besides its filter.
  private mutating func read(_ criteria: Criteria, _ reading: ObservedQuery.Reading) {
    // What is counted after a position depends on the orders.
    if reading == .presence, criteria.after == nil { return }
    for order in criteria.orders { read(order.term, ofRows: reading != .report) }
    if reading == .keys { for name in entity.key.attributes { if let position = entity.position(of: name) { positions.insert(position) } } }
    for prefetch in criteria.prefetches where reading == .entities {
      guard let target = follow(prefetch.path.names[...]) else { continue }
      var related = AttributeReading(target)
      for order in prefetch.orders { related.read(order.term, ofRows: true) }
      others.formUnion(related.others)
    }
    if reading != .report { return }
    for column in criteria.columns { read(column.term, ofRows: false) }
    read(criteria.having, ofRows: false)
  }

  /// - Parameter ofRows: as for a term.
  private mutating func read(_ condition: Criteria.Condition, ofRows: Bool = true) {
    switch condition.node {
    case .some(let path, let inner): return read(path, inner, [])
    case .search(let search): read(search)
    case .tooDeep: isComplete = false
    default: break
    }
    for term in condition.terms { read(term, ofRows: ofRows) }
    for child in condition.children { read(child, ofRows: ofRows) }
  }

  /// Reads rows that relationships lead to.
  private mutating func read(_ path: FieldPath, _ condition: Criteria.Condition, _ terms: [Criteria.Term]) {
    isComplete = false
    guard let related = follow(path.names[...]) else { return }
    var reading = AttributeReading(related)
    reading.read(condition)
    for term in terms { reading.read(term, ofRows: false) }
    others.formUnion(reading.others)
  }

  /// - Parameter ofRows: whether an aggregate in the term speaks of all rows that are visible, rather than of those found.
  private mutating func read(_ term: Criteria.Term, ofRows: Bool) {
    switch term {
    case .field(let path):
      if let position = entity.position(of: path.description) {
        positions.insert(position)
      } else {
        isComplete = false
        follow(path.names.dropLast())
      }
    case .value: break
    case .function(_, let terms): for term in terms { read(term, ofRows: ofRows) }
    case .aggregate:
      if ofRows { others.insert(entity) }
      for term in term.children { read(term, ofRows: ofRows) }
    case .related(_, let path, _, let condition): read(path, condition, term.children)
    case .search(let result, let search):
      read(search)
      // Each row of the table has its part in it, found or not.
      if result == .relevance { others.insert(entity) }
    case .unstorable: isComplete = false
    }
  }

  private mutating func read(_ search: Criteria.Search) {
    isComplete = false
    // The last name may be that of an attribute.
    follow(search.path.names[...])
  }

  /// Notes the entities along a path of relationships.
  /// - Returns: the last of them.
  @discardableResult
  private mutating func follow(_ path: ArraySlice<String>) -> EntityDescription? {
    var last = entity
    for name in path {
      guard let relationship = last.relationship(name), let target = relationship.target else { return nil }
      others.insert(target)
      if let join = relationship.join { others.insert(join) }
      last = target
    }
    return last
  }

  // MARK: What a row alone decides

  private func isPlain(_ condition: Criteria.Condition) -> Bool {
    switch condition.node {
    case .constant: true
    case .all, .any, .not: condition.children.allSatisfy(isPlain)
    case .compare, .between, .among, .isNull, .matches: condition.terms.allSatisfy(isDecidable)
    case .search, .some, .tooDeep: false
    }
  }

  /// Whether a row alone decides what a term is.
  func isDecidable(_ term: Criteria.Term) -> Bool {
    switch term {
    case .field(let path): entity.position(of: path.description) != nil
    case .value: true
    case .function(_, let terms): terms.allSatisfy(isDecidable)
    case .aggregate, .related, .search, .unstorable: false
    }
  }
}

extension Criteria.Condition {
  /// The conditions that are all true where it is.
  fileprivate var conjuncts: [Criteria.Condition] { if case .all(let parts) = node { parts.flatMap(\.conjuncts) } else { [self] } }
}
