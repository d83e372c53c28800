/// How deep a condition goes: what checks, renders and frees it goes down with it, and so does SQLite's parser.
struct Nesting: Sendable, Hashable {
  /// How many levels of and, or, not and relationships.
  var levels = 0
  /// How many relationships.
  var hops = 0

  /// More than any engine reads. What goes deeper is not kept.
  static let tooDeep = Nesting(levels: Condition.maximumDepth + 1, hops: Condition.maximumHops + 1)

  var isTooDeep: Bool { levels > Condition.maximumDepth || hops > Condition.maximumHops }

  /// That of something that has this inside.
  func nested(hops more: Int = 0) -> Nesting { Nesting(levels: levels + 1, hops: hops + more) }

  /// That of something that has both side by side.
  func beside(_ other: Nesting) -> Nesting { Nesting(levels: max(levels, other.levels), hops: max(hops, other.hops)) }
}

extension Term {
  /// How deep the conditions and paths in a term go.
  var nesting: Nesting {
    switch self {
    case .field(let path): Nesting(hops: path.rest.count)
    case .value, .search, .unstorable, .aggregate(_, nil): Nesting()
    case .function(_, let terms): terms.reduce(Nesting()) { $0.beside($1.nesting) }
    case .aggregate(_, let term?): term.nesting
    case .related(_, let path, let term, let condition):
      (term?.nesting ?? Nesting()).beside(condition.nesting).nested(hops: path.names.count)
    }
  }
}
