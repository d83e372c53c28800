/// A condition that fits its entity.
package struct CheckedCondition: Sendable {
  /// The kinds of condition.
  package indirect enum Node: Sendable {
    /// True or false of every row.
    case constant(Bool)
    /// One term compared with another; a value is stored as the other's type.
    case compare(CheckedTerm, Criteria.Comparison, CheckedTerm)
    /// A term between two others. Each bound stands beside the term as it is compared with that bound: a value between two attributes is
    /// stored as each of them.
    case between(lower: CheckedPair, upper: CheckedPair)
    /// A term among values; null among them means that the term may be null.
    case among(CheckedTerm, CheckedValue, [Scalar])
    /// A term that is null.
    case isNull(CheckedTerm)
    /// A text that fits a pattern.
    case matches(CheckedTerm, Criteria.TextComparison, CheckedValue, caseSensitive: Bool)
    /// Words in searchable attributes.
    case search(CheckedSearch)
    /// All of the conditions.
    case all([CheckedCondition])
    /// One of the conditions at least.
    case any([CheckedCondition])
    /// The rows that the condition leaves out.
    case not(CheckedCondition)
    /// A row at least, at the end of a path of relationships, of which the condition is true.
    case some(CheckedQuantifier)
  }

  /// The kind of the condition, with its parts.
  package let node: Node
  /// How deep its SQL goes.
  package let depth: StatementDepth

  init(_ node: Node) {
    self.node = node
    depth = node.depth
  }

  /// The condition that holds for exactly the rows that this one leaves out.
  var negation: Node { if case .not(let inner) = node { inner.node } else { .not(self) } }
}
