extension Criteria {
  /// The subject of a comparison, an order or a projection: an attribute, a value, a function of terms, or an aggregate.
  ///
  /// Terms are plain values without Swift types; ``Field`` and ``Operand`` are the typed ways to make them.
  public enum Term: Sendable, Hashable {
    /// An attribute.
    case field(FieldPath)
    /// A value; it becomes a binding, never text.
    case value(Scalar)
    /// A function of other terms.
    indirect case function(Function, [Criteria.Term])
    /// An aggregate over rows; without a term, over the rows themselves.
    indirect case aggregate(Aggregate, Criteria.Term?)
    /// An aggregate over the rows at the end of a path of relationships of which the condition is true; without a term, over the rows
    /// themselves.
    indirect case related(Aggregate, FieldPath, Criteria.Term?, Criteria.Condition)
    /// A value that a search provides for the row.
    indirect case search(Criteria.SearchResult, Criteria.Search)
    /// A value that can't be stored; the check reports it.
    case unstorable(String)

    /// The term for a value, or for the reason why it has no stored form.
    @inlinable public init(_ value: some AttributeValue) {
      do { self = .value(try value.scalar) } catch { self = .unstorable("\(error)") }
    }
  }
}

extension Criteria.Term {
  /// Functions and aggregates nest no deeper than this in a query: checking and rendering recurse once for each level.
  public static let maximumDepth = 8

  /// The term, or the problem that it nests too deep, which the check reports. Everything that takes a term into a query takes this.
  @inlinable @inline(__always)
  var checkedForDepth: Criteria.Term { isPlain ? self : checked() }

  /// Becomes what ``checkedForDepth`` is, where it is.
  @inline(__always)
  mutating func checkDepth() { if !isPlain { self = checked() } }

  /// Whether it is an attribute of the entity itself or a value, as most are: these don't nest.
  @inlinable @inline(__always)
  var isPlain: Bool {
    switch self {
    case .field(let path): path.rest.isEmpty
    case .value: true
    default: false
    }
  }

  @usableFromInline func checked() -> Criteria.Term {
    if isDeeper(than: Self.maximumDepth) { return .unstorable("nests more than \(Self.maximumDepth) functions") }
    let nesting = nesting
    if nesting.hops > Criteria.Condition.maximumHops {
      return .unstorable("goes through more than \(Criteria.Condition.maximumHops) relationships")
    }
    return nesting.isTooDeep ? .unstorable(Criteria.Condition.tooDeep) : self
  }

  private func isDeeper(than depth: Int) -> Bool {
    switch self {
    case .field, .value, .search, .unstorable: false
    case .function, .aggregate, .related: !children.isEmpty && (depth == 0 || children.contains { $0.isDeeper(than: depth - 1) })
    }
  }
}
