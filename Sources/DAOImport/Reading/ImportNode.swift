import DAOKit

/// An object of a record, or the value of an identity: what a feed says of one row.
struct ImportNode {
  /// The way from the node around it.
  struct Step {
    /// The number of the node around it in the batch; the first of those that share the node of a key.
    let parent: Int
    /// The number of the relationship in the parent's plan.
    let relationship: Int
    /// The number of its path that led here; nil where a hook returned the value.
    let path: Int?
    /// The number of the item in the list; nil for a value by itself.
    let item: Int?
  }

  /// The rows of a relationship.
  struct Related {
    /// The number of the relationship in the node's plan.
    let relationship: Int
    let rows: Rows
  }

  /// What a record says of the rows of a relationship, by the numbers of their nodes in the batch.
  enum Rows {
    /// Null, which ends the relationship.
    case null
    /// The row of a to-one relationship. Those of several rows may share the node of a key.
    case one(Int)
    /// The rows of a to-many relationship.
    case many([Int])

    var nodes: [Int] {
      switch self {
      case .null: []
      case .one(let node): [node]
      case .many(let nodes): nodes
      }
    }

    var isNull: Bool { if case .null = self { true } else { false } }
  }

  /// The number of the entity's plan.
  let plan: Int
  /// The way from the node around it; nil for a record of the feed.
  let step: Step?
  /// The number of the feed's record in the batch.
  let record: Int
  /// Where its values stand among those of the batch.
  let values: Range<Int>
  /// The rows of its relationships, in the plan's order.
  var related: [Related] = []
  /// Whether only the identity is known.
  var isKey = false
  /// Whether the row stays as it is.
  var isLink = false
  /// Whether its row is found by its key, whatever the identity is.
  var isByKey = false
  /// Whether its row is known, since it had the same values before.
  var isAlike = false
  /// Whether a hook has stored it.
  var isHandled = false
  /// The record, for hooks that are called when the row is stored.
  var hookRecord: ImportRecord?
}
