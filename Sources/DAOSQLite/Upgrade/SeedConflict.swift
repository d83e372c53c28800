import DAOCriteria

/// A row on which the new seed and the user's store disagree.
///
/// Rows are by column, as the store keeps them. `nil` stands for "no such row".
public struct SeedConflict: Sendable, Hashable {
  /// The cause of a conflict.
  public enum Cause: Sendable, Hashable {
    /// Both changed the row since the last seed, or one changed what the other deleted, or both added it.
    case edited
    /// The seed's row has, in these columns that are unique together, the values of a row of the user's with another key. The user's row is
    /// ``mine``.
    ///
    /// Some conflicts are only reported, without a decision: the row merged from both sides has the values of another row that is put,
    /// which is ``mine`` then; or the index is over expressions, over computed columns or over a part of the rows. Then `columns` is empty
    /// and ``mine`` nil, and the store's row stays.
    case unique(columns: [String])
    /// The store does not take the seed's row: a rule of its table refuses it (`CHECK`, `NOT NULL`, the type of a `STRICT` column), which
    /// the seed's table no longer has. The conflict is only reported, without a decision: ``theirs`` is the row that was to be put,
    /// ``mine`` is nil, and the store's row, if there is one, stays.
    case rule(message: String)
  }

  /// The table.
  public let table: String
  /// Why.
  public let cause: Cause
  /// The key of the seed's row; of a row without a key, all its columns.
  public let key: [String: StoredValue]
  /// The row in the seed that the store was made from or last upgraded to.
  public let base: [String: StoredValue]?
  /// The row in the store.
  public let mine: [String: StoredValue]?
  /// The row in the new seed; nil where it was deleted there.
  public let theirs: [String: StoredValue]?
}
