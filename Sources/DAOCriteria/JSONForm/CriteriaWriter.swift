/// Writes a query as the tree of a JSON text, collecting what can't be written on the way.
struct CriteriaWriter {
  private var problems: [DAOError.CriteriaProblem] = []

  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)``.
  static func write(_ criteria: Criteria, of entity: EntityDescription) throws -> JSONNode {
    var writer = CriteriaWriter()
    let node = writer.node(criteria, entity)
    guard writer.problems.isEmpty else { throw DAOError.invalidCriteria(entity: entity.name, problems: writer.problems) }
    return node
  }

  private mutating func node(_ criteria: Criteria, _ entity: EntityDescription) -> JSONNode {
    if criteria.after != nil { report("", "a place among the rows is for a page token, and not for the criteria's form") }
    var members: [String: JSONNode] = ["version": .number("\(CriteriaReader.version)"), "entity": .text(entity.name)]
    if criteria.filter != .constant(true) { members["filter"] = node(criteria.filter, entity) }
    if !criteria.orders.isEmpty { members["order"] = .list(criteria.orders.map { node($0, entity) }) }
    if !criteria.columns.isEmpty { members["project"] = .list(criteria.columns.map { node($0, entity) }) }
    if criteria.having != .constant(true) { members["having"] = node(criteria.having, entity) }
    if !criteria.prefetches.isEmpty { members["prefetch"] = .list(criteria.prefetches.map { node($0, entity) }) }
    if criteria.isDistinct { members["distinct"] = .bool(true) }
    if let limit = criteria.limit { members["limit"] = .number("\(limit)") }
    if let offset = criteria.offset { members["offset"] = .number("\(offset)") }
    return JSONNode(members)
  }

  private mutating func node(_ order: Criteria.Ordering, _ entity: EntityDescription) -> JSONNode {
    var members = ["by": node(order.term, entity)]
    if order.direction == .descending { members["direction"] = "descending" }
    if order != Criteria.Ordering(order.term, order.direction) { members["nulls"] = order.nulls == .first ? "first" : "last" }
    return JSONNode(members)
  }

  private mutating func node(_ prefetch: Criteria.Prefetch, _ entity: EntityDescription) -> JSONNode {
    let path = node(prefetch.path)
    if prefetch.orders.isEmpty { return path }
    let target = entity.target(of: prefetch.path.names[...]) ?? entity
    return JSONNode(["relationship": path, "order": .list(prefetch.orders.map { node($0, target) })])
  }

  private mutating func node(_ column: Criteria.Column, _ entity: EntityDescription) -> JSONNode {
    var members = ["term": node(column.term, entity)]
    if column.isGroup { members["group"] = .bool(true) }
    if column.name != column.term.projectedName { members["as"] = .text(column.name) }
    return JSONNode(members)
  }

  // MARK: Conditions

  private mutating func node(_ condition: Criteria.Condition, _ entity: EntityDescription) -> JSONNode {
    switch condition.node {
    case .constant(let value): return .bool(value)
    case .compare(let left, let comparison, let right):
      let terms = nodes([left, right], entity)
      return JSONNode(["compare": terms[0], "is": .text(comparison.rawValue), "to": terms[1]])
    case .between(let term, let lower, let upper):
      let terms = nodes([term, lower, upper], entity)
      return JSONNode(["between": terms[0], "from": terms[1], "to": terms[2]])
    case .among(let term, let values):
      let type = term.type(in: entity) ?? .any
      return JSONNode(["in": node(term, entity), "values": .list(values.map { node($0, as: type) })])
    case .isNull(let term): return JSONNode(["isNull": node(term, entity)])
    case .matches(let term, let match, let pattern, let caseSensitive):
      var members = [match.rawValue: node(term, entity), "pattern": node(pattern, as: .text)]
      if !caseSensitive { members["caseSensitive"] = .bool(false) }
      return JSONNode(members)
    case .search(let search): return JSONNode(searchMembers(search, "match"))
    case .all(let parts): return JSONNode(["all": .list(parts.map { node($0, entity) })])
    case .any(let parts): return JSONNode(["any": .list(parts.map { node($0, entity) })])
    case .not(let inner): return JSONNode(["not": node(inner, entity)])
    case .some(let path, let inner):
      var members = ["some": node(path)]
      if inner != .constant(true) { members["where"] = node(inner, entity.target(of: path.names[...]) ?? entity) }
      return JSONNode(members)
    case .tooDeep:
      report("", "the filter \(Criteria.Condition.tooDeep)")
      return .null
    }
  }

  // MARK: Terms

  /// The terms of a comparison, in which values have the type of the first that is none.
  private mutating func nodes(_ terms: [Criteria.Term], _ entity: EntityDescription) -> [JSONNode] {
    let type = terms.first { if case .value = $0 { false } else { true } }?.type(in: entity) ?? .any
    return terms.map { node($0, as: type, entity) }
  }

  /// - Parameter type: the expected type of a value.
  private mutating func node(_ term: Criteria.Term, as type: AttributeType = .any, _ entity: EntityDescription) -> JSONNode {
    switch term {
    case .field(let path):
      let name = node(path)
      // A list of names would be one of terms elsewhere, and a star all rows.
      if case .text(let text) = name, text != "*" { return name }
      return JSONNode(["field": name])
    case .value(let scalar): return JSONNode(["value": node(scalar, as: type)])
    case .function(let function, let terms) where function.jsonType != nil: return document(function, terms, entity)
    case .function(let function, let terms): return call(function, terms, entity)
    case .aggregate(let aggregate, let inner): return JSONNode(members(aggregate, inner, entity))
    case .related(let aggregate, let path, let inner, let condition):
      let target = entity.target(of: path.names[...]) ?? entity
      var members = members(aggregate, inner, target)
      members["over"] = node(path)
      if condition != .constant(true) { members["where"] = node(condition, target) }
      return JSONNode(members)
    case .search(let result, let search):
      var members = searchMembers(search, result.path == nil ? result.name : "match")
      if let path = result.path { members[result.name] = node(path) }
      switch result {
      case .relevance: break
      case .highlight(_, let start, let end): (members["start"], members["end"]) = (.text(start), .text(end))
      case .snippet(_, let start, let end, let ellipsis, let words):
        (members["start"], members["end"], members["ellipsis"]) = (.text(start), .text(end), .text(ellipsis))
        members["size"] = .number("\(words)")
      }
      return JSONNode(members)
    case .unstorable(let reason):
      report("", reason)
      return .null
    }
  }

  /// An aggregate of rows of an entity.
  private mutating func members(_ aggregate: Aggregate, _ inner: Criteria.Term?, _ entity: EntityDescription) -> [String: JSONNode] {
    var members = [aggregate.name: inner.map { node($0, entity) } ?? "*"]
    if case .groupConcat(let separator, let orders) = aggregate {
      members["separator"] = .text(separator)
      if !orders.isEmpty { members["order"] = .list(orders.map { node($0, entity) }) }
    }
    return members
  }

  private mutating func call(_ function: Function, _ terms: [Criteria.Term], _ entity: EntityDescription) -> JSONNode {
    let form = function.form
    guard let count = form.termCount(among: terms.count) else {
      report(Criteria.Term.function(function, terms).projectedName, "\(function.rawValue) takes \(form.countInWords), not \(terms.count)")
      return .null
    }
    let subjects = terms.prefix(count)
    let type = form.valueType ?? function.result(of: subjects.compactMap { $0.type(in: entity) }) ?? .any
    let nodes = subjects.map { node($0, as: type, entity) }
    var members = [function.rawValue: form.isList ? .list(nodes) : nodes[0]]
    for (option, term) in zip(form.options, terms.dropFirst(count)) {
      if case .value(let scalar) = term {
        members[option.name] = node(scalar, as: option.type)
      } else {
        report(Criteria.Term.function(function, terms).projectedName, "\(function.rawValue) takes a value for \(option.name)")
      }
    }
    return JSONNode(members)
  }

  /// Writes a path into JSON.
  private mutating func document(_ function: Function, _ terms: [Criteria.Term], _ entity: EntityDescription) -> JSONNode {
    let path = terms.dropFirst().compactMap { JSONStep($0)?.node }
    guard let document = terms.first, path.count == terms.count - 1 else {
      report("", "\(function.rawValue) takes a term and a path of keys and places")
      return .null
    }
    return JSONNode([function.rawValue: node(document, as: .json, entity), "path": .list(path)])
  }

  /// A search, its attribute under a name.
  private func searchMembers(_ search: Criteria.Search, _ name: String) -> [String: JSONNode] {
    var members: [String: JSONNode] = ["text": .text(search.query.text)]
    // A star is all attributes; one that is called so needs a list.
    members[name] = search.path == .root ? "*" : search.path.description == "*" ? .list(["*"]) : node(search.path)
    if search.query.kind != .all { members["words"] = .text(search.query.kind.rawValue) }
    if search.query.isPrefix { members["prefix"] = .bool(true) }
    return members
  }

  private mutating func node(_ scalar: Scalar, as type: AttributeType) -> JSONNode {
    do { return try scalar.json(as: type) } catch {
      report("", "\(error)")
      return .null
    }
  }

  /// A path with dots, or a list where a name has dots of its own.
  private func node(_ path: FieldPath) -> JSONNode {
    path.names.contains { $0.utf8.contains(UInt8(ascii: ".")) } ? .list(path.names.map { .text($0) }) : .text(path.description)
  }

  private mutating func report(_ path: String, _ message: String) {
    problems.append(DAOError.CriteriaProblem(path: path, message: message))
  }
}

extension JSONNode: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .text(text) }

  fileprivate init(_ members: [String: JSONNode]) { self = .object(members.map { Member(name: $0.key, value: $0.value) }) }
}

extension JSONStep {
  fileprivate var node: JSONNode {
    switch self {
    case .key(let key): .text(key)
    case .place(let place): .number("\(place)")
    }
  }
}
