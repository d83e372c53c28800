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
    /// The numbers of the nodes in the batch. To-one relationships of several rows may share the node of a key.
    let nodes: [Int]
    /// Whether the record has null, which ends the relationship.
    let isNull: Bool
  }

  /// The number of the entity's plan.
  let plan: Int
  /// The way from the node around it; nil for a record of the feed.
  let step: Step?
  /// The number of the feed's record in the batch.
  let record: Int
  /// The values that the row takes; nil for those that it keeps.
  var values: [StoredValue?]
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
