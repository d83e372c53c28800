extension CriteriaReader {
  /// A term that is no part of another.
  mutating func wholeTerm(_ node: JSONNode, as type: AttributeType? = .any, at place: Place) throws -> Criteria.Term? {
    guard let term = try term(node, as: type, at: place) else { return nil }
    if case .unstorable(let reason) = term.checkedForDepth {
      try report(place.path, reason)
      return nil
    }
    return term
  }

  /// The terms of a comparison; nil where one of them can't be read. Values among them have the type of the first that is none.
  mutating func terms(_ names: [String], of members: [String: JSONNode], at place: Place) throws -> [Criteria.Term]? {
    let nodes = names.map { (name: $0, node: members[$0] ?? .null) }
    var terms: [String: Criteria.Term] = [:]
    for (name, node) in nodes where !node.isValue && members[name] != nil { terms[name] = try wholeTerm(node, at: place[name]) }
    var type: AttributeType? = .any
    if let first = nodes.first(where: { !$0.node.isValue }) {
      // The type of the values is unknown if the term could not be read.
      type = terms[first.name].map { $0.type(in: place.entity) ?? .any }
    }
    for (name, node) in nodes where node.isValue { terms[name] = try wholeTerm(node, as: type, at: place[name]) }
    let found = names.compactMap { terms[$0] }
    return found.count == names.count ? found : nil
  }

  /// - Parameter type: the type that a value is read as; nil where it is unknown.
  mutating func term(_ node: JSONNode, as type: AttributeType?, at place: Place) throws -> Criteria.Term? {
    guard let place = try enter(place) else { return nil }
    let term = try content(node, as: type, at: place)
    if let term, term.isPlaced { note(.term(term), at: place) }
    return term
  }

  private mutating func content(_ node: JSONNode, as type: AttributeType?, at place: Place) throws -> Criteria.Term? {
    if case .text = node { return try field(node, at: place) }
    guard let (kind, members) = try kind(of: node, among: CriteriaForm.terms, "a term", at: place.path), let subject = members[kind] else {
      return nil
    }
    switch kind {
    case "field": return try field(subject, at: place[kind])
    case "value": return try value(subject, as: type, at: place[kind]).map { .value($0) }
    case "relevance", "highlight", "snippet": return try searchResult(kind, subject, members, at: place)
    default:
      if let function = Function(rawValue: kind) { return try apply(function, to: subject, members, at: place) }
      if let aggregate = Aggregate.Kind(rawValue: kind) { return try apply(aggregate, to: subject, members, at: place) }
      return nil
    }
  }

  private mutating func apply(_ function: Function, to node: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Criteria
    .Term?
  {
    guard allowed.functions.contains(function) else {
      let known = Function.allCases.filter { allowed.functions.contains($0) }.map(\.rawValue)
      try report(
        place.path, "there is no function '\(function.rawValue)' here", suggestion: Nearest.name(to: function.rawValue, among: known))
      return nil
    }
    if function.jsonType != nil { return try json(function, of: node, members, at: place) }
    let form = function.form
    let terms =
      form.isList
      ? try self.terms(node, of: function, at: place[function.rawValue])
      : try term(node, as: form.valueType ?? .any, at: place[function.rawValue]).map { [$0] }
    let options = try self.options(form, members, at: place)
    guard let terms, let options else { return nil }
    return .function(function, terms + options.map { .value($0) })
  }

  /// Reads the options that follow the terms of a function; returns nil where they can't be read. In a list all options follow the terms.
  private mutating func options(_ form: FunctionForm, _ members: [String: JSONNode], at place: Place) throws -> [Scalar]? {
    var (values, canBeRead) = ([Scalar](), true)
    for option in form.options {
      // Behind what is left out here nothing can follow.
      guard let node = members[option.name] else {
        if form.isList, let standard = option.standard { values.append(standard) }
        continue
      }
      let isShort = if case .text = node { try shortText(node, at: place[option.name]) != nil } else { true }
      if isShort, let value = try value(node, as: option.type, at: place[option.name]) {
        do { _ = try option.stored(value) } catch { try report(place[option.name].path, "\(error)") }
        values.append(value)
      } else {
        canBeRead = false
      }
    }
    return canBeRead ? values : nil
  }

  /// The terms of a function that takes a list of them.
  private mutating func terms(_ node: JSONNode, of function: Function, at place: Place) throws -> [Criteria.Term]? {
    guard case .list(let nodes) = node, !nodes.isEmpty else {
      let found = if case .list = node { "an empty one" } else { node.kind }
      try report(place.path, "expects a list of terms, not \(found)")
      return nil
    }
    var terms = [Criteria.Term?](repeating: nil, count: nodes.count)
    for (index, node) in nodes.enumerated() where !node.isValue { terms[index] = try term(node, as: .any, at: place[index]) }
    // Values have the type of the whole.
    let known = terms.compactMap { $0?.type(in: place.entity) }
    let type = function.form.valueType ?? function.result(of: known) ?? .any
    for (index, node) in nodes.enumerated() where node.isValue { terms[index] = try term(node, as: type, at: place[index]) }
    let found = terms.compactMap { $0 }
    return found.count == nodes.count ? found : nil
  }

  private mutating func apply(_ kind: Aggregate.Kind, to node: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Criteria
    .Term?
  {
    guard allowed.aggregates.contains(kind) else {
      let known = Aggregate.Kind.allCases.filter { allowed.aggregates.contains($0) }.map(\.rawValue)
      try report(place.path, "there is no aggregate '\(kind.rawValue)' here", suggestion: Nearest.name(to: kind.rawValue, among: known))
      return nil
    }
    let isOfRows = if case .text("*") = node { true } else { false }
    guard let over = members["over"] else {
      if members["where"] != nil { try report(place["where"].path, "needs an 'over', the relationship whose rows it is about") }
      if place.hops > 0, try !isVisible(place.entity, at: place) { return nil }
      let inner = isOfRows ? nil : try term(node, as: .any, at: place[kind.rawValue])
      guard let aggregate = try aggregate(kind, members, at: place, orders: place["order"]), isOfRows || inner != nil else { return nil }
      return .aggregate(aggregate, inner)
    }
    guard let (path, target) = try way(over, at: place["over"]), try isVisible(path.names.dropLast(), at: place["over"]) else { return nil }
    let inner = isOfRows ? nil : try term(node, as: .any, at: beyond(path, target, place[kind.rawValue]))
    let filter: Criteria.Condition? =
      try members["where"].map { try condition($0, at: beyond(path, target, place["where"])) } ?? .constant(true)
    let orders = beyond(path, target, place["order"])
    let aggregate = try aggregate(kind, members, at: place, orders: orders)
    guard let filter, let aggregate, isOfRows || inner != nil else { return nil }
    let visible = allowed.visible[target.name] ?? .constant(true)
    return .related(aggregate, path, inner, .all([visible, filter]))
  }

  /// An aggregate with its further arguments; nil where that can't be read.
  private mutating func aggregate(
    _ kind: Aggregate.Kind, _ members: [String: JSONNode], at place: Place, orders: Place
  ) throws -> Aggregate? {
    guard kind == .groupConcat else { return Aggregate(kind) }
    let separator = try members["separator"].map { try shortText($0, at: place["separator"]) } ?? ", "
    let order = try members["order"].map { try list($0, at: orders) { try $0.ordering($1, at: $2) } } ?? []
    guard let separator, let order else { return nil }
    return .groupConcat(separator: separator, order: order)
  }

  /// A value, where it has the type; any is taken where that is not known.
  mutating func value(_ node: JSONNode, as type: AttributeType?, at place: Place) throws -> Scalar? {
    do {
      let scalar = try node.scalar(as: type ?? .any)
      if let type { _ = try type.stored(scalar) }
      return scalar
    } catch let problem as ValueProblem {
      if type != nil { try report(place.path, problem.description) }
      return nil
    }
  }

  // MARK: Names

  mutating func field(_ node: JSONNode, at place: Place) throws -> Criteria.Term? {
    guard let path = try names(node, at: place) else { return nil }
    let entity = place.entity
    // A name may have dots of its own.
    if let attribute = attribute(path.description, of: entity) {
      return .field(attribute.name == path.description ? path : FieldPath.root.appending(attribute.name))
    }
    let last = path.names.last ?? ""
    guard let (way, target) = try follow(path.names.dropLast(), at: place, .toOneRow), try isVisible(way.names, at: place) else {
      return nil
    }
    guard let attribute = attribute(last, of: target) else {
      let known = target.attributes.filter { allowed.allows($0, of: target) }.map(\.name)
      try report(place.path, "\(target.name) has no attribute '\(last.shown)'", suggestion: Nearest.name(to: last, among: known))
      return nil
    }
    return .field(way.appending(attribute.name))
  }

  /// The cost of the relationships of a path: `toMany` costs as much as the rows they lead to, `toOneRow`, for an attribute, as much as one
  /// row, and `none` nothing, as each relationship has a statement of its own.
  enum Cost { case toMany, toOneRow, none }

  /// A path of relationships and the entity that it leads to.
  mutating func way(_ node: JSONNode, at place: Place, _ cost: Cost = .toMany) throws -> (FieldPath, EntityDescription)? {
    guard let path = try names(node, at: place) else { return nil }
    // Names behind an empty one would be passed over.
    if path.first.isEmpty { try report(place.path, "expects the name of a relationship") }
    return path.first.isEmpty ? nil : try follow(path.names[...], at: place, cost)
  }

  /// Returns the position for a part that concerns the rows at the end of a path.
  func beyond(_ way: FieldPath, _ target: EntityDescription, _ place: Place) -> Place {
    place.changing {
      for name in way.names {
        $0.rows *= $0.entity.relationship(name)?.rows ?? 1
        $0.entity = $0.entity.target(of: [name]) ?? target
      }
      $0.entity = target
      $0.hops += way.names.count
    }
  }

  /// A text with dots, or a list of names that may have dots.
  private mutating func names(_ node: JSONNode, at place: Place) throws -> FieldPath? {
    switch node {
    case .text(let text): return FieldPath(text)
    case .list:
      let names = try list(node, at: place) { try $0.text($1, at: $2) }
      return names.map { FieldPath(first: $0.first ?? "", rest: Array($0.dropFirst())) }
    default:
      try report(place.path, "expects a name, or a list of names, not \(node.kind)")
      return nil
    }
  }

  private mutating func follow(_ names: ArraySlice<String>, at place: Place, _ cost: Cost) throws -> (FieldPath, EntityDescription)? {
    let maximum = min(limits.hops, Criteria.Condition.maximumHops)
    guard place.hops + names.count <= maximum else {
      try report(place.path, "goes through more than \(maximum) relationships")
      return nil
    }
    var (path, entity, rows) = (FieldPath.root, place.entity, place.rows)
    for name in names {
      guard let relationship = relationship(name, of: entity), let target = relationship.target, allowed.allows(target) else {
        let known = entity.relationships.filter { $0.name != name && allowed.allows($0, of: entity) }.map(\.name)
        try report(place.path, "\(entity.name) has no relationship '\(name.shown)'", suggestion: Nearest.name(to: name, among: known))
        return nil
      }
      // Which pairs there are can't be asked.
      if let join = relationship.join, try !isVisible(join, at: place) { return nil }
      if cost == .toMany { rows *= relationship.rows }
      if cost != .none { try charge(rows, at: place) }
      path = path.appending(relationship.name)
      entity = target
    }
    return (path, entity)
  }

  /// The attribute of this name; one that had it before, where none has it now.
  private func attribute(_ name: String, of entity: EntityDescription) -> Attribute? {
    let found = entity[name] ?? entity.attributes.first { $0.renamedFrom.contains(name) }
    return found.flatMap { allowed.allows($0, of: entity) ? $0 : nil }
  }

  /// The relationship of this name; one that had it before, where none has it now.
  private func relationship(_ name: String, of entity: EntityDescription) -> Relationship? {
    let found = entity.relationship(name) ?? entity.relationships.first { $0.renamedFrom.contains(name) }
    return found.flatMap { allowed.allows($0, of: entity) ? $0 : nil }
  }
}

extension Relationship {
  /// How many rows one row is reckoned to lead to.
  fileprivate var rows: Int { isToMany ? 10 : 1 }
}

extension JSONNode {
  /// Whether it is a term that is a value, whose type depends on the term beside it.
  fileprivate var isValue: Bool { if case .object(let members) = self { members.contains { $0.name == "value" } } else { false } }
}
