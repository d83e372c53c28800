import DAOCriteria

extension SeedConflict {
  /// The decision on a row in conflict.
  public enum Decision: Sendable, Hashable {
    /// The store's row stays as it is.
    case mine
    /// The seed's row takes its place, or the row is deleted as in the seed. Of a ``SeedConflict/Cause-swift.enum/unique(columns:)`` the
    /// user's row becomes what the seed has under its key, and is deleted where it has none, unless a row that stays references it: then
    /// this becomes ``mine``.
    case seed
    /// This row is put under the key of the seed's row. Columns that are left out keep the store's values (those of the seed where the
    /// store has no row of this key); columns of a declared key can't be changed.
    case row([String: StoredValue])
  }
}
