/// What an upsert did.
public enum UpsertOutcome: String, Sendable, Hashable {
  /// The entity was new.
  case inserted
  /// It was there with other values.
  case updated
  /// It was there, and what was to be updated had the same values; nothing was written.
  case unchanged

  /// What a run of an upsert over one row has done, by the rows that it changed and whether the row is new.
  @inlinable
  package init(changed: Int32, isNew: Bool) { self = changed == 0 ? .unchanged : isNew ? .inserted : .updated }
}
