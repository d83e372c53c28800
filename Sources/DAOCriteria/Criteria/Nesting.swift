/// How deep a condition goes: what checks, renders and frees it goes down with it.
struct Nesting: Sendable, Hashable {
  // Small, since each condition holds them, and conditions are copied wherever a query goes.
  private let smallLevels: Int8
  private let smallHops: Int8
  private let smallNodes: Int8

  /// How many levels of and, or, not and relationships.
  var levels: Int { Int(smallLevels) }
  /// How many relationships.
  var hops: Int { Int(smallHops) }
  /// How many conditions and terms, one within the other.
  private var nodes: Int { Int(smallNodes) }

  /// More than is kept.
  static let tooDeep = Nesting(
    levels: Criteria.Condition.maximumDepth + 1, hops: Criteria.Condition.maximumHops + 1, nodes: Criteria.Condition.maximumNodes + 1)

  var isTooDeep: Bool {
    levels > Criteria.Condition.maximumDepth || hops > Criteria.Condition.maximumHops || nodes > Criteria.Condition.maximumNodes
  }

  /// That of several conditions joined by and, or by or.
  init(joining parts: [Criteria.Condition]) {
    let deepest = parts.reduce(Nesting()) { $0.beside($1.nesting) }
    self.init(levels: deepest.levels + 1, hops: deepest.hops, nodes: deepest.nodes + 1)
  }

  /// That of something that has both side by side.
  func beside(_ other: Nesting) -> Nesting {
    Nesting(levels: max(levels, other.levels), hops: max(hops, other.hops), nodes: max(nodes, other.nodes))
  }

  /// That of a condition or a term around it that is no level.
  var inside: Nesting { Nesting(levels: levels, hops: hops, nodes: nodes + 1) }

  /// That of a level around it, over so many relationships.
  func within(over relationships: Int = 0) -> Nesting { Nesting(levels: levels + 1, hops: hops + relationships, nodes: nodes + 1) }

  init(levels: Int = 0, hops: Int = 0, nodes: Int = 0) {
    smallLevels = Int8(clamping: levels)
    smallHops = Int8(clamping: hops)
    smallNodes = Int8(clamping: nodes)
  }
}

extension Criteria.Condition {
  /// More conditions and terms than this, one within the other, are refused. No engine reads so many; to check them takes some 400 kB of
  /// stack where nothing is optimised.
  static let maximumNodes = 48

  /// The end of a message about a part that is nested too deeply.
  package static let tooDeep =
    "is nested more than \(maximumDepth) levels deep, goes through more than \(maximumHops) relationships, or too much of both"
}

extension Criteria.Term {
  /// How deep the functions, conditions and paths in a term go.
  var nesting: Nesting {
    switch self {
    case .field(let path): Nesting(hops: path.rest.count, nodes: path.rest.count)
    case .value, .search, .unstorable: Nesting()
    case .function, .aggregate: children.reduce(Nesting()) { $0.beside($1.nesting) }.inside
    case .related(_, let path, _, let condition):
      children.reduce(condition.nesting) { $0.beside($1.nesting) }.within(over: path.names.count)
    }
  }
}
