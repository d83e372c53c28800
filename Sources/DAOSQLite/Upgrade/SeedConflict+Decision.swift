import DAOCriteria

extension SeedConflict {
  /// The decision on a row in conflict.
  public enum Decision: Sendable, Hashable {
    /// The store's row stays as it is.
    case mine
    /// The seed's row replaces it, or the row is deleted as in the seed. For a ``SeedConflict/Cause-swift.enum/unique(columns:)`` the
    /// user's row becomes the seed's row under its key. It is deleted where the seed has none, unless a remaining row references it: then
    /// the decision becomes ``mine``.
    case seed
    /// This row is put under the key of the seed's row. Columns that are left out keep the store's values (those of the seed where the
    /// store has no row of this key); columns of a declared key can't be changed.
    case row([String: StoredValue])
  }
}
