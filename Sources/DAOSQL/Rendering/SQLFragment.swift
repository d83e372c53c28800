import DAOCriteria

/// A piece of SQL in segments: text, names and values are kept apart until a dialect writes them.
///
/// ```swift
/// let fragment: SQLFragment = "\(name: "zone").\(name: "id") = \(value: binding)"      // "zone"."id" = ?
/// ```
struct SQLFragment: Hashable, ExpressibleByStringInterpolation {
  enum Segment: Hashable {
    /// Keywords, operators and calls.
    case text(String)
    /// A name of the schema, or an alias.
    case name(String)
    /// A value of the criteria.
    case value(Binding)
    /// A value of the row that a statement writes or looks up, by its number from 1.
    case rowValue(Int)
  }

  private(set) var segments: [Segment] = []
  /// How deep the deepest condition in it goes.
  var depth = 0

  init() {}

  init(stringLiteral text: String) { append(text) }

  init(stringInterpolation: Interpolation) { self = stringInterpolation.fragment }

  /// Collects the segments of an interpolated text.
  struct Interpolation: StringInterpolationProtocol {
    var fragment = SQLFragment()

    init(literalCapacity: Int, interpolationCount: Int) { fragment.segments.reserveCapacity(2 * interpolationCount + 1) }

    mutating func appendLiteral(_ text: String) { fragment.append(text) }
    /// Another fragment.
    mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }
    /// Text that is SQL already.
    mutating func appendInterpolation(text: String) { fragment.append(text) }
    /// A name, quoted as the dialect does.
    mutating func appendInterpolation(name: String) { fragment.segments.append(.name(name)) }
    /// A value of the criteria.
    mutating func appendInterpolation(value: Binding) { fragment.segments.append(.value(value)) }
    /// A value of the row.
    mutating func appendInterpolation(rowValue number: Int) { fragment.segments.append(.rowValue(number)) }
  }

  private mutating func append(_ text: String) { if !text.isEmpty { segments.append(.text(text)) } }

  mutating func append(_ other: SQLFragment) {
    segments += other.segments
    depth = max(depth, other.depth)
  }

  var inParentheses: SQLFragment { "(\(self))" }
}

extension Sequence<SQLFragment> {
  /// The fragments with a separator between them.
  func joined(_ separator: String) -> SQLFragment {
    var joined = SQLFragment()
    for (index, fragment) in enumerated() {
      if index > 0 { joined.append(SQLFragment(stringLiteral: separator)) }
      joined.append(fragment)
    }
    return joined
  }
}

extension ArraySlice<SQLFragment> {
  /// The fragments with AND or OR between them. A long chain is written as a balanced tree: SQLite refuses expressions more than 1,000
  /// levels deep, and a chain has one a term.
  func balanced(_ separator: String) -> SQLFragment {
    if count <= 100 { return joined(separator) }
    let middle = startIndex + count / 2
    return "(\(self[..<middle].balanced(separator)))\(text: separator)(\(self[middle...].balanced(separator)))"
  }
}

extension [SQLFragment] {
  /// The fragments, one that goes deep before the others: SQLite's parser remembers what stands before a parenthesis until that ends.
  var deepestFirst: [SQLFragment] {
    guard let deepest = indices.max(by: { self[$0].depth < self[$1].depth }), StatementDepth.isDeep(self[deepest].depth)
    else { return self }
    var fragments = self
    fragments.insert(fragments.remove(at: deepest), at: 0)
    return fragments
  }
}
