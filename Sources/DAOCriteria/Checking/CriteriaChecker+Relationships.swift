extension CriteriaChecker {
  // MARK: Filters

  /// A row at least, at the end of the path, of which the condition is true.
  mutating func some(
    _ path: [String], _ condition: Criteria.Condition, in context: Context, isComparison: Bool = false
  ) -> CheckedCondition.Node {
    let here = subject
    defer { subject = here }
    if context == .group, let name = path.first { report(subject.path + name, "having can't go through relationships") }
    guard let hops = go(path) else { return .constant(false) }
    return .some(CheckedQuantifier(hops: hops, condition: checked(condition, in: .row), isComparison: isComparison))
  }

  /// A comparison that speaks of attributes over one to-one relationship alone, and of values, as a quantifier over that; nil for others.
  ///
  /// Where there is no row, its attributes are null: a comparison that is true of null is false of just those rows of which it is false
  /// over there.
  mutating func throughRelationship(_ leaf: Criteria.Condition, in context: Context) -> CheckedCondition.Node? {
    guard context == .row, let name = leaf.commonRelationship, subject.entity.relationship(name)?.isToMany == false,
      // A name may have dots of its own.
      !leaf.paths.contains(where: { subject.entity[$0.description] != nil })
    else { return nil }
    let inner = leaf.withinRelationship
    if !leaf.isTrueOfNulls { return some([name], inner, in: context, isComparison: true) }
    return CheckedCondition(some([name], .not(inner), in: context, isComparison: true)).negation
  }

  // MARK: Values

  /// An attribute over relationships to one row.
  mutating func relatedField(_ path: FieldPath) -> CheckedTerm {
    let here = subject
    defer { subject = here }
    guard let hop = go(path.first, of: path.description) else { return .unknown(here.path + path.description) }
    if hop.relationship.isToMany {
      report(here.path + path.first, "leads to many rows; use any, all, none or an aggregate")
      return .unknown(here.path + path.description)
    }
    let value = field(path.dropFirst)
    return CheckedTerm(node: .beyond(hop, value), type: value.type, isNullable: true, path: value.path)
  }

  /// An aggregate over the rows at the end of a path of relationships.
  mutating func related(_ aggregate: Aggregate, _ path: FieldPath, _ inner: Criteria.Term?, _ condition: Criteria.Condition) -> CheckedTerm
  {
    let here = subject
    defer { subject = here }
    guard let hops = go(path.names) else { return .unknown(here.path + path.description) }
    if hops.isEmpty {
      report("", "\(aggregate.name) needs a relationship")
      return .unknown("")
    }
    let called = call(aggregate, of: inner)
    let filter = checked(condition, in: .row)
    return CheckedTerm(node: .related(called.call, hops, filter), called, path: here.path + path.description)
  }

  // MARK: Ways

  /// Goes along a path, so that the subject is the entity at its end; nil where one of the names leads nowhere, which is reported.
  private mutating func go(_ path: [String]) -> [CheckedHop]? {
    var hops: [CheckedHop] = []
    for name in path {
      guard let hop = go(name) else { return nil }
      hops.append(hop)
    }
    return hops
  }

  /// Goes over a relationship of the subject; nil where there is none, which is reported for the path that names it.
  private mutating func go(_ name: String, of path: String? = nil) -> CheckedHop? {
    let entity = subject.entity
    guard let relationship = entity.relationship(name) else {
      if let attribute = entity[name] {
        report(subject.path + (path ?? name), "\(entity.name).\(name) is an attribute of \(attribute.type), which leads nowhere")
      } else {
        report(DAOError.CriteriaProblem(unknownRelationship: name, of: entity, at: subject.path + name))
      }
      return nil
    }
    do {
      let steps = try entity.steps(of: relationship)
      guard let target = steps.last?.target else { return nil }
      for step in steps where !reached.contains(where: { $0 === step.target }) { reached.append(step.target) }
      subject = Subject(entity: target, path: subject.path + name + ".")
      return CheckedHop(relationship: relationship, steps: steps, target: target)
    } catch {
      report(subject.path + name, "\(error)")
      return nil
    }
  }
}

// MARK: Comparisons over one relationship

extension Criteria.Condition {
  /// The relationship that all attributes of a comparison are reached by, where it has no others.
  fileprivate var commonRelationship: String? {
    let paths = paths
    guard let first = paths.first, terms.allSatisfy(\.isNullOfNulls),
      paths.allSatisfy({ !$0.rest.isEmpty && $0.first == first.first })
    else { return nil }
    return first.first
  }

  /// The attributes of a comparison.
  fileprivate var paths: [FieldPath] {
    if case .search(let search) = node { search.path == .root ? [] : [search.path] } else { terms.flatMap(\.paths) }
  }

  /// The comparison as the relationship's rows have it.
  fileprivate var withinRelationship: Criteria.Condition {
    if case .search(let search) = node { return .search(Criteria.Search(search.path.dropFirst, search.query)) }
    return map(terms: \.withinRelationship)
  }

  /// Whether a comparison is true where all its attributes are null.
  fileprivate var isTrueOfNulls: Bool {
    switch node {
    case .compare(let left, .equal, let right): left.isNullWithoutRow && right.isNullWithoutRow
    case .compare(let left, .notEqual, let right): left.isNullWithoutRow != right.isNullWithoutRow
    case .among(_, let values): values.contains(.null)
    case .isNull: true
    case .compare, .between, .matches, .search, .constant, .all, .any, .not, .some, .tooDeep: false
    }
  }
}

extension Criteria.Term {
  /// The attributes in it.
  fileprivate var paths: [FieldPath] {
    switch self {
    case .field(let path): [path]
    case .function: children.flatMap(\.paths)
    case .value, .aggregate, .related, .search, .unstorable: []
    }
  }

  /// Whether it is a value, or null wherever its attributes are. JSON of a value alone may be null, whatever rows there are.
  fileprivate var isNullOfNulls: Bool {
    switch self {
    case .field, .value: true
    case .aggregate, .related, .search, .unstorable: false
    case .function(let function, let terms):
      function.form.isNullOfNulls && terms.allSatisfy(\.isNullOfNulls) && (function.jsonType == nil || isNullWithoutRow)
    }
  }

  /// Whether one that is null wherever its attributes are is null where they all are: a function of a value is no more than the value.
  fileprivate var isNullWithoutRow: Bool {
    switch self {
    case .field: true
    case .value(let scalar): scalar.isNull
    case .function: children.contains(where: \.isNullWithoutRow)
    case .aggregate, .related, .search, .unstorable: false
    }
  }

  fileprivate var withinRelationship: Criteria.Term {
    switch self {
    case .field(let path): .field(path.dropFirst)
    case .function: map(\.withinRelationship)
    case .value, .aggregate, .related, .search, .unstorable: self
    }
  }
}

extension FieldPath {
  /// The path after its first name.
  fileprivate var dropFirst: FieldPath { rest.dropFirst().reduce(FieldPath.root.appending(rest.first ?? "")) { $0.appending($1) } }
}
