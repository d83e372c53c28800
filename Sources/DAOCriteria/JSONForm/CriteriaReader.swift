/// Reads the tree of a JSON text as a query, collecting every problem on the way.
///
/// `read` → `+Conditions` → `+Terms` → `Scalar+JSON`. A part that has a problem is nil, and so is the part that contains it.
struct CriteriaReader {
  let entities: [EntityDescription]
  let allowed: CriteriaDecoder.AllowList
  let limits: CriteriaDecoder.Limits
  private(set) var problems: [DAOError.CriteriaProblem] = []
  private var nodes = 0
  private var places: [CriteriaPlaces.Node: JSONPath] = [:]
  private var placesOfPrefetched: [CriteriaPlaces.Node: JSONPath] = [:]
  private var cost = 0

  /// The form's version.
  static let version = 1
  /// More problems than this help nobody.
  private static let maximumProblems = 100

  /// Reading stops after too many problems.
  private struct TooMuch: Error {}

  init(_ entities: [EntityDescription], _ allowed: CriteriaDecoder.AllowList, _ limits: CriteriaDecoder.Limits) {
    self.entities = entities.filter { allowed.allows($0) }
    self.allowed = allowed
    self.limits = limits
  }

  /// A position in the JSON, with the entity of its rows.
  struct Place {
    var entity: EntityDescription
    var path = JSONPath.root
    /// Which part of the criteria it is in.
    var part = CriteriaPlaces.Part.filter
    /// How many conditions and terms are around it.
    var depth = 0
    /// How many relationships lead to it.
    var hops = 0
    /// How many rows are reckoned to be reached by them.
    var rows = 1

    subscript(name: String) -> Place { changing { $0.path = .member(path, name) } }

    subscript(index: Int) -> Place { changing { $0.path = .item(path, index) } }

    func changing(_ change: (inout Place) -> Void) -> Place {
      var place = self
      change(&place)
      return place
    }
  }

  // MARK: The whole

  /// - Parameter found: problems that are known already.
  /// - Throws: ``DAOError``.
  mutating func read(_ root: JSONNode, _ found: [DAOError.CriteriaProblem] = []) throws -> (entity: EntityDescription, criteria: Criteria) {
    problems = found
    do {
      if let read = try criteria(root), problems.isEmpty { return read }
    } catch is TooMuch {}
    throw refusal()
  }

  /// The error that names these problems too.
  func refusal(_ more: DAOError.CriteriaProblem...) -> DAOError { refusal(more) }

  /// The error that names these problems too.
  func refusal(_ more: [DAOError.CriteriaProblem]) -> DAOError {
    .invalidCriteria(entity: entities.map(\.name).joined(separator: " or "), problems: problems + more)
  }

  private mutating func criteria(_ root: JSONNode) throws -> (EntityDescription, Criteria)? {
    guard case .object(let all) = root else {
      try report(.root, "expects an object, not \(root.kind)")
      return nil
    }
    // A member of a later version must not be reported as a misspelling.
    try checkVersion(all.first { $0.name == "version" }?.value)
    let members = try members(all, of: .criteria, "a query", at: .root)
    guard let name = members["entity"], let entity = try entity(name) else { return nil }
    let place = Place(entity: entity)
    var criteria = Criteria()
    var isWhole = true
    var parts: [CriteriaPlaces.Part: JSONPath] = [:]
    func read<Part>(
      _ name: String, _ kind: CriteriaPlaces.Part, into part: inout Part, _ read: (JSONNode, Place) throws -> Part?
    ) throws {
      guard let node = members[name] else { return }
      let place = place[name].changing { $0.part = kind }
      parts[kind] = place.path
      if let found = try read(node, place) { part = found } else { isWhole = false }
    }
    try read("filter", .filter, into: &criteria.filter) { try condition($0, at: $1) }
    try read("having", .having, into: &criteria.having) { try condition($0, at: $1) }
    try read("order", .orders, into: &criteria.orders) { try list($0, at: $1) { try $0.ordering($1, at: $2) } }
    try read("project", .projects, into: &criteria.columns) { try list($0, at: $1) { try $0.column($1, at: $2) } }
    try read("distinct", .distinct, into: &criteria.isDistinct) { try bool($0, at: $1) }
    try read("prefetch", .prefetches, into: &criteria.prefetches) { try prefetches($0, at: $1) }
    try read("limit", .limit, into: &criteria.limit) { try rowCount($0, at: $1) }
    try read("offset", .offset, into: &criteria.offset) { try rowCount($0, at: $1) }
    guard isWhole else { return nil }
    for number in criteria.orders.indices { parts[.order(number)] = .member(.item(.member(.root, "order"), number), "by") }
    for number in criteria.columns.indices { parts[.project(number)] = .member(.item(.member(.root, "project"), number), "term") }
    for number in criteria.prefetches.indices { parts[.prefetch(number)] = .item(.member(.root, "prefetch"), number) }
    criteria.places = CriteriaPlaces(places, parts, prefetchedNodes: placesOfPrefetched)
    return (entity, criteria)
  }

  /// Notes where a condition or term stands, for problems that are found later.
  mutating func note(_ content: CriteriaPlaces.Node.Content, at place: Place) {
    if place.part == .prefetches {
      let node = CriteriaPlaces.Node(content, in: .orders, of: place.entity)
      if placesOfPrefetched[node] == nil { placesOfPrefetched[node] = place.path }
    } else {
      let node = CriteriaPlaces.Node(content, in: place.part, of: place.entity)
      if places[node] == nil { places[node] = place.path }
    }
  }

  private mutating func checkVersion(_ node: JSONNode?) throws {
    // A missing one is reported with the members.
    guard let node else { return }
    guard case .number(let digits) = node, let version = Int(digits), version > 0 else {
      return try report(.member(.root, "version"), "expects a version like \(Self.version), not \(node.kind)")
    }
    if version > Self.version { throw DAOError.newerCriteria(version: version, supported: Self.version) }
  }

  private mutating func entity(_ node: JSONNode) throws -> EntityDescription? {
    let path = JSONPath.member(.root, "entity")
    guard case .text(let name) = node else {
      try report(path, "expects the name of an entity, not \(node.kind)")
      return nil
    }
    if let entity = entities.first(where: { $0.name == name }) ?? entities.first(where: { $0.renamedFrom.contains(name) }) { return entity }
    let known = entities.map(\.name)
    try report(path, "there is no entity '\(name.shown)' here", suggestion: Nearest.name(to: name, among: known))
    return nil
  }

  mutating func ordering(_ node: JSONNode, at place: Place) throws -> Criteria.Ordering? {
    guard let members = try members(node, of: .order, "an order", at: place.path), let by = members["by"] else { return nil }
    let term = try wholeTerm(by, at: place["by"])
    let direction = try members["direction"].flatMap {
      try choice($0, ["ascending": Criteria.Ordering.Direction.ascending, "descending": .descending], at: place["direction"])
    }
    let nulls = try members["nulls"].flatMap { try choice($0, ["first": Nulls.first, "last": .last], at: place["nulls"]) }
    guard let term else { return nil }
    let ordering = Criteria.Ordering(term, direction ?? .ascending, nulls: nulls)
    if case .unstorable(let reason) = ordering.term {
      try report(place["by"].path, reason)
      return nil
    }
    return ordering
  }

  private mutating func column(_ node: JSONNode, at place: Place) throws -> Criteria.Column? {
    guard let members = try members(node, of: .column, "a projection", at: place.path), let node = members["term"] else { return nil }
    let term = try wholeTerm(node, at: place["term"])
    let isGroup = try members["group"].flatMap { try bool($0, at: place["group"]) } ?? false
    let name = try members["as"].flatMap { try text($0, at: place["as"]) }
    return term.map { Criteria.Column($0, isGroup: isGroup, name: name) }
  }
}

// Reads the members and values that all parts share.
extension CriteriaReader {
  /// Goes into a condition or term; nil where there are too many around it.
  /// - Throws: where there are too many in all.
  mutating func enter(_ place: Place) throws -> Place? {
    nodes += 1
    if nodes > limits.nodes {
      try report(place.path, "is one condition or term too many; \(limits.nodes) are allowed")
      throw TooMuch()
    }
    let maximum = min(limits.depth, CriteriaDecoder.Limits.maximumDepth)
    guard place.depth < maximum else {
      try report(place.path, "is nested more than \(maximum) conditions and terms deep")
      return nil
    }
    return place.changing { $0.depth += 1 }
  }

  /// Counts the cost of a relationship, or of a search of each row.
  /// - Throws: where all together cost too much.
  mutating func charge(_ rows: Int, at place: Place) throws {
    cost += rows
    guard cost > limits.relationshipCost else { return }
    try report(
      place.path,
      "makes the relationships of the whole cost more than \(limits.relationshipCost): 1 to a row, 10 to many, times what is within")
    throw TooMuch()
  }

  /// The members of an object, with problems for those that it does not have or lacks; nil where it is no object.
  mutating func members(_ node: JSONNode, of form: CriteriaForm, _ what: String, at path: JSONPath) throws -> [String: JSONNode]? {
    guard case .object(let members) = node else {
      try report(path, "expects \(what), an object, not \(node.kind)")
      return nil
    }
    return try self.members(members, of: form, what, at: path)
  }

  mutating func members(_ all: [JSONNode.Member], of form: CriteriaForm, _ what: String, at path: JSONPath) throws -> [String: JSONNode] {
    var known: [String: JSONNode] = [:]
    for member in all {
      if form.has(member.name) { known[member.name] = member.value; continue }
      try report(
        .member(path, member.name), "is nothing that \(what) has",
        suggestion: Nearest.name(to: member.name, among: form.all.filter { known[$0] == nil }))
    }
    for name in form.required where known[name] == nil { try report(path, "lacks '\(name)', which \(what) needs") }
    return known
  }

  /// The items of a list; nil where one of them can't be read.
  mutating func list<Item>(
    _ node: JSONNode, at place: Place, _ read: (inout CriteriaReader, JSONNode, Place) throws -> Item?
  ) throws -> [Item]? {
    guard case .list(let nodes) = node else {
      try report(place.path, "expects a list, not \(node.kind)")
      return nil
    }
    var items: [Item] = []
    for (index, node) in nodes.enumerated() {
      if let item = try read(&self, node, place[index]) { items.append(item) }
    }
    return items.count == nodes.count ? items : nil
  }

  mutating func bool(_ node: JSONNode, at place: Place) throws -> Bool? {
    if case .bool(let value) = node { return value }
    try report(place.path, "expects true or false, not \(node.kind)")
    return nil
  }

  mutating func text(_ node: JSONNode, at place: Place) throws -> String? {
    if case .text(let text) = node { return text }
    try report(place.path, "expects a text, not \(node.kind)")
    return nil
  }

  /// A text of which many rows' texts are examined.
  mutating func shortText(_ node: JSONNode, at place: Place) throws -> String? {
    guard let text = try text(node, at: place) else { return nil }
    if text.utf8.count <= limits.textBytes { return text }
    try report(place.path, "has \(text.utf8.count) bytes; \(limits.textBytes) are allowed")
    return nil
  }

  private mutating func rowCount(_ node: JSONNode, at place: Place) throws -> Int?? {
    if case .number(let digits) = node, let count = Int(digits), count >= 0 { return .some(count) }
    try report(place.path, "expects a number of rows, not \(node.kind)")
    return nil
  }

  /// One of several words.
  mutating func choice<Choice>(_ node: JSONNode, _ choices: [String: Choice], at place: Place) throws -> Choice? {
    if case .text(let word) = node, let choice = choices[word] { return choice }
    let words = choices.keys.sorted()
    var suggestion: String?
    if case .text(let word) = node { suggestion = Nearest.name(to: word, among: words) }
    try report(
      place.path, "expects one of \(words.map { "'\($0)'" }.joined(separator: ", ")), not \(node.kind)", suggestion: suggestion)
    return nil
  }

  /// - Throws: where that are enough.
  mutating func report(_ path: JSONPath, _ message: String, suggestion: String? = nil) throws {
    problems.append(DAOError.CriteriaProblem(path: "\(path)", message: message, suggestion: suggestion))
    if problems.count >= Self.maximumProblems { throw TooMuch() }
  }
}
