/// What an upsert did.
public enum UpsertOutcome: String, Sendable, Hashable {
  /// The entity was new.
  case inserted
  /// It was there with other values.
  case updated
  /// It was there, and what was to be updated had the same values; nothing was written.
  case unchanged
}
