/// The effect of an upsert on a row.
public enum UpsertOutcome: String, Sendable, Hashable {
  /// The entity was new.
  case inserted
  /// It was there with other values.
  case updated
  /// The row existed, and the values to update were the same; nothing was written.
  case unchanged

  /// The effect of an upsert on one row, from the number of rows that it changed and whether the row is new.
  @inlinable
  package init(changed: Int32, isNew: Bool) { self = changed == 0 ? .unchanged : isNew ? .inserted : .updated }
}
