/// A query that fits its entity: every name is resolved to an attribute or a relationship, every term has a type, and every value has a
/// number. Made by ``CriteriaChecker``; engines render it without looking names up or reporting problems.
package struct CheckedCriteria: Sendable {
  /// The entity whose rows are asked for.
  package let entity: EntityDescription
  /// The scope of the DAO: the visible rows.
  package let scope: CheckedCondition
  /// The rows that are asked for.
  package let filter: CheckedCondition
  /// The columns read of each row or group; an empty list stands for the whole entity.
  package let columns: [CheckedColumn]
  /// The groups that are asked for.
  package let having: CheckedCondition
  /// The orders that the caller gave.
  package let orders: [CheckedOrder]
  /// The attributes of the key that are not among the orders: pages are ordered by them last.
  package let keyOrders: [CheckedOrder]
  /// The new values of an update.
  package let changes: [CheckedChange]
  /// At most this many rows.
  package let limit: CheckedValue?
  /// The number of rows that are passed over first.
  package let offset: CheckedValue?
  /// The position after which the rows begin, one value for each order and key order.
  package let after: [CheckedValue]?
  /// Whether equal rows of a report count once.
  package let isDistinct: Bool
  /// The values, by their numbers: in the order in which the shape of the criteria collects them.
  package let values: [CriteriaValue]
  /// Every use of the values.
  package let uses: [CheckedValue]
  /// The entities that its relationships lead to.
  package let reached: [EntityDescription]
  /// The kinds of arguments of the functions that may fail, wherever they stand outside the changes.
  package let failing: Set<FunctionForm.Subject>

  /// Whether the rows of the result are groups.
  package var isGrouped: Bool { columns.contains { $0.isGroup || $0.term.hasAggregate } }
  /// Whether the result is one row of aggregates over all rows.
  package var hasOneGroup: Bool { isGrouped && !columns.contains(where: \.isGroup) }
  /// Whether the number of rows is limited, or some are passed over.
  package var hasLimit: Bool { limit != nil || offset != nil }
  /// Whether only a part of the rows is asked for, so that their order must be total.
  package var isPaged: Bool { hasLimit || after != nil }
}
