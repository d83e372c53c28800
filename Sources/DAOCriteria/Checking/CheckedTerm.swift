/// A term that fits its entity.
package struct CheckedTerm: Sendable {
  /// The kinds of term.
  package indirect enum Node: Sendable {
    /// An attribute of the row.
    case attribute(Attribute)
    /// A value, stored as the term's type.
    case value(CheckedValue)
    /// A term of the row that a to-one relationship leads to; null where there is none.
    case beyond(CheckedHop, CheckedTerm)
    /// A function.
    case function(Function, [CheckedTerm])
    /// An aggregate over the rows or the group.
    case aggregate(CheckedAggregate)
    /// An aggregate over the rows at the end of a path of relationships of which the condition is true.
    case related(CheckedAggregate, [CheckedHop], CheckedCondition)
    /// A value that a search provides for the row.
    case search(CheckedSearchResult)
    /// Stands in for a term with a problem, so that the others are found too.
    case unknown
  }

  /// The kind of the term, with its parts.
  package let node: Node
  /// The type of its values; for a value, the type that it is stored as.
  package let type: AttributeType
  /// Whether it may be null.
  package let isNullable: Bool
  /// How messages name it: the path of the attribute in it.
  package let path: String
  /// How deep its SQL goes.
  let depth: StatementDepth

  init(node: Node, type: AttributeType, isNullable: Bool, path: String) {
    self.node = node
    self.type = type
    self.isNullable = isNullable
    self.path = path
    depth = node.depth
  }

  /// The value, where it is one.
  package var scalar: Scalar? { if case .value(let value) = node { value.scalar } else { nil } }

  /// Whether an aggregate over the rows is part of it.
  package var hasAggregate: Bool {
    switch node {
    case .aggregate: true
    case .function(_, let terms): terms.contains(where: \.hasAggregate)
    case .attribute, .value, .beyond, .related, .search, .unknown: false
    }
  }

  /// Whether rows of other entities, or a search table, have a part in its value.
  package var readsOtherRows: Bool {
    switch node {
    case .beyond, .related, .search: true
    case .function(_, let terms): terms.contains(where: \.readsOtherRows)
    case .attribute, .value, .aggregate, .unknown: false
    }
  }

  /// Whether its value may differ from row to row.
  package var dependsOnRow: Bool {
    switch node {
    case .attribute, .beyond, .related, .search: true
    case .function(_, let terms): terms.contains(where: \.dependsOnRow)
    case .value, .aggregate, .unknown: false
    }
  }
}
