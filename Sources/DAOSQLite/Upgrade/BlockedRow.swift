/// A row that is to be put, and a row of the store's with unique values of it, which stays.
struct BlockedRow {
  let pair: UniquePair
  let unique: MergeTable.Columns
  /// Whether the store's row was decided to stay.
  let isDecided: Bool
  /// Whether the store has a row under the key of the one to put.
  let hasOwnRow: Bool
}
