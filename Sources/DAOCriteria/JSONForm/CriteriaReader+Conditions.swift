extension CriteriaReader {
  mutating func condition(_ node: JSONNode, at place: Place) throws -> Criteria.Condition? {
    guard let place = try enter(place) else { return nil }
    if case .bool(let value) = node { return .constant(value) }
    guard let (kind, members) = try kind(of: node, among: CriteriaForm.conditions, "a condition", at: place.path),
      let condition = try condition(kind, members, at: place)
    else { return nil }
    if case .tooDeep = condition.node {
      try report(place.path, Criteria.Condition.tooDeep)
      return nil
    }
    if condition.isPlaced { note(.condition(condition), at: place) }
    return condition
  }

  /// - Parameter members: with all that the kind needs.
  private mutating func condition(_ kind: String, _ members: [String: JSONNode], at place: Place) throws -> Criteria.Condition? {
    guard let subject = members[kind] else { return nil }
    switch kind {
    case "compare":
      let comparison = try members["is"].flatMap { try choice($0, Self.comparisons, at: place["is"]) }
      guard let terms = try terms([kind, "to"], of: members, at: place), let comparison else { return nil }
      return .compare(terms[0], comparison, terms[1])
    case "between":
      guard let terms = try terms([kind, "from", "to"], of: members, at: place) else { return nil }
      return .between(terms[0], terms[1], terms[2])
    case "in":
      let term = try wholeTerm(subject, at: place[kind])
      let values = try members["values"].flatMap { try scalars($0, like: term, at: place["values"]) }
      guard let term, let values else { return nil }
      return .among(term, values)
    case "match": return try match(subject, members, at: place)
    case "isNull": return try wholeTerm(subject, at: place[kind]).map { .isNull($0) }
    case "all": return try list(subject, at: place[kind]) { try $0.condition($1, at: $2) }.map { .all($0) }
    case "any": return try list(subject, at: place[kind]) { try $0.condition($1, at: $2) }.map { .any($0) }
    case "not": return try condition(subject, at: place[kind]).map { .not($0) }
    case "some":
      guard let (path, target) = try way(subject, at: place[kind]) else { return nil }
      let inner = try members["where"].map { try condition($0, at: beyond(path, target, place["where"])) } ?? .constant(true)
      return inner.map { some(path.names[...], from: place.entity, $0) }
    default: return try match(kind, subject, members, at: place)
    }
  }

  private static let comparisons = Dictionary(uniqueKeysWithValues: Criteria.Comparison.allCases.map { ($0.rawValue, $0) })

  private mutating func match(_ kind: String, _ subject: JSONNode, _ members: [String: JSONNode], at place: Place) throws -> Criteria
    .Condition?
  {
    let term = try wholeTerm(subject, at: place[kind])
    let pattern = try members["pattern"].flatMap { try shortText($0, at: place["pattern"]) }
    let caseSensitive: Bool? = try members["caseSensitive"].map { try bool($0, at: place["caseSensitive"]) } ?? true
    guard let match = Criteria.TextComparison(rawValue: kind), let term, let pattern, let caseSensitive else { return nil }
    return .matches(term, match, .text(pattern), caseSensitive: caseSensitive)
  }

  /// The values of an `in`, of the type of its term.
  private mutating func scalars(_ node: JSONNode, like term: Criteria.Term?, at place: Place) throws -> [Scalar]? {
    if case .list(let nodes) = node, nodes.count > limits.listLength {
      try report(place.path, "has \(nodes.count) values; \(limits.listLength) are allowed")
      return nil
    }
    let type = term.map { $0.type(in: place.entity) ?? .any }
    return try list(node, at: place) { try $0.value($1, as: type, at: $2) }
  }

  /// Returns the kind of an object, by the one member of ``CriteriaForm`` that it has, and its members; nil where it lacks one.
  mutating func kind(
    of node: JSONNode, among forms: [String: CriteriaForm], _ what: String, at path: JSONPath
  ) throws -> (String, [String: JSONNode])? {
    guard case .object(let all) = node else {
      try report(path, "expects \(what), not \(node.kind)")
      return nil
    }
    guard let (kind, form) = all.lazy.compactMap({ member in forms[member.name].map { (member.name, $0) } }).first else {
      let kinds = forms.keys.sorted()
      try report(
        path, "is not \(what): it has none of \(kinds.map { "'\($0)'" }.joined(separator: ", "))",
        suggestion: all.lazy.prefix(8).compactMap { Nearest.name(to: $0.name, among: kinds) }.first)
      return nil
    }
    let members = try members(all, of: form, "'\(kind)'", at: path)
    return (kind, members)
  }
}
